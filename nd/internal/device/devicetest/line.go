package devicetest

import (
	"fmt"
	"math"
	"math/cmplx"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/reference"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// testLines runs what line programs are for: transforms with maps around
// them, averages over overlapping segments, and reductions of a spectrum.
func testLines(s *suite) {
	for _, c := range s.having(elem.Complex64, elem.Complex128) {
		for _, n := range []int{2, 15, 16, 60, 127, 256} {
			for _, outer := range [][]int{{}, {0}, {7}, {3, 6}} {
				s.sub(fmt.Sprintf("convolution/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(convolution(c, n, outer, n+3), nil)
				})
				s.sub(fmt.Sprintf("average/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(average(c, n, outer, 4), []scalar.Arg{scalar.ArgOf(c.Real(), 0.25)})
				})
				if n&(n-1) == 0 {
					s.sub(fmt.Sprintf("network/%s/%d x %v", c, n, outer), func(s *suite) {
						s.checkLine(network(c, n, outer, s.rng.Perm(n)), nil)
					})
				}
				s.sub(fmt.Sprintf("transforms/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(inARow(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("ramp/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(ramp(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("distance/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(distance(c, n, outer), []scalar.Arg{scalar.ArgOf(c.Real(), 1e-3)})
				})
				s.sub(fmt.Sprintf("peak/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(peak(c, n, outer, ir.Max), nil)
				})
				if ir.Count(outer) >= 4 {
					s.sub(fmt.Sprintf("columns/%s/%d x %v", c, n, outer), func(s *suite) {
						s.checkLine(sideBySide(peak(c, n, outer, ir.Sum)), nil)
						s.checkLine(sideBySide(peak(c, n, outer, ir.Max)), nil)
						s.checkLine(sideBySide(strongest(c, n, outer)), nil)
					})
				}
			}
		}
		for _, n := range []int{1, 2, 15, 16, 23, 60, 127, 179, 256} {
			s.sub(fmt.Sprintf("real bins/%s/%d", c, n), func(s *suite) { s.checkRealBins(c, n) })
		}
		for _, n := range []int{15, 16, 64} {
			for _, hop := range []int{1, 3, n + 1} {
				for _, outer := range [][]int{{}, {130}, {2, 77}, {3, 7, 20}} {
					if s.dev.Info().Overlaps && (n == 16 || hop < 3 && len(outer) > 0) {
						s.sub(fmt.Sprintf("overlap/%s/%d x %v by %d", c, n, outer, hop), func(s *suite) {
							s.checkLine(overlap(c, n, hop, n, outer, n%2 == 0), nil)
						})
						if hop == 1 {
							s.sub(fmt.Sprintf("overlap/%s/%d x %v at every sample", c, n, outer), func(s *suite) {
								s.checkLine(overlap(c, n, hop, 1, outer, n%2 == 0), nil)
							})
						}
					}
				}
			}
		}
		// Many short lines, more than a device takes at once and some to spare.
		for _, n := range []int{4, 16, 60, 64} {
			for _, outer := range [][]int{{16}, {2, 77}} {
				s.sub(fmt.Sprintf("frames/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(frames(c, n, outer), []scalar.Arg{scalar.ArgOf(c.Real(), 0.5)})
				})
				s.sub(fmt.Sprintf("many convolutions/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(convolution(c, n, outer, n+3), nil)
				})
				s.sub(fmt.Sprintf("many ramps/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(ramp(c, n, outer), nil)
				})
				s.sub(fmt.Sprintf("many averages/%s/%d x %v", c, n, outer), func(s *suite) {
					s.checkLine(average(c, n, outer, 35), []scalar.Arg{scalar.ArgOf(c.Real(), 0.25)})
				})
			}
		}
		if c == elem.Complex64 {
			for _, n := range []int{15, 16, 60, 1024} {
				for _, outer := range [][]int{{}, {7}, {2, 77}} {
					s.sub(fmt.Sprintf("pairs of segments/%d x %v", n, outer), func(s *suite) { s.checkLine(pairs(n, outer, 3), nil) })
				}
			}
			for _, half := range []elem.Type{elem.Float16, elem.BFloat16} {
				for _, n := range []int{16, 64, 100, 256, 2048} {
					s.sub(fmt.Sprintf("fast convolution/%s/%d", half, n), func(s *suite) { s.checkFast(fastConvolution(half, n/2, n, []int{4, 3})) })
				}
				for _, n := range []int{16, 30, 256, 1024, 2048} {
					s.sub(fmt.Sprintf("fast causal convolution/%s/%d", half, n), func(s *suite) { s.checkFast(fastQuarters(half, n, []int{4, 3})) })
				}
				for _, n := range []int{64, 256, 1024, 2048} {
					s.sub(fmt.Sprintf("fast causal convolution by taps/%s/%d", half, n), func(s *suite) { s.checkFast(byTaps(fastQuarters(half, n, []int{4, 5}), n-3)) })
				}
			}
			for _, n := range []int{64, 256, 1024, 2048, 4096, 8192} {
				s.sub(fmt.Sprintf("causal convolution by taps/%d", n), func(s *suite) { s.checkLine(ownTaps(quarterConvolution(c, n, []int{4, 5}), n-3), nil) })
			}
		}
		for _, n := range []int{16, 30, 256, 512, 1024, 2048, 4096} {
			s.sub(fmt.Sprintf("causal convolution/%s/%d", c, n), func(s *suite) { s.checkLine(quarterConvolution(c, n, []int{3, 5}), nil) })
		}
		for _, n := range []int{1 << 15, 1 << 16} {
			p := quarterConvolution(c, n, []int{2})
			for _, i := range []int{0, 2} {
				p.Stages[i].Program.(*ir.FFT).Rows = 8
			}
			if takes := s.dev.Info().RoundTrips; takes != nil && takes(p) {
				s.sub(fmt.Sprintf("long causal convolution/%s/%d", c, n), func(s *suite) { s.checkLine(p, nil) })
			}
		}
		if s.dev.Info().Margins {
			testMargins(s, c)
		}
		for _, n := range []int{1 << 17, 88200} {
			p := padded(convolution(c, n, []int{2}, n), n/2)
			if takes := s.dev.Info().RoundTrips; takes != nil && takes(p) {
				s.sub(fmt.Sprintf("long convolution/%s/%d", c, n), func(s *suite) { s.checkLine(p, nil) })
			}
		}
	}
}

// checkRealBins asks that what follows a transform in its pass sees elements 0 and n/2
// of the spectra of real lines exactly real.
func (s *suite) checkRealBins(c elem.Type, n int) {
	s.Helper()
	const lines = 9
	r, bins, outer := c.Real(), n/2+1, []int{lines}
	var code code
	imag := code.apply(scalar.Imag, r, code.load(along(c)))
	p := &ir.Line{
		Outer: outer, Segments: 1,
		Slots: []ir.Slot{lineSlot(ir.InSlot, r, n, outer, n), local(c, bins), lineSlot(ir.OutSlot, r, bins, outer, bins)},
		Stages: []ir.Stage{
			{Program: &ir.FFT{Kind: ir.FFTRealForward, N: n, Scale: 1, InLen: n, In: along(r), Out: along(c)}, Reads: []ir.SlotID{0}, Writes: []ir.SlotID{1}},
			{Program: &ir.Map{Dims: []int{bins}, Code: code.Code, Out: []ir.Operand{along(r)}, Value: []ir.ValueID{imag}}, Reads: []ir.SlotID{1}, Writes: []ir.SlotID{2}},
		},
	}
	reads := s.inputs([]int{lines, n}, []ir.Operand{ir.Contiguous(r, []int{lines, n})})
	got, err := s.execute(s.compile(p), reads, blank(p), nil)
	if err != nil {
		s.Fatalf("%s: %v", p.Name(), err)
	}
	for i := range lines * bins {
		if k := i % bins; 2*k%n == 0 {
			if v := reference.Load(r, got[0], i); real(v.Num) != 0 {
				s.Errorf("element %d of line %d has the imaginary part %v", k, i/bins, v.Num)
			}
		}
	}
}

// checkFast allows what transforms in halves may lose, of the largest result of a line,
// and a rounding of the type.
func (s *suite) checkFast(p *ir.Line) {
	s.Helper()
	reads, o := s.reads(p), ir.Writes(p)[0]
	l, step := p.Slots[0].Len, 0x1p-10 // between neighbours, over the lesser
	if o.Type == elem.BFloat16 {
		step = 0x1p-7
	}
	allowed := sync.OnceValue(func() []float64 {
		out := blank(p)
		s.reference(p, reads, out)
		return lists.Make(p.Lines(), func(i int) float64 {
			most := 0.0
			for j := range l {
				most = max(most, cmplx.Abs(reference.Load(o.Type, out[0], i*l+j).Num))
			}
			return (4*0x1p-11*math.Sqrt(1+math.Log2(float64(l))) + step) * most
		})
	})
	s.check(p, reads, nil, nil, tolerance{anyZero: true, slack: func(_, i int) float64 { return allowed()[i/l] }})
}

// checkLine allows what the transforms and products of a line may lose, of
// the largest result: each stage adds its own share to that of checkFFT.
func (s *suite) checkLine(p *ir.Line, args []scalar.Arg) {
	s.Helper()
	reads := s.reads(p)
	allowed := sync.OnceValue(func() float64 {
		longest := lists.Max(1, p.Slots, func(s ir.Slot) int { return s.Len })
		return 48 * unit(ir.Writes(p)[0].Type) * math.Sqrt(1+math.Log2(float64(longest))) * s.largest(p, reads, args)
	})
	s.check(p, reads, nil, args, tolerance{anyZero: true, slack: func(int, int) float64 { return allowed() }})
}

// largest is the modulus that errors of a line program are measured by.
func (s *suite) largest(p *ir.Line, reads [][]byte, args []scalar.Arg) float64 {
	s.Helper()
	out, before, most := blank(p), blank(p), 0.0
	s.reference(p, reads, out, args...)
	for k, o := range ir.Writes(p) {
		for i := range len(out[k]) / o.Type.Size() {
			if v := reference.Load(o.Type, out[k], i); v != reference.Load(o.Type, before[k], i) {
				most = max(most, cmplx.Abs(v.Num))
			}
		}
	}
	if len(p.Sums()) > 0 {
		// Frames come back from their spectra with the error of the largest sample,
		// and that times the window is added up, however small the sums are.
		scale := 1.0
		for k, o := range ir.Reads(p) {
			largest := 0.0
			for i := range len(reads[k]) / o.Type.Size() {
				largest = max(largest, cmplx.Abs(reference.Load(o.Type, reads[k], i).Num))
			}
			scale *= largest
		}
		most = max(most, scale)
	}
	return most
}
