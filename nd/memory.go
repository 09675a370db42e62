package nd

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// ErrReleased is wrapped by the errors of arrays used after Release.
var ErrReleased = sched.ErrReleased

// OutOfMemoryError says how much memory was asked for and what there was. It
// comes after everything that could be freed was; the device keeps working. Its fields
// are
//
//	Device string // whose memory
//	Asked  int    // bytes that were asked for
//	Held   int    // bytes that arrays hold
//	Free   int    // bytes that were left; -1 if unknown
//	Limit  int    // the configured limit; 0 if none
type OutOfMemoryError = device.OutOfMemoryError

// Memory is the state of a device's memory pool, in bytes.
type Memory struct {
	Active int `json:"active"` // in arrays, and in work that is being queued
	Peak   int `json:"peak"`   // the most Active has been
	Cached int `json:"cached"` // kept for reuse; queued work may still be using it
	Limit  int `json:"limit"`  // on Active and Cached together; 0 for none
	// Compiled is an estimate of what plans and kernels take in the memory of the
	// process, the tables of transforms included. It stays below 64 MiB, or
	// four times the plan used last up to 384 MiB, and a quarter of Limit, but for
	// that plan.
	Compiled int `json:"compiled"`
	// Scratch is what operations need besides arrays, such as the padded line of
	// a transform of an awkward length. It is kept for the next operation, never
	// more than was needed at once, and does not count towards Limit. 0 on a GPU.
	Scratch int `json:"scratch"`
}

// Memory returns the current state of the device's memory pool.
func (d *Device) Memory() Memory {
	u := d.d.Pool().Usage()
	return Memory{Active: u.Active, Peak: u.Peak, Cached: u.Cached, Limit: u.Limit, Compiled: d.d.CompiledBytes(), Scratch: d.d.Pool().Scratch()}
}

// ResetPeak makes Peak count from now on.
func (d *Device) ResetPeak() { d.d.Pool().ResetPeak() }

// SetMemoryLimit bounds the bytes of arrays and of the cache together; 0 removes the
// bound. An evaluation that needs more is tried in parts, and then fails with an
// *OutOfMemoryError.
func (d *Device) SetMemoryLimit(bytes int) { d.d.Pool().SetLimit(bytes) }

// SetCacheLimit bounds the bytes kept for reuse; 0 keeps nothing.
func (d *Device) SetCacheLimit(bytes int) { d.d.Pool().SetCacheLimit(bytes) }

// Trim returns unused cached memory to the system. It also drops compiled plans and
// kernels, and the copies that Beside keeps.
func (d *Device) Trim() { d.d.Trim() }

// Release frees the array's memory at once, without waiting for the garbage collector.
// Work that was submitted before still completes. Any later use of the array, and of
// arrays that have yet to be computed from it, fails with ErrReleased. Releasing twice
// does nothing.
func (a *Array) Release() {
	if a.Err() == nil {
		engine.Release(a.node)
	}
}

// Donate lets the next evaluation that uses the array overwrite it to save memory; the
// array is then released. Donate returns the array.
func (a *Array) Donate() *Array {
	if a.Err() == nil {
		engine.Donate(a.node)
	}
	return a
}
