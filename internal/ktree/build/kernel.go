package build

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Kernel is a kernel, or a function of kernels, in the making.
type Kernel struct {
	// NoDouble says that doubles are slow or not there: what they would be used for
	// is made of floats.
	NoDouble bool

	p     *ktree.Program
	list  *[]ktree.Stmt
	names map[string]int
	funcs map[string]*ktree.Func

	starts int  // statements of AtStart
	rare   bool // see Rarely
}

// NewKernel starts a kernel of groups of threads, which are along one axis.
func NewKernel(name string, threads int) *Kernel {
	k := &Kernel{p: &ktree.Program{Name: name, Threads: threads}, names: map[string]int{}, funcs: map[string]*ktree.Func{}}
	k.list = &k.p.Body
	return k
}

// Program is the kernel, complete.
func (k *Kernel) Program() *ktree.Program { return k.p }

// Name is the kernel's name.
func (k *Kernel) Name() string { return k.p.Name }

// Threads is how many a group has.
func (k *Kernel) Threads() int { return k.p.Threads }

// ByBytes asks for pointers into the pool to be counted in bytes.
func (k *Kernel) ByBytes(on bool) { k.p.ByBytes = on }

// Beside asks for so many groups to fit a multiprocessor at once.
func (k *Kernel) Beside(groups int) { k.p.Beside = groups }

// name is the wish, or the wish with a number where it is taken.
func (k *Kernel) name(wish string) string {
	k.names[wish]++
	if n := k.names[wish]; n > 1 {
		return k.name(fmt.Sprintf("%s_%d", wish, n))
	}
	return wish
}

func (k *Kernel) emit(s ktree.Stmt) { *k.list = append(*k.list, s) }

// nested collects the statements of body.
func (k *Kernel) nested(body func()) []ktree.Stmt {
	var list []ktree.Stmt
	save := k.list
	k.list = &list
	body()
	k.list = save
	return list
}

func ref(v *ktree.Var) Val {
	t := v.Type
	return Val{&ktree.Ref{E: ktree.E{Type: t}, Var: v}}
}

// Buffer is the next parameter: a pointer to elements of type t.
func (k *Kernel) Buffer(name string, t ktree.Type, written bool) Val {
	t.Form, t.Space, t.Const = ktree.Pointer, ktree.Device, !written
	return k.param(&ktree.Var{Name: k.name(name), Type: t, Space: ktree.Device, Role: ktree.Buffer})
}

// AtomicBuffer is a parameter whose elements are only touched atomically.
func (k *Kernel) AtomicBuffer(name string, t ktree.Type) Val {
	t.Form, t.Space = ktree.Pointer, ktree.Device
	k.p.UsesAtomic = true
	return k.param(&ktree.Var{Name: k.name(name), Type: t, Space: ktree.Device, Role: ktree.Buffer, Atomic: true})
}

// Number is the next parameter: a value.
func (k *Kernel) Number(name string, t ktree.Type) Val {
	return k.param(&ktree.Var{Name: k.name(name), Type: t, Role: ktree.Number, Const: true})
}

func (k *Kernel) param(v *ktree.Var) Val {
	v.Index = len(k.p.Params)
	k.p.Params = append(k.p.Params, v)
	return ref(v)
}

// Map is the next parameter: how the runs of a Bring lie.
func (k *Kernel) Map(name string) Val {
	return k.param(&ktree.Var{Name: k.name(name), Type: ktree.Scalar(ktree.Void), Role: ktree.Map, Const: true})
}

// Thread is the thread's number in its group, an Uint.
func (k *Kernel) Thread() Val {
	return k.builtin(ktree.ThreadPositionInThreadgroup, int64(k.p.Threads-1))
}

// Group is the number of the group, an Uint.
func (k *Kernel) Group() Val { return k.builtin(ktree.ThreadgroupPositionInGrid, 1<<31-1) }

func (k *Kernel) builtin(g ktree.Grid, most int64) Val {
	if k.p.Builtins[g] == nil {
		k.p.Builtins[g] = &ktree.Var{Name: ktree.GridNames[g], Type: ktree.Scalar(ktree.Uint), Role: ktree.Builtin, Grid: g, Const: true, Most: most}
	}
	if most == 0 {
		return Int(ktree.Uint, 0)
	}
	return ref(k.p.Builtins[g])
}

// AsFunc makes a function of a kernel, for a kernel whose groups do the work of
// several: its first parameter is the number of the group, the others are the
// kernel's own, and so are the arrays in shared memory, which share their place
// with those of functions of another number. The kernel is not to be used after
// it.
func (k *Kernel) AsFunc(name string, number int) *ktree.Func {
	k.Group()
	group := k.p.Builtins[ktree.ThreadgroupPositionInGrid]
	group.Role, group.Name = ktree.Param, k.name("group")
	f := &ktree.Func{Name: name, Result: ktree.Scalar(ktree.Void), Params: []*ktree.Var{group}, Body: k.p.Body}
	for _, p := range k.p.Params {
		p.Role = ktree.Param
		f.Params = append(f.Params, p)
	}
	for _, v := range k.p.Groups {
		v.Overlay = number
	}
	return f
}

