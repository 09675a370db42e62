package jobs

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// hostStack stacks cross-spectra on this machine's processors. For each bin the
// cross-spectra of all pairs, added over windows, are a product of matrices:
// channels by windows, conjugated, times windows by channels. A group of bins
// is copied next to each other, multiplied and written to the stacks while it
// is in the cache, so that spectra and stacks go through memory once.
type hostStack struct {
	*correlator
	plan    *fft.RealPlan[float32, complex64]
	most    int         // windows that wait at most
	waiting int         // windows
	spectra []complex64 // of those that wait: windows, channels, bins
	stack   []complex64 // pairs, bins
	stacked bool        // there is something in stack
}

const (
	// groupBins are multiplied together: two cache lines of a spectrum, and
	// with 64 channels and 24 windows 0.2 MB of factors.
	groupBins = 16
	// tileChannels are the rows of a product. Below the diagonal nothing is
	// needed; smaller tiles leave more of it out, and are slower.
	tileChannels = 16
	// productGap keeps the products of a group from the same sets of a cache.
	productGap = 24
)

// spectraBytes is how much the spectra that wait may take. More windows at a
// time are fewer passes over the stacks.
var spectraBytes = 256 << 20

func newHostStack(k *correlator) (*hostStack, error) {
	plan, err := fft.NewRealPlan[float32, complex64](k.nfft)
	if err != nil {
		return nil, err
	}
	h := &hostStack{correlator: k, plan: plan}
	most := max(1, spectraBytes/(8*k.channels*h.bins()))
	passes := (k.windows + most - 1) / most
	h.most = (k.windows + passes - 1) / passes
	return h, nil
}

func (h *hostStack) bins() int { return h.high - h.low }

// parallel calls f for each number below n, on all processors. Each goroutine
// has its own state.
func parallel[S any](ctx context.Context, n int, state func() S, f func(s S, i int) error) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make(chan error, 1)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			s := state()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				err := ctx.Err()
				if err == nil {
					err = f(s, i)
				}
				if err != nil {
					next.Store(int64(n))
					select {
					case errs <- err:
					default:
					}
					return
				}
			}
		})
	}
	wait.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// line is scratch of a transform.
type line struct {
	samples []float32
	bins    []complex64
	squares []float32 // of amplitudes
	sums    []float64 // of amplitudes, for the running mean
}

func (h *hostStack) newLine() *line {
	l := &line{samples: make([]float32, h.nfft), bins: make([]complex64, h.nfft/2+1)}
	switch h.method {
	case "phat":
		l.squares = make([]float32, h.bins())
	case "whiten":
		l.sums = make([]float64, len(l.bins)+1)
	}
	return l
}

