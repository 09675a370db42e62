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
// channels by windows, conjugated, times windows by channels. Spectra and stacks
// lie in blocks of groups of bins: a block is read, multiplied and written while
// it is in the cache.
type hostStack struct {
	*correlator
	plan    *fft.RealPlan[float32, complex64]
	most    int         // windows that wait at most
	waiting int         // windows
	block   int         // numbers of a group of bins
	start   int         // of spectra in a block, behind the stacks
	blocks  []complex64 // by group: the stacks of pairs, the spectra of windows and channels, groupBins of each
	stacked bool        // there is something in the stacks
	lines   sync.Pool   // of *line
}

const (
	// groupBins are multiplied together: two cache lines of a spectrum, and
	// with 64 channels and 48 windows 0.4 MB of factors.
	groupBins = 16
	// tileChannels are the rows of a product. Below the diagonal nothing is
	// needed; smaller tiles leave more of it out, and are slower.
	tileChannels = 16
	// setGap keeps the matrices of a group from the same sets of a cache.
	setGap = 24
)

// spectraBytes is how much the spectra that wait may take. If they are those of
// all windows, stacks are written over them; else each batch is added.
var spectraBytes = 512 << 20

func newHostStack(k *correlator) (*hostStack, error) {
	plan, err := fft.NewRealPlan[float32, complex64](k.nfft)
	if err != nil {
		return nil, err
	}
	h := &hostStack{correlator: k, plan: plan}
	most := max(1, spectraBytes/(8*k.channels*groupBins*h.groups()))
	passes := (k.windows + most - 1) / most
	h.most = (k.windows + passes - 1) / passes
	if passes > 1 {
		h.start = h.pairs() * groupBins
	}
	h.block = max(h.start+h.most*h.channels*groupBins, h.pairs()*groupBins) + setGap
	return h, nil
}

func (h *hostStack) bins() int { return h.high - h.low }

func (h *hostStack) groups() int { return (h.bins() + groupBins - 1) / groupBins }

// parallel calls f for each number below n, on all processors. Each goroutine
// has its own state, which done takes back if it is not nil.
func parallel[S any](ctx context.Context, n int, state func() S, done func(s S), f func(s S, i int) error) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	errs := make(chan error, 1)
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			s := state()
			if done != nil {
				defer done(s)
			}
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

// line is one that nobody uses.
func (h *hostStack) line() *line {
	if l, ok := h.lines.Get().(*line); ok {
		return l
	}
	l := &line{samples: make([]float32, h.nfft), bins: make([]complex64, h.nfft/2+1)}
	switch h.method {
	case "phat":
		l.squares = make([]float32, h.bins())
	case "whiten":
		l.sums = make([]float64, len(l.bins)+1)
	}
	return l
}

func (h *hostStack) free(l *line) { h.lines.Put(l) }

