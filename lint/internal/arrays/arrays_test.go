package arrays_test

import (
	"fmt"
	"go/ast"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/linttest"
)

// asked reports what the index knows about the argument of every call of a
// function named ask.
var asked = &analysis.Analyzer{
	Name:     "asked",
	Requires: []*analysis.Analyzer{arrays.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		x := pass.ResultOf[arrays.Analyzer].(*arrays.Index)
		for at := range x.Root.Preorder((*ast.CallExpr)(nil)) {
			call := at.Node().(*ast.CallExpr)
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "ask" {
				pass.Reportf(call.Pos(), "%s %v", x.DType(call.Args[0]), x.Shape(call.Args[0]))
			}
		}
		return nil, nil
	},
}

func TestTypesAndShapes(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"ask(nd.Zeros(nd.Float32, 8, 64))", "Float32 [8 64]"},
		{"ask(nd.From([]float64{1, 2, 3}))", "Float64 [3]"},
		{"ask(nd.From(make([]complex64, 12), 3, 4))", "Complex64 [3 4]"},
		{"ask(nd.Zeros(nd.Float32, 8, 64).RFFT())", "Complex64 [8 33]"},
		{"ask(nd.Zeros(nd.Float64, 64).RFFT().Abs())", "Float64 [33]"},
		{"ask(nd.Zeros(nd.Float32, 64).RFFT().IRFFT(nd.FFT{N: 63}))", "Float32 [63]"},
		{"ask(nd.Zeros(nd.Float32, 64).FFT(nd.FFT{N: n}))", "Complex64 [-1]"},
		{"ask(nd.Zeros(nd.Float32, 8, 1).Mul(nd.Ones(nd.Float32, 64)))", "Float32 [8 64]"},
		{"ask(x)", " []"},
		{"ask(x.Cast(nd.Float16))", "Float16 []"},
		{"y := nd.Ones(nd.Float32, 4)\n\ty = y.Cast(nd.Float64)\n\task(y)", "Float64 [4]"},
		{"y := nd.Ones(nd.Float32, 4)\n\tif n > 0 {\n\t\ty = x\n\t}\n\task(y)", " []"},
		{"y := nd.Ones(nd.Float32, 4)\n\tfor range n {\n\t\task(y)\n\t\ty = x\n\t}", " []"},
		{"y := nd.Ones(nd.Float32, 4)\n\tf := func() { ask(y) }\n\ty = x\n\tf()", " []"},
		{"v, p := x.Cast(nd.Float32).TopK(3, 0)\n\task(v)\n\t_ = p", "Float32 []"},
		{"v, p := x.TopK(3, 0)\n\task(p)\n\t_ = v", "Int64 []"},
		{"ask(nd.Ones(nd.Float32, 4).Less(x))", "Bool []"},
		{"const m = 16\n\task(nd.Uniform(1, nd.Float32, m, 2*m))", "Float32 [16 32]"},
		{"y := x\n\ty = y.Neg()\n\task(y)", " []"},
	} {
		src := fmt.Sprintf("package a\n\nimport \"github.com/twiddle-go/twiddle/nd\"\n\nfunc ask(*nd.Array) {}\n\nfunc f(x *nd.Array, n int) {\n\t%s\n}\n", c.code)
		found, err := linttest.Check(asked, src)
		if err != nil || len(found) != 1 || found[0].Message != c.want {
			t.Errorf("%s: %v, %v; want %s", c.code, found, err, c.want)
		}
	}
}