func (h *hostStack) add(ctx context.Context, lines [][]float32) error {
	bins := h.bins()
	if h.spectra == nil {
		h.spectra = large(h.most * h.channels * bins)
	}
	at := h.spectra[h.waiting*h.channels*bins:]
	err := parallel(ctx, h.channels, h.newLine, func(l *line, c int) error {
		dst := at[c*bins : (c+1)*bins]
		if lines[c] == nil {
			clear(dst)
			return nil
		}
		h.center(l.samples, c, lines[c])
		if err := h.plan.Forward(l.bins, l.samples); err != nil {
			return err
		}
		switch h.method {
		case "phat":
			l.normalize(dst, l.bins[h.low:h.high])
		case "whiten":
			h.whiten(dst, l)
		default:
			copy(dst, l.bins[h.low:h.high])
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

// normalize gives numbers of the same phase and amplitude 1; 0 stays 0.
func (l *line) normalize(dst, src []complex64) {
	k := vec.For(simd.Active())
	k.C64.AbsSquared(l.squares[:len(src)], src, false)
	squares := l.squares[:len(src)]
	if k.F32.Least(squares) > 1e-30 && k.F32.Largest(squares) < 1e30 {
		k.F32.Rsqrt(squares, squares, false)
		k.C64.MulReal(dst, src, squares, false)
		return
	}
	for i, z := range src { // a square has left the range of float32, or there is a 0
		re, im := float64(real(z)), float64(imag(z))
		if a := math.Hypot(re, im); a > 0 {
			dst[i] = complex(float32(re/a), float32(im/a))
		} else {
			dst[i] = 0
		}
	}
}

// whiten divides by the running mean of amplitudes. The first and the last bin
// go on beyond the ends.
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

// factors are the matrices of a group of bins, and their products. They are
// real: with the real parts X and the imaginary parts Y of spectra, windows by
// channels, the sum of conj(z) z' has the real part X'X + Y'Y and the imaginary
// part X'Y - Y'X, whose second term is the first one transposed.
type factors struct {
	spectra []complex64 // bins, channels
	parts   []float32   // bins, real and imaginary, windows, channels
	re, im  []float32   // channels, channels: the products of a bin
	product []complex64 // bins, channels, channels
	sum     []complex64 // channels, bins: what is added to the stacks
}

func (h *hostStack) newFactors() *factors {
	n := h.channels
	return &factors{
		spectra: make([]complex64, groupBins*n),
		parts:   make([]float32, groupBins*2*h.waiting*n),
		re:      make([]float32, n*n),
		im:      make([]float32, n*n),
		product: make([]complex64, groupBins*h.apart()),
		sum:     make([]complex64, groupBins*n),
	}
}

// apart is the distance between the products of two bins.
func (h *hostStack) apart() int { return h.channels*h.channels + productGap }

// multiply adds the cross-spectra of the windows that wait to the stacks.
func (h *hostStack) multiply(ctx context.Context) error {
	if h.waiting == 0 {
		return nil
	}
	if h.stack == nil {
		h.stack = large(h.pairs() * h.bins())
	}
	groups := (h.bins() + groupBins - 1) / groupBins
	err := parallel(ctx, groups, h.newFactors, func(f *factors, group int) error {
		from := group * groupBins
		count := min(groupBins, h.bins()-from)
		h.gather(f, from, count)
		for i := range count {
			h.product(f, i)
		}
		h.scatter(f, from, count)
		return nil
	})
	h.stacked, h.waiting = true, 0
	return err
}

// transpose does dst[c*dstStride+r] = src[r*srcStride+c].
func transpose(dst, src []complex64, dstStride, srcStride, rows, cols int) {
	_, _ = dst[(cols-1)*dstStride+rows-1], src[(rows-1)*srcStride+cols-1]
	vec.For(simd.Active()).Move.Transpose(8, unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), dstStride, srcStride, rows, cols, false)
}

// gather copies the spectra of a group of bins to factors.
func (h *hostStack) gather(f *factors, from, count int) {
	s, bins, n := h.channels, h.bins(), h.waiting*h.channels
	kernels := &vec.For(simd.Active()).C64
	for w := range h.waiting {
		transpose(f.spectra, h.spectra[w*s*bins+from:], s, bins, s, count)
		for i := range count {
			z := f.spectra[i*s : (i+1)*s]
			kernels.Real(f.parts[2*i*n+w*s:][:s], z, false)
			kernels.Imag(f.parts[(2*i+1)*n+w*s:][:s], z, false)
		}
	}
}

// product multiplies the factors of a bin, on and above the diagonal.
// conj(A) B has the phase of a delay of B.
func (h *hostStack) product(f *factors, bin int) {
	s, n := h.channels, h.waiting*h.channels
	both := f.parts[2*bin*n : 2*(bin+1)*n]
	for a := 0; a < s; a += tileChannels {
		gemm.Mul(min(tileChannels, s-a), s-a, 2*h.waiting,
			gemm.Matrix[float32]{Data: f.re, Offset: a*s + a, Row: s, Col: 1},
			gemm.Matrix[float32]{Data: both, Offset: a, Row: 1, Col: s},
			gemm.Matrix[float32]{Data: both, Offset: a, Row: s, Col: 1}, nil)
	}
	gemm.Mul(s, s, h.waiting,
		gemm.Matrix[float32]{Data: f.im, Row: s, Col: 1},
		gemm.Matrix[float32]{Data: both[:n], Row: 1, Col: s},
		gemm.Matrix[float32]{Data: both[n:], Row: s, Col: 1}, nil)
	for a := range s {
		re, im := f.re[a*s:(a+1)*s], f.im[a*s:(a+1)*s]
		out := f.product[bin*h.apart()+a*s:][:s]
		for b := a; b < s; b++ {
			out[b] = complex(re[b], im[b]-f.im[b*s+a])
		}
	}
}

// scatter writes the products of a group of bins to the stacks, or adds them.
func (h *hostStack) scatter(f *factors, from, count int) {
	bins := h.bins()
	for a := range h.channels {
		b := h.first(a)
		if b == h.channels {
			continue
		}
		stack := h.stack[h.pair(a, b)*bins+from:]
		product := f.product[a*h.channels+b:]
		if !h.stacked {
			transpose(stack, product, bins, h.apart(), count, h.channels-b)
			continue
		}
		transpose(f.sum, product, count, h.apart(), count, h.channels-b)
		for i := range h.channels - b {
			dst := stack[i*bins:][:count]
			for j, v := range f.sum[i*count:][:count] {
				dst[j] += v
			}
		}
	}
}

func (h *hostStack) inverse(ctx context.Context, each func(a, b int, line []float32)) error {
	if err := h.multiply(ctx); err != nil || !h.stacked {
		return err
	}
	h.spectra = nil // results take as much memory
	bins := h.bins()
	return parallel(ctx, h.channels, h.newLine, func(l *line, a int) error {
		clear(l.bins)
		for b := h.first(a); b < h.channels; b++ {
			copy(l.bins[h.low:], h.stack[h.pair(a, b)*bins:][:bins])
			if err := h.plan.Inverse(l.samples, l.bins); err != nil {
				return err
			}
			each(a, b, l.samples)
		}
		return nil
	})
}

func (h *hostStack) reset() { h.waiting, h.stacked = 0, false }
