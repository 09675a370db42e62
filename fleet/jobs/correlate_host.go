package jobs

import (
	"context"
	"math"
	"runtime"
	"sync"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/fleet/internal/pages"
	"github.com/twiddle-go/twiddle/fleet/internal/parallel"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/outer"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// hostStack stacks cross-spectra on this machine's processors. Spectra wait in
// rows, one for each window and channel, until there are many windows; then all
// pairs of all windows are multiplied, a group of bins at a time, while the
// spectra of the group are in the cache.
type hostStack struct {
	*correlator
	plan    *fft.RealPlan[float32, complex64]
	kernels outer.Table
	most    int         // windows that wait at most
	waiting int         // windows
	stride  int         // from one row to the next
	start   int         // the first row of spectra; stacks of pairs are before it, or in the same rows
	base    int         // the first bin of a row
	rows    []complex64 // bins of windows and channels, and of pairs
	stacked bool        // there is something in the stacks
	lines   sync.Pool   // of *line
}

// groupBins are multiplied together: with 64 channels and 48 windows 0.8 MB of
// factors.
const groupBins = outer.Bins

// spectraBytes is how much the spectra that wait may take. If they are those of
// all windows, stacks are written over them; else each batch is added.
var spectraBytes = 512 << 20

func newHostStack(k *correlator) (*hostStack, error) {
	plan, err := fft.NewRealPlan[float32, complex64](k.nfft)
	if err != nil {
		return nil, err
	}
	h := &hostStack{correlator: k, plan: plan, kernels: outer.For(simd.Active())}
	if h.low != 1 || h.high != h.nfft/2+1 {
		h.base = h.low
	}
	// An odd number of cache lines, so that rows are not all in the same sets of
	// a cache.
	h.stride = h.groups()*groupBins + outer.Lanes
	most := max(1, spectraBytes/(8*k.channels*h.stride))
	passes := (k.windows + most - 1) / most
	h.most = (k.windows + passes - 1) / passes
	if passes > 1 {
		h.start = h.pairs()
	}
	return h, nil
}

// whole says that rows are whole spectra, which are transformed back where they
// are. Otherwise they have the bins that are used.
func (h *hostStack) whole() bool { return h.base == 0 }

func (h *hostStack) groups() int { return (h.high - h.base + groupBins - 1) / groupBins }

// row is the bins of a row.
func (h *hostStack) row(i int) []complex64 { return h.rows[i*h.stride:][:h.high-h.base] }

// used is the bins of a row that are used.
func (h *hostStack) used(i int) []complex64 { return h.row(i)[h.low-h.base:] }

// line is scratch of a transform.
type line struct {
	samples []float32
	bins    []complex64
	squares []float32 // of amplitudes
	sums    []float64 // of amplitudes, for the running mean
}

// line is one that nobody uses.
func (h *hostStack) line() *line {
	if l, ok := h.lines.Get().(*line); ok {
		return l
	}
	l := &line{samples: make([]float32, h.nfft), bins: make([]complex64, h.nfft/2+1)}
	switch h.method {
	case "phat":
		l.squares = make([]float32, normalBlock)
	case "whiten":
		l.sums = make([]float64, len(l.bins)+1)
	}
	return l
}

func (h *hostStack) free(l *line) { h.lines.Put(l) }

func (h *hostStack) add(ctx context.Context, lines [][]float32) error {
	if h.rows == nil {
		h.rows = pages.Make[complex64](max(h.start+h.most*h.channels, h.pairs()) * h.stride)
	}
	err := parallel.Each(ctx, runtime.GOMAXPROCS(0), h.channels, h.line, h.free, func(l *line, c int) error {
		row := h.used(h.start + h.waiting*h.channels + c)
		if lines[c] == nil {
			clear(row)
			return nil
		}
		h.center(l.samples, c, lines[c])
		if err := h.plan.Forward(l.bins, l.samples); err != nil {
			return err
		}
		switch h.method {
		case "phat":
			l.normalize(row, l.bins[h.low:h.high])
		case "whiten":
			h.whiten(row, l)
		default:
			copy(row, l.bins[h.low:h.high])
		}
		return nil
	})
	if err != nil {
		return err
	}
	if h.waiting++; h.waiting < h.most {
		return nil
	}
	return h.multiply(ctx)
}

// normalBlock is how many bins are normalised at a time: they stay in the
// smallest cache.
const normalBlock = 1 << 11

// normalize writes z with amplitudes of 1; 0 stays 0.
func (l *line) normalize(dst, z []complex64) {
	k := vec.For(simd.Active())
	for at := 0; at < len(z); at += normalBlock {
		z, dst := z[at:min(at+normalBlock, len(z))], dst[at:]
		squares := l.squares[:len(z)]
		k.C64.AbsSquared(squares, z, false)
		if k.F32.Least(squares) > 1e-30 && k.F32.Largest(squares) < 1e30 {
			k.F32.Rsqrt(squares, squares, false)
			k.C64.MulReal(dst[:len(z)], z, squares, false)
			continue
		}
		for i, v := range z { // a square has left the range of float32, or there is a 0
			re, im := float64(real(v)), float64(imag(v))
			if a := math.Hypot(re, im); a > 0 {
				dst[i] = complex(float32(re/a), float32(im/a))
			} else {
				dst[i] = 0
			}
		}
	}
}

// whiten writes the bins of a line, divided by the running mean of amplitudes. The first
// and the last bin go on beyond the ends.
func (h *hostStack) whiten(dst []complex64, l *line) {
	n := len(l.bins)
	amplitude := func(z complex64) float64 { return math.Hypot(float64(real(z)), float64(imag(z))) }
	for i, z := range l.bins {
		l.sums[i+1] = l.sums[i] + amplitude(z)
	}
	first, last := amplitude(l.bins[0]), amplitude(l.bins[n-1])
	for i := range dst {
		at := h.low + i
		from, to := at-h.smooth, at+h.smooth+1
		sum := l.sums[min(to, n)] - l.sums[max(from, 0)] + float64(max(-from, 0))*first + float64(max(to-n, 0))*last
		if sum <= 0 {
			dst[i] = 0
			continue
		}
		f := float64(2*h.smooth+1) / sum
		z := l.bins[at]
		dst[i] = complex(float32(float64(real(z))*f), float32(float64(imag(z))*f))
	}
}

func (h *hostStack) inverse(ctx context.Context, each func(a, b int, line []float32)) error {
	if err := h.multiply(ctx); err != nil || !h.stacked {
		return err
	}
	return parallel.Each(ctx, runtime.GOMAXPROCS(0), h.channels, h.line, h.free, func(l *line, a int) error {
		clear(l.bins)
		for b := h.first(a); b < h.channels; b++ {
			bins := h.row(h.pair(a, b))
			if !h.whole() {
				copy(l.bins[h.low:], bins)
				bins = l.bins
			}
			if err := h.plan.Inverse(l.samples, bins); err != nil {
				return err
			}
			each(a, b, l.samples)
		}
		return nil
	})
}

func (h *hostStack) reset() { h.waiting, h.stacked = 0, false }
