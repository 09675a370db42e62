//go:build nogpu || !((linux || darwin || windows) && (amd64 || arm64))

package driver

import (
	"errors"
	"runtime"
)

var errNoLoader = errors.New("this program was built without support for WebGPU, for " + runtime.GOOS + "/" + runtime.GOARCH)

func openLibrary(string) (uintptr, error)         { return 0, errNoLoader }
func symbol(uintptr, string) (uintptr, error)     { return 0, errNoLoader }
func call(uintptr, ...uintptr) uintptr            { panic(errNoLoader) }
func callWith(uintptr, *callbackInfo, ...uintptr) { panic(errNoLoader) }
func twoWords() uintptr                           { panic(errNoLoader) }
func oneWord() uintptr                            { panic(errNoLoader) }
