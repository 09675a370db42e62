package nd

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
)

// graphing is a CPU that takes several launches at once, and counts.
type graphing struct {
	device.Device
	refuse             atomic.Bool
	made, freed, calls atomic.Int64
	moved              atomic.Int64 // buffers other than in the call before
}

func (d *graphing) NewGraph(launches []device.Launch) (device.Graph, error) {
	if d.refuse.Load() {
		return nil, device.ErrUnsupported
	}
	d.made.Add(1)
	return &countedGraph{dev: d, buffers: buffersOf(launches)}, nil
}

type countedGraph struct {
	dev     *graphing
	buffers []device.Buffer
}

func buffersOf(launches []device.Launch) (all []device.Buffer) {
	for _, l := range launches {
		all = append(append(all, l.Reads...), l.Writes...)
	}
	return all
}

func (g *countedGraph) Launch(q device.Queue, launches []device.Launch) {
	g.dev.calls.Add(1)
	now := buffersOf(launches)
	for i, b := range now {
		if b != g.buffers[i] {
			g.dev.moved.Add(1)
		}
	}
	g.buffers = now
	for _, l := range launches {
		q.Launch(l)
	}
}

func (g *countedGraph) Free() { g.dev.freed.Add(1) }

// openGraphing registers another device of the kind.
func openGraphing(t *testing.T) (*graphing, *Device) {
	t.Helper()
	dev := &graphing{Device: cpu.Open(cpu.Options{Workers: 1})}
	d, err := engine.Open(engine.Register("graphing", func() (device.Device, error) { return tuned(dev), nil }))
	if err != nil {
		t.Fatal(err)
	}
	return dev, &Device{d}
}

// several is a function that no device computes by one launch.
func several(in ...*Array) []*Array {
	x := in[0]
	for range 3 {
		x = x.Sort(-1).AddScalar(1)
		x = x.Mul(x.Sum(-1).ExpandDims(-1)).DivScalar(100)
	}
	return []*Array{x, x.Max(-1)}
}

