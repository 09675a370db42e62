package nd

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
)

// A device that is fast and far away is chosen for much work on few elements, and
// not for little work on many; what it computes is the same.
func TestChoose(t *testing.T) {
	testdevice.NotOnGPU(t, "compares the CPU with a device that is faster than it")
	engine.Register("far", func() (device.Device, error) {
		return null.New(null.Options{Figures: device.Figures{CopyBytesPerNs: 1e3, OpsPerNs: 1e3, FFTOpsPerNs: 1e3, GemmOpsPerNs: 1e4, LaunchNs: 1000, SyncNs: 1000,
			Link: device.Link{ThereBytesPerNs: 1}}}), nil
	})
	far, err := Open("far")
	if err != nil {
		t.Fatal(err)
	}
	devices := []*Device{CPU(), far}
	x := From(make([]float32, 1<<18), 512, 512)
	much := x
	for range 40 {
		much = much.MatMul(x)
	}
	for _, c := range []struct {
		what string
		of   *Array
		want *Device
	}{
		{"a sum", x.AddScalar(1), CPU()},
		{"forty products", much, far},
		{"what is made there", Normal(1, Float32, 1<<20).Exp().Sum(), far},
	} {
		got, err := Choose(devices, c.of)
		if err != nil {
			t.Fatal(err)
		}
		if got.Device != c.want {
			t.Errorf("%s: %s", c.what, got)
		}
		if !strings.HasPrefix(got.String(), c.want.Name()+": ") || len(got.Candidates) != 2 {
			t.Errorf("%s says %q", c.what, got)
		}
		for _, d := range got.Candidates {
			if d.PredictedNs != d.ComputeNs+d.CopyNs || math.IsNaN(d.PredictedNs) {
				t.Errorf("%s: %+v", c.what, d)
			}
			if size := c.of.Len() * c.of.DType().Size(); d.Device == "cpu" && d.CopiedBytes != size {
				t.Errorf("%s: of the CPU %d bytes are copied, which has a result of %d", c.what, d.CopiedBytes, size)
			}
		}
		if on, err := got.Arrays[0].Device(); err != nil || on != c.want {
			t.Errorf("%s is on %v, %v", c.what, on, err)
		}
	}
	// Operands and results are counted once each.
	both, err := Choose([]*Device{far}, x.Add(x))
	if err != nil || both.Candidates[0].CopiedBytes != 2*4<<18 {
		t.Errorf("%+v, %v", both, err)
	}
}

func TestChooseGivesTheSame(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := Normal(3, Float32, 64, 100)
	y := x.RFFT().AbsSquared().Mean(0)
	c, err := Choose([]*Device{CPU()}, y, x)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Close{}).Check(t.Context(), c.Arrays[0], y); err != nil {
		t.Error(err)
	}
	for name, f := range map[string]func() (*Choice, error){
		"no arrays":      func() (*Choice, error) { return Choose(nil) },
		"a nil device":   func() (*Choice, error) { return Choose([]*Device{nil}, x) },
		"a failed array": func() (*Choice, error) { return Choose(nil, x.Sum(9)) },
		"a nil array":    func() (*Choice, error) { return Choose(nil, nil) },
	} {
		if c, err := f(); err == nil {
			t.Errorf("%s: %v", name, c)
		}
	}
}

// A processor that plays a GPU is for tests: it is taken only if it is named.
func TestSoftwareIsNotChosen(t *testing.T) {
	testdevice.NotOnGPU(t, "compares the CPU with one that is not to be taken")
	software := slices.DeleteFunc(Devices(), func(i DeviceInfo) bool { return !i.Software })
	if len(software) == 0 {
		t.Skip("no WebGPU adapter in software, such as lavapipe")
	}
	x := From(make([]float32, 1<<10), 1<<10).AddScalar(1)
	c, err := Choose(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(software[0].Description, "software") || slices.ContainsFunc(c.Candidates, func(d Candidate) bool { return d.Device == software[0].Name }) {
		t.Errorf("%s: %s", software[0].Description, c)
	}
	named, err := Open(software[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := Choose([]*Device{named}, x); err != nil || c.Device != named {
		t.Errorf("asked for %s: %v, %v", named.Name(), c, err)
	}
}
