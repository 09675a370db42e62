package cuda

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// LostError is the error of everything on a GPU that a kernel has brought
// down. The driver gives such a context up, and this process gets no other;
// other GPUs go on.
type LostError struct {
	Device string
	Result driver.Result
	// Others were in flight too. The driver does not say whose fault it was;
	// with CUDA_LAUNCH_BLOCKING=1 in the environment only one launch ever is.
	Others []string
}

func (e *LostError) Error() string {
	s := fmt.Sprintf("%s is lost to this process: %v", e.Device, e.Result)
	if len(e.Others) > 0 {
		s += fmt.Sprintf(" (in flight with it: %s)", strings.Join(e.Others, ", "))
	}
	return s
}

func (e *LostError) Unwrap() error { return e.Result }

// lose gives the device up and names the launch to blame: the earliest in
// flight, or the earliest kernel of the user's, which checks nothing. mu is
// held.
func (d *Device) lose(r driver.Result) {
	if d.lost.Load() != nil {
		return
	}
	// Queues are in no order; within one, the first unfinished launch is the
	// first suspect.
	var suspects []flight
	first := -1
	for q := range d.queues {
		for _, f := range q.flights {
			if first < 0 || f.custom && !suspects[first].custom {
				first = len(suspects)
			}
			suspects = append(suspects, f)
		}
	}
	e := &LostError{Device: d.name, Result: r}
	label := device.Label{Op: d.name}
	for i, f := range suspects {
		if i == first {
			label = f.label
		} else if len(e.Others) < 8 {
			e.Others = append(e.Others, f.label.Op)
		}
	}
	d.lost.Store(&device.LaunchError{Label: label, Err: e})
}
