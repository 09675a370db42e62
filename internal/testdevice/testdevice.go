// Package testdevice says which device tests run on, and skips those that it cannot
// run. With TWIDDLE_TEST_DEVICE=cuda:0, or webgpu:0, a GPU takes the CPU's place in the
// tests of nd, and with =simulated, or =simulated-webgpu, one that the machine of kernel
// trees plays; in those of packages on top of nd too, if they are built with the overlay
// that .ci/overlay prints.
package testdevice

import (
	"os"
	"strings"
	"testing"
)

// Variable names the GPU that tests run on.
const Variable = "TWIDDLE_TEST_DEVICE"

// Name is the GPU in the CPU's place; empty if the CPU keeps it.
func Name() string { return os.Getenv(Variable) }

// NotOnGPU skips a test of what only the CPU promises.
func NotOnGPU(t testing.TB, why string) {
	t.Helper()
	if Name() != "" {
		t.Skip(why)
	}
}

// NeedsFloat64 skips a test that computes in float64 or complex128 where the device has
// neither.
func NeedsFloat64(t testing.TB) {
	t.Helper()
	if !HasFloat64() {
		t.Skip(Name() + " has no float64")
	}
}

// HasFloat64 says whether the device computes in float64 and complex128.
func HasFloat64() bool { return !strings.Contains(Name(), "webgpu") }

// NeedsKernels skips a test of custom kernels on the machine of kernel trees, which plays only those
// that are generated for programs.
func NeedsKernels(t testing.TB) {
	t.Helper()
	if strings.HasPrefix(Name(), "simulated") {
		t.Skip(Name() + " plays no custom kernels")
	}
}
