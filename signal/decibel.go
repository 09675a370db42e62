package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Decibels is the options of PowerToDB and AmplitudeToDB: librosa's, with its
// defaults.
type Decibels struct {
	Ref    float64 // what is 0 dB; 0 is 1
	RefMax bool    // 0 dB is the greatest element instead
	AMin   float64 // lesser elements count as this; 0 is 1e-10 for power, 1e-5 for amplitudes
	TopDB  float64 // how far below the greatest the result may go; 0 is 80, negative is any, Zero leaves the greatest only
}

// PowerToDB is 10 log10(x/Ref). RefMax and TopDB use the greatest element of each
// spectrogram, the last two axes, so an item of a batch has the same result as alone.
func PowerToDB(x *nd.Array, opt ...Decibels) *nd.Array {
	return decibels("powertodb", x, first(opt), 10)
}

// AmplitudeToDB returns 20 log10(|x|/Ref), with the options of PowerToDB.
func AmplitudeToDB(x *nd.Array, opt ...Decibels) *nd.Array {
	return decibels("amplitudetodb", x, first(opt), 20)
}

// DBToPower undoes PowerToDB for a reference; 0 is 1.
func DBToPower(x *nd.Array, ref float64) *nd.Array { return fromDB("dbtopower", x, ref, 10) }

// DBToAmplitude undoes AmplitudeToDB for a reference; 0 is 1.
func DBToAmplitude(x *nd.Array, ref float64) *nd.Array { return fromDB("dbtoamplitude", x, ref, 20) }

func decibels(op string, x *nd.Array, d Decibels, factor float64) *nd.Array {
	if bad := unusable(op, x); bad != nil {
		return bad
	}
	x = single(x)
	if factor == 20 {
		x = x.Abs()
	}
	least, ref, top := d.AMin, d.Ref, d.TopDB
	if least == 0 {
		least = 1e-10
		if factor == 20 {
			least = 1e-5
		}
	}
	ref = cmp.Or(ref, 1)
	top = cmp.Or(top, 80)
	top = number(top)
	if err := level(x, ref, least); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	x = x.MaximumScalar(least)
	y := x.Log().MulScalar(factor / math.Ln10)
	axes := []int{-1, -2}[:min(2, x.NDim())]
	greatest := func(a *nd.Array) *nd.Array {
		m := a.Max(axes...)
		for range axes {
			m = m.ExpandDims(-1)
		}
		return m
	}
	if d.RefMax {
		y = y.Sub(greatest(y))
	} else {
		y = y.SubScalar(factor * math.Log10(max(ref, least)))
	}
	if top < 0 || len(axes) == 0 {
		return y
	}
	return y.Maximum(greatest(y).SubScalar(top))
}

// level checks what decibels are relative to.
func level(x *nd.Array, ref, least float64) error {
	switch {
	case x.DType() != nd.Float32 && x.DType() != nd.Float64:
		return fmt.Errorf("x is %s: want float32 or float64", x.DType())
	case !(ref > 0) || math.IsInf(ref, 0):
		return fact("Ref %g: want a positive number", ref)
	case !(least > 0):
		return fact("AMin %g: want a positive number", least)
	}
	return nil
}

func fromDB(op string, x *nd.Array, ref, factor float64) *nd.Array {
	if bad := unusable(op, x); bad != nil {
		return bad
	}
	x = single(x)
	ref = cmp.Or(ref, 1)
	if err := level(x, ref, 1); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	return x.MulScalar(math.Ln10 / factor).Exp().MulScalar(ref)
}
