package nd

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// TestPadEverywhere pads short axes by every margin in every mode, and
// compares with where each element comes from.
func TestPadEverywhere(t *testing.T) {
	source := map[PadMode]func(i, n int) int{
		PadConstant: func(i, n int) int {
			if i < 0 || i >= n {
				return -1
			}
			return i
		},
		PadEdge: func(i, n int) int { return min(max(i, 0), n-1) },
		PadWrap: func(i, n int) int { return ((i % n) + n) % n },
		PadReflect: func(i, n int) int {
			if i < 0 {
				i = -i
			}
			if i >= n {
				i = 2*(n-1) - i
			}
			return i
		},
	}
	for mode, from := range source {
		for n := 1; n <= 4; n++ {
			line := make([]int32, n)
			for i := range line {
				line[i] = int32(10 + i)
			}
			var arrays []*Array
			var wants [][]int32
			for before := range 9 {
				for after := range 9 {
					if mode == PadReflect && max(before, after) >= n {
						continue
					}
					want := make([]int32, before+n+after)
					for i := range want {
						if k := from(i-before, n); k >= 0 {
							want[i] = line[k]
						} else {
							want[i] = 7
						}
					}
					p := Pad{Mode: mode}
					if mode == PadConstant {
						p.Value = 7
					}
					arrays = append(arrays, From(line).Pad(p, Margin{before, after}))
					wants = append(wants, want)
				}
			}
			checkAll(t, fmt.Sprintf("%s of %d", mode, n), arrays, wants)
		}
	}
}

// TestSliceEverywhere takes every range of a short axis, forwards and
// backwards, of an array and of a reversed view of it.
func TestSliceEverywhere(t *testing.T) {
	line := []int32{10, 11, 12, 13, 14}
	backwards := slices.Clone(line)
	slices.Reverse(backwards)
	for name, in := range map[string]struct {
		a    *Array
		list []int32
	}{
		"array": {From(line), line},
		"view":  {From(line).Flip(), backwards},
	} {
		var arrays []*Array
		var wants [][]int32
		for start := -7; start <= 7; start++ {
			for stop := -7; stop <= 7; stop++ {
				for _, step := range []int{-3, -2, -1, 1, 2, 3} {
					if start > 0 && stop == 0 && step > 0 {
						continue // refused: a Stop that was left out
					}
					arrays = append(arrays, in.a.Slice(Range{start, stop, step}))
					wants = append(wants, pick(in.list, start, stop, step))
				}
			}
		}
		checkAll(t, name, arrays, wants)
	}
}

// pick walks a list as Python's slicing is defined: indices of both signs are
// resolved and clipped, then followed step by step.
func pick(list []int32, start, stop, step int) []int32 {
	n := len(list)
	resolve := func(i int) int {
		if i < 0 {
			i += n
		}
		if step > 0 {
			return min(max(i, 0), n)
		}
		return min(max(i, -1), n-1)
	}
	out := []int32{}
	for i, end := resolve(start), resolve(stop); step > 0 && i < end || step < 0 && i > end; i += step {
		out = append(out, list[i])
	}
	return out
}

// checkAll evaluates many arrays at once and compares their elements.
func checkAll(t *testing.T, name string, arrays []*Array, wants [][]int32) {
	t.Helper()
	if err := Eval(context.Background(), arrays...); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, a := range arrays {
		got, err := Slice[int32](context.Background(), a)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(got, wants[i]) {
			t.Errorf("%s, case %d: got %v, want %v", name, i, got, wants[i])
		}
	}
}
