//go:build !race

package cpu

import (
	"context"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The race detector allocates by itself.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	d := open(t, Options{})
	q := queueOf(t, d)
	b := newBuffer(t, d, 400)
	l := device.Launch{Kernel: addOne(t, d, 100), Reads: []device.Buffer{b}, Writes: []device.Buffer{b}, Args: []scalar.Arg{{1}}}
	ctx := context.Background()
	if n := testing.AllocsPerRun(1000, func() {
		q.Launch(l)
		q.Launch(l)
		_ = q.Record().Wait(ctx)
	}); n != 0 {
		t.Errorf("%v allocations per round", n)
	}
}
