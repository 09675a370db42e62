package reference

import "math"

// total is a sum kept to about twice the precision of float64, by
// Neumaier's method: what each addition rounds away is summed apart.
type total struct{ sum, lost float64 }

func (t *total) add(x float64) {
	s := t.sum + x
	if finite(s) {
		if math.Abs(t.sum) >= math.Abs(x) {
			t.lost += (t.sum - s) + x
		} else {
			t.lost += (x - s) + t.sum
		}
	}
	t.sum = s
}

// addProduct adds x*y without rounding the product.
func (t *total) addProduct(x, y float64) {
	p := float64(x * y) // the conversion keeps compilers from fusing it into a sum
	t.add(p)
	if finite(p) {
		t.lost += math.FMA(x, y, -p)
	}
}

func (t *total) value() float64 {
	if !finite(t.sum) {
		return t.sum
	}
	return t.sum + t.lost
}

func finite(x float64) bool { return x-x == 0 }

// complexTotal is the same for complex numbers.
type complexTotal struct{ re, im total }

func (t *complexTotal) add(z complex128) {
	t.re.add(real(z))
	t.im.add(imag(z))
}

func (t *complexTotal) addProduct(z, w complex128) {
	t.re.addProduct(real(z), real(w))
	t.re.addProduct(-imag(z), imag(w))
	t.im.addProduct(real(z), imag(w))
	t.im.addProduct(imag(z), real(w))
}

func (t *complexTotal) value() complex128 { return complex(t.re.value(), t.im.value()) }