// Rename changes the kernel's name.
func (k *Kernel) Rename(name string) { k.p.Name = name }

// Forwarded lists parameters like those of another kernel, which is then to be
// called with them.
func (k *Kernel) Forwarded(other *Kernel, prefix string) []Val {
	var list []Val
	for _, p := range other.p.Params {
		v := *p
		v.Name = k.name(prefix + p.Name)
		list = append(list, k.param(&v))
	}
	return list
}

// Join takes what a function, made of another kernel, needs of the kernel that
// calls it.
func (k *Kernel) Join(other *Kernel, f *ktree.Func) {
	for _, g := range other.p.Funcs {
		if k.funcs[g.Name] == nil {
			k.funcs[g.Name] = g
			k.p.Funcs = append(k.p.Funcs, g)
		}
	}
	k.p.Funcs = append(k.p.Funcs, f)
	k.p.Groups = append(k.p.Groups, other.p.Groups...)
	k.p.UsesBarrier = k.p.UsesBarrier || other.p.UsesBarrier
	k.p.UsesSimd = k.p.UsesSimd || other.p.UsesSimd
	k.p.UsesAtomic = k.p.UsesAtomic || other.p.UsesAtomic
	if v := other.p.Builtins[ktree.ThreadPositionInThreadgroup]; v != nil && k.p.Builtins[ktree.ThreadPositionInThreadgroup] == nil {
		k.p.Builtins[ktree.ThreadPositionInThreadgroup] = v
	}
}

// Let names a value that does not change. Numbers and names are left as they
// are.
func (k *Kernel) Let(name string, v Val) Val {
	switch e := v.E.(type) {
	case *ktree.Lit:
		return v
	case *ktree.Ref:
		if e.Var.Const {
			return v
		}
	}
	if half, ok := v.widened(); ok {
		if _, rounded := half.E.(*ktree.Convert); rounded {
			return k.Let(name, half).To(ktree.Float) // so that storing it rounds nothing again
		}
	}
	r := &ktree.Var{Name: k.name(name), Type: v.Type(), Const: true}
	if v.Type().IsScalar() && v.Kind().IsInt() {
		lo, hi := Range(v)
		if least, most := kindRange(v.Kind()); lo != least || hi != most {
			r.Least, r.Most = lo, hi
		}
	}
	k.emit(&ktree.Decl{Var: r, Init: v.E})
	return ref(r)
}

// LetIn is Let for an integer that is known to be from least to most.
func (k *Kernel) LetIn(name string, v Val, least, most int) Val {
	if n, ok := v.Known(); ok {
		return Int(v.Kind(), n)
	}
	if least == most {
		return Int(v.Kind(), int64(least))
	}
	r := &ktree.Var{Name: k.name(name), Type: v.Type(), Const: true, Least: int64(least), Most: int64(most)}
	k.emit(&ktree.Decl{Var: r, Init: v.E})
	return ref(r)
}

// Collected makes statements that the function it returns puts in their place.
func (k *Kernel) Collected(body func()) func() {
	list := k.nested(body)
	return func() { *k.list = append(*k.list, list...) }
}

// AtStart makes statements that come before those that are there, behind what
// AtStart made earlier: for values that follow from parameters alone.
func (k *Kernel) AtStart(body func()) {
	list := k.nested(body)
	k.p.Body = slices.Insert(k.p.Body, k.starts, list...)
	k.starts += len(list)
}

// Var declares a variable that starts as v.
func (k *Kernel) Var(name string, v Val) Val {
	r := &ktree.Var{Name: k.name(name), Type: v.Type()}
	k.emit(&ktree.Decl{Var: r, Init: v.E})
	return ref(r)
}

// Unset declares a variable that is set before it is read.
func (k *Kernel) Unset(name string, t ktree.Type) Val {
	r := &ktree.Var{Name: k.name(name), Type: t}
	k.emit(&ktree.Decl{Var: r})
	return ref(r)
}

func arrayType(t ktree.Type, space ktree.Space, dims []int) ktree.Type {
	t.Form, t.Space = ktree.Array, space
	for i, d := range dims {
		t.Dims[i] = int32(d)
	}
	return t
}

// Array declares an array of the thread, whose elements are set before they are
// read.
func (k *Kernel) Array(name string, t ktree.Type, dims ...int) Val {
	r := &ktree.Var{Name: k.name(name), Type: arrayType(t, ktree.Thread, dims)}
	k.emit(&ktree.Decl{Var: r, Bare: true})
	return ref(r)
}

// Zeros declares an array of the thread that starts as zeros.
func (k *Kernel) Zeros(name string, t ktree.Type, dims ...int) Val {
	r := &ktree.Var{Name: k.name(name), Type: arrayType(t, ktree.Thread, dims)}
	k.emit(&ktree.Decl{Var: r})
	return ref(r)
}

