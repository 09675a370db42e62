// Package clib opens C libraries at run time and calls their functions, without
// cgo: a path is opened, a name becomes the address of a function, and the function
// is called with words.
package clib

import (
	"errors"
	"maps"
	"slices"
	"sync"
)

// Library is a shared library that is open for the rest of the process.
type Library struct{ handle uintptr }

// Scope says who sees the names of a library.
type Scope bool

const (
	// Local names are found by Symbol only: a process may have other libraries of
	// the same name.
	Local Scope = false
	// Global names are seen by libraries that are opened later. Windows has no such
	// thing.
	Global Scope = true
)

// Open opens the library at a path, which Candidates chose.
func Open(path string, scope Scope) (Library, error) {
	h, err := open(path, scope)
	return Library{h}, err
}

// OpenFirst opens the first of several paths that can be opened. The error is that
// of the first path.
func OpenFirst(paths []string, scope Scope) (l Library, path string, err error) {
	failed := errors.New("no folder of the system has it")
	for i, path := range paths {
		l, err := Open(path, scope)
		if err == nil {
			return l, path, nil
		}
		if i == 0 {
			failed = err
		}
	}
	return Library{}, "", failed
}

// Symbol is the address of a function; 0 is one that the library does not have.
func (l Library) Symbol(name string) uintptr { return lookup(l.handle, name) }

// Symbols fills in the addresses of functions by their names. It gives the name of
// one that the library does not have, or nothing.
func (l Library) Symbols(table map[string]*uintptr) (missing string) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if *table[name] = l.Symbol(name); *table[name] == 0 && missing == "" {
			missing = name
		}
	}
	return missing
}

// Call calls a C function with integer and pointer arguments.
//
//go:uintptrescapes
func Call(function uintptr, args ...uintptr) uintptr { return enter(function, args...) }

// mostHot is how many arguments CallHot takes: as many as cuLaunchKernel has.
const mostHot = 11

// lists recycles argument lists: the ones that variadic calls make escape.
var lists = sync.Pool{New: func() any { return new([mostHot]uintptr) }}

// CallHot is Call without an allocation. No argument may be the address of a Go
// variable, unless that is known to be on the heap.
func CallHot(function uintptr, args ...uintptr) uintptr {
	list := lists.Get().(*[mostHot]uintptr)
	n := copy(list[:], args)
	r := enter(function, list[:n]...)
	lists.Put(list)
	return r
}

// Callback is the address of a C function that calls f, whose parameters and result
// are words. It is never given back, and a process has a few thousand at most.
func Callback(f any) uintptr { return callback(f) }
