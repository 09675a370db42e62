package signal

import (
	"errors"
	"fmt"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// ComplexSOS is an SOS with complex coefficients, such as a filter for positive
// frequencies alone. What it makes of real samples is complex.
type ComplexSOS [][6]complex128

// Complex is the same cascade with complex coefficients.
func (s SOS) Complex() ComplexSOS {
	out := make(ComplexSOS, len(s))
	for i, c := range s {
		for k, v := range c {
			out[i][k] = complex(v, 0)
		}
	}
	return out
}

func (s ComplexSOS) check() error {
	if len(s) == 0 {
		return errors.New("no sections")
	}
	for i, c := range s {
		for _, v := range c {
			if cmplx.IsNaN(v) || cmplx.IsInf(v) {
				return fmt.Errorf("section %d is %v", i, c)
			}
		}
		if c[3] != 1 {
			return fmt.Errorf("section %d has a0 = %g: want 1", i, c[3])
		}
	}
	return nil
}

// section is one of them as polynomials.
func (s ComplexSOS) section(i int) ComplexTF { return ComplexTF{B: s[i][:3], A: s[i][3:]} }

// filter is that of a runner: one section after the other.
func (s ComplexSOS) filter(x, state *nd.Array) (y, end *nd.Array) {
	var ends []*nd.Array
	for i := range s {
		var from *nd.Array
		if state != nil {
			from = state.SliceAxis(-1, nd.Range{Start: 2 * i, Stop: 2*i + 2})
		}
		x, end = s.section(i).filter(x, from)
		ends = append(ends, end)
	}
	return x, nd.Concat(-1, ends...)
}

func (s ComplexSOS) runner() runner { return s }

// Apply is SOS.Apply.
func (s ComplexSOS) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	return filtered("sosfilt", s.runner, s.check, x, first(axis))
}

// Filter is Apply.
func (s ComplexSOS) Filter(x *nd.Array, axis ...nd.AxisChoice) *nd.Array { return s.Apply(x, axis...) }

// FilterFrom is SOS.FilterFrom; the state is complex.
func (s ComplexSOS) FilterFrom(x, state *nd.Array) (y, end *nd.Array) {
	if x != nil && x.Err() == nil {
		x = inComplex(x)
	}
	return filteredFrom("sosfilt", s.runner, s.check, x, state, len(s), 2)
}

// FiltFilt is SOS.FiltFilt.
func (s ComplexSOS) FiltFilt(x *nd.Array, opt ...FiltFilt) *nd.Array {
	if x != nil && x.Err() == nil {
		x = inComplex(x)
	}
	steady, err := s.Steady()
	var flat []complex128
	for _, v := range steady {
		flat = append(flat, v[0], v[1])
	}
	start := func(like *nd.Array) *nd.Array { return complexConstant(flat, like) }
	return first(opt).apply(x, s.runner, start, s.edge(), err)
}

// Steady is SOS.Steady.
func (s ComplexSOS) Steady() ([][2]complex128, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("signal: sos: %w", err)
	}
	return steadySections(s)
}

// Response is SOS.Response.
func (s ComplexSOS) Response(w []float64) []complex128 {
	h := slices.Repeat([]complex128{1}, len(w))
	for i := range s {
		for k, v := range s.section(i).Response(w) {
			h[k] *= v
		}
	}
	return h
}

func (s ComplexSOS) edge() int { return sectionsEdge(s) }
