package a

import "github.com/twiddle-go/twiddle/nd"

func hop(x *nd.Array) *nd.Array {
	return x.Cast(nd.Float16).Cast(nd.Float32) // want `\[warn TW006\] cast to Float16 and up to Float32 again`
}

func hopThroughView(x *nd.Array) *nd.Array {
	y := x.Cast(nd.Float32)
	return y.Reshape(4, 4).Cast(nd.Float64) // want `cast to Float32 and up to Float64 again`
}

func complexHop(x *nd.Array) *nd.Array {
	return x.Cast(nd.Complex64).Transpose().Cast(nd.Complex128) // want `cast to Complex64 and up to Complex128 again`
}

func mixed(samples []float32) *nd.Array {
	x := nd.From(samples)
	return x.Mul(nd.Scalar(2.0)) // want `\[error TW006\] a float64 scalar does not mix with float32: use MulScalar`
}

func mixedSpectrum(samples []float32) *nd.Array {
	two := nd.Scalar(0.5)
	return nd.From(samples).RFFT().Mul(two) // want `does not mix with complex64`
}

func mixedFirst() *nd.Array {
	x := nd.Zeros(nd.Float32, 8)
	return nd.Scalar(1.0).Add(x) // want `does not mix with float32`
}

func mixedHalf() *nd.Array {
	x := nd.Ones(nd.Float32, 8).Cast(nd.Float16)
	return x.Less(nd.Scalar(1.5)) // want `does not mix with float16: use LessScalar`
}

func tooWide(samples []float32) *nd.Array {
	return nd.From(samples).Cast(nd.Complex128).FFT() // want `complex128 made from float32: twice the bytes`
}

func tooWideSpectrum(x *nd.Array) *nd.Array {
	y := x.Cast(nd.Float32)
	return y.RFFT().Cast(nd.Complex128) // want `complex128 made from complex64`
}

func down(x *nd.Array) *nd.Array { return x.Cast(nd.Float64).Cast(nd.Float32) }

func work(x *nd.Array) *nd.Array { return x.Cast(nd.Float16).Exp().Cast(nd.Float32) }

func truncate(x *nd.Array) *nd.Array { return x.Cast(nd.Int32).Cast(nd.Float32) }

func sameType() *nd.Array {
	return nd.Zeros(nd.Float64, 8).Mul(nd.Scalar(2.0))
}

func typed(samples []float32) *nd.Array {
	return nd.From(samples).Mul(nd.Scalar(float32(2)))
}

func scalarOp(samples []float32) *nd.Array { return nd.From(samples).MulScalar(2.0) }

func unknown(x *nd.Array) *nd.Array { return x.Mul(nd.Scalar(2.0)) }

func fine(samples []float64) *nd.Array {
	return nd.From(samples).Cast(nd.Complex128).FFT()
}

func eitherType(x *nd.Array, wide bool) *nd.Array {
	t := nd.Float32
	if wide {
		t = nd.Float64
	}
	return x.Cast(nd.Float32).Cast(t)
}

func widen(samples []float32) *nd.Array { return nd.From(samples).Cast(nd.Float64).Sum() }
