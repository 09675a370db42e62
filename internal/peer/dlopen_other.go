//go:build !((linux || darwin || freebsd) && (amd64 || arm64))

package peer

import (
	"errors"
	"runtime"
)

var errNoLoader = errors.New("libraries are not opened at run time on " + runtime.GOOS + "/" + runtime.GOARCH)

func dlopen(string) (uintptr, error)         { return 0, errNoLoader }
func dlsym(uintptr, string) (uintptr, error) { return 0, errNoLoader }

func call(uintptr, ...uintptr) uintptr { panic(errNoLoader) }
