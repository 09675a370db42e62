package a

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func options() signal.STFT {
	return signal.STFT{NFFT: 1024, Window: signal.Window{Name: "hann", Symmetric: true}} // want `\[warn TW012\] this window is symmetric: spectra take a periodic one`
}

func variable(x *nd.Array) signal.Spectrum {
	w := signal.Window{Name: "hann", Symmetric: true}
	return signal.Welch(x, signal.Spectral{Window: w}) // want `this window is symmetric`
}

func byHand(x *nd.Array, n int) *nd.Array {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n-1))
	}
	return x.Frames(n, n/2).Mul(nd.From(w)).RFFT() // want `this window divides by n-1, so it is symmetric: frames for a spectrum take a periodic one`
}

func made(x *nd.Array) *nd.Array {
	w := signal.Window{Name: "hann", Symmetric: true}.Array(nd.Float32, 512)
	frames := x.Frames(512, 256)
	return frames.Mul(w).RFFT().Abs() // want `this window is symmetric`
}

func both(x *nd.Array, n int) *nd.Array {
	w := nd.Linspace(0, 2*math.Pi, n).Cos().MulScalar(-0.5).AddScalar(0.5)
	return w.Mul(x.Frames(n, n/4)).RFFT() // want `includes both ends of Linspace`
}

func counted(x *nd.Array, n int) *nd.Array {
	w := nd.Arange(0.0, float64(n), 1).MulScalar(2 * math.Pi / float64(n-1)).Cos()
	return x.Frames(n, n/4).Mul(w).FFT() // want `divides by n-1`
}

func detrended(x *nd.Array, n int) *nd.Array {
	frames := x.Frames(n, n/4)
	w := nd.From(symmetricHann(n))
	v := signal.Window{Symmetric: true}.Array(nd.Float32, n)
	_ = w
	return frames.Sub(frames.Mean(-1).ExpandDims(-1)).Mul(v).RFFT() // want `this window is symmetric`
}

func custom(n int) signal.STFT {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/float64(n-1))
	}
	return signal.STFT{NFFT: n, Window: signal.CustomWindow(w)} // want `this window divides by n-1`
}

func customPeriodic(n int) signal.STFT {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/float64(n))
	}
	return signal.STFT{NFFT: n, Window: signal.CustomWindow(w)}
}

func symmetricHann(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n-1))
	}
	return w
}

func periodic() signal.STFT { return signal.STFT{NFFT: 1024, Window: signal.Window{Name: "hann"}} }

func notSymmetric(x *nd.Array) signal.Spectrum {
	return signal.Welch(x, signal.Spectral{Window: signal.Window{Name: "hann", Symmetric: false}})
}

func periodicByHand(x *nd.Array, n int) *nd.Array {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n))
	}
	return x.Frames(n, n/2).Mul(nd.From(w)).RFFT()
}

func filterDesign(n int) *nd.Array {
	w := make([]float64, n)
	for i := range w {
		w[i] = 0.54 - 0.46*math.Cos(2*math.Pi*float64(i)/float64(n-1))
	}
	return nd.From(w).Mul(nd.Ones(nd.Float64, n)).RFFT()
}

func unknown(x, w *nd.Array) *nd.Array { return x.Frames(256, 128).Mul(w).RFFT() }

func byOption(sym bool) signal.STFT {
	return signal.STFT{Window: signal.Window{Name: "hann", Symmetric: sym}}
}

func periodicMade(x *nd.Array) *nd.Array {
	return x.Frames(512, 256).Mul(signal.Window{Name: "hann"}.Array(nd.Float32, 512)).RFFT()
}

func ramp(x *nd.Array, n int) *nd.Array {
	w := nd.Linspace(0.0, 1, n)
	return x.Frames(n, n).Mul(w).RFFT()
}