// Shared declares an array of the group.
func (k *Kernel) Shared(name string, t ktree.Type, dims ...int) Val {
	r := &ktree.Var{Name: k.name(name), Type: arrayType(t, ktree.Threadgroup, dims), Space: ktree.Threadgroup}
	k.p.Groups = append(k.p.Groups, r)
	k.emit(&ktree.Decl{Var: r})
	return ref(r)
}

// AtomicShared declares an array of the group whose elements are only touched
// atomically.
func (k *Kernel) AtomicShared(name string, t ktree.Type, dims ...int) Val {
	k.p.UsesAtomic = true
	v := k.Shared(name, t, dims...)
	v.E.(*ktree.Ref).Var.Atomic = true
	return v
}

// Pool reserves bytes of memory of the group for Views.
func (k *Kernel) Pool(bytes int) { k.p.Pool = bytes }

// View declares an array of the group that is all of its pool, seen as elements of
// a type.
func (k *Kernel) View(name string, t ktree.Type) Val {
	n := k.p.Pool / (t.Comps() * t.Kind.Bits() / 8)
	r := &ktree.Var{Name: k.name(name), Type: arrayType(t, ktree.Threadgroup, []int{n}), Space: ktree.Threadgroup, Pooled: true}
	k.p.Groups = append(k.p.Groups, r)
	k.emit(&ktree.Decl{Var: r})
	return ref(r)
}

// Set assigns to a variable or an element.
func (k *Kernel) Set(to Val, x any) {
	v := operand(x, to.Kind())
	if v.Type() != to.Type() {
		panic(fmt.Sprintf("build: %s for %s", v.Type(), to.Type()))
	}
	if r, ok := to.E.(*ktree.Ref); ok {
		r.Var.Written++
	}
	k.emit(&ktree.Do{X: &ktree.Assign{E: ktree.E{Type: to.Type()}, L: to.E, R: v.E}})
}

// Do runs a value for its effect: a call, an atomic operation.
func (k *Kernel) Do(v Val) { k.emit(&ktree.Do{X: v.E}) }

// Move copies count neighbours in one access.
func (k *Kernel) Move(to, from Val, count int) {
	if count == 1 {
		k.Set(to, from)
		return
	}
	k.emit(&ktree.Move{To: to.E, From: from.E, Count: count})
}

// MoveAsync copies 16 bytes from device to shared memory in the background, or
// zeros where where is false.
func (k *Kernel) MoveAsync(to, from Val, count int, where Val) {
	k.emit(&ktree.Move{To: to.E, From: from.E, Count: count, Async: true, Where: where.E})
}

// Commit ends a group of background copies; Await waits until at most pending
// groups are under way.
func (k *Kernel) Commit() { k.emit(&ktree.Copies{}) }

// Await waits for background copies.
func (k *Kernel) Await(pending int) { k.emit(&ktree.Copies{Wait: true, Pending: pending}) }

// AwaitBehind waits for all of them, behind what is computed before.
func (k *Kernel) AwaitBehind() { k.emit(&ktree.Copies{Wait: true, Behind: true}) }

// Landings is how many Brings may be under way at once.
func (k *Kernel) Landings(n int) { k.p.Landings = n }

// Bring copies runs of count neighbours, apart elements from each other, from element
// first of a buffer, in the way that a Map says, to the pool from element to on. It is
// under way until Landed, and one thread asks for it.
func (k *Kernel) Bring(landing int, how, to, buffer, first Val, count, runs, apart int) {
	of := func(v Val) *ktree.Var { return v.E.(*ktree.Ref).Var }
	k.emit(&ktree.Bring{Map: of(how), Buffer: of(buffer), To: to.E, From: first.To(ktree.Int).E, Count: count, Runs: runs, Apart: apart, Landing: landing})
}

// Landed waits for what was brought under a number, every second time with odd.
func (k *Kernel) Landed(landing int, odd Val) {
	k.p.UsesBarrier = true
	k.emit(&ktree.Landed{Landing: landing, Odd: odd.E})
}

// Vacate says that the thread has read what was brought: behind the next Barrier more may
// come to the same place.
func (k *Kernel) Vacate() { k.emit(&ktree.Vacate{}) }

// Prefetch asks for count neighbours to be brought near.
func (k *Kernel) Prefetch(from Val, count int) { k.emit(&ktree.Prefetch{From: from.E, Count: count}) }

// LoadMatrices and MultiplyMatrices are those of package ktree.
func (k *Kernel) LoadMatrices(to, from Val, turned bool) {
	k.p.UsesSimd = true
	k.emit(&ktree.LoadMatrices{To: to.E, From: from.E, Turned: turned})
}

// MultiplyMatrices adds a product of small matrices to sum.
func (k *Kernel) MultiplyMatrices(kind ktree.Kind, sum, a, b Val) {
	k.p.UsesSimd = true
	k.emit(&ktree.MultiplyMatrices{Kind: kind, Sum: sum.E, A: a.E, B: b.E})
}
