package devicetest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const faultVar = "DEVICETEST_FAULT"

// A device made of the reference passes, so the suite asks for nothing that
// the reference does not do.
func TestReferencePasses(t *testing.T) {
	Run(t, func() device.Device { return &host{} })
}

// A device that says that it takes subnormal numbers for zeros may do so.
func TestFlushingPasses(t *testing.T) {
	RunGroups(t, func() device.Device { return &host{fault: "takes subnormals for zeros", flushes: true} }, "scalar", "cast", "map", "sort", "scan")
}

// A device with a fault fails, and in the part of the suite that is about it.
// Each runs in a process of its own, since a failing test fails its parents.
func TestFaultsAreNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts a process per fault")
	}
	for _, c := range []struct{ fault, group string }{
		{"one wrong bit", "scalar"},
		{"writes past the end", "layout"},
		{"a last element is not written", "map"},
		{"one wrong bit", "random"},
		{"plain sums", "reduce"},
		{"takes subnormals for zeros", "scalar"},
		{"takes subnormals for zeros", "sort"},
		{"one wrong bit", "scan"},
		{"one wrong bit", "sort"},
		{"indices are not checked", "gather"},
		{"indices are not checked", "scatter"},
		{"one wrong bit", "gemm"},
		{"conjugated", "fft"},
		{"one wrong bit in the sign", "line"},
		{"marks do not spread", "marks"},
		{"adding clears marks", "marks"},
		{"deaf to contexts", "cancel"},
		{"calls back twice", "queue"},
		{"untyped out of memory", "memory"},
	} {
		t.Run(c.fault+"/"+c.group, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.failfast", "-test.run=^TestFaulty$/^"+c.group+"$")
			cmd.Env = append(os.Environ(), faultVar+"="+c.fault)
			out, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(out), "--- FAIL: TestFaulty/"+c.group) {
				t.Errorf("the suite passes a device that has this fault: %v\n%s", err, out)
			}
		})
	}
}

func TestFaulty(t *testing.T) {
	fault := os.Getenv(faultVar)
	if fault == "" {
		t.Skip("runs on behalf of TestFaultsAreNoticed")
	}
	Run(t, func() device.Device { return &host{fault: fault} })
}

// counting counts the programs that it is to run.
type counting struct {
	host
	programs *int
}

func (c *counting) Compile(p ir.Program) (device.Kernel, error) {
	*c.programs++
	return c.host.Compile(p)
}

// Every program is checked in one part of the suite.
func TestParts(t *testing.T) {
	count := func(part Part) (n int) {
		RunPart(t, func() device.Device { return &counting{programs: &n} }, part, "scan", "layout")
		return n
	}
	all, sum := count(Part{}), 0
	for i := range 3 {
		n := count(Part{Index: i, Of: 3})
		if n < all/3 || n > all/3+1 {
			t.Errorf("part %d has %d of %d programs", i, n, all)
		}
		sum += n
	}
	if sum != all {
		t.Errorf("three parts have %d of %d programs", sum, all)
	}
}
