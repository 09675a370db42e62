package oracle

// Values are transform results to about 30 digits.
type Values struct{ v []cdd }

// Len is how many there are.
func (v Values) Len() int { return len(v.v) }

// At is value i, rounded.
func (v Values) At(i int) complex128 {
	return complex(v.v[i].re.float(), v.v[i].im.float())
}

// Complex is either complex type.
type Complex interface{ complex64 | complex128 }

// DFT is the transform of x by its definition, with exp(-2*pi*i*j*k/n), or
// +2 if inverse, unscaled. It takes n^2 operations.
func DFT[C Complex](x []C, inverse bool) Values {
	n := len(x)
	table := roots(n, n)
	y := make([]cdd, n)
	for k := range y {
		var sum cdd
		for j, v := range x {
			w := table[j*k%n]
			if inverse {
				w = w.conj()
			}
			sum = sum.add(w.mul(exact(v)))
		}
		y[k] = sum
	}
	return Values{y}
}

func exact[C Complex](x C) cdd {
	z := complex128(x)
	return cdd{dd{real(z), 0}, dd{imag(z), 0}}
}
