package sched

import (
	"context"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Then calls f, from any goroutine, once everything that was submitted to a
// stream so far is done. f must not block.
func (d *Device) Then(stream int, f func()) error {
	s, event, err := d.mark(stream)
	if err != nil {
		return err
	}
	event.Then(f)
	s.queue.Flush()
	return nil
}

// Sync waits until everything that was submitted to a stream so far is done.
func (d *Device) Sync(ctx context.Context, stream int) error {
	_, event, err := d.mark(stream)
	if err != nil {
		return err
	}
	return event.Wait(ctx)
}

// mark is the event behind all that a stream has been given.
func (d *Device) mark(index int) (*stream, device.Event, error) {
	s, err := d.stream(index)
	if err != nil {
		return nil, device.Event{}, err
	}
	// Under the engine's lock nothing is half submitted.
	d.engine.mu.Lock()
	defer d.engine.mu.Unlock()
	return s, s.queue.Record(), nil
}
