package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/timing"
)

// planReport says how a length is transformed.
type planReport struct {
	N      int    `json:"n"`
	DType  string `json:"dtype"`
	SIMD   string `json:"simd,omitempty"`
	Line   int    `json:"line"` // length of the complex line inside
	Recipe string `json:"recipe"`
	Tree   string `json:"tree"`
	// Figures of the plan itself; zero for lengths too long to build here.
	BuildNS      int64 `json:"build_ns,omitempty"`
	ScratchBytes int   `json:"scratch_bytes,omitempty"`

	GPU *gpuPlan `json:"gpu,omitempty"`
}

// longestBuilt is the longest plan that is built only to report on it: its
// tables take some hundred megabytes.
const longestBuilt = 1 << 24

func newPlanCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "plan N",
		Short: "Show how a transform of length N is factored",
		Long: "Show how a transform of length N is factored: the recipe, and on a GPU its kernels with\n" +
			"their threads, elements per thread and shared memory.\n\n" +
			"--device cuda:0 needs no GPU: without one, the plan is for --arch. A plan for webgpu:0 is\n" +
			"for the adapter of this machine, or for one with 256 threads and 32 KiB per group.",
		Example: "  twiddle plan 44100\n  twiddle plan 1009 --dtype r32 --device cuda:0\n  twiddle plan 1048576 --device cuda:0 --arch sm_80 --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("want one length, got %d arguments", len(args))
			}
			return nil
		},
	}
	name := c.Flags().String("dtype", "c64", "element type: complex64, complex128, float32 or float64; c64, c128, r32 or r64 for short")
	device := c.Flags().String("device", "cpu", "cpu, or a GPU such as cuda:0 or webgpu:0, which need not be present")
	arch := c.Flags().String("arch", "", "plan for a GPU of this architecture, such as sm_90 (default: that of the device, or sm_90)")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		n, err := strconv.Atoi(args[0])
		if err != nil || n < 1 {
			return usagef("length %q: want a whole number from 1 to %d", args[0], fft.MaxLen)
		}
		d, err := parseDType(*name)
		if err != nil {
			return err
		}
		if *device != "cpu" || *arch != "" {
			r, err := describeGPUPlan(n, d, *device, *arch)
			if err != nil {
				return err
			}
			return show(c, *asJSON, r)
		}
		if err := simd.OverrideError(); err != nil {
			return err
		}
		r, err := describePlan(n, d)
		if err != nil {
			return err
		}
		return show(c, *asJSON, r)
	}
	return c
}

func describePlan(n int, d dtype) (*planReport, error) {
	r := &planReport{N: n, DType: d.name, SIMD: simd.Active().String(), Line: n}
	if d.real && n%2 == 0 {
		r.Line = n / 2
	}
	var err error
	switch {
	case n <= longestBuilt:
		err = r.build(n, d)
	case d.bits == 32:
		r.Recipe, err = fft.ChooseRecipe[complex64](r.Line)
	default:
		r.Recipe, err = fft.ChooseRecipe[complex128](r.Line)
	}
	if err != nil {
		return nil, err
	}
	r.Tree, err = fft.RecipeTree(r.Recipe)
	return r, err
}

// builtPlan is what a report says about a plan.
type builtPlan interface {
	Recipe() string
	ScratchLen() int
}

// build makes the plan to see what it is and how long that takes.
func (r *planReport) build(n int, d dtype) error {
	start := time.Now()
	var p builtPlan
	var err error
	switch d.name {
	case "c64":
		p, err = fft.NewPlan[complex64](n)
	case "c128":
		p, err = fft.NewPlan[complex128](n)
	case "r32":
		p, err = fft.NewRealPlan[float32, complex64](n)
	default:
		p, err = fft.NewRealPlan[float64, complex128](n)
	}
	if err != nil {
		return err
	}
	r.BuildNS = time.Since(start).Nanoseconds()
	r.Recipe, r.ScratchBytes = p.Recipe(), p.ScratchLen()*d.bits/4
	return nil
}

func (r *planReport) WriteText(w io.Writer) error {
	var b strings.Builder
	if r.GPU != nil {
		r.writeGPU(&b)
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "%d %s, simd %s\n", r.N, r.DType, r.SIMD)
	if r.Line != r.N {
		fmt.Fprintf(&b, "as a complex line of %d\n", r.Line)
	}
	fmt.Fprintf(&b, "recipe %s\n%s\n", r.Recipe, strings.TrimRight(r.Tree, "\n"))
	if r.BuildNS > 0 {
		fmt.Fprintf(&b, "built in %s, %d bytes of scratch\n", timing.Nanoseconds(float64(r.BuildNS)), r.ScratchBytes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
