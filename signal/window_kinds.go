package signal

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/fft"
)

// The window functions that are more than a formula in a row. Definitions and
// signs are SciPy's.

func triang(m int, _ [2]float64) []float64 {
	if m%2 == 0 {
		return eachSample(m, func(i float64) float64 { return (2*min(i, float64(m)-1-i) + 1) / float64(m) })
	}
	return eachSample(m, func(i float64) float64 { return 2 * (min(i, float64(m)-1-i) + 1) / float64(m+1) })
}

func bohman(m int, _ [2]float64) []float64 {
	w := eachSample(m, func(i float64) float64 {
		x := math.Abs(2*i/float64(m-1) - 1)
		return (1-x)*math.Cos(math.Pi*x) + math.Sin(math.Pi*x)/math.Pi
	})
	w[0], w[m-1] = 0, 0
	return w
}

func barthann(m int, _ [2]float64) []float64 {
	return eachSample(m, func(i float64) float64 {
		x := math.Abs(i/float64(m-1) - 0.5)
		return 0.62 - 0.48*x + 0.38*math.Cos(2*math.Pi*x)
	})
}

func exponential(m int, p [2]float64) []float64 {
	return eachSample(m, func(i float64) float64 { return math.Exp(-math.Abs(i-float64(m-1)/2) / p[0]) })
}

func generalGaussian(m int, p [2]float64) []float64 {
	return eachSample(m, func(i float64) float64 {
		return math.Exp(-0.5 * math.Pow(math.Abs((i-float64(m-1)/2)/p[1]), 2*p[0]))
	})
}

func lanczos(m int, _ [2]float64) []float64 {
	// From the middle out, so that both halves have the same bits.
	return eachSample(m, func(i float64) float64 { return sinc(2*max(i, float64(m-1)-i)/float64(m-1) - 1) })
}

// taylor has side lobes of one height next to the main one: p is how many, and
// how far below it in decibels.
func taylor(m int, p [2]float64) []float64 {
	bars, level := int(p[0]), p[1]
	a := math.Acosh(math.Pow(10, level/20)) / math.Pi
	square := p[0] * p[0] / (a*a + (p[0]-0.5)*(p[0]-0.5))
	f := make([]float64, bars)
	for k := 1; k < bars; k++ {
		num, den := 1.0, 2.0
		for j := 1; j < bars; j++ {
			d := float64(j) - 0.5
			num *= 1 - float64(k*k)/square/(a*a+d*d)
			if j != k {
				den *= 1 - float64(k*k)/float64(j*j)
			}
		}
		if k%2 == 0 {
			num = -num
		}
		f[k] = num / den
	}
	at := func(i float64) float64 {
		s := 1.0
		for k := 1; k < bars; k++ {
			s += 2 * f[k] * math.Cos(2*math.Pi*float64(k)*(i-float64(m)/2+0.5)/float64(m))
		}
		return s
	}
	top := at(float64(m-1) / 2)
	return eachSample(m, func(i float64) float64 { return at(i) / top })
}

// chebwin is Dolph and Chebyshev's: all side lobes have one height, p decibels
// below the main one. It is computed by its spectrum.
func chebwin(m int, p [2]float64) []float64 {
	order := float64(m - 1)
	beta := math.Cosh(math.Acosh(math.Pow(10, math.Abs(p[0])/20)) / order)
	z := make([]complex128, m)
	for k := range z {
		x := beta * math.Cos(math.Pi*float64(k)/float64(m))
		var v float64
		switch {
		case x > 1:
			v = math.Cosh(order * math.Acosh(x))
		case x < -1:
			v = math.Cosh(order * math.Acosh(-x))
			if m%2 == 0 {
				v = -v
			}
		default:
			v = math.Cos(order * math.Acos(x))
		}
		z[k] = complex(v, 0)
		if m%2 == 0 {
			z[k] *= cmplx.Exp(complex(0, math.Pi*float64(k)/float64(m)))
		}
	}
	w, err := fft.Forward(nil, z)
	if err != nil {
		return make([]float64, m) // no array is that long
	}
	first := 1 - m%2 // of the half that begins in the middle
	out, top := make([]float64, m), 0.0
	for i := range (m + 1) / 2 {
		v := real(w[first+i])
		out[m/2+i], out[(m-1)/2-i] = v, v
		top = max(top, v)
	}
	for i := range out {
		out[i] /= top
	}
	return out
}

// dpss is Slepian's window, which has the most energy in a band: p is half the
// width of it, times the length.
func dpss(m int, p [2]float64) []float64 {
	v := slepian{n: m, nw: p[0]}.sequence(0)
	top := 0.0
	for _, x := range v {
		top = max(top, math.Abs(x))
	}
	if m%2 == 0 { // the maximum is between two samples
		top *= (float64(m*m) + p[0]) / float64(m*m)
	}
	for i := range v {
		v[i] /= top
	}
	return v
}

// kaiserBesselDerived is even in length; its squares with those of its other half
// are 1.
func kaiserBesselDerived(m int, p [2]float64) []float64 {
	k := kaiser(m/2+1, p)
	sum := 0.0
	for i, v := range k {
		sum += v
		k[i] = sum
	}
	return eachSample(m, func(i float64) float64 {
		return math.Sqrt(k[int(min(i, float64(m)-1-i))] / sum)
	})
}
