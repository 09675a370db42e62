package linalg

import (
	"embed"

	"github.com/twiddle-go/twiddle/nd"
)

//go:embed body/*.metal
var bodies embed.FS

// kernel reads a body of the folder body, and its functions if it has any. native
// does the same in Go, if given.
func kernel(name string, inputs, outputs []string, native ...func(*nd.Group)) *nd.Kernel {
	k := &nd.Kernel{Name: name, Inputs: inputs, Outputs: outputs, Source: text(name), File: name + ".metal"}
	if h, err := bodies.ReadFile("body/" + name + ".header.metal"); err == nil {
		k.Header = string(h)
	}
	for _, run := range native {
		k.Native = nd.NewNative(run)
	}
	return k
}

// text is a file of the folder body.
func text(name string) string {
	b, err := bodies.ReadFile("body/" + name + ".metal")
	if err != nil {
		panic(err) // embedded when the package was built
	}
	return string(b)
}

var (
	gramSchmidt        = kernel("gram_schmidt", []string{"at", "least", "size"}, []string{"qt", "rt"}, nativeGramSchmidt)
	gramFactor         = kernel("gram_factor", []string{"g", "scale"}, []string{"xt", "r", "lost"}, nativeGramFactor)
	substitute         = kernel("substitute", []string{"l", "b"}, []string{"x"}, nativeSubstitute)
	luPanelKernel      = kernel("lu_panel", []string{"at"}, []string{"wt", "order", "swaps"}, nativeLUPanel)
	jacobiKernel       = kernel("jacobi", []string{"a", "tolerance", "least"}, []string{"w", "v", "outcome"})
	jacobiSmall        = kernel("jacobi_small", []string{"r"}, []string{"vt", "s", "outcome"}, nativeJacobiSmall)
	toeplitz           = kernel("toeplitz", []string{"t"}, []string{"f", "b", "status"}, nativeToeplitz)
	levinson           = kernel("levinson", []string{"r"}, []string{"a", "reflection", "e"})
	gramSchmidtComplex = kernel("gram_schmidt_complex", []string{"zt", "least", "size"}, []string{"qt", "rt"}, nativeGramSchmidtComplex)
	substituteComplex  = kernel("substitute_complex", []string{"zl", "zb"}, []string{"z"}, nativeSubstituteComplex)
	luPanelComplex     = kernel("lu_panel_complex", []string{"zt"}, []string{"wt", "order", "swaps"}, nativeLUPanelComplex)
	jacobiComplex      = kernel("jacobi_complex", []string{"za", "tolerance", "least"}, []string{"w", "v", "outcome"}, nativeJacobiComplex)
	reconstruct        = kernel("reconstruct", []string{"q"}, []string{"low", "rows", "inverse", "sign"}, nativeReconstruct)
)

// mostGroups is how many simdgroups a threadgroup has at most. With 1024 threads
// a GPU leaves each 64 registers, which is too few for complex numbers.
func mostGroups(t nd.DType) int {
	if t.IsComplex() {
		return 16
	}
	return 32
}
