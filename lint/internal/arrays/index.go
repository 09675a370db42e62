package arrays

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"
)

// Module is the import path that Twiddle's packages start with.
const Module = "github.com/twiddle-go/twiddle/"

// Analyzer indexes a package. Every pass requires it, so a package is walked
// once however many passes run.
var Analyzer = &analysis.Analyzer{
	Name:             "twiddlearrays",
	Doc:              "index the uses of Twiddle's arrays, for the passes of twiddle lint",
	Requires:         []*analysis.Analyzer{inspect.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Index](),
	Run:              func(pass *analysis.Pass) (any, error) { return newIndex(pass), nil },
}

// Index is what the passes ask about one package.
type Index struct {
	pass  *analysis.Pass
	Root  inspector.Cursor
	Calls []*Call // of Twiddle's functions and methods, in the order of the text
	// Kernels are the custom kernels written as literals.
	Kernels []*Kernel

	byExpr map[*ast.CallExpr]*Call
	defs   map[*types.Var][]Def
	uses   map[*types.Var][]inspector.Cursor
	useAt  map[*ast.Ident]inspector.Cursor
	funcs  map[*types.Func]*ast.FuncDecl
	lazy   map[*types.Func]verdict
}

// Call is a call of one of Twiddle's functions or methods.
type Call struct {
	Expr *ast.CallExpr
	At   inspector.Cursor
	Pkg  string // below Module: nd, fft, signal
	Recv string // the receiver's type, or "" for a function
	Name string
	sig  *types.Signature
}

// Is reports whether c is one of the named functions, or with recv methods, of
// a package.
func (c *Call) Is(pkg, recv string, names ...string) bool {
	if c == nil || c.Pkg != pkg || c.Recv != recv {
		return false
	}
	for _, n := range names {
		if c.Name == n {
			return true
		}
	}
	return false
}

// Method reports whether c is one of the named methods of nd.Array.
func (c *Call) Method(names ...string) bool { return c.Is("nd", "Array", names...) }

// Func reports whether c is one of the named functions of nd.
func (c *Call) Func(names ...string) bool { return c.Is("nd", "", names...) }

// Receiver is what a method is called on, or nil.
func (c *Call) Receiver() ast.Expr {
	if c.Recv == "" {
		return nil
	}
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// NamePos is where the name of the called function is: the place to report a
// method of a chain that spans lines.
func (c *Call) NamePos() ast.Node {
	fun := ast.Unparen(c.Expr.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		return sel.Sel
	}
	return fun
}

func newIndex(pass *analysis.Pass) *Index {
	x := &Index{pass: pass, Root: pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()}
	for at := range x.Root.Preorder((*ast.CallExpr)(nil)) {
		call := at.Node().(*ast.CallExpr)
		if c := x.resolve(call); c != nil {
			c.At = at
			x.Calls = append(x.Calls, c)
		}
	}
	x.findKernels()
	if len(x.Calls) == 0 && len(x.Kernels) == 0 {
		return x // most packages have nothing for us: leave them at that
	}
	x.byExpr = make(map[*ast.CallExpr]*Call, len(x.Calls))
	for _, c := range x.Calls {
		x.byExpr[c.Expr] = c
	}
	x.lazy = map[*types.Func]verdict{}
	x.collect()
	return x
}

// resolve gives a call of Twiddle, or nil.
func (x *Index) resolve(call *ast.CallExpr) *Call {
	fn, ok := typeutil.Callee(x.pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return nil
	}
	pkg, ours := strings.CutPrefix(fn.Pkg().Path(), Module)
	if !ours || strings.Contains("/"+pkg, "/internal/") || strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "examples/") {
		return nil
	}
	c := &Call{Expr: call, Pkg: pkg, Name: fn.Name(), sig: fn.Signature()}
	if recv := fn.Signature().Recv(); recv != nil {
		if named := namedOf(recv.Type()); named != nil {
			c.Recv = named.Obj().Name()
		} else {
			return nil
		}
	}
	return c
}

// namedOf is the named type behind t and its pointer, or nil.
func namedOf(t types.Type) *types.Named {
	if t == nil {
		return nil
	}
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// IsType reports whether t, or what it points at, is a named type of one of
// Twiddle's packages.
func IsType(t types.Type, pkg, name string) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == Module+pkg
}

// IsArray reports whether e is an array.
func (x *Index) IsArray(e ast.Expr) bool { return IsType(x.TypeOf(e), "nd", "Array") }

// TypeOf is the type of e, nil where it has none.
func (x *Index) TypeOf(e ast.Expr) types.Type { return x.pass.TypesInfo.TypeOf(e) }

// CallOf is the call of Twiddle that e is, or nil.
func (x *Index) CallOf(e ast.Expr) *Call {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok {
		return x.byExpr[call]
	}
	return nil
}

// VarOf is the variable that e names, or nil.
func (x *Index) VarOf(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := x.pass.TypesInfo.ObjectOf(id).(*types.Var)
	return v
}

// ImportName is the name by which the file that holds at refers to one of
// Twiddle's packages, or "" if it cannot.
func (x *Index) ImportName(at inspector.Cursor, pkg string) string {
	for f := range at.Enclosing((*ast.File)(nil)) {
		for _, spec := range f.Node().(*ast.File).Imports {
			if strings.Trim(spec.Path.Value, "`\"") != Module+pkg {
				continue
			}
			switch {
			case spec.Name == nil:
				return pkg[strings.LastIndexByte(pkg, '/')+1:]
			case spec.Name.Name == "." || spec.Name.Name == "_":
				return ""
			}
			return spec.Name.Name
		}
	}
	return ""
}
