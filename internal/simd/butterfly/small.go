package butterfly

import (
	"sync"

	"github.com/twiddle-go/twiddle/internal/roots"
)

// Constants to more digits than a float64 holds; cosK_N is cos(2*pi*K/N).
const (
	half    = 0.5
	sqrt1_2 = 0.70710678118654752440084436210484903928483593768847
	sqrt3_4 = 0.86602540378443864676372317075293618347140262690519
	cos1_5  = 0.30901699437494742410229341718281905886015458990289
	cos2_5  = -0.80901699437494742410229341718281905886015458990289
	sin1_5  = 0.95105651629515357211643933337938214340569863412575
	sin2_5  = 0.58778525229247312916870595463907276859765243764315
	cos1_16 = 0.92387953251128675612818318939678828682241662586364
	sin1_16 = 0.38268343236508977172845998403039886676134456248563
)

// small returns the in-place forward transform of the first radix legs.
func small[R Float](radix int) func(*legs[R]) {
	switch radix {
	case 2:
		return func(x *legs[R]) { x.two(0, 1) }
	case 3:
		return func(x *legs[R]) { x.three(0, 1, 2) }
	case 4:
		return func(x *legs[R]) { x.four(0, 1, 2, 3) }
	case 5:
		return func(x *legs[R]) { x.five(0, 1, 2, 3, 4) }
	case 8:
		return (*legs[R]).eight
	case 16:
		return (*legs[R]).sixteen
	}
	for _, f := range []int{5, 4, 3, 2} {
		if radix%f == 0 {
			return split[R](f, radix/f)
		}
	}
	return odd[R](radix)
}

func (x *legs[R]) two(a, b int) {
	x.re[a], x.re[b] = x.re[a]+x.re[b], x.re[a]-x.re[b]
	x.im[a], x.im[b] = x.im[a]+x.im[b], x.im[a]-x.im[b]
}

func (x *legs[R]) three(a, b, c int) {
	sr, si := x.re[b]+x.re[c], x.im[b]+x.im[c]
	dr, di := sqrt3_4*(x.re[b]-x.re[c]), sqrt3_4*(x.im[b]-x.im[c])
	mr, mi := x.re[a]-half*sr, x.im[a]-half*si
	x.re[a], x.im[a] = x.re[a]+sr, x.im[a]+si
	x.re[b], x.im[b] = mr+di, mi-dr
	x.re[c], x.im[c] = mr-di, mi+dr
}

func (x *legs[R]) four(a, b, c, d int) {
	x.two(a, c)
	x.two(b, d)
	// Leg d times -i.
	dr, di := x.im[d], -x.re[d]
	cr, ci := x.re[c], x.im[c]
	br, bi := x.re[b], x.im[b]
	ar, ai := x.re[a], x.im[a]
	x.re[a], x.im[a] = ar+br, ai+bi
	x.re[b], x.im[b] = cr+dr, ci+di
	x.re[c], x.im[c] = ar-br, ai-bi
	x.re[d], x.im[d] = cr-dr, ci-di
}

func (x *legs[R]) five(a, b, c, d, e int) {
	s1r, s1i := x.re[b]+x.re[e], x.im[b]+x.im[e]
	d1r, d1i := x.re[b]-x.re[e], x.im[b]-x.im[e]
	s2r, s2i := x.re[c]+x.re[d], x.im[c]+x.im[d]
	d2r, d2i := x.re[c]-x.re[d], x.im[c]-x.im[d]
	m1r, m1i := x.re[a]+cos1_5*s1r+cos2_5*s2r, x.im[a]+cos1_5*s1i+cos2_5*s2i
	m2r, m2i := x.re[a]+cos2_5*s1r+cos1_5*s2r, x.im[a]+cos2_5*s1i+cos1_5*s2i
	t1r, t1i := sin1_5*d1r+sin2_5*d2r, sin1_5*d1i+sin2_5*d2i
	t2r, t2i := sin2_5*d1r-sin1_5*d2r, sin2_5*d1i-sin1_5*d2i
	x.re[a], x.im[a] = x.re[a]+s1r+s2r, x.im[a]+s1i+s2i
	x.re[b], x.im[b] = m1r+t1i, m1i-t1r
	x.re[c], x.im[c] = m2r+t2i, m2i-t2r
	x.re[d], x.im[d] = m2r-t2i, m2i+t2r
	x.re[e], x.im[e] = m1r-t1i, m1i+t1r
}

// times multiplies leg a by wr + i*wi.
func (x *legs[R]) times(a int, wr, wi R) {
	re, im := x.re[a], x.im[a]
	x.re[a], x.im[a] = re*wr-im*wi, im*wr+re*wi
}

