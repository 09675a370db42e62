package measure

import (
	"errors"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Octave is the options of octave and fractional-octave bands, IEC 61260-1: Butterworth
// filters around exact mid-band frequencies to base ten.
type Octave struct {
	FS       float64 // sampling frequency
	Fraction int     // of an octave: 1, 3, 6, 12, 24; 0 is 1
	Low      float64 // lowest mid-band frequency; 0 is 31.5 Hz
	High     float64 // highest; 0 is as high as fits below half of FS, 16 kHz at most
	Order    int     // of the low-pass prototype; 0 is 3
}

// Band is one of them.
type Band struct {
	Center    float64 // mid-band frequency
	Low, High float64 // edges
	Filter    signal.SOS
}

// Bands are the bands that fit, from the lowest on.
func (o Octave) Bands() ([]Band, error) {
	if o.Fraction == 0 {
		o.Fraction = 1
	}
	if o.Order == 0 {
		o.Order = 3
	}
	if o.Low == 0 {
		o.Low = 31.5
	}
	most := o.High
	if most == 0 {
		most = 16000
	}
	switch {
	case !(o.FS > 0) || math.IsInf(o.FS, 0):
		return nil, fmt.Errorf("measure: octave: FS %g: want a positive number", o.FS)
	case o.Fraction < 1 || o.Fraction > 96:
		return nil, fmt.Errorf("measure: octave: Fraction %d: want 1 to 96", o.Fraction)
	case o.Order < 1 || o.Order > 12:
		return nil, fmt.Errorf("measure: octave: Order %d: want 1 to 12", o.Order)
	case !(o.Low > 0) || !(most >= o.Low):
		return nil, fmt.Errorf("measure: octave: Low %g and High %g: want 0 < Low <= High", o.Low, o.High)
	}
	step := math.Pow(10, 0.3/float64(o.Fraction))
	// Of even fractions 1 kHz is an edge, of odd ones a middle.
	offset := 0.0
	if o.Fraction%2 == 0 {
		offset = 0.5
	}
	// Nominal frequencies such as 31.5 are not exact ones: a quarter of a band is near.
	first := int(math.Ceil(math.Log(o.Low/1000)/math.Log(step) - offset - 0.25))
	var list []Band
	for i := first; ; i++ {
		b := Band{Center: 1000 * math.Pow(step, float64(i)+offset)}
		b.Low, b.High = b.Center/math.Sqrt(step), b.Center*math.Sqrt(step)
		if b.Center > most*math.Sqrt(math.Sqrt(step)) {
			break
		}
		if b.High >= o.FS/2 {
			if o.High == 0 {
				break
			}
			return nil, fmt.Errorf("measure: octave: the band around %.4g ends at %.4g: FS %g has nothing above %g", b.Center, b.High, o.FS, o.FS/2)
		}
		var err error
		b.Filter, err = signal.IIR{Order: o.Order, Band: signal.Bandpass, Cutoff: [2]float64{b.Low, b.High}, FS: o.FS}.SOS()
		if err != nil {
			return nil, fmt.Errorf("measure: octave: %w", err)
		}
		list = append(list, b)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("measure: octave: no band of FS %g between Low %g and High %g", o.FS, o.Low, most)
	}
	return list, nil
}

// BandPower is the mean square of a signal in bands.
type BandPower struct {
	Power *nd.Array // (..., bands)
	Bands []Band
}

// Apply filters the samples along the last axis of x and gives their mean squares.
func (o Octave) Apply(x *nd.Array) (BandPower, error) {
	bands, err := o.Bands()
	if err != nil {
		return BandPower{}, err
	}
	if err := check("octave", x); err != nil {
		return BandPower{}, err
	}
	parts := make([]*nd.Array, len(bands))
	for i, b := range bands {
		parts[i] = b.Filter.Apply(x).AbsSquared().Mean(-1)
	}
	p := nd.Stack(-1, parts...)
	return BandPower{Power: p, Bands: bands}, p.Err()
}

// fault is why an array has no samples to measure, for the array that a function returns.
func fault(x *nd.Array) error {
	switch {
	case x == nil:
		return errors.New("nil Array")
	case x.Err() != nil:
		return x.Err()
	case x.DType().IsComplex():
		return fmt.Errorf("samples are %s: want float32 or float64", x.DType())
	case x.DType() != nd.Float32 && x.DType() != nd.Float64:
		return fmt.Errorf("samples are %s: want float32 or float64, use Cast", x.DType())
	case x.NDim() < 1 || x.Len() == 0:
		return fmt.Errorf("x of shape %v has no samples", x.Shape())
	}
	return nil
}

// check is fault for functions that return an error: it names them.
func check(op string, x *nd.Array) error {
	err := fault(x)
	if err == nil || x != nil && x.Err() != nil {
		return err
	}
	return fmt.Errorf("measure: %s: %w", op, err)
}
