package nd

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// faultVar makes TestRandomGraphs run on a processor with a fault.
const faultVar = "TWIDDLE_TEST_FAULT"

// plantFault makes the processor of this process one that computes fused
// operations wrongly. No device is open yet.
func plantFault() {
	e := sched.NewEngine()
	e.Register("cpu", func() (device.Device, error) { return miscompiling{cpu.Open(cpu.Options{})}, nil })
	e.Register("null", func() (device.Device, error) { return null.New(null.Options{}), nil })
	engine = e
}

// Millions of graphs without a finding mean something only if a fault is found,
// counted, and its seed finds it again.
func TestRandomGraphsFindAPlantedFault(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: starts processes")
	}
	run := func(fault string, flags ...string) (string, error) {
		cmd := exec.Command(os.Args[0], append([]string{"-test.run=^TestRandomGraphs$"}, flags...)...)
		cmd.Env = append(os.Environ(), faultVar+"="+fault)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := run("", "-graphs", "500")
	if err != nil || !strings.Contains(out, "random graphs: 500 evaluated, 0 failed, seeds 0 to 499") {
		t.Fatalf("without a fault: %v\n%s", err, out)
	}
	out, err = run("fused", "-graphs", "500")
	again := regexp.MustCompile(`again: -run TestRandomGraphs -first-graph (\d+) -graphs 1`).FindStringSubmatch(out)
	if err == nil || again == nil || strings.Contains(out, " 0 failed") {
		t.Fatalf("500 graphs do not find the fault: %v\n%s", err, out)
	}
	if out, err = run("fused", "-graphs", "1", "-first-graph", again[1]); err == nil || !strings.Contains(out, "random graphs: 1 evaluated, 1 failed") {
		t.Errorf("seed %s does not find it again: %v\n%s", again[1], err, out)
	}
}
