package webgpu

import (
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// planted is a device whose shaders have a fault.
type planted struct {
	*Device
	from, to string
	changed  *int
}

func (p planted) Compile(program ir.Program) (device.Kernel, error) {
	k, err := p.Device.Compile(program)
	if err != nil {
		return nil, err
	}
	for _, s := range k.(*kernel).steps {
		for _, f := range s.forms {
			text := strings.ReplaceAll(f.shader.Text, p.from, p.to)
			if text == f.shader.Text {
				continue
			}
			*p.changed++
			p.mu.Lock()
			f.pipeline, err = p.gpu.Compile(text, f.shader.Entry, f.shader.Written)
			p.mu.Unlock()
			if err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

// The suite finds faults in shaders, in the groups that are about them.
func TestPlantedFaultsAreFound(t *testing.T) {
	openSome(t, nil).Close() // or the test is skipped: the suite would take that for a failure
	for _, c := range []struct{ fault, groups, from, to string }{
		{"one element too many", "map", "(k_2 < left_2)", "(k_2 <= left_2)"},
		{"indices below zero are taken as they are", "gather", "tw_slt(at, vec2<u32>(0u, 0u))", "false"},
		// A GPU runs 32 threads in step or more: what most scans have does not race there.
		{"no barriers", "scan sort gemm", "workgroupBarrier();", ""},
		{"a carry that is lost", "scatter", "select(0u, 1u, low < a.x)", "0u"},
	} {
		t.Run(c.fault, func(t *testing.T) {
			changed := 0
			// A group has its share of the time: a second or two.
			r := devicetest.NewRecorder(t.Context(), 40*time.Second, nil)
			devicetest.RunGroups(r, func() device.Device { return planted{openSome(t, nil), c.from, c.to, &changed} }, strings.Fields(c.groups)...)
			if changed == 0 {
				t.Fatal("no shader has the text that is to be changed")
			}
			if report := r.Report(); report.Failed == 0 {
				t.Errorf("%d shaders had the fault, and %d checks passed", changed, report.Passed)
			}
		})
	}
}
