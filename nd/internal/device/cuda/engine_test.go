package cuda

import (
	"context"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	nodes "github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// wrapped is a device that the engine gets to know through another one.
type wrapped struct{ device.Device }

func (w wrapped) Unwrap() device.Device { return w.Device }

// engineOnSim is an engine whose device is a wrapped GPU on a simulated driver.
func engineOnSim(t *testing.T) (*sched.Engine, *sched.Device, *sim) {
	t.Helper()
	gpu, s := openSim(t)
	e := sched.NewEngine()
	d, err := e.Open(e.Register("cuda:0", func() (device.Device, error) { return wrapped{gpu}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return e, d, s
}

// dataOn is a node of the device that has the given elements.
func dataOn(t *testing.T, e *sched.Engine, d *sched.Device, host []byte) *nodes.Node {
	t.Helper()
	n, err := nodes.NewData(nodes.Place{Device: d.Index()}, elem.Float32, []int{len(host) / 4})
	if err == nil {
		err = e.Upload(context.Background(), n, host)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The GPU itself copies from and to memory that the engine pinned.
func TestEnginePins(t *testing.T) {
	e, d, s := engineOnSim(t)
	mem, err := d.Pinned(4 * 1000)
	if err != nil {
		t.Fatal(err)
	}
	want := numbered(len(mem))
	copy(mem, want)
	n := dataOn(t, e, d, mem)
	clear(mem)
	if err := e.Read(context.Background(), n, mem); err != nil || !slices.Equal(mem, want) {
		t.Errorf("copied wrongly: %v", err)
	}
	if direct := s.pins.direct.Load(); direct != int64(2*len(mem)) {
		t.Errorf("%d of %d bytes were copied directly", direct, 2*len(mem))
	}
}

// A recording becomes a graph of the driver, even where it is one launch.
func TestEngineGraphs(t *testing.T) {
	ctx := context.Background()
	e, d, s := engineOnSim(t)
	place := nodes.Place{Device: d.Index()}
	param, err := nodes.NewData(place, elem.Float32, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := nodes.NewMap(scalar.Add, param, param)
	if err != nil {
		t.Fatal(err)
	}
	var rec sched.Recorder
	const calls = 8
	for turn := range calls {
		x := dataOn(t, e, d, elem.Bytes([]float32{float32(turn), 2, 3}))
		if turn == 0 {
			if err := e.Record(ctx, &rec, sched.Function{Inputs: []*nodes.Node{x}, Params: []*nodes.Node{param}, Outputs: []*nodes.Node{sum}}); err != nil {
				t.Fatal(err)
			}
		}
		run, out, err := e.Recall(ctx, &rec, []*nodes.Node{x})
		if err == nil {
			err = run.Wait(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, 3)
		if err := e.Read(ctx, out[0], elem.Bytes(got)); err != nil || !slices.Equal(got, []float32{2 * float32(turn), 4, 6}) {
			t.Errorf("turn %d: %v, %v", turn, got, err)
		}
	}
	if n := s.graphs.launches.Load(); n < calls/2 {
		t.Errorf("%d of %d calls were graphs", n, calls)
	}
}
