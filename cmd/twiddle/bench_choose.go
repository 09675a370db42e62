package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// choiceRow is one piece of work on every device, from an array on the CPU to a slice.
type choiceRow struct {
	Work      string             `json:"work"`
	Shape     []int              `json:"shape"`
	Predicted map[string]float64 `json:"predicted_ns"`
	Measured  map[string]float64 `json:"measured_ns"`
	// Computing and copying apart, to see which of the two a wrong prediction is of. What
	// is measured as computing has its operands on the device and leaves results there.
	PredictedCompute map[string]float64 `json:"predicted_compute_ns"`
	MeasuredCompute  map[string]float64 `json:"measured_compute_ns"`
	Chosen           string             `json:"chosen"`
	Best             string             `json:"best"`
	Loss             float64            `json:"loss"` // the chosen device's time over the best, less one
}

type choiceReport struct {
	Devices []string    `json:"devices"`
	Rows    []choiceRow `json:"rows"`
	Right   int         `json:"right"` // rows whose loss is at most a tenth
}

// choiceWork is what is swept: each over all of its shapes, all of float32.
var choiceWork = []struct {
	name   string
	shapes [][]int
	build  func(x *nd.Array) *nd.Array
}{
	{"map", shapesOf(1<<8, 1<<12, 1<<15, 1<<18, 1<<21, 1<<24), func(x *nd.Array) *nd.Array { return x.AbsSquared().AddScalar(1).Sqrt() }},
	{"long map", shapesOf(1<<8, 1<<12, 1<<15, 1<<18, 1<<21, 1<<24), func(x *nd.Array) *nd.Array {
		for range 8 {
			x = x.Sin().Exp().AddScalar(1).Log()
		}
		return x
	}},
	{"sum", shapesOf(1<<8, 1<<12, 1<<15, 1<<18, 1<<21, 1<<24), func(x *nd.Array) *nd.Array { return x.AbsSquared().Sum() }},
	{"sort", shapesOf(1<<8, 1<<12, 1<<15, 1<<18, 1<<20, 1<<22), func(x *nd.Array) *nd.Array { return x.Sort(-1) }},
	{"product", [][]int{{16, 16}, {64, 64}, {128, 128}, {256, 256}, {512, 512}, {1024, 1024}, {2048, 2048}}, func(x *nd.Array) *nd.Array { return x.MatMul(x) }},
	{"spectra", [][]int{{1, 256}, {1, 4096}, {1, 65536}, {1, 1 << 20}, {16, 1024}, {256, 1024}, {4096, 1024}, {64, 65536}}, func(x *nd.Array) *nd.Array { return x.RFFT().AbsSquared() }},
	{"convolution", [][]int{{1, 1, 1024}, {1, 8, 4096}, {1, 2, 65536}, {8, 64, 1024}, {8, 64, 4096}, {8, 64, 16384}, {1, 8, 1 << 20}}, func(x *nd.Array) *nd.Array {
		return signal.Conv{Mode: signal.Causal}.Apply(x, x.Slice(nd.Range{Stop: 1}).Reshape(x.Dim(-2), -1))
	}},
	{"welch", [][]int{{1, 1 << 12}, {1, 1 << 16}, {1, 1 << 20}, {1, 1 << 23}, {8, 1 << 12}, {8, 1 << 16}, {8, 1 << 20}}, func(x *nd.Array) *nd.Array {
		return signal.Welch(x, signal.Spectral{NPerSeg: 1024}).Array
	}},
	{"mean spectrum", [][]int{{16, 1024}, {256, 1024}, {4096, 1024}, {65536, 256}, {64, 65536}, {8, 1 << 19}, {16384, 64}}, func(x *nd.Array) *nd.Array { return x.RFFT().AbsSquared().Mean(0) }},
}

func shapesOf(lengths ...int) [][]int {
	var out [][]int
	for _, n := range lengths {
		out = append(out, []int{n})
	}
	return out
}

func newBenchChooseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "choose",
		Short: "Compare the device that nd.Choose picks with the fastest one, over sixty shapes",
		Long: "Run sixty workloads on every device, from arrays on the CPU to slices of the host, and\n" +
			"compare the device that the cost model picks with the fastest one.",
	}
	names := c.Flags().String("devices", "", "devices, separated by commas (default: all of this machine)")
	only := c.Flags().String("only", "", "run only the workload of this name")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		devices, err := openAll(*names)
		if err != nil {
			return err
		}
		r := &choiceReport{}
		for _, d := range devices {
			r.Devices = append(r.Devices, d.Name())
		}
		for _, w := range choiceWork {
			if *only != "" && w.name != *only {
				continue
			}
			for _, shape := range w.shapes {
				row, err := chooseOnce(c.Context(), devices, w.build, shape)
				if err != nil {
					return fmt.Errorf("%s %v: %w", w.name, shape, err)
				}
				row.Work = w.name
				r.Rows = append(r.Rows, row)
				if row.Loss <= 0.1 {
					r.Right++
				}
			}
		}
		if len(r.Rows) == 0 {
			names := make([]string, len(choiceWork))
			for i, w := range choiceWork {
				names[i] = w.name
			}
			return usagef("--only %q: want one of %s", *only, strings.Join(names, ", "))
		}
		return show(c, *asJSON, r)
	}
	return c
}

func openAll(names string) ([]*nd.Device, error) {
	list := strings.Split(names, ",")
	if names == "" {
		list = nil
		for _, d := range nd.Devices() {
			if d.Name != "null" {
				list = append(list, d.Name)
			}
		}
	}
	var out []*nd.Device
	for _, name := range list {
		d, err := nd.Open(name)
		if err != nil {
			return nil, usagef("--devices: %w", err)
		}
		out = append(out, d)
	}
	return out, nil
}

func chooseOnce(ctx context.Context, devices []*nd.Device, build func(*nd.Array) *nd.Array, shape []int) (choiceRow, error) {
	r := choiceRow{Shape: shape, Predicted: map[string]float64{}, Measured: map[string]float64{},
		PredictedCompute: map[string]float64{}, MeasuredCompute: map[string]float64{}}
	input := nd.Normal(7, nd.Float32, shape...)
	if err := nd.Eval(ctx, input); err != nil { // on the CPU, where arrays are made
		return r, err
	}
	choice, err := nd.Choose(devices, build(input))
	if err != nil {
		return r, err
	}
	r.Chosen = choice.Device.Name()
	for _, c := range choice.Candidates {
		r.Predicted[c.Device], r.PredictedCompute[c.Device] = c.PredictedNs, c.ComputeNs
	}
	out := make([]float32, choice.Arrays[0].Len())
	var contenders []timing.Contender
	for _, d := range devices {
		run, err := loop(func() error {
			x := input.On(d.Stream())
			y := build(x)
			err := nd.Read(ctx, out, y)
			y.Release()
			if x != input {
				x.Release()
			}
			return err
		})
		if err != nil {
			return r, err
		}
		there := input.On(d.Stream())
		if err := nd.Eval(ctx, there); err != nil {
			return r, err
		}
		only, err := loop(func() error {
			y := build(there)
			defer y.Release()
			return nd.Eval(ctx, y)
		})
		if err != nil {
			return r, err
		}
		contenders = append(contenders, timing.Contender{Name: d.Name(), Run: run}, timing.Contender{Name: d.Name(), Run: only})
	}
	ns, err := timing.Compare(ctx, timing.Options{Rounds: 3, Slice: 20 * time.Millisecond}, contenders...)
	if err != nil {
		return r, err
	}
	best := math.Inf(1)
	for i, d := range devices {
		all := ns[2*i]
		r.Measured[d.Name()], r.MeasuredCompute[d.Name()] = all, ns[2*i+1]
		if all < best {
			best, r.Best = all, d.Name()
		}
	}
	r.Loss = r.Measured[r.Chosen]/best - 1
	return r, nil
}

func (r *choiceReport) WriteText(w io.Writer) error {
	head := []string{"work", "shape"}
	for _, d := range r.Devices {
		head = append(head, d, "predicted")
	}
	t := timing.NewTable(append(head, "chosen", "best", "loss")...)
	for _, row := range r.Rows {
		cells := []any{row.Work, shapeText(row.Shape)}
		for _, d := range r.Devices {
			cells = append(cells, timing.Nanoseconds(row.Measured[d]), timing.Nanoseconds(row.Predicted[d]))
		}
		t.Row(append(cells, row.Chosen, row.Best, fmt.Sprintf("%.0f%%", 100*row.Loss))...)
	}
	_, err := t.WriteTo(w)
	if err == nil {
		_, err = fmt.Fprintf(w, "within a tenth of the best: %d of %d\n", r.Right, len(r.Rows))
	}
	return err
}
