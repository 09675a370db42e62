package device_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

type bare struct{ device.Device }

type noting struct {
	device.Device
	note string
}

func (n noting) Notes() []string { return []string{n.note} }

type wrapper struct{ device.Device }

func (w wrapper) Unwrap() device.Device { return w.Device }

func TestAs(t *testing.T) {
	own := noting{wrapper{noting{bare{}, "inner"}}, "outer"}
	for name, tt := range map[string]struct {
		dev  device.Device
		want string // "": there is none
	}{
		"none":                 {bare{}, ""},
		"nil":                  {nil, ""},
		"its own":              {noting{bare{}, "own"}, "own"},
		"wrapped":              {wrapper{noting{bare{}, "inner"}}, "inner"},
		"wrapped twice":        {wrapper{wrapper{noting{bare{}, "inner"}}}, "inner"},
		"wrapped, with none":   {wrapper{bare{}}, ""},
		"its own comes first":  {own, "outer"},
		"a wrapper of nothing": {wrapper{}, ""},
	} {
		n, ok := device.As[device.Noter](tt.dev)
		if ok != (tt.want != "") || ok && n.Notes()[0] != tt.want {
			t.Errorf("%s: %v, %t", name, n, ok)
		}
	}
}
