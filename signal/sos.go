package signal

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
)

// SOS is a digital filter as a cascade of second-order sections, each
// {b0, b1, b2, a0, a1, a2} of
//
//	(b0 + b1/z + b2/z^2) / (a0 + a1/z + a2/z^2)
//
// with a0 = 1, as in SciPy.
type SOS [][6]float64

// Response is the gain at angular frequencies, in radians per sample.
func (s SOS) Response(w []float64) []complex128 {
	h := make([]complex128, len(w))
	for i, v := range w {
		// In powers of 1/z on the unit circle.
		d := cmplx.Exp(complex(0, -v))
		h[i] = 1
		for _, c := range s {
			num := complex(c[0], 0) + d*(complex(c[1], 0)+d*complex(c[2], 0))
			den := complex(c[3], 0) + d*(complex(c[4], 0)+d*complex(c[5], 0))
			h[i] *= num / den
		}
	}
	return h
}

// Stable reports whether all poles are inside the unit circle.
func (s SOS) Stable() bool {
	for _, c := range s {
		// The triangle of stable second-order polynomials.
		if !(math.Abs(c[5]) < 1 && math.Abs(c[4]) < 1+c[5]) {
			return false
		}
	}
	return true
}

// Steady is the state of each section after a constant input of 1 has gone in
// forever, as scipy.signal.sosfilt_zi: where a filter starts so that a
// constant goes through without a transient.
func (s SOS) Steady() ([][2]float64, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("signal: sos: %w", err)
	}
	return steadySections(s)
}

// steadySections is Steady of sections of either type.
func steadySections[S ~[][6]T, T float64 | complex128](s S) ([][2]T, error) {
	state, scale := make([][2]T, len(s)), T(1)
	for i, c := range s {
		den := 1 + c[4] + c[5]
		if den == 0 {
			return nil, fmt.Errorf("signal: sos: %w", fact("section %d does not settle: it has a pole at 1", i))
		}
		gain := (c[0] + c[1] + c[2]) / den
		second := c[2] - c[5]*gain
		state[i] = [2]T{scale * (c[1] - c[4]*gain + second), scale * second}
		scale *= gain
	}
	return state, nil
}

func (s SOS) check() error {
	if len(s) == 0 {
		return errors.New("no sections")
	}
	for i, c := range s {
		for _, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("section %d is %v", i, c)
			}
		}
		if c[3] != 1 {
			return fmt.Errorf("section %d has a0 = %g: want 1", i, c[3])
		}
	}
	return nil
}
