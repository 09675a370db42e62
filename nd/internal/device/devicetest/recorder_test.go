package devicetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// The suite outside of tests finds the same faults, and keeps to its time.
func TestRecorder(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the suite twice")
	}
	right := NewRecorder(context.Background(), 2*time.Second, nil)
	Run(right, func() device.Device { return &host{} })
	r := right.Report()
	if r.Failed > 0 || r.Passed < 100 || len(r.Groups) != len(Groups()) || r.LeftOut == 0 {
		t.Errorf("a device without a fault: %d passed, %d failed, %d left out of %d groups: %+v", r.Passed, r.Failed, r.LeftOut, len(r.Groups), r.Failures)
	}
	for _, g := range r.Groups {
		if g.Passed+g.Skipped == 0 {
			t.Errorf("nothing of group %s was run", g.Name)
		}
	}
	wrong := NewRecorder(context.Background(), 2*time.Second, nil)
	Run(wrong, func() device.Device { return &host{fault: "writes past the end"} })
	if r := wrong.Report(); r.Failed == 0 || len(r.Failures) == 0 || !strings.Contains(r.Failures[0].Name, "/") || r.Failures[0].Text == "" {
		t.Errorf("a device that writes too far: %d failed, %+v", r.Failed, r.Failures)
	}
}
