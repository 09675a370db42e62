package machine

import "github.com/twiddle-go/twiddle/internal/ktree"

// mode is the form of a value.
type mode uint8

const (
	modeScalar mode = iota // the same for the whole group
	modeAffine             // base + by·position in the group, modulo 2^32
	modeLanes              // a register
)

// value is what an expression compiles to.
type value struct {
	kind ktree.Kind
	mode mode

	// A scalar: one of the two, by kind. Constants are known when compiling.
	i     func(*frame) int64
	f     func(*frame) float64
	known bool
	num   ktree.Num

	// An affine integer of 32 bits.
	base coef
	by   [3]coef

	// A register, which the holder may overwrite if it owns it.
	reg   int
	owned bool
}

// coef is a scalar integer: a constant, or computed.
type coef struct {
	c  int64
	fn func(*frame) int64
}

func (k coef) at(f *frame) int64 {
	if k.fn == nil {
		return k.c
	}
	return k.fn(f)
}

func (k coef) isZero() bool { return k.fn == nil && k.c == 0 }

func addCoef(a, b coef) coef {
	switch {
	case a.fn == nil && b.fn == nil:
		return coef{c: int64(int32(a.c + b.c))}
	case a.isZero():
		return b
	case b.isZero():
		return a
	}
	return coef{fn: func(f *frame) int64 { return int64(int32(a.at(f) + b.at(f))) }}
}

func mulCoef(a, b coef) coef {
	switch {
	case a.fn == nil && b.fn == nil:
		return coef{c: int64(int32(a.c * b.c))}
	case a.isZero() || b.isZero():
		return coef{}
	case a.fn == nil && a.c == 1:
		return b
	case b.fn == nil && b.c == 1:
		return a
	}
	return coef{fn: func(f *frame) int64 { return int64(int32(a.at(f) * b.at(f))) }}
}

func negCoef(a coef) coef { return mulCoef(a, coef{c: -1}) }

// scalarCoef is an integer scalar as a coefficient.
func scalarCoef(v value) coef {
	if v.known {
		return coef{c: int64(int32(v.num.I))}
	}
	return coef{fn: v.i}
}

// is32 reports the kinds affine values may have.
func is32(k ktree.Kind) bool { return k == ktree.Int || k == ktree.Uint }

// asAffine views a scalar as an affine value without slope.
func asAffine(v value) value {
	if v.mode == modeAffine {
		return v
	}
	return value{kind: v.kind, mode: modeAffine, base: scalarCoef(v)}
}

// eval gives the base, brought into the value's kind, and the slopes of an
// affine value or an integer scalar.
func (v *value) eval(f *frame) (base int64, by [3]int64) {
	if v.mode == modeScalar {
		if v.known {
			return v.num.I, by
		}
		return v.i(f), by
	}
	base = ktree.Wrap(v.kind, v.base.at(f))
	for i := range by {
		by[i] = v.by[i].at(f)
	}
	return base, by
}

// addTo adds scale times the value to dst, lane by lane; first overwrites.
func (v *value) addTo(f *frame, dst []int64, scale int64, first bool) {
	if first && (v.mode != modeLanes || v.kind != ktree.Uint || scale != 1) {
		clear(dst)
	}
	switch v.mode {
	case modeScalar:
		x, _ := v.eval(f)
		for l := range dst {
			dst[l] += x * scale
		}
	case modeAffine:
		base, by := v.eval(f)
		l := 0
		for z := range int64(f.ext[2]) {
			for y := range int64(f.ext[1]) {
				at := base + y*by[1] + z*by[2]
				for range f.ext[0] {
					dst[l] += ktree.Wrap(v.kind, at) * scale
					at += by[0]
					l++
				}
			}
		}
	default:
		v.addLanes(f, dst, scale, first)
	}
}

// addLanes is addTo for a register.
func (v *value) addLanes(f *frame, dst []int64, scale int64, first bool) {
	switch {
	case classOf(v.kind) == classI64:
		addScaled(dst, f.i64[v.reg], scale)
	case v.kind == ktree.Uint && first && scale == 1:
		castLanes(dst, u32(f.i32[v.reg]))
	case v.kind == ktree.Uint:
		addScaled(dst, u32(f.i32[v.reg]), scale)
	default:
		addScaled(dst, f.i32[v.reg], scale)
	}
}

func addScaled[T integer](dst []int64, x []T, scale int64) {
	for l, v := range x[:len(dst)] {
		dst[l] += int64(v) * scale
	}
}

// spreadAffine writes an affine value into lanes, wrapping as its kind does.
func spreadAffine(f *frame, dst []int32, base int64, by [3]int64) {
	l := 0
	step := int32(by[0])
	for z := range int64(f.ext[2]) {
		for y := range int64(f.ext[1]) {
			at := int32(base + y*by[1] + z*by[2])
			row := dst[l : l+f.ext[0]]
			for i := range row {
				row[i] = at
				at += step
			}
			l += len(row)
		}
	}
}
