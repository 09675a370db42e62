package nd

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// Transforms of many awkward lengths: each kernel has megabytes of tables. What is
// kept of them is counted, bounded, and goes.
func TestCompiledKernelsAreBoundedByBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles transforms of large primes")
	}
	d := CPU()
	d.Trim()
	before := heap()
	most, compiled := 0, 0
	for i := range 60 {
		x := Ones(Complex64, 100003+2*i)
		if err := Eval(context.Background(), x.FFT().Sum()); err != nil {
			t.Fatal(err)
		}
		compiled = d.Memory().Compiled
		most = max(most, compiled)
	}
	if most > 64<<20 || most < 16<<20 {
		t.Errorf("kernels are said to take up to %d MiB: want some, below 64", most>>20)
	}
	// The estimate is one, but not a wild one.
	if held := heap() - before; held > 2*compiled+32<<20 {
		t.Errorf("the heap has grown by %d MiB, of which %d are accounted for", held>>20, compiled>>20)
	}
	d.Trim()
	if left := d.Memory().Compiled; left != 0 {
		t.Errorf("%d bytes are kept after Trim", left)
	}
	if held := heap() - before; held > 16<<20 {
		t.Errorf("%d MiB of heap are left after Trim", held>>20)
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// A program that opens a stream for every request does not keep their queues.
func TestClosedStreamsAreForgotten(t *testing.T) {
	d := CPU()
	open := func(n int) {
		for range n {
			s, err := d.NewStream() //twiddle:ignore TW010 many streams are the point
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	open(100)
	before := heap()
	open(5000)
	if per := (heap() - before) / 5000; per > 200 {
		t.Errorf("a closed stream keeps %d bytes", per)
	}
}

// A nil context, a nil function or one that panics is an error.
func TestNilAndPanickingArguments(t *testing.T) {
	var none context.Context
	x := From([]float32{1, 2, 3}).Neg()
	ctx := context.Background()
	panics := func(yield func(*Array, error) bool) { panic("the batches do") }
	for name, f := range map[string]func() error{
		"eval":     func() error { return Eval(none, x) },
		"slice":    func() error { _, err := Slice[float32](none, x); return err },
		"item":     func() error { _, err := Item[float32](none, x.Sum()); return err },
		"read":     func() error { return Read(none, make([]float32, 3), x) },
		"look":     func() error { return Look(none, x, func([]float32) error { return nil }) },
		"look nil": func() error { return Look[float32](ctx, x, nil) },
		"wait":     func() error { return Async(x).Wait(none) },
		"call":     func() error { _, err := Compile(nil).Call(ctx, x); return err },
		"call ctx": func() error {
			_, err := Compile(func(in ...*Array) []*Array { return in }).Call(none, x)
			return err
		},
		"then":     func() error { return CPU().Stream().Then(nil) },
		"prefetch": func() error { return firstError(Prefetch(nil, 2)) },
		"depth":    func() error { return firstError(Prefetch(panics, math.MaxInt)) },
		"batches":  func() error { return firstError(Prefetch(panics, 2)) },
		"too much": func() error {
			if CPU().Info().MemoryBytes == 0 {
				return errors.New("a GPU that is in the CPU's place here does not know")
			}
			_, err := Slice[float32](ctx, Zeros(Float32, math.MaxInt/4096))
			return err
		},
	} {
		if err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := Eval(none, x); !errors.Is(err, sched.ErrNilContext) {
		t.Errorf("eval: %v", err)
	}
	// Nobody could recover a panic on a goroutine of the engine's.
	done := make(chan struct{})
	if err := CPU().Stream().Then(func() { defer close(done); panic("the callback does") }); err != nil {
		t.Fatal(err)
	}
	<-done
	stop := Observe(func(Span) { panic("the observer does") })
	if err := Eval(ctx, From([]float32{4, 5}).Neg()); err != nil {
		t.Error(err)
	}
	stop()
}

func firstError(seq func(yield func(*Array, error) bool)) error {
	for _, err := range seq {
		if err != nil {
			return err
		}
	}
	return nil
}
