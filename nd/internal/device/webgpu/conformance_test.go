package webgpu

import (
	"fmt"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
)

// Every adapter of the machine is held to the whole suite, or with TWIDDLE_TEST_PART=1/8 to
// every eighth of its programs from the second on. .ci/run installs two that are software.
func TestConformance(t *testing.T) {
	list, err := adapters()
	if err != nil {
		t.Skip(err)
	}
	part := partOfSuite(t)
	for i, a := range list {
		t.Run(a.Name, func(t *testing.T) {
			devicetest.RunPart(t, func() device.Device {
				d, err := Open(i)
				if err != nil {
					t.Skip(err)
				}
				return d
			}, part, devicetest.Groups()...)
		})
	}
}

// partOfSuite is the part that TWIDDLE_TEST_PART asks for, or all of the suite.
func partOfSuite(t *testing.T) (part devicetest.Part) {
	s := os.Getenv("TWIDDLE_TEST_PART")
	if s == "" {
		return part
	}
	if n, err := fmt.Sscanf(s, "%d/%d", &part.Index, &part.Of); n < 2 || part.Index < 0 || part.Index >= part.Of {
		t.Fatalf("TWIDDLE_TEST_PART=%s: want a part, from 0, and how many there are: 1/8 (%v)", s, err)
	}
	return part
}
