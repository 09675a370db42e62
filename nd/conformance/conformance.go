// Package conformance checks the devices of a machine against the reference
// that says what programs mean, one point at a time: the suite that every device
// passes in the project's own tests, on the machine where results are in doubt.
//
// A wrong bit of memory, a compiler of kernels that miscompiles, an instruction
// set that a hypervisor emulates badly: they show here, and the report says where.
package conformance

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
)

// Report is what was found. Its fields are
//
//	Passed   int
//	Failed   int
//	Skipped  int            // checks of programs and types that the device does not have
//	LeftOut  int            // for lack of time
//	Groups   []GroupReport  // the same by group: Name, Passed, Failed, Skipped, LeftOut
//	Failures []FailedCheck  // the first: Name, and Text with what was computed and what is right
//	Reasons  map[string]int // why how many were skipped
type Report = devicetest.Report

// Target is a device to check. The processor is one for each of its instruction
// sets.
type Target struct {
	Name string
	open func() (device.Device, error)
}

// Targets lists what this machine has.
func Targets() []Target {
	var list []Target
	for _, level := range simd.Available() {
		list = append(list, Target{"cpu " + level.String(), func() (device.Device, error) {
			return cpu.Open(cpu.Options{Level: level, PortableOnly: level == simd.Portable}), nil
		}})
	}
	n, _ := cuda.Count() // why there are none is for nd.Unavailable to say
	for i := range n {
		list = append(list, Target{fmt.Sprintf("cuda:%d", i), func() (device.Device, error) { return cuda.Open(i) }})
	}
	return list
}

// Check runs the suite for about as long as is said, or until the context is
// done. progress, if not nil, is told of every group of checks. An error means
// that the device does not open.
func (t Target) Check(ctx context.Context, span time.Duration, progress func(group string)) (*Report, error) {
	if ctx == nil || t.open == nil {
		return nil, errors.New("conformance: check: want a context, and one of Targets")
	}
	first, err := t.open()
	if err != nil {
		return nil, fmt.Errorf("conformance: %s: %w", t.Name, err)
	}
	r := devicetest.NewRecorder(ctx, span, progress)
	devicetest.Run(r, func() device.Device {
		if d := first; d != nil {
			first = nil
			return d
		}
		d, err := t.open()
		if err != nil {
			panic(fmt.Sprintf("the device does not open again: %v", err)) // a failure of the group
		}
		return d
	})
	return r.Report(), nil
}
