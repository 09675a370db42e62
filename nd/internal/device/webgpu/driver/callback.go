package driver

import (
	"sync"
	"sync/atomic"
)

// The library calls two functions of this process: one for results with two words
// and a message, one for those with one. They are made once, since a process has
// only so many; the first word of user data says who is meant.

// outcome is what a callback brings.
type outcome struct {
	a, b    uintptr
	message string
}

var (
	pending   sync.Map // uintptr to func(outcome)
	callbacks atomic.Uintptr
)

// expect registers a function to be called, and gives its number.
func expect(f func(outcome)) uintptr {
	id := callbacks.Add(1)
	pending.Store(id, f)
	return id
}

// forget removes a function that may still be registered.
func forget(id uintptr) { pending.Delete(id) }

// deliver calls the function of a number.
func deliver(id uintptr, o outcome) {
	if f, ok := pending.Load(id); ok {
		f.(func(outcome))(o)
	}
}

// once is a callback that comes at most once.
func once(f func(outcome)) uintptr {
	var id uintptr
	id = expect(func(o outcome) {
		forget(id)
		f(o)
	})
	return id
}
