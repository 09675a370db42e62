package live

import (
	"errors"
	"fmt"
	"math"
)

// Filter is a cascade of second-order sections. Its state is float64 whatever the
// samples are.
type Filter struct {
	sections []section
	room     [chunk]float64
}

// section is a biquad in the second transposed direct form, and its state.
type section struct {
	b0, b1, b2, a1, a2 float64
	s1, s2             float64
}

// chunk is how many samples go through a section before the next one: few enough to
// stay in the first cache.
const chunk = 256

// NewFilter takes sections {b0, b1, b2, a0, a1, a2}, as signal.SOS has them.
func NewFilter(sections [][6]float64) (*Filter, error) {
	f := &Filter{sections: make([]section, len(sections))}
	for i, c := range sections {
		for _, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("live: filter: section %d is %v: want finite numbers", i, c)
			}
		}
		if c[3] == 0 {
			return nil, fmt.Errorf("live: filter: section %d is %v: a0 is 0", i, c)
		}
		f.sections[i] = section{b0: c[0] / c[3], b1: c[1] / c[3], b2: c[2] / c[3], a1: c[4] / c[3], a2: c[5] / c[3]}
	}
	return f, nil
}

// Reset forgets all samples.
func (f *Filter) Reset() {
	for i := range f.sections {
		f.sections[i].s1, f.sections[i].s2 = 0, 0
	}
}

var errShort = errors.New("live: filter: dst and src have different lengths")

// Process filters the samples that come next. dst may be src.
func (f *Filter) Process(dst, src []float32) error { return process(f, dst, src) }

// Process64 is Process for samples of float64.
func (f *Filter) Process64(dst, src []float64) error { return process(f, dst, src) }

func process[T float32 | float64](f *Filter, dst, src []T) error {
	if len(dst) != len(src) {
		return errShort
	}
	for len(src) > 0 {
		n := min(len(src), chunk)
		x := f.room[:n]
		for i, v := range src[:n] {
			x[i] = float64(v)
		}
		for i := range f.sections {
			f.sections[i].run(x)
		}
		for i, v := range x {
			dst[i] = T(v)
		}
		dst, src = dst[n:], src[n:]
	}
	return nil
}

// silent is a state that no sample shows any more. Below it numbers become subnormal,
// which processors are slow with.
const silent = 1e-200

func (s *section) run(x []float64) {
	b0, b1, b2, a1, a2, s1, s2 := s.b0, s.b1, s.b2, s.a1, s.a2, s.s1, s.s2
	for i, v := range x {
		y := b0*v + s1
		s1 = b1*v - a1*y + s2
		s2 = b2*v - a2*y
		x[i] = y
	}
	if math.Abs(s1) < silent && math.Abs(s2) < silent {
		s1, s2 = 0, 0
	}
	s.s1, s.s2 = s1, s2
}
