package nd

import "math/bits"

// growButterfly mixes a line of 2, 4 or 8 elements, by blocks that are a leaf or
// computed in the same plan.
func (s *sketch) growButterfly(x place) {
	if s.next(10) == 0 {
		y := s.pick()
		s.keep(x.Butterfly(y.Array), max(x.grain, rounded), "butterfly %%%d %%%d", x.id, y.id)
		return
	}
	n := 2 << s.next(3)
	if x.NDim() == 0 || x.Dim(-1) == 0 {
		return
	}
	line := x.Take(Arange[int64](0, int64(n), 1).RemScalar(x.Dim(-1)), -1)
	var opt Butterfly
	for range 1 + s.next(3) {
		opt.Spans = append(opt.Spans, 1<<s.next(bits.Len(uint(n))-1))
	}
	if s.next(2) == 0 {
		for i := range n {
			opt.From = append(opt.From, i^1)
			opt.To = append(opt.To, n-1-i)
		}
	}
	w := s.addLeaf(x.DType(), []int{len(opt.Spans), 2, 2, n / 2}).Array
	if s.next(2) == 0 {
		w = w.Neg()
	}
	s.keep(line.Butterfly(w, opt), max(x.grain, rounded), "butterfly of %d places of %%%d, %v", n, x.id, opt)
}

// growLine adds operations along the last axis that line programs are made of:
// a few at a time, as users of spectra write them.
func (s *sketch) growLine(x place) {
	if x.NDim() == 0 || x.Dim(-1) == 0 {
		return
	}
	n := x.Dim(-1)
	coarse := max(x.grain, rounded)
	switch s.next(11) {
	case 0: // causal convolution
		if x.grain > exact {
			return
		}
		h := s.addLeaf(x.DType(), []int{1 + s.next(n)})
		opt := FFT{N: n + h.Dim(0) - 1 + s.next(4)}
		y := x.RFFT(opt).Mul(h.RFFT(opt)).IRFFT(opt)
		s.keep(y.SliceAxis(-1, Range{Stop: n}), coarse, "causal convolution of %%%d and %%%d, %v", x.id, h.id, opt)
	case 1: // power spectrum, several ways out of it
		bins := x.RFFT()
		s.keep(bins, coarse, "rfft %%%d", x.id)
		s.keep(bins.AbsSquared(), coarse, "power of rfft of %%%d", x.id)
		s.keep(bins.AbsSquared().Sum(-1), coarse, "energy of %%%d", x.id)
	case 2: // spectrogram
		size, hop := 1+s.next(min(n, 16)), 1+s.next(4)
		w := s.addLeaf(x.DType(), []int{size})
		if x.grain > exact {
			return
		}
		frames := x.Frames(size, hop).Mul(w.Array)
		s.keep(frames.RFFT().AbsSquared(), coarse, "spectrogram of %%%d by %%%d hop %d", x.id, w.id, hop)
		s.keep(frames.RFFT().IRFFT(FFT{N: size}).OverlapAdd(Overlap{Hop: hop}), coarse, "there and back of %%%d by %%%d hop %d", x.id, w.id, hop)
	case 3: // frames added up again
		size, hop := 1+s.next(min(n, 16)), 1+s.next(4)
		frames := x.Frames(size, hop)
		o := Overlap{Hop: hop}
		if s.next(3) == 0 {
			o.Skip, o.Length = s.next(4), s.next(2*n)
		}
		s.keep(small(frames.OverlapAdd(o), x.grain), x.grain, "overlap_add of frames of %%%d size %d %+v", x.id, size, o)
	case 4: // there and back
		s.keep(x.RFFT().IRFFT(FFT{N: n}), coarse, //twiddle:ignore TW007 the fused pair is what is drawn
			"irfft of rfft of %%%d", x.id)
	case 5: // autocorrelation, and its maximum
		r := x.RFFT(FFT{N: 2 * n}).AbsSquared()
		r = Complex(r, r.MulScalar(0)).IRFFT(FFT{N: 2 * n})
		s.keep(r, coarse, "autocorrelation of %%%d", x.id)
		s.keep(r.Max(-1), coarse, "top of the autocorrelation of %%%d", x.id)
	case 6: // a transform of several axes
		opt := FFTN{Norm: Norm(s.next(3))}
		for i := range x.NDim() {
			if s.next(2) == 0 {
				opt.Axes = append(opt.Axes, i)
			}
		}
		s.keep(x.FFTN(opt), coarse, "fftn %%%d %+v", x.id, opt)
		s.keep(x.RFFTN(opt), coarse, "rfftn %%%d %+v", x.id, opt)
	case 7:
		s.keep(x.FFTShift(-1), x.grain, "fftshift %%%d", x.id)
		s.keep(x.IFFTShift(), x.grain, "ifftshift of all axes of %%%d", x.id)
	case 8:
		s.keep(x.HFFT(), coarse, "hfft %%%d", x.id)
		s.keep(x.IHFFT(), coarse, "ihfft %%%d", x.id)
	case 9: // differences and running sums: views of one line that are added
		d := x.SliceAxis(-1, Range{Start: 1, Stop: End}).Sub(x.SliceAxis(-1, Range{Stop: n - 1}))
		s.keep(small(d, x.grain), x.grain, "differences of %%%d", x.id)
		s.keep(small(d.CumSum(-1), x.grain), x.grain, "their running sum")
	case 10: // an order of the line and what it selects
		if x.grain > exact {
			return
		}
		order := x.ArgSort(-1)
		s.keep(order, exact, "argsort %%%d", x.id)
		s.keep(x.Gather(order, -1), x.grain, "%%%d in that order", x.id)
	}
}
