package shape

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// listing is the naive form of a view: the buffer position of every element,
// in row-major order. Each operation on it is written by enumerating indices.
type listing struct {
	shape []int
	pos   []int
}

func list(v View) listing {
	l := listing{shape: v.Shape}
	each(v.Shape, func(index []int) { l.pos = append(l.pos, v.At(index)) })
	return l
}

// each calls f with every index of dims in row-major order.
func each(dims []int, f func([]int)) {
	if slices.Contains(dims, 0) {
		return
	}
	index := make([]int, len(dims))
	for {
		f(index)
		k := len(dims) - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < dims[k] {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

func (l listing) at(index []int) int {
	n := 0
	for i, x := range index {
		n = n*l.shape[i] + x
	}
	return l.pos[n]
}

// remap lists dims, taking each index from the old index that from gives.
func (l listing) remap(dims []int, from func([]int) []int) listing {
	out := listing{shape: dims}
	each(dims, func(index []int) { out.pos = append(out.pos, l.at(from(index))) })
	return out
}

// affine reports whether some strides give these positions.
func (l listing) affine() bool {
	if len(l.pos) == 0 {
		return true
	}
	strides := make([]int, len(l.shape))
	for i, d := range l.shape {
		if d > 1 {
			one := make([]int, len(l.shape))
			one[i] = 1
			strides[i] = l.at(one) - l.pos[0]
		}
	}
	return slices.Equal(list(View{Shape: l.shape, Strides: strides, Offset: l.pos[0]}).pos, l.pos)
}

// step applies one operation, chosen by r, to both forms.
func step(t *testing.T, r *rand.Rand, v View, l listing) (View, listing) {
	rank := len(v.Shape)
	op := r.IntN(7)
	if rank == 0 && op != 1 && op != 6 {
		op = 1
	}
	switch op {
	case 0:
		perm := r.Perm(rank)
		dims := make([]int, rank)
		for i, p := range perm {
			dims[i] = v.Shape[p]
		}
		return v.Transpose(perm), l.remap(dims, func(x []int) []int {
			old := make([]int, rank)
			for i, p := range perm {
				old[p] = x[i]
			}
			return old
		})
	case 1:
		dims := slices.Clone(v.Shape)
		for i, d := range dims {
			if d == 1 {
				dims[i] = r.IntN(4)
			}
		}
		if rank < 5 && r.IntN(2) == 0 {
			dims = slices.Insert(dims, 0, r.IntN(3))
		}
		if !CanBroadcast(v.Shape, dims) {
			t.Fatalf("CanBroadcast(%v, %v) is false", v.Shape, dims)
		}
		return v.BroadcastTo(dims), l.remap(dims, func(x []int) []int {
			old := slices.Clone(x[len(dims)-rank:])
			for i := range old {
				if v.Shape[i] == 1 {
					old[i] = 0
				}
			}
			return old
		})
	case 2:
		start, by, dims := make([]int, rank), make([]int, rank), make([]int, rank)
		for i, n := range v.Shape {
			a, b, s := r.IntN(2*n+5)-n-2, r.IntN(2*n+5)-n-2, r.IntN(7)-3
			if s == 0 {
				s = -1
			}
			if r.IntN(4) == 0 {
				b = End
			}
			var err error
			if start[i], by[i], dims[i], err = Range(n, a, b, s); err != nil {
				t.Fatal(err)
			}
		}
		return v.Slice(start, by, dims), l.remap(dims, func(x []int) []int {
			old := make([]int, rank)
			for i := range old {
				old[i] = start[i] + x[i]*by[i]
			}
			return old
		})
	case 3:
		axis := r.IntN(rank)
		n := v.Shape[axis]
		if n == 0 || rank > 4 {
			return v, l
		}
		size, hop := 1+r.IntN(n), 1+r.IntN(3)
		count, err := FrameCount(n, size, hop)
		if err != nil {
			t.Fatal(err)
		}
		dims := slices.Concat(v.Shape[:axis], []int{count, size}, v.Shape[axis+1:])
		return v.Frames(axis, size, hop), l.remap(dims, func(x []int) []int {
			return slices.Concat(x[:axis], []int{x[axis]*hop + x[axis+1]}, x[axis+2:])
		})
	case 4:
		axis := r.IntN(rank)
		return v.Flip(axis), l.remap(v.Shape, func(x []int) []int {
			old := slices.Clone(x)
			old[axis] = v.Shape[axis] - 1 - x[axis]
			return old
		})
	case 5:
		var ones []int
		dims := []int{}
		for i, d := range v.Shape {
			if d == 1 && r.IntN(2) == 0 {
				ones = append(ones, i)
			} else {
				dims = append(dims, d)
			}
		}
		return v.Squeeze(ones...), listing{dims, l.pos}
	}
	dims := factors(r, v.Len())
	want := listing{dims, l.pos}
	got, ok := v.Reshape(dims)
	if ok != want.affine() {
		t.Fatalf("Reshape(%+v, %v) = %t, but strides exist: %t", v, dims, ok, !ok)
	}
	if !ok {
		return Contiguous(dims), list(Contiguous(dims))
	}
	return got, want
}

// factors splits n into random dimensions, with some ones among them.
func factors(r *rand.Rand, n int) []int {
	if n == 0 {
		return []int{r.IntN(3), 0, r.IntN(3)}
	}
	dims := []int{}
	for n > 1 && len(dims) < 4 {
		d := 1 + r.IntN(n)
		for n%d != 0 {
			d--
		}
		dims = append(dims, d)
		n /= d
	}
	if n > 1 {
		dims = append(dims, n)
	}
	return dims
}

func checkChain(t *testing.T, r *rand.Rand, dims []int, steps int) {
	v := Contiguous(dims)
	l := list(v)
	for range steps {
		before := v
		v, l = step(t, r, v, l)
		if !slices.Equal(v.Shape, l.shape) {
			t.Fatalf("from %+v: shape %v, want %v", before, v.Shape, l.shape)
		}
		if got := list(v); !slices.Equal(got.pos, l.pos) {
			t.Fatalf("from %+v to %+v: positions %v, want %v", before, v, got.pos, l.pos)
		}
		checkFacts(t, v, l)
		if len(l.pos) > 2000 {
			return
		}
	}
}

// checkFacts compares what a view says about itself with its elements.
func checkFacts(t *testing.T, v View, l listing) {
	if v.Len() != len(l.pos) {
		t.Fatalf("Len of %+v = %d, want %d", v, v.Len(), len(l.pos))
	}
	lo, hi := v.Span()
	contiguous := true
	for i, p := range l.pos {
		contiguous = contiguous && p == l.pos[0]+i
	}
	if v.IsContiguous() != contiguous {
		t.Fatalf("IsContiguous of %+v = %t", v, !contiguous)
	}
	if len(l.pos) == 0 {
		if lo != 0 || hi != 0 {
			t.Fatalf("Span of empty %+v = %d, %d", v, lo, hi)
		}
		return
	}
	if lo != slices.Min(l.pos) || hi != slices.Max(l.pos)+1 {
		t.Fatalf("Span of %+v = %d, %d", v, lo, hi)
	}
}

func TestViewChains(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		dims := make([]int, r.IntN(4))
		for i := range dims {
			dims[i] = r.IntN(6)
		}
		checkChain(t, r, dims, 6)
	}
}

func FuzzViewChain(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(4), uint8(1))
	f.Add(uint64(9), uint8(0), uint8(2), uint8(5))
	f.Fuzz(func(t *testing.T, seed uint64, a, b, c uint8) {
		checkChain(t, rand.New(rand.NewPCG(seed, 0)), []int{int(a % 7), int(b % 7), int(c % 7)}, 8)
	})
}

func TestReshape(t *testing.T) {
	tests := []struct {
		name string
		view View
		dims []int
		ok   bool
	}{
		{"split", Contiguous([]int{12}), []int{3, 4}, true},
		{"merge", Contiguous([]int{3, 4}), []int{12}, true},
		{"merge transposed", Contiguous([]int{3, 4}).Transpose([]int{1, 0}), []int{12}, false},
		{"split transposed", Contiguous([]int{3, 4}).Transpose([]int{1, 0}), []int{2, 2, 3}, true},
		{"merge repeated", Contiguous([]int{1, 1}).BroadcastTo([]int{3, 4}), []int{2, 6}, true},
		{"merge every other", Contiguous([]int{3, 4}).Slice([]int{0, 0}, []int{1, 2}, []int{3, 2}), []int{6}, true},
		{"merge cropped", Contiguous([]int{3, 4}).Slice([]int{0, 0}, []int{1, 1}, []int{3, 3}), []int{9}, false},
		{"ones", Contiguous([]int{3, 4}).Transpose([]int{1, 0}), []int{1, 4, 1, 3, 1}, true},
		{"scalar", Contiguous([]int{1, 1}), []int{}, true},
		{"empty", Contiguous([]int{0, 4}), []int{2, 0}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := tt.view.Reshape(tt.dims)
			if ok != tt.ok {
				t.Fatalf("ok = %t", ok)
			}
			if ok && !slices.Equal(list(got).pos, list(tt.view).pos) {
				t.Fatalf("got %v, want %v", list(got).pos, list(tt.view).pos)
			}
		})
	}
}
