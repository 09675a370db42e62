package a

import "github.com/twiddle-go/twiddle/nd"

func ortho(x, h *nd.Array) *nd.Array {
	return x.RFFT(nd.FFT{Norm: nd.Ortho}).Mul(h).IRFFT(nd.FFT{N: 1024}) // want `\[error TW005\] RFFT has norm Ortho and IRFFT norm Backward: the result is off by a factor of 1/sqrt\(n\)`
}

func onlyBack(x *nd.Array) *nd.Array {
	y := x.FFT()
	z := y.Exp()
	return z.IFFT(nd.FFT{Norm: nd.Ortho}) // want `off by a factor of sqrt\(n\)`
}

func twice(x *nd.Array) *nd.Array {
	return x.FFT(nd.FFT{Norm: nd.Forward}).Exp().IFFT() // want `off by a factor of 1/n`
}

func never(x *nd.Array) *nd.Array {
	s := x.FFTN()
	return s.IFFTN(nd.FFTN{Norm: nd.Forward}) // want `off by a factor of n$`
}

func options(x *nd.Array) *nd.Array {
	opt := nd.FFT{Norm: nd.Ortho}
	return x.RFFT(opt).Neg().IRFFT() // want `RFFT has norm Ortho`
}

func byHand(x *nd.Array) *nd.Array {
	n := x.Dim(-1)
	return x.FFT().Exp().IFFT(nd.FFT{N: n}).DivScalar(n) // want `IFFT with norm Backward already divides by the length: this divides again`
}

func byHandSamples(samples []float64) *nd.Array {
	x := nd.From(samples)
	y := x.FFT().IFFT().Real()
	return y.MulScalar(1 / float64(len(samples))) // want `already divides`
}

func byHandConstant() *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 512)
	return x.RFFT().Neg().IRFFT(nd.FFT{N: 512}).DivScalar(512) // want `already divides`
}

func byHandForward(x *nd.Array) *nd.Array {
	return x.FFT(nd.FFT{Norm: nd.Forward}).DivScalar(x.Dim(-1)) // want `FFT with norm Forward already divides`
}

func matching(x, h *nd.Array) *nd.Array {
	return x.RFFT(nd.FFT{Norm: nd.Ortho}).Mul(h).IRFFT(nd.FFT{N: 1024, Norm: nd.Ortho})
}

func defaults(x *nd.Array) *nd.Array { return x.FFT().Exp().IFFT() }

func filterHasItsOwn(x, k *nd.Array) *nd.Array {
	h := k.RFFT()
	return x.RFFT(nd.FFT{Norm: nd.Ortho}).Mul(h).IRFFT(nd.FFT{N: 8, Norm: nd.Ortho})
}

func scaleInFilter(x, k *nd.Array) *nd.Array {
	h := k.RFFT(nd.FFT{Norm: nd.Forward})
	return x.RFFT().Mul(h).IRFFT(nd.FFT{N: 8, Norm: nd.Forward})
}

func madeUp(x *nd.Array) *nd.Array {
	return x.FFT().IFFT(nd.FFT{Norm: nd.Forward}).DivScalar(x.Dim(-1))
}

func madeUpBetween(x *nd.Array) *nd.Array {
	return x.FFT().MulScalar(0.5).IFFT(nd.FFT{Norm: nd.Forward})
}

func amplitude(x *nd.Array) *nd.Array {
	return x.RFFT().DivScalar(x.Dim(-1))
}

func autocorrelation(x *nd.Array) *nd.Array {
	s := x.FFT()
	return s.Mul(s.Conj()).IFFT().DivScalar(x.Dim(-1))
}

func power(x *nd.Array) *nd.Array {
	return x.FFT().AbsSquared().Cast(nd.Complex64).IFFT().DivScalar(x.Dim(-1))
}

func otherNumber(x *nd.Array) *nd.Array {
	return x.FFT().Neg().IFFT(nd.FFT{N: 512}).DivScalar(2)
}

func unknownOptions(x *nd.Array, opt nd.FFT) *nd.Array {
	return x.FFT(opt).Neg().IFFT()
}

func reassigned(x *nd.Array, odd bool) *nd.Array {
	y := x.FFT(nd.FFT{Norm: nd.Ortho})
	if odd {
		y = x.FFT()
	}
	return y.IFFT()
}

func spectrumGiven(y *nd.Array) *nd.Array { return y.IFFT(nd.FFT{Norm: nd.Forward}) }
