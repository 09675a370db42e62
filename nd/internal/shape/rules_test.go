package shape

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// exp2 is 2^n: a constant would be too large for an int of 32 bits.
func exp2(n int) int { return 1 << n }

func TestSize(t *testing.T) {
	tests := []struct {
		dims []int
		want int
		err  string
	}{
		{nil, 1, ""},
		{[]int{3, 4}, 12, ""},
		{[]int{3, 0, 4}, 0, ""},
		{[]int{-1}, 0, "negative dimension in shape [-1]"},
		{[]int{0, -1}, 0, "negative dimension in shape [0 -1]"},
		{[]int{math.MinInt}, 0, "negative dimension in shape [-9223372036854775808]"},
		{[]int{math.MaxInt}, 0, "shape [9223372036854775807] has too many elements"},
		{[]int{MaxElems}, MaxElems, ""},
		{[]int{MaxElems, 2}, 0, "shape [576460752303423487 2] has too many elements"},
		{[]int{exp2(32), exp2(32)}, 0, "shape [4294967296 4294967296] has too many elements"},
		{[]int{exp2(32), exp2(32), 0}, 0, "shape [4294967296 4294967296 0] has too many elements"},
		{[]int{0, exp2(32), exp2(32)}, 0, "shape [0 4294967296 4294967296] has too many elements"},
	}
	for _, tt := range tests {
		got, err := Size(tt.dims)
		if got != tt.want || text(err) != tt.err {
			t.Errorf("Size(%v) = %d, %v", tt.dims, got, err)
		}
		var size *SizeError
		if err != nil && !errors.As(err, &size) {
			t.Errorf("Size(%v): error is a %T", tt.dims, err)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestBroadcast(t *testing.T) {
	tests := []struct {
		a, b, want []int
		err        string
	}{
		{[]int{}, []int{}, []int{}, ""},
		{[]int{8, 64}, []int{8, 64}, []int{8, 64}, ""},
		{[]int{8, 64}, []int{64}, []int{8, 64}, ""},
		{[]int{}, []int{2, 0}, []int{2, 0}, ""},
		{[]int{8, 1}, []int{64}, []int{8, 64}, ""},
		{[]int{5, 1, 3}, []int{4, 1}, []int{5, 4, 3}, ""},
		{[]int{1}, []int{0}, []int{0}, ""},
		{[]int{0}, []int{1}, []int{0}, ""},
		{[]int{2}, []int{0}, nil, "shapes [2] and [0] do not broadcast"},
		{[]int{8, 64}, []int{3}, nil, "shapes [8 64] and [3] do not broadcast"},
		{[]int{exp2(40), 1}, []int{exp2(40)}, nil, "shape [1099511627776 1099511627776] has too many elements"},
	}
	for _, tt := range tests {
		got, err := Broadcast(tt.a, tt.b)
		if !slices.Equal(got, tt.want) || text(err) != tt.err {
			t.Errorf("Broadcast(%v, %v) = %v, %v", tt.a, tt.b, got, err)
		}
		if err == nil {
			back, err := Broadcast(tt.b, tt.a)
			if !slices.Equal(back, got) || err != nil {
				t.Errorf("Broadcast(%v, %v) = %v, %v: not symmetric", tt.b, tt.a, back, err)
			}
			if !CanBroadcast(tt.a, got) || !CanBroadcast(tt.b, got) {
				t.Errorf("%v or %v cannot broadcast to %v", tt.a, tt.b, got)
			}
		}
	}
	for _, p := range [][2][]int{{{2}, {1}}, {{2}, {3}}, {{1, 2}, {2}}, {{2}, {0}}} {
		if CanBroadcast(p[0], p[1]) {
			t.Errorf("CanBroadcast(%v, %v)", p[0], p[1])
		}
	}
}

// TestRange compares with a walk that takes one step at a time.
func TestRange(t *testing.T) {
	walk := func(n, start, stop, step int) []int {
		if start < 0 {
			start += n
		}
		if stop != End && stop < 0 {
			stop += n
			if stop < 0 {
				stop = -1
			}
		}
		if step < 0 && stop == End {
			stop = -1
		}
		if step > 0 {
			start = max(start, 0)
		} else {
			start = min(start, n-1)
		}
		var at []int
		for i := start; i >= 0 && i < n && (step > 0 && i < stop || step < 0 && i > stop); i += step {
			at = append(at, i)
		}
		return at
	}
	for n := range 6 {
		for start := -8; start <= 8; start++ {
			for _, stop := range []int{-8, -6, -3, -2, -1, 0, 1, 2, 4, 5, 6, 8, End} {
				for _, step := range []int{-7, -3, -2, -1, 1, 2, 3, 7} {
					first, by, count, err := Range(n, start, stop, step)
					var got []int
					for i := range count {
						got = append(got, first+i*by)
					}
					if want := walk(n, start, stop, step); err != nil || !slices.Equal(got, want) {
						t.Fatalf("Range(%d, %d, %d, %d) = %v, %v, want %v", n, start, stop, step, got, err, want)
					}
				}
			}
		}
	}
}

func TestRangeExtremes(t *testing.T) {
	tests := []struct{ n, start, stop, step, first, by, count int }{
		{10, math.MinInt, math.MaxInt, math.MaxInt, 0, 1, 1},
		{10, math.MaxInt, math.MinInt, math.MinInt, 9, 1, 1},
		{10, math.MaxInt, End, -1, 9, -1, 10},
		{10, math.MinInt, End, -1, 0, 1, 0},
		{0, 0, End, -1, 0, 1, 0},
		{10, 12, 20, 1, 0, 1, 0},
	}
	for _, tt := range tests {
		first, by, count, err := Range(tt.n, tt.start, tt.stop, tt.step)
		if err != nil || first != tt.first || by != tt.by || count != tt.count {
			t.Errorf("Range(%d, %d, %d, %d) = %d, %d, %d, %v", tt.n, tt.start, tt.stop, tt.step, first, by, count, err)
		}
	}
	if _, _, _, err := Range(3, 0, 3, 0); text(err) != "range with step 0" {
		t.Errorf("step 0: %v", err)
	}
}

func TestAxes(t *testing.T) {
	dims := []int{8, 64, 3}
	tests := []struct {
		axes, want []int
		err        string
	}{
		{[]int{0, 2}, []int{0, 2}, ""},
		{[]int{-1, 0}, []int{0, 2}, ""},
		{[]int{}, []int{}, ""},
		{[]int{3}, nil, "axis 3 out of range for shape [8 64 3]"},
		{[]int{-4}, nil, "axis -4 out of range for shape [8 64 3]"},
		{[]int{math.MinInt}, nil, "axis -9223372036854775808 out of range for shape [8 64 3]"},
		{[]int{1, -2}, nil, "axis -2 given twice for shape [8 64 3]"},
	}
	for _, tt := range tests {
		if got, err := Axes(tt.axes, dims); !slices.Equal(got, tt.want) || text(err) != tt.err {
			t.Errorf("Axes(%v) = %v, %v", tt.axes, got, err)
		}
	}
	if got := AllAxes(3); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("AllAxes(3) = %v", got)
	}
}

func TestPerm(t *testing.T) {
	dims := []int{8, 64, 3}
	tests := []struct {
		perm, want []int
		err        string
	}{
		{nil, []int{2, 1, 0}, ""},
		{[]int{1, -1, 0}, []int{1, 2, 0}, ""},
		{[]int{0, 1}, nil, "permutation [0 1] has 2 axes, shape [8 64 3] has 3"},
		{[]int{0, 1, 1}, nil, "axis 1 given twice for shape [8 64 3]"},
		{[]int{0, 1, 5}, nil, "axis 5 out of range for shape [8 64 3]"},
	}
	for _, tt := range tests {
		if got, err := Perm(tt.perm, dims); !slices.Equal(got, tt.want) || text(err) != tt.err {
			t.Errorf("Perm(%v) = %v, %v", tt.perm, got, err)
		}
	}
}

func TestInfer(t *testing.T) {
	tests := []struct {
		n          int
		dims, want []int
		err        string
	}{
		{12, []int{3, -1}, []int{3, 4}, ""},
		{12, []int{12}, []int{12}, ""},
		{1, []int{}, []int{}, ""},
		{0, []int{-1, 3}, []int{0, 3}, ""},
		{12, []int{5, -1}, nil, "12 elements do not fill shape [5 -1]"},
		{12, []int{-1, -1}, nil, "shape [-1 -1] has more than one -1"},
		{12, []int{4, 4}, nil, "12 elements do not fill shape [4 4]"},
		{0, []int{0, -1}, nil, "0 elements do not fill shape [0 -1]"},
		{12, []int{-2, -6}, nil, "negative dimension in shape [-2 -6]"},
		{12, []int{math.MaxInt, 2}, nil, "shape [9223372036854775807 2] has too many elements"},
	}
	for _, tt := range tests {
		if got, err := Infer(tt.n, tt.dims); !slices.Equal(got, tt.want) || text(err) != tt.err {
			t.Errorf("Infer(%d, %v) = %v, %v", tt.n, tt.dims, got, err)
		}
	}
}

func TestFrameCount(t *testing.T) {
	tests := []struct {
		n, size, hop, want int
		err                string
	}{
		{10, 4, 2, 4, ""},
		{10, 4, 4, 2, ""},
		{10, 10, 1, 1, ""},
		{10, 4, math.MaxInt, 1, ""},
		{10, 0, 1, 0, "frame size 0 is not positive"},
		{10, 4, 0, 0, "frame hop 0 is not positive"},
		{3, 4, 1, 0, "frame size 4 is longer than the axis, 3"},
	}
	for _, tt := range tests {
		if got, err := FrameCount(tt.n, tt.size, tt.hop); got != tt.want || text(err) != tt.err {
			t.Errorf("FrameCount(%d, %d, %d) = %d, %v", tt.n, tt.size, tt.hop, got, err)
		}
	}
}
