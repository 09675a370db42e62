package driver

import "fmt"

// Result is what a driver call returns; 0 is success.
type Result int32

// Results that callers act on.
const (
	Success        Result = 0
	InvalidValue   Result = 1
	OutOfMemory    Result = 2
	NoDevice       Result = 100
	NotFound       Result = 500
	NotReady       Result = 600
	IllegalAddress Result = 700
	LaunchFailed   Result = 719
)

var texts = map[Result]string{
	InvalidValue:   "invalid value",
	OutOfMemory:    "out of memory",
	3:              "driver not initialized",
	4:              "driver is shutting down",
	NoDevice:       "no GPU found",
	101:            "no such GPU",
	200:            "the driver cannot read the compiled kernel",
	201:            "no context on this thread",
	209:            "the kernel was compiled for another architecture",
	214:            "uncorrectable memory error",
	218:            "invalid PTX",
	220:            "NVLink error",
	222:            "the driver is older than the compiler",
	NotFound:       "not found",
	NotReady:       "not ready",
	IllegalAddress: "illegal memory access",
	701:            "the kernel needs more registers or threads than a block may have",
	702:            "the kernel ran too long and was stopped",
	710:            "an assertion of the kernel failed",
	714:            "hardware stack error",
	715:            "illegal instruction",
	716:            "misaligned address",
	717:            "an address of the wrong space",
	718:            "invalid program counter",
	LaunchFailed:   "the kernel failed",
	802:            "the system is not ready to use the GPU (fabric manager?)",
	803:            "the kernel module and the driver library are of different versions",
	804:            "this GPU does not support the driver's compatibility mode",
	999:            "unknown driver error",
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
	case 4, 214, 220, IllegalAddress, 702, 710, 714, 715, 716, 717, 718, LaunchFailed, 721, 999:
		return true
	}
	return false
}
