package tuning

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is a number that code picks by what is fastest on a device, such as
// the size of a tile. Choices never change results beyond rounding.
type Choice struct {
	Name, Unit string
	Least      float64
	Most       float64
	builtIn    map[string]float64 // by the device's name, or what it starts with
	heuristic  func(workers int) float64
	only       []float64 // the values there are; nil is all whole numbers from Least to Most
}

func always(v float64) func(int) float64 { return func(int) float64 { return v } }

// Choices are in the order they are shown. The rows of the table were measured
// with twiddle tune on the machines of docs/BENCHMARKS.md.
var Choices = []Choice{
	{"gemm_task_panels", "panels", 1, 64, map[string]float64{"cpu": 10}, always(10), nil},
	{"gemm_task_columns", "columns", 128, 2048, map[string]float64{"cpu": 512}, always(512), nil},
	{"gemm_tile", "rows", 0, 128, nil, always(0), []float64{0, 64, 128}},
	{"line_bundle_bytes", "bytes", 4 << 10, 16 << 20, map[string]float64{"cpu": 128 << 10}, always(128 << 10), nil},
	{"qr_block", "columns", 32, 256, map[string]float64{"cpu": 64, "cuda": 128}, always(64), nil},
	{"svd_band", "columns", 4, 4096, map[string]float64{"cpu": 4096, "cuda": 4096}, always(4096), nil},
	{"svd_streams", "streams", 1, 16, nil, func(workers int) float64 { return float64(min(max(workers/8, 1), 4)) }, nil},
	{"conv_streams", "streams", 1, 16, map[string]float64{"cpu": 1}, always(1), nil},
	// On two cores bands of a quarter of that cost up to a twentieth more than one
	// launch over all of them, bands of this size a little less (twiddle bench streams).
	{"stream_samples", "samples", 1, 1 << 30, map[string]float64{"cpu": 2 << 20}, always(2 << 20), nil},
}

// choice is the choice with a name, or nil.
func choice(name string) *Choice {
	if i := slices.IndexFunc(Choices, func(c Choice) bool { return c.Name == name }); i >= 0 {
		return &Choices[i]
	}
	return nil
}

// IsChoice reports the name of a choice.
func IsChoice(name string) bool { return choice(name) != nil }

// start is the value of a choice before file and environment, and its source.
func (c *Choice) start(device string, workers int) (float64, string) {
	for name, v := range c.builtIn {
		if device == name || strings.HasPrefix(device, name+":") {
			return v, "built in"
		}
	}
	return c.heuristic(workers), "heuristic"
}

// check refuses what is no whole number in range.
func (c *Choice) check(v float64) error {
	if c.only != nil && !slices.Contains(c.only, v) {
		return fmt.Errorf("want one of %v", c.only)
	}
	if v != float64(int(v)) || v < c.Least || v > c.Most {
		return fmt.Errorf("want a whole number from %g to %g", c.Least, c.Most)
	}
	return nil
}

// Check is the fault of a value for a key, which may be a figure; nil if there
// is none.
func Check(key string, v float64) error {
	if c := choice(key); c != nil {
		return c.check(v)
	}
	if indexOf(key) < 0 {
		return fmt.Errorf("there is no %q", key)
	}
	if !(v > 0) || v > 1e15 {
		return fmt.Errorf("want a number above 0")
	}
	return nil
}
