package a

import "github.com/twiddle-go/twiddle/nd"

func filter(samples, taps []float32) *nd.Array {
	x, k := nd.From(samples), nd.From(taps)
	return x.FFT().Mul(k.FFT()).IFFT().Real() // want `\[warn TW007\] FFT of real numbers whose inverse is real again`
}

func scaled(samples []float64) *nd.Array {
	s := nd.From(samples).FFT() // want `RFFT and IRFFT do half the work`
	t := s.MulScalar(2).Conj()
	return t.IFFT().Real()
}

func half(samples []float32) *nd.Array {
	x := nd.From(samples)
	return x.FFT().SliceAxis(-1, nd.Range{Stop: x.Dim(-1)/2 + 1}) // want `only the first half is kept`
}

func halfConstant() *nd.Array {
	x := nd.Zeros(nd.Float32, 4, 1024)
	s := x.FFT() // want `only the first half is kept`
	return s.SliceAxis(-1, nd.Range{Stop: 513}).Abs()
}

func halfRanges() *nd.Array {
	x := nd.Zeros(nd.Float32, 4, 1024)
	return x.FFT().Slice(nd.All, nd.Range{Stop: 512}) // want `only the first half is kept`
}

func nothing(x *nd.Array) *nd.Array {
	return x.RFFT().IRFFT(nd.FFT{N: x.Dim(-1)}) // want `IRFFT undoes RFFT with nothing between`
}

func nothingComplex(samples []complex64) *nd.Array {
	x := nd.From(samples)
	return x.FFT().IFFT() // want `IFFT undoes FFT`
}

func nothingEven() *nd.Array {
	x := nd.Zeros(nd.Float32, 8, 64)
	y := x.RFFT()
	return y.IRFFT() // want `IRFFT undoes RFFT`
}

func nothingAxes(x *nd.Array) *nd.Array {
	return x.FFTN().IFFTN() // want `IFFTN undoes FFTN`
}

func nothingDown(x *nd.Array) *nd.Array {
	return x.FFT(nd.FFT{Axis: nd.Axis(0)}).IFFT(nd.FFT{Axis: nd.Axis(0)}) // want `IFFT undoes FFT`
}

func otherAxes(x *nd.Array) *nd.Array {
	return x.FFT(nd.FFT{Axis: nd.Axis(1)}).IFFT(nd.FFT{Axis: nd.Axis(0)})
}

func otherAxesOfMany(x *nd.Array) *nd.Array {
	return x.FFTN(nd.FFTN{Axes: []int{0, 1}}).IFFTN(nd.FFTN{Axes: []int{1, 2}})
}

func otherAxesOfReal(samples []float32) *nd.Array {
	return nd.From(samples, 8, 64).FFT().IFFT(nd.FFT{Axis: nd.Axis(0)}).Real()
}

func halfOfAnotherAxis() *nd.Array {
	return nd.Zeros(nd.Float32, 64, 64).FFT(nd.FFT{Axis: nd.Axis(0)}).SliceAxis(-1, nd.Range{Stop: 33})
}

func rounded(x *nd.Array) *nd.Array {
	return x.RFFT().IRFFT(nd.FFT{N: x.Dim(-1), Store: nd.Float16})
}

func complexInput(samples []complex64) *nd.Array { return nd.From(samples).FFT().Neg().IFFT().Real() }

func unknownInput(x *nd.Array) *nd.Array { return x.FFT().Neg().IFFT().Real() }

func unknownFilter(samples []float32, h *nd.Array) *nd.Array {
	return nd.From(samples).FFT().Mul(h).IFFT().Real()
}

func analytic(samples []float32) *nd.Array { return nd.From(samples).FFT().Neg().IFFT() }

func turned(samples []float32, z complex64) *nd.Array {
	return nd.From(samples).FFT().MulScalar(z).IFFT().Real()
}

func whole(samples []float32) *nd.Array { return nd.From(samples).FFT().Abs() }

func secondHalf(samples []float32) *nd.Array {
	x := nd.From(samples)
	return x.FFT().SliceAxis(-1, nd.Range{Start: x.Dim(-1) / 2, Stop: nd.End})
}

func moreThanHalf() *nd.Array {
	return nd.Zeros(nd.Float32, 1024).FFT().SliceAxis(-1, nd.Range{Stop: 800})
}

func both(samples []float32) (*nd.Array, *nd.Array) {
	s := nd.From(samples).FFT()
	return s, s.SliceAxis(-1, nd.Range{Stop: 3})
}

func changed(x, h *nd.Array) *nd.Array { return x.RFFT().Mul(h).IRFFT(nd.FFT{N: x.Dim(-1)}) }

func resample(x *nd.Array, m int) *nd.Array { return x.RFFT().IRFFT(nd.FFT{N: m}) }

func padded(x *nd.Array) *nd.Array { return x.RFFT(nd.FFT{N: 4096}).IRFFT(nd.FFT{N: x.Dim(-1)}) }

func spectrumToo(x *nd.Array) (*nd.Array, *nd.Array) {
	s := x.RFFT()
	return s, s.IRFFT(nd.FFT{N: x.Dim(-1)})
}
