package signal_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// peakLines are the lines of goldens: one with slopes and one with many flat
// tops.
func peakLines() map[string][]float64 {
	line, flat := wave(80), wave(80)
	for i, v := range wave(80) {
		line[i] = math.Floor(v*7)/7 + math.Sin(float64(i)*0.3)
		flat[i] = math.Floor(v*4) / 4
	}
	return map[string][]float64{"line": line, "flat": flat}
}

func TestFindPeaksGoldens(t *testing.T) {
	wavy, flat, rising, falling := make([]float64, 80), make([]float64, 80), make([]float64, 80), make([]float64, 80)
	for i := range wavy {
		wavy[i], flat[i], rising[i], falling[i] = math.Sin(float64(i)*0.2), 1.3, float64(i)*0.01, 2-float64(i)*0.01
	}
	for _, c := range []struct {
		label string
		opt   signal.PeakConditions
	}{
		{"all", signal.PeakConditions{}},
		{"height", signal.PeakConditions{Height: signal.AtLeast(0.25)}},
		{"height both", signal.PeakConditions{Height: signal.Between(0.2, 0.9)}},
		{"threshold", signal.PeakConditions{Threshold: signal.Between(0.1, 1.2)}},
		{"distance", signal.PeakConditions{Distance: 5}},
		{"prominence", signal.PeakConditions{Prominence: signal.AtLeast(0.3)}},
		{"prominence wlen", signal.PeakConditions{Prominence: signal.AtMost(0.8), WLen: 7}},
		{"width", signal.PeakConditions{Width: signal.Between(1, 6)}},
		{"width rel", signal.PeakConditions{Width: signal.AtLeast(0), RelHeight: 0.8, WLen: 12}},
		{"plateau", signal.PeakConditions{PlateauSize: signal.Between(2, 5)}},
		{"height each", signal.PeakConditions{Height: signal.BetweenEach(wavy, flat)}},
		{"prominence each", signal.PeakConditions{Prominence: signal.BetweenEach(rising, nil), Threshold: signal.BetweenEach(nil, falling)}},
		{"together", signal.PeakConditions{Height: signal.AtLeast(-0.5), Threshold: signal.AtLeast(0), Distance: 3,
			Prominence: signal.AtLeast(0.2), Width: signal.AtLeast(0.5), PlateauSize: signal.AtLeast(1)}},
	} {
		for of, x := range peakLines() {
			if of == "flat" && c.opt.Distance > 0 {
				continue // which of equal peaks stays is not SciPy's promise
			}
			found, err := signal.FindPeaks(context.Background(), nd.From(x), c.opt)
			if err != nil {
				t.Fatal(err)
			}
			p, name := found[0], "peaks "+of+" "+c.label
			checkFloats(t, name, wide(p.Indices), 0)
			for key, v := range map[string][]float64{
				"plateau_sizes": wide(p.PlateauSizes), "left_edges": wide(p.LeftEdges), "right_edges": wide(p.RightEdges),
				"left_thresholds": p.LeftThresholds, "right_thresholds": p.RightThresholds,
				"prominences": p.Prominences, "left_bases": wide(p.LeftBases), "right_bases": wide(p.RightBases),
				"widths": p.Widths, "width_heights": p.WidthHeights, "left_ips": p.LeftIPs, "right_ips": p.RightIPs,
			} {
				all, err := goldens()
				if err != nil {
					t.Fatal(err)
				}
				if _, measured := all[name+" "+key]; measured != (v != nil) {
					t.Errorf("%s: %s is measured: %v", name, key, v != nil)
				} else if measured {
					checkFloats(t, name+" "+key, v, 1e-12)
				}
			}
			for i, k := range p.Indices {
				if p.Heights[i] != x[k] {
					t.Errorf("%s: height %d is %v", name, i, p.Heights[i])
				}
			}
		}
	}
}

func wide(v []int) []float64 {
	if v == nil {
		return nil
	}
	w := make([]float64, len(v))
	for i, n := range v {
		w[i] = float64(n)
	}
	return w
}

