package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// textMakers are the packages whose strings may be kernel text: the printers of
// kernel trees, and what users write. This list only gets shorter.
var textMakers = []string{
	"internal/ktree/printer",
	"nd/internal/device/cuda", // folds the grids of users' kernels
}

// kernelWords tell a piece of a kernel from other strings.
var kernelWords = regexp.MustCompile(`__global__|__shared__|__syncthreads|__shfl_|threadIdx|blockIdx|#pragma unroll|workgroupBarrier|@workgroup_size|local_invocation_id|\[\[kernel\]\]`)

// Kernels are trees: text is made by printers alone.
func TestKernelTextIsPrinted(t *testing.T) {
	found := map[string]bool{}
	for _, file := range goFiles(t) {
		pkg := path.Dir(filepath.ToSlash(file))
		if strings.HasSuffix(file, "_test.go") || !strings.Contains(pkg, "internal") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil || !kernelWords.MatchString(s) {
				return true
			}
			if !matches(textMakers, pkg) {
				t.Errorf("%s: a piece of a kernel, %.60q: build a tree and let package printer print it", file, s)
			}
			found[pkg] = true
			return true
		})
	}
	for _, pkg := range textMakers {
		if !found[pkg] {
			t.Errorf("%s makes no kernel text any more: take it off the list", pkg)
		}
	}
}
