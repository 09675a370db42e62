package nd

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A device that refuses a line program gets smaller ones in its place, and everything
// else of the plan stays as it was.
func TestRefusedLinesAreMadeSmaller(t *testing.T) {
	testdevice.NotOnGPU(t, "plans are made for a device that is not there")
	info := cuda.InfoOf(90, 132, 227<<10)
	plan := func(name string, most int) *Plan {
		info.Name = name
		refuse := func(p ir.Program) error {
			if l, ok := p.(*ir.Line); ok && len(l.Stages) > most {
				return fmt.Errorf("%d stages: %w", len(l.Stages), device.ErrUnsupported)
			}
			return nil
		}
		d, err := engine.Open(engine.Register(name, func() (device.Device, error) { return null.New(null.Options{Info: &info, Refuse: refuse}), nil }))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		x := Uniform(1, Float32, 64, 1024).On(deviceOf(d).Stream())
		other := Uniform(2, Float32, 64, 512).On(deviceOf(d).Stream())
		long := x.Mul(x).RFFT().AbsSquared().AddScalar(1).Sqrt().Cast(Complex64).IRFFT().Sum(-1)
		short := other.MulScalar(2).RFFT().AbsSquared()
		p, err := Explain(long, short)
		if err != nil {
			t.Fatal(err)
		}
		if err := Eval(t.Context(), long, short); err != nil {
			t.Fatal(err)
		}
		return p
	}
	lines := func(p *Plan) (n int) {
		for _, s := range p.Steps {
			if s.Program == "line" {
				n++
			}
		}
		return n
	}
	whole, parts, none := plan("all stages", 100), plan("three stages", 3), plan("no stages", 0)
	if lines(whole) != 2 {
		t.Fatalf("%v", whole)
	}
	if lines(parts) != 2 || parts.Launches <= whole.Launches || parts.Launches >= none.Launches || lines(none) != 0 {
		t.Errorf("%d and %d line programs, %d launches and %d without any:\n%v", lines(whole), lines(parts), parts.Launches, none.Launches, parts)
	}
	if !slices.ContainsFunc(parts.Notes, func(n string) bool { return strings.Contains(n, "stages") }) {
		t.Errorf("no note says why: %q", parts.Notes)
	}
}
