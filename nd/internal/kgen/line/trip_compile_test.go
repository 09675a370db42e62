package line

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// few is how many bytes of a thread that holds two lines, which is some 300 of
// numbers, may be elsewhere.
const few = 24

// The kernels of long convolutions keep their numbers in registers.
func TestRoundTripsDoNotSpill(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles long kernels")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	for _, c := range []struct{ batch, channels, l, n int }{{16, 768, 16384, 32768}, {4, 768, 65536, 131072}, {1, 64, 1 << 20, 1 << 20}} {
		m, err := Generate(convolution(c.batch, c.channels, c.l, c.n), h200)
		if err != nil {
			t.Fatal(err)
		}
		_, log, err := nvrtc.Compile("trip", textOf(m), append(driver.Options(90), "--ptxas-options=-v")...)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(log) {
			var frame, spilled int
			if _, err := fmt.Sscanf(strings.TrimLeft(line, "ptxas ."), "%d bytes stack frame, %d bytes spill stores", &frame, &spilled); err == nil && spilled > few {
				t.Errorf("%d of %d: %s", c.l, c.n, line)
			}
			if strings.Contains(line, "registers") || strings.Contains(line, "Compiling") {
				t.Logf("%d of %d: %s", c.l, c.n, strings.TrimSpace(line))
			}
		}
		for _, s := range m.Steps {
			t.Logf("%s: %d threads, %d groups, %d bytes", m.Kernels[s.Kernel].Name, s.Threads, s.Groups, m.Kernels[s.Kernel].Pool)
		}
	}
}
