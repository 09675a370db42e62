package machine_test

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
)

// naive is the reference machine: it walks the typed tree for one thread at a
// time, one number at a time. Threads of a group take turns at barriers and
// simdgroup operations. It shares with the machine under test only what a
// number is and what an operator does to it.
type naive struct {
	p      *ktree.Program
	l      machine.Launch
	slots  int
	shared map[*ktree.Var][]ktree.Num
}

type num4 [4]ktree.Num

// thread is one thread of the running group.
type thread struct {
	m          *naive
	gid, tid   [3]int
	group, ext [3]int
	index      int
	vars       []num4
	arrays     map[*ktree.Var][]ktree.Num
	pointers   map[*ktree.Var]pointer
	refs       map[*ktree.Var]spot
	result     num4
	resume     chan struct{}
	yield      chan struct{}
	at         any // the node it waits at; nil when done
	operand    ktree.Num
	lane       int
	done       bool
	err        error
}

type pointer struct {
	v   *ktree.Var
	off int64
}

// spot is a place: a variable's components or an element's.
type spot struct {
	v     *ktree.Var
	mem   bool
	elem  int64
	comps []int
}

type flow uint8

const (
	goOn flow = iota
	brk
	cont
	ret
)

func runNaive(p *ktree.Program, l machine.Launch) (err error) {
	m := &naive{p: p, l: l}
	m.number(p.Body)
	for _, f := range p.Funcs {
		for _, v := range f.Params {
			v.Index = m.slots
			m.slots++
		}
		m.number(f.Body)
	}
	var count [3]int
	for i := range 3 {
		count[i] = (l.Grid[i] + l.Group[i] - 1) / l.Group[i]
	}
	for z := range count[2] {
		for y := range count[1] {
			for x := range count[0] {
				if err := m.group([3]int{x, y, z}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (m *naive) number(list []ktree.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ktree.Decl:
			s.Var.Index = m.slots
			m.slots++
		case *ktree.Block:
			m.number(s.List)
		case *ktree.If:
			m.number(s.Then)
			m.number(s.Else)
		case *ktree.Loop:
			m.number(s.Init)
			m.number(s.Body)
			m.number(s.Post)
		}
	}
}

func (m *naive) group(g [3]int) error {
	var origin, ext [3]int
	for i := range 3 {
		origin[i] = g[i] * m.l.Group[i]
		ext[i] = min(m.l.Group[i], m.l.Grid[i]-origin[i])
	}
	m.shared = map[*ktree.Var][]ktree.Num{}
	for _, v := range m.p.Groups {
		m.shared[v] = make([]ktree.Num, v.Type.Len()*v.Type.Comps())
	}
	var threads []*thread
	for z := range ext[2] {
		for y := range ext[1] {
			for x := range ext[0] {
				threads = append(threads, &thread{m: m, tid: [3]int{x, y, z}, group: g, ext: ext, index: len(threads),
					gid:  [3]int{origin[0] + x, origin[1] + y, origin[2] + z},
					vars: make([]num4, m.slots), arrays: map[*ktree.Var][]ktree.Num{}, pointers: map[*ktree.Var]pointer{}, refs: map[*ktree.Var]spot{}})
			}
		}
	}
	if !m.p.UsesBarrier && !m.p.UsesSimd {
		for _, t := range threads {
			if t.main(); t.err != nil {
				return t.err
			}
		}
		return nil
	}
	for _, t := range threads {
		t.resume, t.yield = make(chan struct{}), make(chan struct{})
		go func() {
			<-t.resume
			t.main()
			t.done = true
			t.yield <- struct{}{}
		}()
	}
	return turns(threads)
}

// turns lets threads run up to their next meeting, then holds the meeting.
func turns(threads []*thread) error {
	ready := threads
	for {
		for _, t := range ready {
			t.at = nil
			t.resume <- struct{}{}
			<-t.yield
			if t.err != nil {
				return t.err
			}
		}
		ready = nil
		left := 0
		for _, t := range threads {
			if !t.done {
				left++
			}
		}
		if left == 0 {
			return nil
		}
		for lo := 0; lo < len(threads); lo += 32 {
			ready = append(ready, meet(threads[lo:min(lo+32, len(threads))])...)
		}
		if len(ready) > 0 {
			continue
		}
		for _, t := range threads {
			if !t.done {
				ready = append(ready, t) // everyone left is at the barrier
			}
		}
	}
}

// meet runs one pending simdgroup operation, for the threads that are at it.
func meet(simd []*thread) []*thread {
	for _, first := range simd {
		a, ok := first.at.(*ktree.Apply)
		if !ok {
			continue
		}
		var in []*thread
		byLane := map[int]ktree.Num{}
		for i, t := range simd {
			if t.at == first.at {
				in = append(in, t)
				byLane[i] = t.operand
			}
		}
		for _, t := range in {
			i := t.index % 32
			t.operand = naiveSimd(a.Fn, a.Args[0].T().Kind, byLane, i, t.lane)
		}
		return in
	}
	return nil
}

// naiveSimd is what lane i sees, by the definition: sums pair lanes by
// halving distance.
func naiveSimd(fn ktree.Intrinsic, k ktree.Kind, v map[int]ktree.Num, i, by int) ktree.Num {
	pick := func(j int) ktree.Num {
		if x, ok := v[j]; ok && j >= 0 && j < 32 {
			return x
		}
		return v[i]
	}
	switch fn {
	case ktree.SimdBroadcast, ktree.SimdShuffle:
		return pick(by)
	case ktree.SimdShuffleXor:
		return pick(i ^ by)
	case ktree.SimdShuffleUp:
		return pick(i - by)
	case ktree.SimdShuffleDown:
		return pick(i + by)
	case ktree.SimdPrefixInclusiveSum, ktree.SimdPrefixExclusiveSum:
		total := ktree.Num{}
		for j := range 32 {
			x, ok := v[j]
			if !ok || j > i || j == i && fn == ktree.SimdPrefixExclusiveSum {
				continue
			}
			total = ktree.EvalBinary(ktree.Add, k, total, x)
		}
		return total
	}
	// tree(lo, n) combines lanes congruent to lo modulo 32/n.
	var tree func(lo, stride int) (ktree.Num, bool)
	tree = func(lo, stride int) (ktree.Num, bool) {
		if stride == 32 {
			x, ok := v[lo]
			return x, ok
		}
		a, okA := tree(lo, stride*2)
		b, okB := tree(lo+stride, stride*2)
		switch {
		case !okA:
			return b, okB
		case !okB:
			return a, okA
		}
		switch fn {
		case ktree.SimdSum:
			return ktree.EvalBinary(ktree.Add, k, a, b), true
		case ktree.SimdProduct:
			return ktree.EvalBinary(ktree.Mul, k, a, b), true
		case ktree.SimdMax:
			if ktree.EvalBinary(ktree.Gt, k, b, a).I != 0 {
				return b, true
			}
			return a, true
		case ktree.SimdMin:
			if ktree.EvalBinary(ktree.Lt, k, b, a).I != 0 {
				return b, true
			}
			return a, true
		case ktree.SimdAll:
			return ktree.BoolNum(a.I != 0 && b.I != 0), true
		}
		return ktree.BoolNum(a.I != 0 || b.I != 0), true
	}
	x, _ := tree(0, 1)
	return x
}

type naiveFault struct{ err error }

func (t *thread) main() {
	defer func() {
		if e := recover(); e != nil {
			f, ok := e.(naiveFault)
			if !ok {
				panic(e)
			}
			t.err = f.err
		}
	}()
	t.list(t.m.p.Body)
}

func (t *thread) wait(at any) {
	t.at = at
	t.yield <- struct{}{}
	<-t.resume
}

func (t *thread) list(list []ktree.Stmt) flow {
	for _, s := range list {
		if f := t.stmt(s); f != goOn {
			return f
		}
	}
	return goOn
}

func (t *thread) stmt(s ktree.Stmt) flow {
	switch s := s.(type) {
	case *ktree.Decl:
		t.decl(s)
	case *ktree.Do:
		t.eval(s.X)
	case *ktree.Block:
		return t.list(s.List)
	case *ktree.If:
		if t.eval(s.Cond)[0].I != 0 {
			return t.list(s.Then)
		}
		return t.list(s.Else)
	case *ktree.Loop:
		t.list(s.Init)
		for {
			if !s.Late && s.Cond != nil && t.eval(s.Cond)[0].I == 0 {
				return goOn
			}
			switch t.list(s.Body) {
			case brk:
				return goOn
			case ret:
				return ret
			}
			t.list(s.Post)
			if s.Late && t.eval(s.Cond)[0].I == 0 {
				return goOn
			}
		}
	case *ktree.Jump:
		if s.Break {
			return brk
		}
		return cont
	case *ktree.Return:
		if s.X != nil {
			t.result = t.eval(s.X)
		}
		return ret
	case *ktree.Barrier:
		t.wait(s)
	}
	return goOn
}

func (t *thread) decl(s *ktree.Decl) {
	v := s.Var
	switch {
	case v.Space == ktree.Threadgroup:
	case v.Type.Form == ktree.Pointer:
		t.pointers[v] = t.pointer(s.Init)
	case v.Type.Form == ktree.Array:
		a := make([]ktree.Num, v.Type.Len()*v.Type.Comps())
		for i, e := range s.List {
			x := t.eval(e)
			copy(a[i*v.Type.Comps():], x[:v.Type.Comps()])
		}
		t.arrays[v] = a
	case s.Init != nil:
		t.vars[v.Index] = t.eval(s.Init)
	}
}

// pointer gives the object and offset; a pointer to a plain variable is not
// supported here.
func (t *thread) pointer(e ktree.Expr) pointer {
	switch e := e.(type) {
	case *ktree.Ref:
		if e.Var.Role == ktree.Input || e.Var.Role == ktree.Output || e.Var.Role == ktree.Meta {
			return pointer{e.Var, 0}
		}
		return t.pointers[e.Var]
	case *ktree.Offset:
		p := t.pointer(e.X)
		p.off += t.eval(e.N)[0].I
		return p
	case *ktree.Addr:
		s := t.spot(e.X)
		return pointer{s.v, s.elem}
	case *ktree.Assign:
		p := t.pointer(e.R)
		t.pointers[e.L.(*ktree.Ref).Var] = p
		return p
	}
	panic(fmt.Sprintf("naive: pointer %T", e))
}

// spot resolves a place, or the row of an array.
func (t *thread) spot(e ktree.Expr) spot {
	all := []int{0, 1, 2, 3}
	switch e := e.(type) {
	case *ktree.Ref:
		if s, ok := t.refs[e.Var]; ok {
			return s
		}
		mem := e.Var.Space == ktree.Threadgroup || e.Var.Type.Form == ktree.Array
		return spot{v: e.Var, mem: mem, comps: all[:e.Type.Comps()]}
	case *ktree.Index:
		i := t.eval(e.I)[0].I
		if e.X.T().Form == ktree.Pointer {
			p := t.pointer(e.X)
			return spot{v: p.v, mem: true, elem: p.off + i, comps: all[:e.Type.Comps()]}
		}
		s := t.spot(e.X)
		n := int64(1)
		if e.Type.Form == ktree.Array {
			n = int64(e.Type.Len())
		}
		s.elem += i * n
		s.comps = all[:e.Type.Comps()]
		return s
	case *ktree.Swizzle:
		s := t.spot(e.X)
		var comps []int
		for _, c := range e.Sel {
			comps = append(comps, s.comps[c])
		}
		s.comps = comps
		return s
	case *ktree.Pick:
		s := t.spot(e.X)
		i := min(uint64(t.eval(e.I)[0].I), uint64(len(s.comps)-1))
		s.comps = s.comps[i : i+1]
		return s
	}
	panic(fmt.Sprintf("naive: place %T", e))
}

func (t *thread) bounds(s spot, n int) {
	if s.elem < 0 || s.elem >= int64(n) {
		panic(naiveFault{fmt.Errorf("index %d is outside %s", s.elem, s.v.Name)})
	}
}

func (t *thread) read(s spot) (out num4) {
	comps := int64(s.v.Type.Comps())
	if !s.mem {
		for i, c := range s.comps {
			out[i] = t.vars[s.v.Index][c]
		}
		return out
	}
	list := t.m.shared[s.v]
	if list == nil {
		list = t.arrays[s.v]
	}
	switch {
	case list != nil:
		t.bounds(s, len(list)/int(comps))
		for i, c := range s.comps {
			out[i] = list[s.elem*comps+int64(c)]
		}
	case s.v.Role == ktree.Global:
		t.bounds(s, len(s.v.Values)/int(comps))
		for i, c := range s.comps {
			out[i] = s.v.Values[s.elem*comps+int64(c)]
		}
	case s.v.Role == ktree.Meta:
		in := t.m.l.Inputs[s.v.Index]
		if s.v.What == "strides" {
			out[0].I = int64(in.Strides[s.elem])
		} else {
			out[0].I = int64(in.Shape[s.elem])
		}
	default:
		data := t.bytes(s.v)
		t.bounds(s, len(data)*8/s.v.Type.Kind.Bits()/int(comps))
		for i, c := range s.comps {
			out[i] = getScalar(data, s.v.Type.Kind, s.elem*comps+int64(c))
		}
	}
	return out
}

func (t *thread) bytes(v *ktree.Var) []byte {
	if v.Role == ktree.Input {
		return t.m.l.Inputs[v.Index].Data
	}
	return t.m.l.Outputs[v.Index].Data
}

func (t *thread) write(s spot, x num4) {
	comps := int64(s.v.Type.Comps())
	if !s.mem {
		for i, c := range s.comps {
			t.vars[s.v.Index][c] = x[i]
		}
		return
	}
	list := t.m.shared[s.v]
	if list == nil {
		list = t.arrays[s.v]
	}
	if list != nil {
		t.bounds(s, len(list)/int(comps))
		for i, c := range s.comps {
			list[s.elem*comps+int64(c)] = x[i]
		}
		return
	}
	data := t.bytes(s.v)
	t.bounds(s, len(data)*8/s.v.Type.Kind.Bits()/int(comps))
	for i, c := range s.comps {
		putScalar(data, s.v.Type.Kind, s.elem*comps+int64(c), x[i])
	}
}

func getScalar(b []byte, k ktree.Kind, i int64) ktree.Num {
	p := unsafe.Pointer(&b[i*int64(k.Bits()/8)])
	switch k {
	case ktree.Float:
		return ktree.Num{F: float64(*(*float32)(p))}
	case ktree.Double:
		return ktree.Num{F: *(*float64)(p)}
	case ktree.Half:
		return ktree.Num{F: float64((*(*elem.F16)(p)).Float32())}
	case ktree.Bfloat:
		return ktree.Num{F: float64((*(*elem.BF16)(p)).Float32())}
	case ktree.Long, ktree.Ulong:
		return ktree.Num{I: *(*int64)(p)}
	case ktree.Int:
		return ktree.Num{I: int64(*(*int32)(p))}
	case ktree.Uint:
		return ktree.Num{I: int64(*(*uint32)(p))}
	}
	return ktree.Num{I: int64(*(*uint8)(p))}
}

func putScalar(b []byte, k ktree.Kind, i int64, n ktree.Num) {
	p := unsafe.Pointer(&b[i*int64(k.Bits()/8)])
	switch k {
	case ktree.Float:
		*(*float32)(p) = float32(n.F)
	case ktree.Double:
		*(*float64)(p) = n.F
	case ktree.Half:
		*(*elem.F16)(p) = elem.F16From(float32(n.F))
	case ktree.Bfloat:
		*(*elem.BF16)(p) = elem.BF16From(float32(n.F))
	case ktree.Long, ktree.Ulong:
		*(*int64)(p) = n.I
	case ktree.Int, ktree.Uint:
		*(*uint32)(p) = uint32(n.I)
	default:
		*(*uint8)(p) = uint8(n.I)
	}
}

func naiveFMA(k ktree.Kind, x, y, z float64) float64 {
	if k == ktree.Double {
		return math.FMA(x, y, z)
	}
	return ktree.Round(k, float64(machine.FMA32(float32(x), float32(y), float32(z))))
}
