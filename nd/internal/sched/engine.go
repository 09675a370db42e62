package sched

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Engine is a set of devices and the plans made for them.
type Engine struct {
	// Checked makes every new plan pass the verifiers of all stages. Tests set
	// it before first use.
	Checked bool

	mu      sync.Mutex // held while submitting
	devices []*entry
	walk    walker
	plans   cache
	fences  []fence // scratch of submitting
	kind    []byte  // scratch of inputKey
	runs    sync.Pool

	tracers  atomic.Pointer[[]*tracer] // nil, or those who want to know of launches
	hostRows rows                      // of spans that callers name
	launches uint64                    // evaluations launched so far

	verifying atomic.Bool // whether the verifier is to be asked
	verifier  verifier
}

// entry is a device that may be open.
type entry struct {
	name   string
	open   func() (device.Device, error)
	device *Device // nil before the first use
}

// NewEngine makes an engine without devices.
func NewEngine() *Engine {
	e := &Engine{plans: newCache()}
	e.runs.New = func() any { return makeRun(e) }
	return e
}

// Register adds a device that open opens when it is first used, and gives its
// index, which nodes name it by.
func (e *Engine) Register(name string, open func() (device.Device, error)) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.devices = append(e.devices, &entry{name: name, open: open})
	return len(e.devices) - 1
}

// Names lists the registered devices by index.
func (e *Engine) Names() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return lists.Map(e.devices, func(d *entry) string { return d.name })
}

// Open gives a device, opened anew if it is not open.
func (e *Engine) Open(index int) (*Device, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reopen(index)
}

func (e *Engine) reopen(index int) (*Device, error) {
	if index < 0 || index >= len(e.devices) {
		return nil, fmt.Errorf("no device %d", index)
	}
	d := e.devices[index]
	if d.device != nil && !d.device.closed.Load() {
		return d.device, nil
	}
	dev, err := d.open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	d.device, err = newDevice(e, index, dev)
	return d.device, err
}

// Device is the device that nodes name by index: opened on first use, but not
// again once it was closed.
func (e *Engine) Device(index int) (*Device, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.device(index)
}

// device is Device under the lock.
func (e *Engine) device(index int) (*Device, error) {
	if index >= 0 && index < len(e.devices) {
		if d := e.devices[index].device; d != nil {
			if d.closed.Load() {
				return nil, d.closedError()
			}
			return d, nil
		}
	}
	return e.reopen(index)
}
