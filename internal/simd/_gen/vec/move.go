package main

import "github.com/mmcloughlin/avo/reg"

// moveKernels copies and fills. They exist for stores that pass by the
// caches, which NEON has none of; Go's copy is as good when they are not wanted.
func moveKernels(i isa) {
	k := kernel{
		isa: i, name: "copyBytes", doc: "copy(dst, x)", outType: "byte", outSize: 1, lanes: i.bytes, unroll: 4,
		inputs: []input{{name: "x", goType: "byte", size: 1}},
		body:   func(c *code, in []reg.Register) reg.Register { return in[0] },
	}
	if !i.neon {
		k.generate()
	}
	for _, e := range []struct {
		name, goType string
		size         int
	}{{"fill4", "uint32", 4}, {"fill8", "uint64", 8}} {
		k := kernel{
			isa: i, name: e.name, doc: "for i := range dst { dst[i] = v }", outType: e.goType, outSize: e.size,
			lanes: i.bytes / e.size, unroll: 4,
			inputs: []input{{name: "v", goType: e.goType, size: e.size, scalar: true}},
			body:   func(c *code, in []reg.Register) reg.Register { return in[0] },
		}
		k.generate()
	}
}
