package check

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Limits on memory a kernel may declare. 32 KiB of threadgroup memory is what
// every Metal device has.
const (
	MaxGroupBytes    = 32 << 10
	maxThreadScalars = 4096
)

// Operand is an input or output of the kernel.
type Operand struct {
	Name string
	Type elem.Type
}

// Template is a constant given with the launch: a type, a bool or an int.
type Template struct {
	Name string
	Type elem.Type  // set for a type argument
	Kind ktree.Kind // Bool or Int otherwise
	Int  int64
}

// Spec is what a body is checked against.
type Spec struct {
	Name            string
	Inputs, Outputs []Operand
	Template        []Template
	Atomic          bool
}

// Check parses and checks. Faults are a source.Errors; a bad Spec is a plain
// error.
func Check(spec Spec, src *source.Source) (*ktree.Program, error) {
	r := &source.Reporter{Source: src}
	c := &checker{r: r, spec: spec, funcs: map[string]*function{}, aliases: map[string]ktree.Type{}}
	c.p = &ktree.Program{Name: spec.Name, Source: src, Atomic: spec.Atomic}
	if err := c.operands(); err != nil {
		return nil, err
	}
	tree := syntax.Parse(r, syntax.Options{IsType: c.isType, Types: ktree.ValueTypes()})
	if err := r.Err(); err != nil {
		return nil, err
	}
	c.header(tree)
	c.body(tree)
	if err := r.Err(); err != nil {
		return nil, err
	}
	c.assigned()
	if err := r.Err(); err != nil {
		return nil, err
	}
	return c.p, nil
}

type checker struct {
	r       *source.Reporter
	spec    Spec
	p       *ktree.Program
	aliases map[string]ktree.Type
	scopes  []map[string]*ktree.Var
	funcs   map[string]*function
	order   []*function
	fn      *function // nil in the body
	loops   int
	locals  int // scalars declared by a thread
}

// function is a header function and what is learnt while checking it.
type function struct {
	syn    *syntax.Func
	fn     *ktree.Func
	calls  []*function
	used   bool
	impure bool
	state  uint8 // of the search for recursion
}

