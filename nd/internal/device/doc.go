// Package device is the narrow interface between the engine and a machine
// that computes: buffers, compiled programs, and in-order queues. A device is
// data in, launches out; it has no method per operation.
//
// # Failure travels with the data
//
// A launch that fails marks the buffers it writes with its error. A launch
// that reads a marked buffer does not run and marks what it writes with the
// same error; a host read of a marked buffer returns it. A launch whose inputs
// are fine clears the marks of its outputs (unless it adds to them). So a
// failure reaches everything that depends on it and nothing else, events are
// always signalled, and no one waits forever.
package device
