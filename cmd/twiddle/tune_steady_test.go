package main

import (
	"math"
	"slices"
	"testing"
)

func TestSteadied(t *testing.T) {
	both, apart := steadied(
		map[string]float64{"ops_per_ns": 40, "fft_ops_per_ns": 20, "launch_ns": 600, "function_ops": 1, "link_bytes_per_ns": 9},
		map[string]float64{"ops_per_ns": 20, "fft_ops_per_ns": 22, "launch_ns": 500, "function_ops": 4, "link_bytes_per_ns": 3})
	for key, want := range map[string]float64{"ops_per_ns": 40, "fft_ops_per_ns": 22, "launch_ns": 500, "function_ops": 2, "link_bytes_per_ns": 9} {
		if both[key] != want {
			t.Errorf("%s is %g, want %g", key, both[key], want)
		}
	}
	if !slices.Equal(apart, []string{"ops_per_ns"}) {
		t.Errorf("apart: %v, want ops_per_ns only", apart)
	}
}

// A measurement near the figure moves it half of the way, and one of another machine takes
// its place.
func TestSettled(t *testing.T) {
	const any, spread = "ops_per_ns", "spread_ns"
	for _, c := range []struct {
		key                 string
		was, measured, want float64
	}{{any, 100, 121, 110}, {any, 121, 100, 110}, {any, 100, 300, 300}, {any, 300, 100, 100}, {any, 0, 5, 5}, {spread, 90, 40, 60}, {spread, 90, 9, 9}} {
		if got := settled(c.key, c.was, c.measured); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %g, measured as %g: %g, want %g", c.key, c.was, c.measured, got, c.want)
		}
	}
}

// The time until all workers are at work follows from two that the model makes of it.
func TestSpreadOf(t *testing.T) {
	const times = 16
	for _, spread := range []float64{1000, 12e3, 80e3} {
		takes := func(ns float64) float64 { return math.Sqrt(ns*ns+2*spread*ns) + wakingShare*spread }
		if got := spreadOf(takes(20e3), takes(times*20e3), times); math.Abs(got-spread) > 1e-3*spread {
			t.Errorf("%g ns, want %g", got, spread)
		}
	}
}
