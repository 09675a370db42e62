package nd

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// So many elements that a GPU sorts them digit by digit.
const many = 1 << 19

func TestSortMany(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(7, 8))
	floats, longs, shorts := make([]float32, many), make([]int64, many), make([]int16, many)
	for i := range many {
		floats[i] = float32(rng.IntN(1<<18)-1<<17) / 64 // each some times
		longs[i] = int64(rng.Uint64())
		shorts[i] = int16(rng.Uint32())
	}
	sorted := func(t *testing.T, got []float32, err error, want []float32) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Error("not what slices.Sort gives")
		}
	}
	want := slices.Clone(floats)
	slices.Sort(want)
	got, err := Slice[float32](ctx, From(floats).Sort(0))
	sorted(t, got, err, want)
	slices.Reverse(want)
	got, err = Slice[float32](ctx, From(floats).SortDescending(0))
	sorted(t, got, err, want)
	values, places := From(floats).TopK(many/2, 0)
	if err := Eval(ctx, values, places); err != nil {
		t.Fatal(err)
	}
	got, err = Slice[float32](ctx, values)
	sorted(t, got, err, want[:many/2])
	order := make([]int64, many)
	for i := range order {
		order[i] = int64(i)
	}
	slices.SortStableFunc(order, func(a, b int64) int {
		switch x, y := floats[a], floats[b]; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	at, err := Slice[int64](ctx, places)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(at, order[:many/2]) {
		t.Error("places of equal elements are not in their order")
	}
	wantLongs, wantShorts := slices.Clone(longs), slices.Clone(shorts)
	slices.Sort(wantLongs)
	slices.Sort(wantShorts)
	if got, err := Slice[int64](ctx, From(longs).Sort(0)); err != nil || !slices.Equal(got, wantLongs) {
		t.Errorf("int64: %v", err)
	}
	if got, err := Slice[int16](ctx, From(shorts).Sort(0)); err != nil || !slices.Equal(got, wantShorts) {
		t.Errorf("int16: %v", err)
	}
	// Lines next to each other, and lines of several shares.
	for _, lines := range []int{8, 128} {
		n := many / lines
		got, err := Slice[float32](ctx, From(floats, n, lines).Sort(0).Transpose())
		if err != nil {
			t.Fatal(err)
		}
		for l := range lines {
			column := make([]float32, n)
			for i := range column {
				column[i] = floats[i*lines+l]
			}
			slices.Sort(column)
			if !slices.Equal(got[l*n:][:n], column) {
				t.Fatalf("column %d of %d", l, lines)
			}
		}
	}
}

// Updates of one element are added in their order, however many there are.
func TestScatterMany(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(9, 10))
	for _, size := range []int{3, 300, 70_000} {
		index, updates, want := make([]int32, many), make([]float32, many), make([]float32, size)
		for i := range many {
			index[i], updates[i] = int32(rng.IntN(size)), rng.Float32()-0.25
			want[index[i]] += updates[i]
		}
		got, err := Slice[float32](ctx, Zeros(Float32, size).ScatterAdd(From(index), From(updates), 0))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d elements: not what a loop gives", size)
		}
	}
}

func TestNonzeroMany(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(11, 12))
	set := make([]bool, many)
	for _, part := range []float64{0, 0.01, 0.7} {
		var want []int64
		for i := range set {
			if set[i] = rng.Float64() < part; set[i] {
				want = append(want, int64(i))
			}
		}
		for _, shape := range [][]int{{many}, {many / 64, 64}, {32, many / 512, 16}} {
			at, err := Nonzero(ctx, From(set, shape...))
			if err != nil {
				t.Fatal(err)
			}
			got := make([]int64, len(want))
			for d, a := range at {
				along, err := Slice[int64](ctx, a)
				if err != nil || len(along) != len(want) {
					t.Fatalf("%v: axis %d: %d places, want %d: %v", shape, d, len(along), len(want), err)
				}
				for i, p := range along {
					got[i] = got[i]*int64(shape[d]) + p
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: wrong places", shape)
			}
		}
	}
}

// Where a device has no room for the sort, the host finds what is set.
func TestNonzeroWithoutRoom(t *testing.T) {
	ctx := context.Background()
	d := ownProcessor(t, "full")
	d.SetMemoryLimit(1 << 20)
	at, err := Nonzero(ctx, Ones(Bool, nonzeroFrom).On(d.Stream()))
	if err != nil {
		t.Fatal(err)
	}
	d.SetMemoryLimit(0)
	places, err := Slice[int64](ctx, at[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range places {
		if p != int64(i) {
			t.Fatalf("place %d is %d", i, p)
		}
	}
	if len(places) != nonzeroFrom {
		t.Errorf("%d places, want %d", len(places), nonzeroFrom)
	}
}
