package live_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/signal/live"
)

func noise(n int) []float64 {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// sections are butter(4, 0.2) in SciPy, and a notch.
var sections = [][6]float64{
	{0.00482434, 0.00964868, 0.00482434, 1, -1.04859958, 0.29614036},
	{1, 2, 1, 1, -1.32091343, 0.63273879},
	{2 * 0.9, -2 * 1.2, 2 * 0.9, 2, -2 * 1.2, 2 * 0.8},
}

// plain is the difference equation, sample by sample.
func plain(sections [][6]float64, x []float64) []float64 {
	y := append([]float64(nil), x...)
	for _, c := range sections {
		var x1, x2, y1, y2 float64
		for i, v := range y {
			w := (c[0]*v + c[1]*x1 + c[2]*x2 - c[4]*y1 - c[5]*y2) / c[3]
			x1, x2, y1, y2 = v, x1, w, y1
			y[i] = w
		}
	}
	return y
}

func TestFilterInBlocks(t *testing.T) {
	x := noise(5000)
	want := plain(sections, x)
	f, err := live.NewFilter(sections)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got := append([]float64(nil), x...)
		for at, size := 0, 1; at < len(x); size = size*3%700 + 1 {
			end := min(at+size, len(x))
			if err := f.Process64(got[at:end], got[at:end]); err != nil {
				t.Fatal(err)
			}
			at = end
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Fatalf("sample %d: %v, want %v", i, got[i], want[i])
			}
		}
		f.Reset()
	}
}

func TestConvInBlocks(t *testing.T) {
	for _, c := range []struct{ taps, block int }{{1, 1}, {1, 64}, {64, 64}, {65, 64}, {1000, 64}, {1000, 100}, {37, 128}, {640, 128}} {
		x, k := noise(20*c.block), noise(c.taps)
		f, err := live.NewConv64(k, c.block)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float64, len(x))
		for at := 0; at < len(x); at += f.Block() {
			if err := f.Process(got[at:at+c.block], x[at:at+c.block]); err != nil {
				t.Fatal(err)
			}
		}
		for i := range x {
			want := 0.0
			for j := 0; j <= min(i, c.taps-1); j++ {
				want += k[j] * x[i-j]
			}
			if math.Abs(got[i]-want) > 1e-10 {
				t.Fatalf("%+v: sample %d: %v, want %v", c, i, got[i], want)
			}
		}
		f.Reset()
		if err := f.Process(got[:c.block], make([]float64, c.block)); err != nil || got[c.block-1] != 0 {
			t.Errorf("%+v: %v after Reset, %v", c, got[c.block-1], err)
		}
	}
}

func TestBadInput(t *testing.T) {
	for _, s := range [][6]float64{{1, 0, 0, 0, 0, 0}, {math.NaN(), 0, 0, 1, 0, 0}} {
		if _, err := live.NewFilter([][6]float64{s}); err == nil {
			t.Errorf("%v: no error", s)
		}
	}
	if _, err := live.NewConv(nil, 8); err == nil {
		t.Error("no taps: no error")
	}
	for _, block := range []int{0, -1, math.MaxInt / 2} {
		if _, err := live.NewConv([]float32{1}, block); err == nil {
			t.Errorf("block %d: no error", block)
		}
	}
	f, _ := live.NewFilter(sections)
	c, _ := live.NewConv([]float32{1, 2}, 8)
	x := make([]float32, 9)
	if f.Process(x[:3], x) == nil || c.Process(x, x) == nil || c.Process(x[:8], x[:3]) == nil {
		t.Error("lengths that do not fit: no error")
	}
}

func TestNoGarbage(t *testing.T) {
	f, _ := live.NewFilter(sections)
	c, _ := live.NewConv(make([]float32, 5000), 128)
	x := make([]float32, 128)
	if n := testing.AllocsPerRun(100, func() {
		if f.Process(x, x) != nil || c.Process(x, x) != nil {
			t.Error("failed")
		}
	}); n != 0 {
		t.Errorf("%v allocations a block", n)
	}
}

func ExampleFilter() {
	average := [][6]float64{{0.5, 0.5, 0, 1, 0, 0}}
	f, err := live.NewFilter(average)
	if err != nil {
		panic(err)
	}
	for _, block := range [][]float32{{2, 2}, {4, 4}} {
		if err := f.Process(block, block); err != nil {
			panic(err)
		}
		fmt.Println(block)
	}
	// Output:
	// [1 2]
	// [3 4]
}

func ExampleNewConv() {
	echo, err := live.NewConv([]float32{1, 0, 0, 0.5}, 4)
	if err != nil {
		panic(err)
	}
	for _, block := range [][]float32{{2, 2, 2, 2}, {2, 2, 2, 2}} {
		if err := echo.Process(block, block); err != nil {
			panic(err)
		}
		fmt.Printf("%.1f\n", block)
	}
	// Output:
	// [2.0 2.0 2.0 3.0]
	// [3.0 3.0 3.0 3.0]
}

// The cascade against the loop that people write by hand.
func BenchmarkFilter128(b *testing.B) {
	x := make([]float32, 128)
	for i := range x {
		x[i] = float32(i)
	}
	f, _ := live.NewFilter(sections)
	b.Run("live", func(b *testing.B) {
		for b.Loop() {
			if err := f.Process(x, x); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("loop", func(b *testing.B) {
		var s [3][2]float64
		for b.Loop() {
			for i, v := range x {
				v := float64(v)
				for j := range s {
					c := &sections[j]
					y := c[0]*v + s[j][0]
					s[j][0] = c[1]*v - c[4]*y + s[j][1]
					s[j][1] = c[2]*v - c[5]*y
					v = y
				}
				x[i] = float32(v)
			}
		}
	})
}

// 96,000 taps in blocks of 128: at 48 kHz a block has 2667 us.
func BenchmarkConv96000(b *testing.B) {
	taps := make([]float32, 96000)
	for i := range taps {
		taps[i] = float32(math.Exp(-float64(i)/20000)) * float32(i%7-3)
	}
	c, err := live.NewConv(taps, 128)
	if err != nil {
		b.Fatal(err)
	}
	x := make([]float32, 128)
	for i := range x {
		x[i] = float32(i)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := c.Process(x, x); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(b.Elapsed().Nanoseconds())/float64(b.N)/(128e9/48000), "%core")
}
