//go:build windows && (amd64 || arm64)

package clib

import "syscall"

func open(path string, _ Scope) (uintptr, error) {
	h, err := syscall.LoadLibrary(path)
	return uintptr(h), err
}

func lookup(library uintptr, name string) uintptr {
	address, err := syscall.GetProcAddress(syscall.Handle(library), name)
	if err != nil {
		return 0
	}
	return address
}

func enter(function uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(function, args...)
	return r
}

func callback(f any) uintptr { return syscall.NewCallback(f) }
