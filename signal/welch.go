package signal

import (
	"cmp"

	"github.com/twiddle-go/twiddle/nd"
)

// Welch estimates the power spectrum of x by averaging the spectra of overlapping
// segments, as scipy.signal.welch.
func Welch(x *nd.Array, opt ...Spectral) Spectrum {
	return welch("welch", x, first(opt))
}

func welch(op string, x *nd.Array, s Spectral) Spectrum {
	l, bad := along(op, x, s.Axis, true)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	g, err := s.over(l.Dim(-1), 2, x.DType().IsComplex())
	if err != nil {
		return Spectrum{Array: nd.Fail("signal", op, err, x)}
	}
	p := averaged(g.spectra(l.Array, s.Detrend).AbsSquared(), s.Average)
	p = p.Mul(constant(g.unit(s.Scaling), p))
	return Spectrum{Array: l.back(p), Frequencies: g.frequencies(), Clipped: g.clipped}
}

// Periodogram estimates the power spectrum of x from all of it at once, as
// scipy.signal.periodogram. The window is boxcar unless one is given, NPerSeg,
// NOverlap and Average mean nothing, and an NFFT shorter than x cuts it.
func Periodogram(x *nd.Array, opt ...Spectral) Spectrum {
	const op = "periodogram"
	s := first(opt)
	l, bad := along(op, x, s.Axis, true)
	if bad != nil {
		return Spectrum{Array: bad}
	}
	n := l.Dim(-1)
	if s.NFFT < 0 {
		return Spectrum{Array: fail(op, "NFFT %d: want 1 or more", s.NFFT)(x)}
	}
	if 0 < s.NFFT && s.NFFT < n {
		n = s.NFFT
		x = x.SliceAxis(l.at, nd.Range{Stop: n})
	}
	s.NPerSeg, s.NOverlap, s.Average = n, None, Mean
	s.Window.Name = cmp.Or(s.Window.Name, "boxcar")
	return welch(op, x, s)
}