func (x *legs[R]) swap(a, b int) {
	x.re[a], x.re[b] = x.re[b], x.re[a]
	x.im[a], x.im[b] = x.im[b], x.im[a]
}

func (x *legs[R]) eight() {
	x.four(0, 2, 4, 6)
	x.four(1, 3, 5, 7)
	r, i := x.re[3], x.im[3]
	x.re[3], x.im[3] = sqrt1_2*(r+i), sqrt1_2*(i-r)
	x.re[5], x.im[5] = x.im[5], -x.re[5]
	r, i = x.re[7], x.im[7]
	x.re[7], x.im[7] = sqrt1_2*(i-r), -sqrt1_2*(r+i)
	x.two(0, 1)
	x.two(2, 3)
	x.two(4, 5)
	x.two(6, 7)
	// Positions hold outputs 0 4 1 5 2 6 3 7.
	x.swap(1, 2)
	x.swap(2, 4)
	x.swap(3, 6)
	x.swap(6, 5)
}

func (x *legs[R]) sixteen() {
	for a := range 4 {
		x.four(a, a+4, a+8, a+12)
	}
	x.times(5, cos1_16, -sin1_16)
	x.times(9, sqrt1_2, -sqrt1_2)
	x.times(13, sin1_16, -cos1_16)
	x.times(6, sqrt1_2, -sqrt1_2)
	x.re[10], x.im[10] = x.im[10], -x.re[10]
	x.times(14, -sqrt1_2, -sqrt1_2)
	x.times(7, sin1_16, -cos1_16)
	x.times(11, -sqrt1_2, -sqrt1_2)
	x.times(15, -cos1_16, sin1_16)
	for a := 0; a < 16; a += 4 {
		x.four(a, a+1, a+2, a+3)
	}
	for a := range 4 {
		for b := range a {
			x.swap(4*a+b, 4*b+a)
		}
	}
}

// split builds the transform of a*b legs from those of a and b legs.
func split[R Float](a, b int) func(*legs[R]) {
	first, second := small[R](a), small[R](b)
	table := roots.Of(a * b)
	var w legs[R]
	for k := range a {
		for j := range b {
			re, im := table.At(k * j)
			w.re[k*b+j], w.im[k*b+j] = R(re), R(im)
		}
	}
	working := sync.Pool{New: func() any { return new(legs[R]) }} // see Portable
	return func(x *legs[R]) {
		t := working.Get().(*legs[R])
		defer working.Put(t)
		var out legs[R]
		for j := range b {
			for i := range a {
				t.re[i], t.im[i] = x.re[i*b+j], x.im[i*b+j]
			}
			first(t)
			for k := range a {
				t.times(k, w.re[k*b+j], w.im[k*b+j])
				out.re[k*b+j], out.im[k*b+j] = t.re[k], t.im[k]
			}
		}
		for k := range a {
			copy(t.re[:b], out.re[k*b:])
			copy(t.im[:b], out.im[k*b:])
			second(t)
			for j := range b {
				x.re[j*a+k], x.im[j*a+k] = t.re[j], t.im[j]
			}
		}
	}
}

// odd builds the transform of an odd number of legs from sums and differences
// of the legs j and n-j.
func odd[R Float](n int) func(*legs[R]) {
	var w legs[R]
	table := roots.Of(n)
	for k := range n {
		re, im := table.At(k)
		w.re[k], w.im[k] = R(re), R(-im)
	}
	return func(x *legs[R]) {
		var s, d legs[R]
		sumRe, sumIm := x.re[0], x.im[0]
		for j := 1; j <= n/2; j++ {
			s.re[j], s.im[j] = x.re[j]+x.re[n-j], x.im[j]+x.im[n-j]
			d.re[j], d.im[j] = x.re[j]-x.re[n-j], x.im[j]-x.im[n-j]
			sumRe += s.re[j]
			sumIm += s.im[j]
		}
		r0, i0 := x.re[0], x.im[0]
		x.re[0], x.im[0] = sumRe, sumIm
		for k := 1; k <= n/2; k++ {
			mr, mi, tr, ti := r0, i0, R(0), R(0)
			at := 0
			for j := 1; j <= n/2; j++ {
				if at += k; at >= n {
					at -= n
				}
				mr += w.re[at] * s.re[j]
				mi += w.re[at] * s.im[j]
				tr += w.im[at] * d.re[j]
				ti += w.im[at] * d.im[j]
			}
			x.re[k], x.im[k] = mr+ti, mi-tr
			x.re[n-k], x.im[n-k] = mr-ti, mi+tr
		}
	}
}
