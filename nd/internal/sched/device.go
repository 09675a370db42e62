package sched

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// ErrStreamClosed is the error of work on a closed stream.
var ErrStreamClosed = errors.New("stream is closed")

// Device is an open device with its streams, memory and kernels.
type Device struct {
	engine  *Engine
	index   int
	dev     device.Device
	info    device.Info
	pool    *device.Pool
	closed  atomic.Bool
	grapher device.Grapher // nil if it has no graphs
	looks   sync.RWMutex   // held by who looks at memory, and by Close
	io      device.Queue   // for copies from the host, which need no stream
	back    device.Queue   // for copies to it, which do not wait for the others

	constants constants

	mu      sync.Mutex
	streams []*stream
	bands   []int // streams that everyone shares

	kernels kernels    // guarded by the engine's lock
	graphs  []*graphed // those that hold memory; guarded by the engine's lock
}

// ioQueue is the name of the io queue among the queues that use blocks.
const ioQueue = -1

// stream is a queue that nodes name by index.
type stream struct {
	queue  device.Queue
	closed atomic.Bool
}

func newDevice(e *Engine, index int, dev device.Device) (*Device, error) {
	d := &Device{engine: e, index: index, dev: dev, info: dev.Info(), pool: device.NewPool(dev), kernels: newKernels()}
	d.grapher, _ = device.As[device.Grapher](dev)
	var err error
	if d.io, err = dev.NewQueue(); err == nil {
		d.back, err = dev.NewQueue()
	}
	if err == nil {
		_, err = d.NewStream()
	}
	return d, err
}

// Index is what nodes name the device by.
func (d *Device) Index() int { return d.index }

// Info is the device's own description.
func (d *Device) Info() device.Info { return d.info }

// Driver is the device itself.
func (d *Device) Driver() device.Device { return d.dev }

// Pool is the device's memory.
func (d *Device) Pool() *device.Pool { return d.pool }

// IsClosed reports whether Close was called.
func (d *Device) IsClosed() bool { return d.closed.Load() }

func (d *Device) closedError() error { return fmt.Errorf("%s: %w", d.info.Name, device.ErrClosed) }

// NewStream gives the index of a new stream; stream 0 is always there.
func (d *Device) NewStream() (int, error) {
	if d.closed.Load() {
		return 0, d.closedError()
	}
	q, err := d.dev.NewQueue()
	if err != nil {
		return 0, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.streams = append(d.streams, &stream{queue: q})
	return len(d.streams) - 1, nil
}

// Band gives the index of the nth shared stream, which it makes when it is
// first asked for.
func (d *Device) Band(n int) (int, error) {
	for {
		d.mu.Lock()
		if n < len(d.bands) {
			defer d.mu.Unlock()
			return d.bands[n], nil
		}
		d.mu.Unlock()
		index, err := d.NewStream()
		if err != nil {
			return 0, err
		}
		d.mu.Lock()
		d.bands = append(d.bands, index)
		d.mu.Unlock()
	}
}

// CloseStream lets the work of a stream finish and refuses more.
func (d *Device) CloseStream(index int) error {
	s, err := d.stream(index)
	if err != nil {
		return nil
	}
	// Under the engine's lock nothing is half submitted.
	d.engine.mu.Lock()
	s.closed.Store(true)
	d.engine.mu.Unlock()
	err = s.queue.Close()
	// Indices are not used again, but a program that opens a stream for every
	// request should not keep their queues.
	d.mu.Lock()
	d.streams[index] = closedStream
	d.mu.Unlock()
	return err
}

// closedStream stands for every stream that was closed.
var closedStream = func() *stream {
	s := new(stream)
	s.closed.Store(true)
	return s
}()

func (d *Device) stream(index int) (*stream, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if index < 0 || index >= len(d.streams) {
		return nil, d.closedError() // of an earlier opening of the device
	}
	if s := d.streams[index]; !s.closed.Load() {
		return s, nil
	}
	return nil, fmt.Errorf("%s: stream %d: %w", d.info.Name, index, ErrStreamClosed)
}

// Queue is the queue of a stream.
func (d *Device) Queue(index int) (device.Queue, error) {
	s, err := d.stream(index)
	if err != nil {
		return nil, err
	}
	return s.queue, nil
}

// Close refuses further work and lets queued work finish.
func (d *Device) Close() error {
	d.engine.mu.Lock()
	again := d.closed.Swap(true)
	d.engine.plans.dropDevice(d)
	d.dropGraphs()
	d.engine.mu.Unlock()
	if again {
		return nil
	}
	d.looks.Lock()
	defer d.looks.Unlock()
	d.constants.forget()
	err := d.dev.Close()
	d.pool.Close()
	return err
}
