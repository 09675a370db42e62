package driver

import "fmt"

// Result is what a driver call returns; 0 is success.
type Result int32

// Results that callers act on.
const (
	Success           Result = 0
	InvalidValue      Result = 1
	OutOfMemory       Result = 2
	NotInitialized    Result = 3
	NoDevice          Result = 100
	InvalidImage      Result = 200
	InvalidContext    Result = 201
	NoBinaryForGPU    Result = 209
	UnsupportedPTX    Result = 222
	NotFound          Result = 500
	NotReady          Result = 600
	IllegalAddress    Result = 700
	OutOfResources    Result = 701
	LaunchTimeout     Result = 702
	LaunchFailed      Result = 719
	SystemNotReady    Result = 802
	DriverMismatch    Result = 803
	CompatUnsupported Result = 804
)

var texts = map[Result]string{
	InvalidValue:      "invalid value",
	OutOfMemory:       "out of memory",
	NotInitialized:    "driver not initialized",
	4:                 "driver is shutting down",
	NoDevice:          "no GPU found",
	101:               "no such GPU",
	InvalidImage:      "the driver cannot read the compiled kernel",
	InvalidContext:    "no context on this thread",
	NoBinaryForGPU:    "the kernel was compiled for another architecture",
	214:               "uncorrectable memory error",
	218:               "invalid PTX",
	220:               "NVLink error",
	UnsupportedPTX:    "the driver is older than the compiler",
	NotFound:          "not found",
	NotReady:          "not ready",
	IllegalAddress:    "illegal memory access",
	OutOfResources:    "the kernel needs more registers or threads than a block may have",
	LaunchTimeout:     "the kernel ran too long and was stopped",
	710:               "an assertion of the kernel failed",
	714:               "hardware stack error",
	715:               "illegal instruction",
	716:               "misaligned address",
	717:               "an address of the wrong space",
	718:               "invalid program counter",
	LaunchFailed:      "the kernel failed",
	SystemNotReady:    "the system is not ready to use the GPU (fabric manager?)",
	DriverMismatch:    "the kernel module and the driver library are of different versions",
	CompatUnsupported: "this GPU does not support the driver's compatibility mode",
	999:               "unknown driver error",
}

// Error is the fact in words, with the driver's number.
func (r Result) Error() string {
	if t, ok := texts[r]; ok {
		return fmt.Sprintf("%s (CUDA error %d)", t, int32(r))
	}
	return fmt.Sprintf("CUDA error %d", int32(r))
}

// Err is nil on success.
func (r Result) Err() error {
	if r == Success {
		return nil
	}
	return r
}

// Poisons reports whether the context is lost: every later call on it fails
// with the same result.
func (r Result) Poisons() bool {
	switch r {
	case 4, 214, 220, IllegalAddress, LaunchTimeout, 710, 714, 715, 716, 717, 718, LaunchFailed, 721, 999:
		return true
	}
	return false
}
