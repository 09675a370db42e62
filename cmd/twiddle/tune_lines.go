package main

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// longLines finds how much slower transforms of long lines are than those of lines in a
// first-level cache. A GPU takes another kernel for them, which the model knows.
func (m *measuring) longLines() error {
	if m.gpu {
		return nil
	}
	const n = 1 << 16
	lines := 4 * m.workers
	x, err := m.noise(lines, n)
	if err != nil {
		return err
	}
	defer x.Release()
	z := x.RFFT()
	if err := nd.Eval(m.ctx, z); err != nil {
		return err
	}
	defer z.Release()
	total := 0.0
	for _, build := range []func() *nd.Array{func() *nd.Array { return x.RFFT() }, func() *nd.Array { return z.IRFFT(nd.FFT{N: n}) }} {
		ns, err := m.ns(build)
		if err != nil {
			return err
		}
		total += ns - m.started()
	}
	// Bringing lines and putting them away is counted by itself.
	total -= 2 * 8 * float64(n*lines) / m.figures["cache_bytes_per_ns"]
	m.figures["fft_long_ops_per_ns"] = 2 * 2.5 * n * math.Log2(n) * float64(lines) / max(total, 1)
	return nil
}

// sorting finds the speed of sorts with places, by themselves and behind spectra. Lines are
// so many that waking cores is nothing beside them.
func (m *measuring) sorting() error {
	const n, bins, kept = 256, 129, 16
	lines := 4 * m.lines
	x, err := m.noise(lines, n)
	if err != nil {
		return err
	}
	defer x.Release()
	power := x.RFFT().AbsSquared()
	if err := nd.Eval(m.ctx, power); err != nil {
		return err
	}
	defer power.Release()
	top := func(x *nd.Array) *nd.Array {
		values, places := x.TopK(kept, -1)
		return nd.Stack(-1, places.Cast(nd.Float32), values)
	}
	var ns [3]float64
	for i, build := range []func() *nd.Array{
		func() *nd.Array { _, places := power.TopK(kept, -1); return places },
		func() *nd.Array { return x.RFFT().AbsSquared().Sum(-1) },
		func() *nd.Array { return top(x.RFFT().AbsSquared()) },
	} {
		if ns[i], err = m.ns(build); err != nil {
			return err
		}
	}
	compares := float64(lines*bins) * math.Log2(kept+1)
	m.figures["sorts_per_ns"] = compares / max(ns[0]-m.started(), 1)
	m.figures["line_sorts_per_ns"] = compares / max(ns[2]-ns[1], 1)
	return nil
}