func (h *hostStack) add(ctx context.Context, lines [][]float32) error {
	if h.blocks == nil {
		h.blocks = large(h.groups() * h.block)
	}
	err := parallel(ctx, h.channels, h.line, h.free, func(l *line, c int) error {
		at := h.start + (h.waiting*h.channels+c)*groupBins
		if lines[c] == nil {
			clear(l.bins)
			h.spread(at, l.bins[h.low:h.high])
			return nil
		}
		h.center(l.samples, c, lines[c])
		if err := h.plan.Forward(l.bins, l.samples); err != nil {
			return err
		}
		used := l.bins[h.low:h.high]
		switch h.method {
		case "phat":
			l.normalize(used)
		case "whiten":
			h.whiten(l)
		}
		h.spread(at, used)
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

// spread writes a line to its place in all blocks.
func (h *hostStack) spread(at int, line []complex64) {
	for ; len(line) >= groupBins; at += h.block {
		*(*[groupBins]complex64)(h.blocks[at:]) = [groupBins]complex64(line)
		line = line[groupBins:]
	}
	copy(h.blocks[min(at, len(h.blocks)):], line)
}

// collect is the opposite of spread.
func (h *hostStack) collect(line []complex64, at int) {
	for ; len(line) >= groupBins; at += h.block {
		*(*[groupBins]complex64)(line) = [groupBins]complex64(h.blocks[at:])
		line = line[groupBins:]
	}
	copy(line, h.blocks[min(at, len(h.blocks)):])
}

// normalize makes amplitudes 1; 0 stays 0.
func (l *line) normalize(z []complex64) {
	k := vec.For(simd.Active())
	squares := l.squares[:len(z)]
	k.C64.AbsSquared(squares, z, false)
	if k.F32.Least(squares) > 1e-30 && k.F32.Largest(squares) < 1e30 {
		k.F32.Rsqrt(squares, squares, false)
		k.C64.MulReal(z, z, squares, false)
		return
	}
	for i, v := range z { // a square has left the range of float32, or there is a 0
		re, im := float64(real(v)), float64(imag(v))
		if a := math.Hypot(re, im); a > 0 {
			z[i] = complex(float32(re/a), float32(im/a))
		} else {
			z[i] = 0
		}
	}
}

// whiten divides by the running mean of amplitudes. The first and the last bin
// go on beyond the ends.
func (h *hostStack) whiten(l *line) {
	n := len(l.bins)
	amplitude := func(z complex64) float64 { return math.Hypot(float64(real(z)), float64(imag(z))) }
	for i, z := range l.bins {
		l.sums[i+1] = l.sums[i] + amplitude(z)
	}
	first, last := amplitude(l.bins[0]), amplitude(l.bins[n-1])
	for at := h.low; at < h.high; at++ {
		from, to := at-h.smooth, at+h.smooth+1
		sum := l.sums[min(to, n)] - l.sums[max(from, 0)] + float64(max(-from, 0))*first + float64(max(to-n, 0))*last
		if sum <= 0 {
			l.bins[at] = 0
			continue
		}
		f := float64(2*h.smooth+1) / sum
		z := l.bins[at]
		l.bins[at] = complex(float32(float64(real(z))*f), float32(float64(imag(z))*f))
	}
}

// factors are the matrices of a group of bins, and their products, all of real
// numbers. With the real parts X and the imaginary parts Y of spectra z, windows
// by channels, the sum of conj(z) z' over windows has the parts X'X + Y'Y and
// X'Y - Y'X: the product of the rows X and Y, transposed, with the rows z and -iz,
// whose parts are beside one another.
type factors struct {
	left    []float32   // bins, windows, X and Y, channels
	right   []complex64 // bins, windows, z and -iz, channels
	minus   []float32   // -X of a window and bin
	product []complex64 // bins, channels, channels
	sum     []complex64 // channels, bins: what is added to the stacks
}

func (h *hostStack) newFactors() *factors {
	return &factors{
		left:    make([]float32, groupBins*h.factor()),
		right:   make([]complex64, groupBins*h.factor()),
		minus:   make([]float32, h.channels),
		product: make([]complex64, groupBins*h.apart()),
		sum:     make([]complex64, groupBins*h.channels),
	}
}

// factor is the distance between the factors of two bins.
func (h *hostStack) factor() int { return 2*h.waiting*h.channels + setGap }

// apart is the distance between the products of two bins.
func (h *hostStack) apart() int { return h.channels*h.channels + setGap }

// multiply adds the cross-spectra of the windows that wait to the stacks.
func (h *hostStack) multiply(ctx context.Context) error {
	if h.waiting == 0 {
		return nil
	}
	err := parallel(ctx, h.groups(), h.newFactors, nil, func(f *factors, group int) error {
		block := h.blocks[group*h.block:][:h.block]
		h.gather(f, block[h.start:])
		for i := range groupBins {
			h.product(f, i)
		}
		h.scatter(f, block)
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

// gather copies the spectra of a block to factors.
func (h *hostStack) gather(f *factors, spectra []complex64) {
	s := h.channels
	kernels, negative := &vec.For(simd.Active()).C64, vec.For(simd.Active()).F32.Neg
	for w := range h.waiting {
		transpose(f.right[2*w*s:], spectra[w*s*groupBins:], h.factor(), groupBins, s, groupBins)
		for i := range groupBins {
			at := i*h.factor() + 2*w*s
			left, right := f.left[at:at+2*s], f.right[at:at+2*s]
			kernels.Real(left[:s], right[:s], false)
			kernels.Imag(left[s:], right[:s], false)
			negative(f.minus, left[:s], false)
			kernels.Make(right[s:], left[s:], f.minus, false)
		}
	}
}

// product multiplies the factors of a bin, on and above the diagonal.
// conj(A) B has the phase of a delay of B.
func (h *hostStack) product(f *factors, bin int) {
	s := h.channels
	left, right := f.left[bin*h.factor():], parts(f.right[bin*h.factor():])
	out := parts(f.product[bin*h.apart():][:s*s])
	for a := 0; a < s; a += tileChannels {
		gemm.Mul(min(tileChannels, s-a), 2*(s-a), 2*h.waiting,
			gemm.Matrix[float32]{Data: out, Offset: 2 * (a*s + a), Row: 2 * s, Col: 1},
			gemm.Matrix[float32]{Data: left, Offset: a, Row: 1, Col: s},
			gemm.Matrix[float32]{Data: right, Offset: 2 * a, Row: 2 * s, Col: 1}, nil)
	}
}

// parts is complex numbers as their parts.
func parts(z []complex64) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(z))), 2*len(z))
}

// scatter writes the products to the stacks of a block, or adds them.
func (h *hostStack) scatter(f *factors, block []complex64) {
	add := vec.For(simd.Active()).C64.Add.VV
	for a := range h.channels {
		b := h.first(a)
		if b == h.channels {
			continue
		}
		n := h.channels - b
		stack := block[h.pair(a, b)*groupBins:][:n*groupBins]
		product := f.product[a*h.channels+b:]
		if !h.stacked {
			transpose(stack, product, groupBins, h.apart(), groupBins, n)
			continue
		}
		transpose(f.sum, product, groupBins, h.apart(), groupBins, n)
		add(stack, stack, f.sum[:n*groupBins], false)
	}
}

func (h *hostStack) inverse(ctx context.Context, each func(a, b int, line []float32)) error {
	if err := h.multiply(ctx); err != nil || !h.stacked {
		return err
	}
	return parallel(ctx, h.channels, h.line, h.free, func(l *line, a int) error {
		clear(l.bins)
		for b := h.first(a); b < h.channels; b++ {
			h.collect(l.bins[h.low:h.high], h.pair(a, b)*groupBins)
			if err := h.plan.Inverse(l.samples, l.bins); err != nil {
				return err
			}
			each(a, b, l.samples)
		}
		return nil
	})
}

func (h *hostStack) reset() { h.waiting, h.stacked = 0, false }
