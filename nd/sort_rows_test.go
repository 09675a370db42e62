package nd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Many short lines, along the last axis and along the first, sort as each does by itself: stably,
// NaN last in either direction, zeros of either sign equal.
func TestSortManyShortLines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, of := range []DType{Bool, Uint8, Int8, Int16, Int32, Uint32, Int64, Float16, BFloat16, Float32, Float64} {
		t.Run(of.String(), func(t *testing.T) {
			for _, length := range []int{2, 3, 4, 7, 8, 13, 16, 20, 31, 32, 33, 40, 41} {
				for _, special := range []bool{false, true} {
					sortShortLines(t, of, length, special)
				}
			}
		})
	}
}

func sortShortLines(t *testing.T, of DType, length int, special bool) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(9, uint64(length)))
	const lines = 75
	data := make([]float64, lines*length)
	for i := range data {
		data[i] = float64(rng.IntN(2*length) - length)
		if of == Int64 {
			data[i] *= 1 << 31 // often the same upper half
		}
		if special && of.IsFloat() {
			switch rng.IntN(12) {
			case 0:
				data[i] = math.NaN()
			case 1:
				data[i] = math.Copysign(0, -1)
			case 2:
				data[i] = math.Inf(1 - 2*rng.IntN(2))
			}
		}
	}
	x := From(data, lines, length).Cast(of)
	values, err := Slice[float64](ctx, x.Cast(Float64)) // as integers without a sign wrap
	if err != nil {
		t.Fatal(err)
	}
	columnwise := make([]float64, len(data))
	for i, v := range values {
		columnwise[i%length*lines+i/length] = v
	}
	down := From(columnwise, length, lines).Cast(of)
	if err := Eval(ctx, x, down); err != nil {
		t.Fatal(err)
	}
	for _, descending := range []bool{false, true} {
		name := fmt.Sprintf("lines of %d, special %v, descending %v", length, special, descending)
		var wantAt []int64
		var want []float64
		for i := range lines {
			line := values[i*length:][:length]
			at := make([]int64, length)
			for j := range at {
				at[j] = int64(j)
			}
			slices.SortStableFunc(at, func(a, b int64) int { return inOrder(line[a], line[b], descending) })
			wantAt = append(wantAt, at...)
			for _, j := range at {
				want = append(want, line[j])
			}
		}
		sorted, places := x.Sort(1), x.ArgSort(1)
		columns, placesDown := down.Sort(0), down.ArgSort(0)
		if descending {
			sorted, places = x.SortDescending(1), x.ArgSortDescending(1)
			columns, placesDown = down.SortDescending(0), down.ArgSortDescending(0)
		}
		for i, got := range []*Array{sorted, columns.Transpose(1, 0)} {
			list, err := Slice[float64](ctx, got.Cast(Float64))
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range list {
				if math.Float64bits(v) != math.Float64bits(want[k]) && !(v != v && want[k] != want[k]) {
					t.Fatalf("%s, %d: element %d is %v, want %v", name, i, k, v, want[k])
				}
			}
		}
		for i, got := range []*Array{places, placesDown.Transpose(1, 0)} {
			list, err := Slice[int64](ctx, got)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(list, wantAt) {
				t.Fatalf("%s, %d: places differ", name, i)
			}
		}
		if !descending {
			continue
		}
		for _, keep := range []int{1, (length + 1) / 2, length} {
			top, at := x.TopK(keep, 1)
			list, err := Slice[float64](ctx, top.Cast(Float64))
			if err != nil {
				t.Fatal(err)
			}
			found, err := Slice[int64](ctx, at)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range list {
				line, j := k/keep, k%keep
				w := want[line*length+j]
				if found[k] != wantAt[line*length+j] || math.Float64bits(v) != math.Float64bits(w) && !(v != v && w != w) {
					t.Fatalf("%s, top %d: element %d is %v at %d, want %v at %d", name, keep, k, v, found[k], w, wantAt[line*length+j])
				}
			}
		}
	}
}

// inOrder compares as sorts do.
func inOrder(x, y float64, descending bool) int {
	switch {
	case x != x || y != y:
		return truthOf(x != x) - truthOf(y != y)
	case descending:
		x, y = y, x
	}
	return truthOf(x > y) - truthOf(x < y)
}

func truthOf(b bool) int {
	if b {
		return 1
	}
	return 0
}