func TestFindPeaksBatched(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	x := waves(5, 7, 40)
	c := signal.PeakConditions{Prominence: signal.AtLeast(0.1)}
	all, err := signal.FindPeaks(ctx, x, c)
	if err != nil {
		t.Fatal(err)
	}
	c.Axis = nd.Axis(0)
	first, err := signal.FindPeaks(ctx, x.Transpose(2, 0, 1), c)
	if err != nil {
		t.Fatal(err)
	}
	c.Axis = nd.Axis(-1)
	for i := range 35 {
		one, err := signal.FindPeaks(ctx, x.At(i/7, i%7), c)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(all[i].Indices, one[0].Indices) || !slices.Equal(first[i].Indices, one[0].Indices) || len(one[0].Indices) == 0 {
			t.Errorf("line %d: %v and %v, alone %v", i, all[i].Indices, first[i].Indices, one[0].Indices)
		}
	}
	single, err := signal.FindPeaks(ctx, x.Cast(nd.Float32), c)
	if err != nil || len(single) != 35 {
		t.Errorf("float32: %d lines, %v", len(single), err)
	}
	for _, slope := range [][]float64{{1, 2, 3}, {3, 2, 1}, {2, 2, 2}, {2, 1, 3}} {
		none, err := signal.FindPeaks(ctx, nd.From(slope), signal.PeakConditions{Prominence: signal.Measured(), Width: signal.Measured()})
		if err != nil || len(none[0].Indices) != 0 || none[0].Prominences == nil {
			t.Errorf("%v: %v, %v", slope, none, err)
		}
	}
	for _, n := range []int{1, 2} {
		none, err := signal.FindPeaks(ctx, waves(n), signal.PeakConditions{Distance: 2, Prominence: signal.Measured(), Width: signal.Measured(), PlateauSize: signal.Measured()})
		if err != nil || len(none[0].Indices) != 0 {
			t.Errorf("%d samples: %v, %v", n, none, err)
		}
	}
}

func TestFindPeaksErrors(t *testing.T) {
	x := waves(20)
	for fact, c := range map[string]signal.PeakConditions{
		"Distance 0.5":            {Distance: 0.5},
		"WLen 1":                  {WLen: 1},
		"RelHeight -1":            {RelHeight: -1},
		"Height between 2 and 1":  {Height: signal.Between(2, 1)},
		"axis 3 out of range for": {Axis: nd.Axis(3)},
		"Width has limits for 3 samples, lines have 20": {Width: signal.BetweenEach(nil, make([]float64, 3))},
		"unknown refinement 9":                          {Refine: 9},
		"PlateauSize between NaN and ":                  {PlateauSize: signal.AtLeast(math.NaN())},
	} {
		if _, err := signal.FindPeaks(context.Background(), x, c); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	if _, err := signal.FindPeaks(context.Background(), nd.Zeros(nd.Float64, 3, 0)); err == nil {
		t.Error("peaks of nothing")
	}
	if _, _, _, err := signal.PeakProminences([]float64{1, 2}, []int{2}, 0); err == nil {
		t.Error("prominence of a peak outside")
	}
	if _, _, _, _, err := signal.PeakWidths([]float64{1, 2}, []int{1}, -1, 0); err == nil {
		t.Error("width at a negative height")
	}
}

// TestRefinedTone holds refinement to 0.02 bins for tones between bins.
func TestRefinedTone(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n = 1024
	for _, off := range []float64{-0.3, -0.1, 0, 0.2, 0.3} {
		x := make([]float64, 4*n)
		for i := range x {
			x[i] = math.Cos(2 * math.Pi * (100 + off) / n * float64(i))
		}
		p := signal.Welch(nd.From(x), signal.Spectral{NPerSeg: n})
		found, err := signal.FindPeaks(context.Background(), p.Array, signal.PeakConditions{Height: signal.AtLeast(1), Refine: signal.RefineLog})
		if err != nil {
			t.Fatal(err)
		}
		if at := found[0].Positions; len(at) != 1 || math.Abs(at[0]-100-off) > 0.02 {
			t.Errorf("a tone at bin %g was found at %v", 100+off, at)
		}
	}
}

func TestRelMax(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := peakLines()["line"]
	for order, name := range map[int]string{1: "1", 3: "3"} {
		top, err := signal.ArgRelMax(context.Background(), nd.From(x), order)
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, "argrelmax "+name, wide(top[0]), 0)
		low, err := signal.ArgRelMin(context.Background(), nd.From(x), order)
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, "argrelmin "+name, wide(low[0]), 0)
	}
	two, err := signal.ArgRelMax(context.Background(), nd.Stack(1, nd.From(x), nd.From(x).Neg()), 1, nd.Axis(0))
	if err != nil || len(two) != 2 {
		t.Fatalf("%v, %v", two, err)
	}
	checkFloats(t, "argrelmin 1", wide(two[1]), 0)
	if err := signal.RelMax(nd.From(x), 0).Err(); err == nil {
		t.Error("order 0")
	}
}

