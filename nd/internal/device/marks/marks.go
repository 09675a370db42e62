// Package marks is the marks of buffers on devices that run behind the host: a
// launch is queued long before it is known whether it will fail, since an index out
// of range is found by the kernel. So a buffer carries, besides the error of a launch
// that could not be queued, the faults it may turn out to have: those of every launch
// that its contents come from. Launches that depend on such a buffer run all the
// same, on contents nobody will see if a fault turns up; kernels check every index
// they are given.
//
// All functions but those of Mark's own pointer are called with the device's lock.
package marks

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Fault is a launch that may fail on its device. Faults are pointers, which are
// compared.
type Fault interface {
	// Outcome is the launch's error, once done.
	Outcome() (done bool, err error)
	// Poll finds out whether the launch is done.
	Poll()
}

// Told is what a device finds out of a launch that may fail: its part of a Fault.
type Told struct {
	Label  device.Label
	Decode func(cell [4]uint64) error // makes an error of what the kernel left
	done   bool                       // guarded by the device's lock
	err    error
}

// Outcome is the launch's error, once it was told.
func (t *Told) Outcome() (bool, error) { return t.done, t.err }

// Tell says that the launch is done, and what its kernel left: nothing if the first
// word is 0.
func (t *Told) Tell(cell [4]uint64) {
	if cell[0] != 0 {
		if err := t.Decode(cell); err != nil {
			t.err = &device.LaunchError{Label: t.Label, Err: err}
		}
	}
	t.done = true
}

// State is what may be wrong with a buffer's contents. It does not change.
type State struct {
	Faults []Fault // in order; the first that happened is the error
	Err    error   // comes after them
}

// Outcome is the first error that is known; a nil State has none.
func (s *State) Outcome() error {
	if s == nil {
		return nil
	}
	for _, f := range s.Faults {
		if done, err := f.Outcome(); done && err != nil {
			return err
		}
	}
	return s.Err
}

// Poll asks the launches that are not known to be done.
func (s *State) Poll() {
	for _, f := range s.Faults {
		if done, _ := f.Outcome(); !done {
			f.Poll()
		}
	}
}

// Mark is the state of a buffer; nil says that nothing is wrong with it.
type Mark struct{ atomic.Pointer[State] }

// Fail is the mark of an error that is known.
func (m *Mark) Fail(err error) { m.Store(&State{Err: err}) }

// Lost is why a device does nothing any more; nil while it works.
type Lost struct {
	atomic.Pointer[device.LaunchError]
}

// Err is an error interface that is nil if the device is not lost.
func (l *Lost) Err() error {
	if e := l.Load(); e != nil {
		return e
	}
	return nil
}

// Of is the mark of a buffer.
type Of func(device.Buffer) *Mark

// Blocked is why a launch must not run: a mark on what it reads or adds to.
func Blocked(l *device.Launch, of Of) error {
	for _, r := range l.Reads {
		if err := of(r).Load().Outcome(); err != nil {
			return err
		}
	}
	if l.Adds {
		for _, w := range l.Writes {
			if err := of(w).Load().Outcome(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Refuse marks what a launch would have written.
func Refuse(l *device.Launch, of Of, err error) {
	for _, w := range l.Writes {
		of(w).Fail(err)
	}
}

// fault is a Fault that is a pointer.
type fault[F any] interface {
	*F
	Fault
}

// Run makes a launch, unless a mark or its context forbids it, and marks what it writes.
// run gives what the launch may turn out to have, nil if it cannot fail any more.
func Run[F any, P fault[F]](l *device.Launch, of Of, run func() (P, error)) {
	var own P
	err := Blocked(l, of)
	switch {
	case err != nil:
	case l.Context != nil && l.Context.Err() != nil:
		err = &device.Cancelled{Cause: context.Cause(l.Context)}
	default:
		if own, err = run(); err != nil {
			err = &device.LaunchError{Label: l.Label, Err: err}
		}
	}
	Set(l, of, own, err)
}

// Set gives what a launch writes its state: what its inputs may have, what it may do
// itself (own, nil if nothing), and the error it failed with already.
func Set[F any, P fault[F]](l *device.Launch, of Of, own P, err error) {
	var inherited []Fault
	for _, r := range l.Reads {
		if s := of(r).Load(); s != nil {
			inherited = add(inherited, s.Faults...)
		}
	}
	if own != nil {
		inherited = append(inherited, own)
	}
	for _, w := range l.Writes {
		m := of(w)
		var before *State
		if l.Adds {
			before = m.Load()
		}
		if before == nil && len(inherited) == 0 && err == nil {
			m.Store(nil)
			continue
		}
		s := &State{Err: err, Faults: inherited}
		if before != nil {
			s.Faults = add(slices.Clone(before.Faults), inherited...)
			if before.Err != nil {
				s.Err = before.Err // the first failure of a shared result stays
			}
		}
		m.Store(s)
	}
}

// add appends what list does not have and may still matter.
func add(list []Fault, more ...Fault) []Fault {
	for _, f := range more {
		if done, err := f.Outcome(); (!done || err != nil) && !slices.Contains(list, f) {
			list = append(list, f)
		}
	}
	return list
}
