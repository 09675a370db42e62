//go:build !((linux || darwin || windows) && (amd64 || arm64))

package clib

import (
	"errors"
	"runtime"
)

var errNone = errors.New("libraries are not opened at run time on " + runtime.GOOS + "/" + runtime.GOARCH)

func open(string, Scope) (uintptr, error) { return 0, errNone }
func lookup(uintptr, string) uintptr      { return 0 }
func enter(uintptr, ...uintptr) uintptr   { panic(errNone) }
func callback(any) uintptr                { panic(errNone) }
