//go:build nogpu || !((linux || windows) && (amd64 || arm64))

package driver

import (
	"errors"
	"runtime"
)

var errNoLoader = errors.New("this program was built without support for NVIDIA GPUs, for " + runtime.GOOS + "/" + runtime.GOARCH)

func openLibrary(string) (uintptr, error)     { return 0, errNoLoader }
func symbol(uintptr, string) (uintptr, error) { return 0, errNoLoader }

func call(uintptr, ...uintptr) Result { panic(errNoLoader) }
func hot(uintptr, ...uintptr) Result  { panic(errNoLoader) }

var (
	driverNames   = []string{"libcuda"}
	compilerNames []string
	compilerGlob  = "libnvrtc*"
)
