package line

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// averaged is Welch's method without the maxima of peaks.
func averaged(batch, n, segments int) *ir.Line {
	p := peaks(batch, n, segments, 1)
	p.Stages = p.Stages[:5]
	p.Slots = p.Slots[:8]
	p.Slots[7] = ir.Slot{Kind: ir.OutSlot, Type: elem.Float32, Len: n/2 + 1, Strides: []int{n/2 + 1}}
	return p
}

// Segments in pairs are as exact as those by themselves, whatever there is in a line, where
// segments are as loud as each other: of noise, of a tone far above it, of numbers whose squares
// are subnormal, of an odd number of segments. What is not finite stays in its line.
func TestSegmentsInPairs(t *testing.T) {
	const batch = 2
	for _, n := range []int{64, 1024} {
		for _, segments := range []int{4, 7} {
			t.Run(fmt.Sprintf("%d of %d", segments, n), func(t *testing.T) {
				t.Parallel()
				p := averaged(batch, n, segments)
				pairs := linepass.PairSegments(p, func(*ir.FFT) bool { return true })
				if pairs == p || pairs.Segments != segments/2 {
					t.Fatal("segments are not taken in pairs")
				}
				l := n + (segments-1)*(n/2)
				r := rand.New(rand.NewPCG(1, 2))
				line := func(f func(i int, noise float64) float64) []float64 {
					x := make([]float64, batch*l)
					for i := range x {
						x[i] = float64(float32(f(i%l, r.NormFloat64())))
					}
					return x
				}
				for name, x := range map[string][]float64{
					"noise":       line(func(_ int, v float64) float64 { return v }),
					"an offset":   line(func(_ int, v float64) float64 { return v + 100 }),
					"a tone":      line(func(i int, v float64) float64 { return v + 1e4*math.Sin(0.7*float64(i)) }),
					"squares end": line(func(_ int, v float64) float64 { return v * 1e-22 }),
				} {
					want := powersOf(x, batch, n, segments)
					alone, together := worst(want, powersBy(t, p, x), n/2+1), worst(want, powersBy(t, pairs, x), n/2+1)
					t.Logf("%s: %.2g by themselves, %.2g in pairs", name, alone, together)
					if !(together <= 1.5*alone+1e-7) {
						t.Errorf("%s: errors of %.3g in pairs, of %.3g by themselves", name, together, alone)
					}
				}
				x := line(func(_ int, v float64) float64 { return v })
				for _, v := range []float64{math.Inf(1), math.NaN()} {
					x[l-3] = v
					for i, got := range powersBy(t, pairs, x) {
						if spoilt := i < n/2+1; spoilt == (math.Abs(got) < math.Inf(1)) {
							t.Fatalf("with %v in line 0, bin %d of line %d is %v", v, i%(n/2+1), i/(n/2+1), got)
						}
					}
				}
			})
		}
	}
}

// powersBy is what a kernel makes of lines of samples, in a Hann window.
func powersBy(t *testing.T, p *ir.Line, x []float64) []float64 {
	t.Helper()
	m, err := Generate(p, h200)
	if err != nil {
		t.Fatal(err)
	}
	n, bins := p.Slots[1].Len, p.Slots[2].Len
	floats := func(n int, f func(int) float64) []byte {
		b := make([]byte, 4*n)
		for i := range n {
			reference.Store(reference.Float(elem.Float32, f(i)), b, i)
		}
		return b
	}
	reads := [][]byte{floats(len(x), func(i int) float64 { return x[i] }), floats(n, hann(n)), floats(bins, func(int) float64 { return 1 })}
	out := make([]byte, 4*bins*p.Lines())
	if _, err := simulate.Run(m, reads, [][]byte{out}, []scalar.Arg{scalar.ArgOf(elem.Float32, complex(1/float64(n), 0))}, true); err != nil {
		t.Fatal(err)
	}
	list := make([]float64, bins*p.Lines())
	for i := range list {
		list[i] = real(reference.Load(elem.Float32, out, i).Num)
	}
	return list
}

func hann(n int) func(i int) float64 {
	return func(i int) float64 { return 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n)) }
}

// powersOf is the same in float64.
func powersOf(x []float64, batch, n, segments int) []float64 {
	bins, l := n/2+1, len(x)/batch
	plan, err := fft.NewPlan[complex128](n)
	if err != nil {
		panic(err)
	}
	sum := make([]float64, batch*bins)
	z := make([]complex128, n)
	for b := range batch {
		for s := range segments {
			part := x[b*l+s*(n/2):][:n]
			mean := 0.0
			for _, v := range part {
				mean += v / float64(n)
			}
			for i, v := range part {
				z[i] = complex((v-mean)*float64(float32(hann(n)(i))), 0)
			}
			plan.Forward(z, z)
			for k := range bins {
				sum[b*bins+k] += real(z[k] * cmplx.Conj(z[k]))
			}
		}
	}
	return sum
}

// worst is the greatest error of the lines, in units of their greatest power.
func worst(want, got []float64, bins int) float64 {
	most := 0.0
	for at := 0; at < len(want); at += bins {
		peak, off := 0.0, 0.0
		for i := range bins {
			peak, off = max(peak, want[at+i]), max(off, math.Abs(want[at+i]-got[at+i]))
		}
		most = max(most, off/peak)
	}
	return most
}