func mustSlice(t *testing.T, a *Array) []float32 {
	t.Helper()
	v, err := Slice[float32](context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A compiled function whose launches are submitted together gives the same numbers,
// for inputs that change from call to call, and moves no intermediate result.
func TestCompiledAsGraph(t *testing.T) {
	ctx := context.Background()
	dev, d := openGraphing(t)
	defer d.Close()
	c := Compile(several)
	var kept []*Array
	var want [][]float32
	for turn := range 6 {
		x := Normal(Key(turn), Float32, 4, 33).On(d.Stream())
		out, err := c.Call(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, out...)
		for _, a := range several(Normal(Key(turn), Float32, 4, 33).On(d.Stream())) {
			want = append(want, mustSlice(t, a))
		}
	}
	for i := range kept { // later calls left the results of earlier ones alone
		if got := mustSlice(t, kept[i]); !slices.Equal(got, want[i]) {
			t.Errorf("result %d: %v and not %v", i, got, want[i])
		}
	}
	if dev.made.Load() != 1 || dev.calls.Load() < 3 {
		t.Errorf("%d graphs, %d launches of them", dev.made.Load(), dev.calls.Load())
	}
	// Every call has another input and two other results, each read or written by
	// few of the launches.
	x := Normal(9, Float32, 4, 33).On(d.Stream())
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		before := dev.moved.Load()
		out, err := c.Call(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range out {
			a.Release()
		}
		if n := dev.moved.Load() - before; n > 5 {
			t.Errorf("%d operands moved from one call to the next", n)
		}
	}
	held := d.Memory().Active
	d.Trim()
	if dev.freed.Load() != 1 || d.Memory().Active >= held {
		t.Errorf("Trim: %d graphs freed, %d bytes of %d held", dev.freed.Load(), d.Memory().Active, held)
	}
	if out, err := c.Call(ctx, x); err != nil || !slices.Equal(mustSlice(t, out[0]), mustSlice(t, several(x)[0])) || dev.made.Load() != 2 {
		t.Errorf("after Trim: %v, %d graphs", err, dev.made.Load())
	}
}

// What several goroutines call at once is called one after the other.
func TestCompiledGraphFromManyGoroutines(t *testing.T) {
	ctx := context.Background()
	dev, d := openGraphing(t)
	defer d.Close()
	c := Compile(several)
	var wg sync.WaitGroup
	for g := range 4 {
		x := Normal(Key(g), Float32, 4, 33).On(d.Stream())
		want := mustSlice(t, several(x)[0])
		wg.Go(func() {
			for range 25 {
				out, err := c.Call(ctx, x)
				if err != nil {
					t.Error(err)
					return
				}
				if got := mustSlice(t, out[0]); !slices.Equal(got, want) {
					t.Errorf("goroutine %d: %v and not %v", g, got, want)
				}
				out[0].Release()
			}
		})
	}
	wg.Wait()
	if dev.made.Load() != 1 || dev.calls.Load() < 90 {
		t.Errorf("%d graphs, %d launches of them", dev.made.Load(), dev.calls.Load())
	}
}

// Where a device refuses, where memory is short, and where someone looks on,
// launches are made one by one.
func TestCompiledWithoutGraph(t *testing.T) {
	ctx := context.Background()
	dev, d := openGraphing(t)
	defer d.Close()
	call := func(c *Compiled, turns int) {
		t.Helper()
		for turn := range turns {
			x := Normal(Key(turn), Float32, 64, 100).On(d.Stream())
			out, err := c.Call(ctx, x)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(mustSlice(t, out[0]), mustSlice(t, several(Normal(Key(turn), Float32, 64, 100).On(d.Stream()))[0])) {
				t.Errorf("turn %d: wrong numbers", turn)
			}
		}
	}
	dev.refuse.Store(true)
	call(Compile(several), 5)
	dev.refuse.Store(false)
	if dev.calls.Load() != 0 {
		t.Errorf("%d launches of graphs that were refused", dev.calls.Load())
	}
	short := Compile(several)
	d.SetMemoryLimit(1 << 20) // of which graphs get little
	call(short, 5)
	d.SetMemoryLimit(0)
	if dev.calls.Load() != 0 {
		t.Errorf("%d launches of graphs that were too large", dev.calls.Load())
	}
	call(Compile(several), 5)
	if dev.calls.Load() == 0 {
		t.Error("no graph where one pays")
	}
	// An evaluation that finds no memory gets that of graphs.
	before := dev.freed.Load()
	d.SetMemoryLimit(d.Memory().Active + d.Memory().Cached + 1<<20)
	if err := Eval(ctx, Normal(1, Float32, 270, 1000).On(d.Stream()).Sort(-1)); err != nil {
		t.Log(err) // whether it fits then is not what this is about
	}
	if dev.freed.Load() == before {
		t.Error("graphs keep their memory where there is none")
	}
}

// A state that is given away moves from call to call, and its memory with it.
func TestCompiledGraphDonates(t *testing.T) {
	ctx := context.Background()
	dev, d := openGraphing(t)
	defer d.Close()
	step := Compile(func(in ...*Array) []*Array {
		sorted := in[0].Sort(-1)
		return []*Array{in[0].Add(sorted.Sum(-1).ExpandDims(-1)).Sub(sorted.Mean(-1).ExpandDims(-1).MulScalar(8))}
	})
	state := Ones(Float32, 2, 8).On(d.Stream())
	for turn := range 6 {
		out, err := step.Call(ctx, state.Donate())
		if err != nil {
			t.Fatal(err)
		}
		state = out[0]
		if got := mustSlice(t, state); got[3] != 1 {
			t.Fatalf("turn %d: %v", turn, got)
		}
	}
	if dev.calls.Load() == 0 {
		t.Error("no graph was launched")
	}
}
