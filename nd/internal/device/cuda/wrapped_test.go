package cuda

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// wrapped is a GPU that others know only through another device.
type wrapped struct{ device.Device }

func (w wrapped) Unwrap() device.Device { return w.Device }

// What is made by a wrapper is pinned, and becomes a graph, by the GPU behind it.
func TestWrapped(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	var outer device.Device = wrapped{d}
	pinner, pins := device.As[device.Pinner](outer)
	grapher, graphs := device.As[device.Grapher](outer)
	if !pins || !graphs {
		t.Fatalf("pinner %t, grapher %t", pins, graphs)
	}
	q, err := outer.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	mem := numbered(4096)
	want := slices.Clone(mem)
	if err := pinner.Pin(mem); err != nil {
		t.Fatal(err)
	}
	x, err := outer.Alloc(len(mem))
	if err != nil {
		t.Fatal(err)
	}
	q.Write(x, mem)
	clear(mem)
	if err := q.Read(context.Background(), mem, x); err != nil || !slices.Equal(mem, want) || s.pins.direct.Load() != int64(2*len(mem)) {
		t.Errorf("%v, %d of %d bytes were copied directly", err, s.pins.direct.Load(), 2*len(mem))
	}

	b := newBench(t, d)
	buffers, launches := b.chain(1, 1, 2) // one kernel is enough
	if launches[0].Kernel, err = outer.Compile(addProgram(2)); err != nil {
		t.Fatal(err)
	}
	g, err := grapher.NewGraph(launches)
	if err != nil {
		t.Fatal(err)
	}
	g.Launch(b.q, launches)
	if got, err := b.read(buffers[1]); err != nil || fmt.Sprint(got) != "[2 3]" || s.graphs.launches.Load() != 1 {
		t.Errorf("%v, %v, %d graphs", got, err, s.graphs.launches.Load())
	}
}