func identOK(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// operands declares inputs, outputs and template constants in the outermost
// scope.
func (c *checker) operands() error {
	c.push()
	declare := func(v *ktree.Var, what string) error {
		if !identOK(v.Name) {
			return fmt.Errorf("%s name %q is not an identifier", what, v.Name)
		}
		if _, ok := ktree.ValueType(v.Name); ok {
			return fmt.Errorf("%s name %q is a type", what, v.Name)
		}
		if c.scopes[0][v.Name] != nil {
			return fmt.Errorf("%s name %q is used twice", what, v.Name)
		}
		c.scopes[0][v.Name] = v
		return nil
	}
	for i, o := range c.spec.Inputs {
		v := operand(o, i, ktree.Input)
		if v.Type.Kind == ktree.Invalid {
			return fmt.Errorf("input %s has no element type", o.Name)
		}
		if err := declare(v, "input"); err != nil {
			return err
		}
		c.p.Inputs = append(c.p.Inputs, v)
	}
	for i, o := range c.spec.Outputs {
		v := operand(o, i, ktree.Output)
		if v.Type.Kind == ktree.Invalid {
			return fmt.Errorf("output %s has no element type", o.Name)
		}
		if c.spec.Atomic {
			if k := v.Type.Elem(); k != ktree.Scalar(ktree.Int) && k != ktree.Scalar(ktree.Uint) && k != ktree.Scalar(ktree.Float) {
				return fmt.Errorf("output %s is %s: atomic outputs are int32, uint32 or float32", o.Name, o.Type)
			}
			v.Atomic = true
		}
		if err := declare(v, "output"); err != nil {
			return err
		}
		c.p.Outputs = append(c.p.Outputs, v)
	}
	for _, t := range c.spec.Template {
		if t.Type != elem.Invalid {
			if !identOK(t.Name) || c.scopes[0][t.Name] != nil {
				return fmt.Errorf("template constant %q is not a free identifier", t.Name)
			}
			c.aliases[t.Name] = ktree.OfElem(t.Type)
			c.p.Consts = append(c.p.Consts, ktree.Const{Name: t.Name, Type: ktree.OfElem(t.Type), Is: true})
			continue
		}
		val := ktree.Num{I: ktree.Wrap(t.Kind, t.Int)}
		v := &ktree.Var{Name: t.Name, Type: ktree.Scalar(t.Kind), Role: ktree.Global, Const: true, Values: []ktree.Num{val}}
		if err := declare(v, "template"); err != nil {
			return err
		}
		c.p.Consts = append(c.p.Consts, ktree.Const{Name: t.Name, Type: v.Type, Val: val})
	}
	return nil
}

func operand(o Operand, i int, role ktree.Role) *ktree.Var {
	t := ktree.OfElem(o.Type)
	t.Form, t.Space, t.Const = ktree.Pointer, ktree.Device, role == ktree.Input
	return &ktree.Var{Name: o.Name, Type: t, Space: ktree.Device, Role: role, Index: i, Const: true}
}

func (c *checker) isType(name string) bool {
	if _, ok := ktree.ValueType(name); ok {
		return true
	}
	if _, ok := atomicTypes[name]; ok {
		return true
	}
	_, ok := c.aliases[name]
	return ok
}

var atomicTypes = map[string]ktree.Type{
	"atomic_int": ktree.Scalar(ktree.Int), "atomic_uint": ktree.Scalar(ktree.Uint), "atomic_float": ktree.Scalar(ktree.Float),
}

// header checks globals, then functions.
func (c *checker) header(tree *syntax.Tree) {
	for name, t := range tree.Aliases {
		if base, ok := c.valueType(t, tree); ok {
			c.aliases[name] = base
		}
	}
	for _, g := range tree.Globals {
		c.global(g)
	}
	for _, f := range tree.Funcs {
		c.declareFunc(f)
	}
	for _, f := range c.order {
		if f.syn.Body != nil {
			c.function(f)
		}
	}
	c.recursion()
}

// valueType resolves an alias, which may name another.
func (c *checker) valueType(t *syntax.Type, tree *syntax.Tree) (ktree.Type, bool) {
	for range 16 {
		if v, ok := ktree.ValueType(t.Name); ok {
			return v, true
		}
		if v, ok := c.aliases[t.Name]; ok {
			return v, true
		}
		next := tree.Aliases[t.Name]
		if next == nil {
			break
		}
		t = next
	}
	c.r.Suggest(t.Pos, source.DidYouMean(t.Name, ktree.ValueTypes()), "unknown type %q", t.Name)
	return ktree.Type{}, false
}

// typ resolves a type as written in a declaration.
func (c *checker) typ(t *syntax.Type) ktree.Type {
	v, ok := ktree.ValueType(t.Name)
	if !ok {
		v, ok = c.aliases[t.Name]
	}
	if !ok {
		v, ok = atomicTypes[t.Name]
	}
	if !ok {
		hint := source.DidYouMean(t.Name, ktree.ValueTypes())
		c.r.Suggest(t.Pos, hint, "unknown type %q", t.Name)
		return ktree.Type{}
	}
	if t.Ptr {
		v.Form, v.Space, v.Const = ktree.Pointer, space(t.Space), t.Const || t.Space == "constant"
	}
	return v
}

func space(s string) ktree.Space {
	switch s {
	case "device":
		return ktree.Device
	case "threadgroup":
		return ktree.Threadgroup
	case "constant":
		return ktree.Constant
	}
	return ktree.Thread
}

// body checks the kernel's own statements.
func (c *checker) body(tree *syntax.Tree) {
	c.push()
	c.p.Body = c.block(tree.Body.List)
	c.pop()
	for _, f := range c.order {
		if f.used {
			c.p.Funcs = append(c.p.Funcs, f.fn)
		}
	}
	if n := c.p.GroupBytes(); n > MaxGroupBytes {
		c.r.Report(c.p.Groups[len(c.p.Groups)-1].Pos, "%d bytes of threadgroup memory, the limit is %d", n, MaxGroupBytes)
	}
}

func (c *checker) push() { c.scopes = append(c.scopes, map[string]*ktree.Var{}) }
func (c *checker) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

// declare adds v to the innermost scope.
func (c *checker) declare(v *ktree.Var) {
	top := c.scopes[len(c.scopes)-1]
	if old := top[v.Name]; old != nil {
		c.r.Report(v.Pos, "%s is already declared on line %d", v.Name, c.r.Source.Place(old.Pos).Line)
		return
	}
	if v.Role == ktree.Local && c.scopes[0][v.Name] != nil {
		if o := c.scopes[0][v.Name]; o.Role == ktree.Input || o.Role == ktree.Output {
			c.r.Report(v.Pos, "%s hides the operand of that name", v.Name)
			return
		}
	}
	top[v.Name] = v
}

// find looks a name up: scopes, positions, and the metadata of operands.
func (c *checker) find(name string) *ktree.Var {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if v := c.scopes[i][name]; v != nil {
			if c.fn != nil && (v.Role == ktree.Input || v.Role == ktree.Output) {
				return nil // functions see their parameters only
			}
			return v
		}
	}
	if c.fn != nil {
		return nil
	}
	if g, ok := ktree.GridNamed(name); ok {
		return c.grid(g)
	}
	return c.meta(name)
}

func (c *checker) grid(g ktree.Grid) *ktree.Var {
	if c.p.Builtins[g] == nil {
		c.p.Builtins[g] = &ktree.Var{Name: ktree.GridNames[g], Type: g.Type(), Role: ktree.Builtin, Grid: g, Const: true}
	}
	return c.p.Builtins[g]
}

// meta injects <operand>_shape and its kin at their first mention.
func (c *checker) meta(name string) *ktree.Var {
	i := strings.LastIndexByte(name, '_')
	if i < 0 {
		return nil
	}
	for n, in := range c.p.Inputs {
		if in.Name != name[:i] {
			continue
		}
		v := &ktree.Var{Name: name, Role: ktree.Meta, Index: n, What: name[i+1:], Space: ktree.Constant, Const: true}
		switch v.What {
		case "shape":
			v.Type = ktree.Type{Kind: ktree.Int, Width: 1, Form: ktree.Pointer, Space: ktree.Constant, Const: true}
		case "strides":
			v.Type = ktree.Type{Kind: ktree.Long, Width: 1, Form: ktree.Pointer, Space: ktree.Constant, Const: true}
		case "ndim":
			v.Type = ktree.Scalar(ktree.Int)
		default:
			return nil
		}
		c.scopes[0][name] = v
		c.p.Metas = append(c.p.Metas, v)
		return v
	}
	return nil
}

// names lists what could have been meant in an expression.
func (c *checker) names() []string {
	out := append([]string(nil), ktree.GridNames[:]...)
	for _, s := range c.scopes {
		for n := range s {
			out = append(out, n)
		}
	}
	return out
}
