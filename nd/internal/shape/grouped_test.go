package shape

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// listGrouped is the positions of all elements in row-major order.
func listGrouped(g Grouped) []int {
	pos := []int{g.Offset}
	for _, s := range slices.Concat(g.Axes...) {
		var next []int
		for _, p := range pos {
			for i := range s.Len {
				next = append(next, p+i*s.Stride)
			}
		}
		pos = next
	}
	return pos
}

// Views of views whose axes are several are compared with lists of positions.
func TestGrouped(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	expressed, split := 0, 0
	for range 3000 {
		rank := 1 + r.IntN(4)
		dims := make([]int, rank)
		for i := range dims {
			dims[i] = 1 + r.IntN(6)
		}
		v := Contiguous(dims).Transpose(r.Perm(rank))
		if axis := r.IntN(rank); r.IntN(2) == 0 {
			size := 1 + r.IntN(v.Shape[axis])
			v = v.Frames(axis, size, 1+r.IntN(2))
		}
		l, g := list(v), v.Grouped()
		for range 3 {
			switch r.IntN(3) {
			case 0:
				perm := r.Perm(len(l.shape))
				shape := permuted(perm, l.shape)
				l = l.remap(shape, func(x []int) []int {
					old := make([]int, len(x))
					for i, p := range perm {
						old[p] = x[i]
					}
					return old
				})
				g = g.Transpose(perm)
			case 1:
				to := factors(r, len(l.pos))
				got, ok := g.Reshape(to)
				if !ok {
					split++
					continue
				}
				expressed++
				l, g = listing{to, l.pos}, got
			case 2:
				old := l.shape
				to := append([]int{1 + r.IntN(2)}, old...)
				for i, n := range to {
					if n == 1 && len(l.pos) < 5000 {
						to[i] = 1 + r.IntN(3)
					}
				}
				l = l.remap(to, func(x []int) []int {
					at := slices.Clone(x[1:])
					for i := range at {
						if old[i] == 1 {
							at[i] = 0
						}
					}
					return at
				})
				g = g.BroadcastTo(to)
			}
			if got := listGrouped(g); !slices.Equal(got, l.pos) {
				t.Fatalf("%v: %v lists %v, want %v", l.shape, g, got, l.pos)
			}
			for i, axis := range g.Axes {
				n := 1
				for _, s := range axis {
					n *= s.Len
				}
				if n != l.shape[i] {
					t.Fatalf("%v: %v", l.shape, g)
				}
			}
		}
	}
	if expressed < 100 || split < 10 {
		t.Errorf("%d reshapes are expressed and %d are not: too few of one", expressed, split)
	}
}

func permuted(perm, dims []int) []int {
	out := make([]int, len(perm))
	for i, p := range perm {
		out[i] = dims[p]
	}
	return out
}
