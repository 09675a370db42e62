package a

import "github.com/twiddle-go/twiddle/nd"

func unknown(x, h *nd.Array) *nd.Array {
	return x.RFFT().Mul(h).IRFFT() // want `\[warn TW008\] IRFFT without N drops a sample if the length of x is odd: give it N`
}

func odd() *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 1023)
	return x.RFFT().Neg().IRFFT() // want `\[error TW008\] IRFFT without N gives 1022 samples of the 1023 that RFFT took`
}

func oddLiteral() *nd.Array {
	return nd.From([]float64{1, 2, 3}).RFFT().Neg().IRFFT() // want `gives 2 samples of the 3`
}

func given(x *nd.Array, n int) *nd.Array {
	y := x.RFFT(nd.FFT{N: n})
	return y.Neg().IRFFT() // want `drops a sample if n is odd`
}

func givenOdd(x *nd.Array) *nd.Array {
	return x.RFFT(nd.FFT{N: 15}).Neg().IRFFT() // want `gives 14 samples of the 15`
}

func norm(samples []float32) *nd.Array {
	x := nd.From(samples)
	s := x.RFFT(nd.FFT{Norm: nd.Ortho})
	return s.MulScalar(2).IRFFT(nd.FFT{Norm: nd.Ortho}) // want `if the length of x is odd`
}

func otherAxis(x *nd.Array) *nd.Array {
	return x.RFFT(nd.FFT{Axis: nd.Axis(0)}).Neg().IRFFT(nd.FFT{Axis: nd.Axis(0)}) // want `if the length of the axis is odd`
}

func even() *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 1024)
	return x.RFFT().Neg().IRFFT()
}

func evenLiteral() *nd.Array { return nd.From([]float64{1, 2, 3, 4}).RFFT().Neg().IRFFT() }

func evenMade() *nd.Array {
	samples := make([]float32, 64)
	return nd.From(samples).RFFT().Neg().IRFFT()
}

func withN(x, h *nd.Array) *nd.Array { return x.RFFT().Mul(h).IRFFT(nd.FFT{N: x.Dim(-1)}) }

func evenGiven(x *nd.Array) *nd.Array { return x.RFFT(nd.FFT{N: 16}).Neg().IRFFT() }

func evenProduct(x *nd.Array, l int) *nd.Array { return x.RFFT(nd.FFT{N: 2 * l}).Neg().IRFFT() }

func evenByName(x, k *nd.Array) *nd.Array {
	n := 2 * (x.Dim(-1) + k.Dim(-1) - 1)
	return x.RFFT(nd.FFT{N: n}).Mul(k.RFFT(nd.FFT{N: n})).IRFFT()
}

func evenMasked(x *nd.Array, n int) *nd.Array { return x.RFFT(nd.FFT{N: n &^ 1}).Neg().IRFFT() }

func oddProduct(x *nd.Array, l int) *nd.Array {
	return x.RFFT(nd.FFT{N: 3 * l}).Neg().IRFFT() // want `drops a sample if 3 \* l is odd`
}

func spectrum(s *nd.Array) *nd.Array { return s.IRFFT() }

func options(x *nd.Array, opt nd.FFT) *nd.Array { return x.RFFT(opt).Neg().IRFFT(opt) }

func constant() *nd.Array {
	const n = 2048
	return nd.Ones(nd.Float32, n).RFFT().Neg().IRFFT()
}

func other(x *nd.Array) *nd.Array { return x.FFT().Neg().IFFT() }
