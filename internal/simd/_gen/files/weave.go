package files

import "github.com/mmcloughlin/avo/ir"

// Weave runs parts, each of which adds as many instructions to the function being built, none
// of them a branch, and puts their instructions in turns. Few instructions wait for their
// operands inside a processor at a time: of one long chain after another these are from two
// or three, of chains in turns from all.
func Weave(parts []func()) {
	f, err := context.Result()
	Check(err)
	fn := f.Functions()[len(f.Functions())-1]
	begin := len(fn.Nodes)
	for _, part := range parts {
		part()
	}
	added := fn.Nodes[begin:]
	each := len(added) / len(parts)
	woven := make([]ir.Node, 0, len(added))
	for i := range each {
		for p := range parts {
			woven = append(woven, added[p*each+i])
		}
	}
	copy(added, woven)
}
