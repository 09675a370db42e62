package nd

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// ErrClosed is wrapped by the errors of arrays whose device was closed.
var ErrClosed = device.ErrClosed

// engine is the one engine of the process. Device 0 is where arrays are made
// unless something says otherwise.
var engine = newEngine()

func newEngine() *sched.Engine {
	e := sched.NewEngine()
	e.Register("cpu", func() (device.Device, error) { return tuned(cpu.Open(cpu.Options{})), nil })
	e.Register("null", func() (device.Device, error) { return null.New(null.Options{}), nil })
	return e
}

const cpuIndex = 0

// Device is something that computes. Arrays are made on the CPU and moved with
// On. A Device is safe for use from any number of goroutines.
type Device struct{ d *sched.Device }

// DeviceInfo describes a device.
type DeviceInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Workers     int    `json:"workers"`      // things that run truly in parallel
	MemoryBytes int    `json:"memory_bytes"` // 0 if unknown
}

// CPU is the processor. It is opened when it is first used, and opened anew by
// the first call of CPU after it was closed.
func CPU() *Device {
	d, err := engine.Open(cpuIndex)
	if err != nil {
		panic(err) // the processor is always there
	}
	return &Device{d}
}

// Open gives the device with a name that Devices lists. Every call gives the
// same device until it is closed.
func Open(name string) (*Device, error) {
	names := engine.Names()
	for i, n := range names {
		if n == name {
			d, err := engine.Open(i)
			if err != nil {
				return nil, fmt.Errorf("nd: open: %w", err)
			}
			return &Device{d}, nil
		}
	}
	return nil, fmt.Errorf("nd: open: no device %q; there are %s", name, strings.Join(names, ", "))
}

// Devices lists the devices of this machine. Listing one opens it; those that
// cannot be opened are left out.
func Devices() []DeviceInfo {
	var out []DeviceInfo
	for i := range engine.Names() {
		if d, err := engine.Open(i); err == nil {
			out = append(out, (&Device{d}).Info())
		}
	}
	return out
}

// Info describes the device.
func (d *Device) Info() DeviceInfo {
	i := d.d.Info()
	return DeviceInfo{Name: i.Name, Description: i.Description, Workers: i.Workers, MemoryBytes: i.MemoryBytes}
}

// Device is the device the array is on. It fails if the array carries an error
// or the device was closed.
func (a *Array) Device() (*Device, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	d, err := engine.Device(a.node.Device)
	if err != nil {
		return nil, fmt.Errorf("nd: device: %w", err)
	}
	return &Device{d}, nil
}

// Name is the name the device is opened by.
func (d *Device) Name() string { return d.d.Info().Name }

// Close lets the device's work finish and gives its memory back. Arrays on it
// fail with ErrClosed from then on.
func (d *Device) Close() error {
	if err := d.d.Close(); err != nil {
		return fmt.Errorf("nd: close: %w", err)
	}
	return nil
}
