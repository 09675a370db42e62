package main

import (
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
