package wide

import (
	"math"
	"math/big"
	"math/bits"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
)

// Plan transforms lines of one length. It may be used by several goroutines.
type Plan struct {
	n       int
	inverse bool
	exact   bool
	format  accum.Format
	scale   float64

	mu     sync.Mutex
	widths map[int]*width
}

// width is what lines with a number of limbs need.
type width struct {
	plan            transform
	limbs, headroom int
	drop            int      // bits by which results are less
	room            int      // complex numbers of a line
	doubt           int      // bits of the error of a result
	by              []uint64 // scale as a fraction times a power of two; nil for the power alone
	byExponent      int
	minus           bool
	lines           sync.Pool // of *buffers
}

type buffers struct {
	*work
	src, dst []uint64
}

type transform interface {
	run(w *work, dst, src []uint64)
	doubt(units, limbs int) int
}

// New is a plan for lines of n numbers, whose results are multiplied by scale
// and rounded to a format. A scale that is 1/n or 1/sqrt(n) to rounding is meant
// to be just that.
func New(n int, inverse bool, scale float64, mode accum.Mode, format accum.Format) *Plan {
	return &Plan{n: n, inverse: inverse, exact: mode == accum.Exact, format: format, scale: scale, widths: map[int]*width{}}
}

const (
	// guard is how many bits have to be known behind those that are kept. A result
	// that is nearer to the middle between two floats than 2^-guard of their
	// distance, and than its error, is taken to be the middle.
	guard = 40
	// mostLimbs holds the range of float64 twice.
	mostLimbs = 72
)

// width is the width for lines of some limbs.
func (p *Plan) width(limbs int) *width {
	p.mu.Lock()
	defer p.mu.Unlock()
	if w := p.widths[limbs]; w != nil {
		return w
	}
	w := &width{limbs: limbs, headroom: 2, room: p.n}
	if factorsOf(p.n) != nil {
		w.plan = newMixed(p.n, limbs)
	} else {
		c := newChirp(p.n, limbs)
		w.plan, w.headroom, w.room, w.drop = c, c.headroom()+2, c.inner.n, chirpDrop
	}
	w.setScale(p.scale, p.n)
	w.doubt = w.plan.doubt(1, limbs)
	if w.by != nil {
		w.doubt = max(w.doubt, bits.Len(uint(limbs+2))) + 1
	}
	size := 2 * limbs * w.room
	w.lines.New = func() any { return &buffers{newWork(limbs), make([]uint64, size), make([]uint64, size)} }
	p.widths[limbs] = w
	return w
}

// setScale finds the fraction and the power of two that the scale is.
func (w *width) setScale(scale float64, n int) {
	fraction, exponent := math.Frexp(math.Abs(scale))
	w.minus = math.Signbit(scale)
	w.byExponent = exponent
	if fraction == 0.5 {
		w.byExponent = exponent - 1
		return
	}
	digits := uint(64*w.limbs + 64)
	v := new(big.Int).Lsh(big.NewInt(int64(math.Ldexp(fraction, 53))), digits-53)
	one := new(big.Int).Lsh(big.NewInt(1), digits)
	switch math.Abs(scale) {
	case 1 / float64(n):
		v.Quo(v.Lsh(one, uint(-exponent)), big.NewInt(int64(n)))
	case 1 / math.Sqrt(float64(n)):
		// The root of 2^(2 digits) / n, in units of 2^exponent.
		v.Lsh(big.NewInt(1), uint(2*(int(digits)-exponent)))
		v.Sqrt(v.Quo(v, big.NewInt(int64(n))))
	}
	w.by = make([]uint64, w.limbs)
	fractionOf(w.by, v, digits)
}

// Line transforms src to dst, which have n numbers. It reports false, and has
// done nothing, if a number is not finite.
func (p *Plan) Line(dst, src []complex128) bool {
	top, low := math.MinInt, math.MaxInt // exponents above every number, and of the last bit of any
	for _, z := range src {
		for _, v := range [2]float64{real(z), imag(z)} {
			if v-v != 0 {
				return false
			}
			if v == 0 {
				continue
			}
			m, e := split(v)
			top = max(top, e+bits.Len64(m))
			low = min(low, e+bits.TrailingZeros64(m))
		}
	}
	if top == math.MinInt || p.scale == 0 {
		clear(dst)
		return true
	}
	top += bits.Len(uint(2 * p.n)) // above the sum of all magnitudes
	limbs := p.first()
	for {
		w := p.width(limbs)
		missing := p.try(w, dst, src, top, low)
		if missing == 0 {
			return true
		}
		limbs = min(limbs+(missing+63)/64, mostLimbs)
	}
}

