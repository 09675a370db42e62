package signal

import (
	"embed"

	"github.com/twiddle-go/twiddle/nd"
)

//go:embed body/*.metal
var bodies embed.FS

// kernel reads a body of the folder body; native does the same in Go, if given.
func kernel(name string, inputs, outputs []string, native ...func(*nd.Group)) *nd.Kernel {
	b, err := bodies.ReadFile("body/" + name + ".metal")
	if err != nil {
		panic(err) // embedded when the package was built
	}
	k := &nd.Kernel{Name: name, Inputs: inputs, Outputs: outputs, Source: string(b), File: name + ".metal"}
	for _, run := range native {
		k.Native = nd.NewNative(run)
	}
	return k
}

var (
	recurse     = kernel("recurse", []string{"x", "c", "zi"}, []string{"y", "zf"}, nativeRecurse)
	recurseBack = kernel("recurse_back", []string{"x", "c", "zi"}, []string{"y", "zf"}, nativeRecurseBack)
)

// linesPerGroup is how many lines a threadgroup has, with a thread for each: on a
// CPU as many as are filtered at a time, or half of them for two cores, and on a GPU
// a simdgroup where there are many.
func linesPerGroup(lines int) int {
	switch {
	case lines >= 2048:
		return 32
	case lines >= 2*lanes:
		return lanes
	}
	return (lines + 1) / 2
}