func TestTopBins(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n, segments, k = 16, 3, 4
	x := waves(2, n+(segments-1)*n/2)
	got := floats(t, signal.TopBins{N: n, Segments: segments, K: k}.Apply(x))
	w, err := signal.Window{Symmetric: true}.Samples(n)
	if err != nil {
		t.Fatal(err)
	}
	// By definition.
	for line := range 2 {
		samples := wave(2, n+(segments-1)*n/2)[line*32:]
		power := make([]float64, n/2+1)
		for s := range segments {
			for bin := range power {
				re, im := 0.0, 0.0
				for i := range n {
					v := samples[s*n/2+i] * w[i]
					sin, cos := math.Sincos(2 * math.Pi * float64(i*bin%n) / n)
					re, im = re+v*cos, im-v*sin
				}
				power[bin] += (re*re + im*im) / segments
			}
		}
		for i := range k {
			best := 0
			for bin, p := range power {
				if p > power[best] {
					best = bin
				}
			}
			if g := got[(line*k+i)*2:][:2]; int(g[0]) != best || math.Abs(g[1]-power[best]) > 1e-12 {
				t.Errorf("line %d: %d. bin %v, want %d with %v", line, i, g, best, power[best])
			}
			power[best] = -1
		}
	}
	for fact, tb := range map[string]signal.TopBins{"want lines of 16": {N: 16, Segments: 1}, "N 0": {}, "K 10": {N: 16, K: 10, Segments: 3}, "Segments -1": {N: 16, Segments: -1}} {
		if err := tb.Apply(x).Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
}

// TestPeaksAgree compares the search that visits maxima once with the
// walk from each peak, on rough and on flat ground, and where samples do not
// compare.
func TestPeaksAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		x := noise(r, 3+r.IntN(200), 1)
		if trial%2 == 0 {
			for i := range x {
				x[i] = math.Round(2 * x[i])
			}
		}
		if trial%10 == 0 {
			x[r.IntN(len(x))] = math.NaN()
			x[r.IntN(len(x))] = math.Inf(1)
		}
		found, err := signal.FindPeaks(context.Background(), nd.From(x), signal.PeakConditions{Prominence: signal.Measured(), PlateauSize: signal.Measured()})
		if err != nil {
			t.Fatal(err)
		}
		p := found[0]
		prominence, left, right, err := signal.PeakProminences(x, p.Indices, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range p.Indices {
			if p.Prominences[i] != prominence[i] || p.LeftBases[i] != left[i] || p.RightBases[i] != right[i] {
				t.Fatalf("trial %d, peak %d: prominence %v from %d to %d, want %v from %d to %d", trial, k,
					p.Prominences[i], p.LeftBases[i], p.RightBases[i], prominence[i], left[i], right[i])
			}
		}
		// Distances by definition: the highest takes away its neighbours.
		if distance := 2 + trial%40; trial%10 != 0 {
			near, err := signal.FindPeaks(context.Background(), nd.From(x), signal.PeakConditions{Distance: float64(distance)})
			if err != nil {
				t.Fatal(err)
			}
			left, stay := slices.Clone(p.Indices), []int{}
			for len(left) > 0 {
				top := left[0]
				for _, k := range left {
					if x[k] >= x[top] {
						top = k
					}
				}
				stay = append(stay, top)
				left = slices.DeleteFunc(left, func(k int) bool { return max(k-top, top-k) < distance })
			}
			slices.Sort(stay)
			if !slices.Equal(near[0].Indices, stay) {
				t.Fatalf("trial %d, distance %d: %v, want %v", trial, distance, near[0].Indices, stay)
			}
		}
		// Maxima by definition: flat ground between lower neighbours.
		var want []int
		for i := 1; i < len(x)-1; i++ {
			end := i
			for end < len(x)-1 && x[end+1] == x[i] {
				end++
			}
			if x[i-1] < x[i] && end < len(x)-1 && x[end+1] < x[i] {
				want = append(want, (i+end)/2)
			}
		}
		got, err := signal.FindPeaks(context.Background(), nd.From(x))
		if err != nil || !slices.Equal(got[0].Indices, want) && len(want) > 0 {
			t.Fatalf("trial %d: peaks %v, want %v (%v)", trial, got[0].Indices, want, err)
		}
	}
}

func TestHighestPeaks(t *testing.T) {
	p := signal.Peaks{Heights: []float64{1, 5, 3, 5}}
	for n, want := range map[int]string{-1: "[]", 0: "[]", 2: "[1 3]", 3: "[1 3 2]", 9: "[1 3 2 0]"} {
		if got := fmt.Sprint(p.Highest(n)); got != want {
			t.Errorf("%d highest: %s, want %s", n, got, want)
		}
	}
}

// TestMeasuredKeepsInfinitePeaks: the prominence of one infinity between others is no number, nor is
// how far one stands above another beside it, and Measured leaves nothing out.
func TestMeasuredKeepsInfinitePeaks(t *testing.T) {
	inf := math.Inf(1)
	x := nd.From([]float64{0, inf, -inf, inf, inf, -inf, 3, -inf})
	for _, c := range []signal.PeakConditions{{}, {Prominence: signal.Measured()}, {Width: signal.Measured()},
		{Prominence: signal.BetweenEach(nil, nil)}, {Height: signal.AtLeast(1), Width: signal.BetweenEach(nil, nil)},
		{Threshold: signal.Measured()}, {Threshold: signal.BetweenEach(nil, nil)}} {
		p, err := signal.FindPeaks(t.Context(), x, c)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p[0].Indices, []int{1, 3, 6}) {
			t.Errorf("%+v: peaks at %v", c, p[0].Indices)
		}
	}
}