// first is the number of limbs to begin with: enough for results that are as
// small beside the sum of magnitudes as a rounding of float64.
func (p *Plan) first() int {
	length := bits.Len(uint(p.n))
	digits := p.format.Bits + guard + 53 + length + 12
	if factorsOf(p.n) == nil {
		digits += 3 * (length + 2)
	}
	return digits/64 + 1
}

// try transforms with a number of limbs. It returns how many bits were missing,
// if results could not be rounded.
func (p *Plan) try(w *width, dst, src []complex128, top, low int) (missing int) {
	b := w.lines.Get().(*buffers)
	defer w.lines.Put(b)
	l := w.limbs
	unit := top + w.headroom - 64*l // the exponent of the last place
	for i, z := range src {
		im := imag(z)
		if p.inverse {
			im = -im
		}
		place(b.src[2*l*i:][:l], real(z), unit)
		place(b.src[2*l*i+l:][:l], im, unit)
	}
	w.plan.run(b.work, b.dst, b.src)
	// What cannot be told from zero is zero, if the input was not cut and more
	// digits than that are known not to matter.
	whole := low-unit-w.doubt >= guard || w.limbs == mostLimbs
	at := unit + w.drop + w.byExponent
	minus := w.minus
	round := func(v []uint64, turned bool) float64 {
		if w.by != nil {
			mul(v, v, w.by, b.acc)
		}
		neg := negative(v)
		if neg {
			negate(v, v)
		}
		f, short := p.round(v, at, w.doubt, whole)
		missing = max(missing, short)
		if neg != (minus != turned) {
			return -f
		}
		return f
	}
	for k := range dst {
		v := b.dst[2*l*k:]
		re, im := round(v[:l], false), round(v[l:2*l], p.inverse)
		dst[k] = complex(re, im)
	}
	if !p.exact || w.limbs == mostLimbs {
		return 0
	}
	return missing
}

// round is v 2^at in the format, halves to even, where v is off by less than
// 2^doubt. short is how many bits are missing to tell.
func (p *Plan) round(v []uint64, at, doubt int, whole bool) (f float64, short int) {
	size := length(v)
	if size <= doubt+1 {
		if whole {
			return 0, 0
		}
		return 0, p.format.Bits + guard
	}
	low := max(size-p.format.Bits, p.format.Least-at) // bits from here are kept
	short = max(doubt+2+guard-low, 0)
	if short == 0 && nearest(v, doubt, low-1) {
		addBit(v, doubt)
		clearBelow(v, doubt+1)
		low = max(length(v)-p.format.Bits, p.format.Least-at)
	}
	m := word(v, low)
	if low > 0 && bit(v, low-1) == 1 && (m&1 == 1 || !zeroBelow(v, low-1)) {
		m++
	}
	return p.format.Number(m, at+low, false), short
}

// nearest reports whether v is less than 2^doubt away from a multiple of 2^at.
func nearest(v []uint64, doubt, at int) bool {
	for i := doubt + 1; i < at; i++ {
		if bit(v, i) != bit(v, doubt) {
			return false
		}
	}
	return true
}

// split is the magnitude of v as m 2^e.
func split(v float64) (m uint64, e int) {
	b := math.Float64bits(v)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}

// place sets dst to v in units of 2^unit, cut towards zero.
func place(dst []uint64, v float64, unit int) {
	clear(dst)
	m, e := split(v)
	by := e - unit
	if by < 0 {
		m, by = m>>min(-by, 63), 0
	}
	i, shift := by>>6, uint(by&63)
	dst[i] = m << shift
	if i+1 < len(dst) {
		dst[i+1] = m >> (64 - shift)
	}
	if v < 0 {
		negate(dst, dst)
	}
}
