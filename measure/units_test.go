package measure_test

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

// Levels of ISO 1683: 1 Pa is 94 dB, 1 m/s^2 120 dB, 1 mm/s 120 dB.
func TestLevel(t *testing.T) {
	for _, c := range []struct{ x, reference, want float64 }{
		{1, measure.ReferencePressure, 93.979400086720375},
		{1, measure.ReferenceAcceleration, 120},
		{1e-3, measure.ReferenceVelocity, 120},
		{measure.ReferencePressure, measure.ReferencePressure, 0},
	} {
		if got := measure.Level(c.x, c.reference); math.Abs(got-c.want) > 1e-12*120 {
			t.Errorf("Level(%g, %g) = %v dB, want %v", c.x, c.reference, got, c.want)
		}
	}
	if got := measure.Level(0, measure.ReferencePressure); !math.IsInf(got, -1) {
		t.Errorf("the level of 0 is %v", got)
	}
}

// TestIntegralOfTooMuch: a line that is a view of one number has any length.
func TestIntegralOfTooMuch(t *testing.T) {
	x := nd.Zeros(nd.Float32, 1).BroadcastTo(math.MaxInt >> 23)
	if err := (measure.Integral{FS: 1000}).Apply(x).Err(); err == nil {
		t.Error("no error")
	}
}

// TestFactor: 100 mV/g and 20 dB make 1 V of 1 g, of which a sample of 1 is 5.
func TestFactor(t *testing.T) {
	for _, c := range []struct {
		of   measure.Sensor
		want float64
	}{
		{measure.Sensor{Sensitivity: 0.1}, 10},
		{measure.Sensor{Sensitivity: 0.1, FullScale: 5}, 50},
		{measure.Sensor{Sensitivity: 0.1, FullScale: 5, Gain: 20}, 5},
		{measure.Sensor{Sensitivity: 0.1, Gain: -20}, 100},
	} {
		got, err := c.of.Factor()
		if err != nil || math.Abs(got-c.want) > 1e-12*c.want {
			t.Errorf("%+v: %v, %v, want %v", c.of, got, err, c.want)
		}
	}
	for _, s := range []measure.Sensor{{}, {Sensitivity: -1}, {Sensitivity: 1, FullScale: -1}, {Sensitivity: math.NaN()}, {Sensitivity: 1, Gain: math.Inf(-1)}} {
		if f, err := s.Factor(); err == nil {
			t.Errorf("%+v: %v and no error", s, f)
		}
	}
}
