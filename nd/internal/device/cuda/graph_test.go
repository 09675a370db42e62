package cuda

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// addProgram adds a constant to n numbers.
func addProgram(n int) *ir.Map {
	dims := []int{n}
	o := ir.Contiguous(elem.Float32, dims)
	return &ir.Map{Dims: dims, Out: []ir.Operand{o}, Value: []ir.ValueID{2}, Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{
		{Kind: ir.Load, Type: elem.Float32}, {Kind: ir.Const, Type: elem.Float32},
		{Kind: ir.Apply, Op: scalar.Add, Type: elem.Float32, A: 0, B: 1}}}}
}

// chain is a line of buffers and the launches from each to the next, which add 1, 10,
// 100 and so on.
func (b *bench) chain(steps int, first ...float32) ([]device.Buffer, []device.Launch) {
	b.Helper()
	k := b.kernel(addProgram(len(first)))
	buffers := []device.Buffer{b.floats(first...)}
	var launches []device.Launch
	for i, v := 0, 1.0; i < steps; i, v = i+1, v*10 {
		buffers = append(buffers, b.floats(make([]float32, len(first))...))
		launches = append(launches, device.Launch{Kernel: k, Label: device.Label{Op: fmt.Sprint("step ", i)}, Args: []scalar.Arg{scalar.ArgOf(elem.Float32, complex(v, 0))}})
	}
	for i := range launches {
		launches[i].Reads, launches[i].Writes = buffers[i:i+1:i+1], buffers[i+1:i+2:i+2]
	}
	return buffers, launches
}

func (b *bench) graph(launches []device.Launch) device.Graph {
	b.Helper()
	g, err := b.dev.NewGraph(launches)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// A graph is submitted by one call, and told only of what is not as it was.
func TestGraph(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	buffers, launches := b.chain(5, 1, 2)
	g := b.graph(launches)
	step := func(name string, want string, updates int64) {
		t.Helper()
		before, launched := s.graphs.updates.Load(), s.graphs.launches.Load()
		g.Launch(b.q, launches)
		if got, err := b.read(buffers[5]); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, %v, want %s", name, got, err, want)
		}
		if n := s.graphs.updates.Load() - before; n != updates || s.graphs.launches.Load() != launched+1 {
			t.Errorf("%s: %d kernels were told of changes, want %d; %d launches", name, n, updates, s.graphs.launches.Load()-launched)
		}
	}
	step("as made", "[11112 11113]", 0)
	step("again", "[11112 11113]", 0)
	launches[0].Reads = []device.Buffer{b.floats(5, 6)}
	step("another input", "[11116 11117]", 1)
	launches[2].Args = []scalar.Arg{scalar.ArgOf(elem.Float32, 900)}
	step("another argument", "[11916 11917]", 1)
	buffers[5] = b.floats(0, 0)
	launches[4].Writes = buffers[5:]
	step("another result", "[11916 11917]", 1)
	// Launches that overtake nothing: the parameters of each are its own.
	for i := range 50 {
		launches[0].Args = []scalar.Arg{scalar.ArgOf(elem.Float32, complex(float64(i), 0))}
		g.Launch(b.q, launches)
	}
	if got, err := b.read(buffers[5]); err != nil || got[0] != 49+5+11910 {
		t.Errorf("the last of many: %v, %v", got, err)
	}
	for i := range launches {
		launches[i].Label.Op = "later"
	}
	g.Launch(b.q, launches)
	g.Free() // while it runs
	g.Free()
	g.Launch(b.q, launches)
	if got, err := b.read(buffers[5]); err != nil || got[0] != 49+5+11910 {
		t.Errorf("after Free: %v, %v", got, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.graphs.nodes); n != 0 {
		t.Errorf("%d graphs were not destroyed", n)
	}
}

// What fails, fails as it does launch by launch.
func TestGraphMarks(t *testing.T) {
	d, _ := openSim(t)
	defer d.Close()
	b := newBench(t, d)
	buffers, launches := b.chain(4, 1, 2)
	index, err := d.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	setIndex := func(v ...int64) { b.q.Write(index, elem.Bytes(v)) }
	two := []int{2}
	gather := b.kernel(&ir.Gather{Dims: two, Data: ir.Operand{Type: elem.Float32, Strides: []int{0}}, Index: ir.Contiguous(elem.Int64, two),
		Out: ir.Contiguous(elem.Float32, two), AxisStride: 1, AxisLen: 2})
	launches[1] = device.Launch{Kernel: gather, Label: device.Label{Op: "gather"}, Reads: []device.Buffer{buffers[1], index}, Writes: launches[1].Writes}
	setIndex(1, 0)
	g := b.graph(launches)
	good := func(name string) {
		t.Helper()
		g.Launch(b.q, launches)
		if got, err := b.read(buffers[4]); err != nil || fmt.Sprint(got) != "[1103 1102]" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	good("at first")
	setIndex(1, 7)
	g.Launch(b.q, launches)
	var bad *ir.IndexError
	var launch *device.LaunchError
	if _, err := b.read(buffers[4]); !errors.As(err, &bad) || bad.Index != 7 || !errors.As(err, &launch) || launch.Label.Op != "gather" {
		t.Errorf("a bad index: %v", err)
	}
	if _, err := b.read(buffers[1]); err != nil {
		t.Errorf("what comes before it: %v", err)
	}
	setIndex(1, 0)
	good("after a bad index")

	ctx, cancel := context.WithCancel(context.Background())
	for i := range launches {
		launches[i].Context = ctx
	}
	good("before it is cancelled")
	cancel()
	g.Launch(b.q, launches)
	var cancelled *device.Cancelled
	if _, err := b.read(buffers[4]); !errors.As(err, &cancelled) {
		t.Errorf("cancelled: %v", err)
	}
	for i := range launches {
		launches[i].Context = nil
	}
	good("after it was cancelled")

	small := b.floats(1)
	launches[3].Writes = []device.Buffer{small}
	g.Launch(b.q, launches)
	if _, err := b.read(small); !errors.Is(err, device.ErrSize) {
		t.Errorf("a result too small: %v", err)
	}
}

func TestGraphIsRefused(t *testing.T) {
	d, s := openSim(t)
	b := newBench(t, d)
	_, launches := b.chain(4, 1)
	if _, err := d.NewGraph(nil); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("no launches: %v", err)
	}
	s.graphs.none = true
	if _, err := d.NewGraph(launches); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("an old driver: %v", err)
	}
	s.graphs.none = false
	g := b.graph(launches)
	b.graph(launches) // which Close frees
	s.fault()
	g.Launch(b.q, launches)
	var lost *LostError
	if _, err := b.read(launches[3].Writes[0]); !errors.As(err, &lost) {
		t.Errorf("lost: %v", err)
	}
	g.Free()
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := d.NewGraph(launches); !errors.Is(err, device.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	g.Free()
}
