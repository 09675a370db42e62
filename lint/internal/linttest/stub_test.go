package linttest

import (
	"go/importer"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
)

// TestStubsAgree compares every function and method of the stubs with the real
// packages.
func TestStubsAgree(t *testing.T) {
	fset := token.NewFileSet()
	for pkg := range stubFiles() {
		short := strings.TrimPrefix(pkg, arrays.Module)
		stub, err := newStubImporter(fset).Import(pkg)
		if err != nil {
			t.Fatal(err)
		}
		real, err := importReal(fset, pkg)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range stub.Scope().Names() {
			obj := stub.Scope().Lookup(name)
			if !obj.Exported() {
				continue
			}
			was := real.Scope().Lookup(name)
			if was == nil {
				t.Errorf("%s.%s: the real package has none", short, name)
				continue
			}
			if _, ok := obj.(*types.Func); ok && signature(obj) != signature(was) {
				t.Errorf("%s.%s is %s, and really %s", short, name, signature(obj), signature(was))
			}
			named, ok := obj.Type().(*types.Named)
			if _, isType := obj.(*types.TypeName); !isType || !ok {
				continue
			}
			for m := range named.Methods() {
				now, _, _ := types.LookupFieldOrMethod(was.Type(), true, real, m.Name())
				if now == nil {
					t.Errorf("%s.%s.%s: the real type has none", short, name, m.Name())
				} else if signature(m) != signature(now) {
					t.Errorf("%s.%s.%s is %s, and really %s", short, name, m.Name(), signature(m), signature(now))
				}
			}
		}
	}
}

// signature is the type of a function without the names that stubs and real
// packages need not share: those of parameters and of the packages inside nd.
func signature(o types.Object) string {
	sig, ok := o.Type().(*types.Signature)
	if !ok {
		return o.Type().String()
	}
	bare := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	text := types.TypeString(types.NewSignatureType(nil, nil, nil, bare(sig.Params()), bare(sig.Results()), sig.Variadic()),
		func(p *types.Package) string { return p.Name() })
	return strings.NewReplacer("elem.Type", "nd.DType", "elem.", "nd.", "graph.", "nd.").Replace(text)
}

// importReal reads a package as the compiler leaves it.
func importReal(fset *token.FileSet, pkg string) (*types.Package, error) {
	return importer.ForCompiler(fset, "gc", openExport).Import(pkg)
}
