package build

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Param is a parameter of a function.
type Param struct {
	Name string
	Type ktree.Type
}

// Func is a function of that name, which the first call defines: body makes its
// statements and ends it with Result. It sees its parameters only.
func (k *Kernel) Func(name string, result ktree.Type, params []Param, body func(f *Kernel, args []Val)) *ktree.Func {
	if k.rare {
		name += "_rare"
	}
	if f := k.funcs[name]; f != nil {
		return f
	}
	inner := &Kernel{p: &ktree.Program{Name: name}, names: map[string]int{}, funcs: k.funcs}
	inner.list = &inner.p.Body
	f := &ktree.Func{Name: name, Result: result, Pure: true, Rare: k.rare}
	var args []Val
	for _, p := range params {
		v := &ktree.Var{Name: inner.name(p.Name), Type: p.Type, Role: ktree.Param, Const: true}
		f.Params = append(f.Params, v)
		args = append(args, ref(v))
	}
	body(inner, args)
	f.Body = inner.p.Body
	k.funcs[name] = f
	k.p.Funcs = append(append(k.p.Funcs, inner.p.Funcs...), f)
	return f
}

// Rarely makes what seldom runs: functions that it calls are not copied to where they are
// called, which takes most of the time to compile it.
func (k *Kernel) Rarely(body func()) {
	was := k.rare
	k.rare = true
	body()
	k.rare = was
}

// Result ends a function with its value.
func (k *Kernel) Result(v Val) { k.emit(&ktree.Return{X: v.E}) }

// Call is a function's value.
func Call(f *ktree.Func, args ...Val) Val {
	c := &ktree.Call{E: ktree.E{Type: f.Result}, Fn: f}
	for i, a := range args {
		if a.Type() != f.Params[i].Type {
			panic(fmt.Sprintf("build: %s takes %s as %s, not %s", f.Name, f.Params[i].Type, f.Params[i].Name, a.Type()))
		}
		c.Args = append(c.Args, a.E)
	}
	return Val{c}
}
