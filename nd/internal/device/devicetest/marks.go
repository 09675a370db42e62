package devicetest

import (
	"context"
	"errors"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// increment is a Map that adds 1 to every one of eight float32.
func (s *suite) increment() device.Kernel {
	s.Helper()
	dims := []int{8}
	var c code
	x := c.load(ir.Contiguous(elem.Float32, dims))
	c.apply(scalar.Add, elem.Float32, x, c.constant(elem.Float32, 0))
	return s.compile(&ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{ir.Contiguous(elem.Float32, dims)}, Value: []ir.ValueID{2}})
}

// failing labels the launch that fails.
var failing = device.Label{Op: "the failing one", From: &caller.Call{Op: "fail", Site: "marks.go:1"}}

var one = []scalar.Arg{scalar.ArgOf(elem.Float32, 1)}

// step launches y = x + 1.
func step(q device.Queue, k device.Kernel, x, y device.Buffer) {
	q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}, Args: one, Label: device.Label{Op: "step"}})
}

// fail launches a gather into y, of eight float32, with an index that does
// not exist.
func (s *suite) fail(q device.Queue, y device.Buffer, adds bool) {
	s.Helper()
	dims := []int{8}
	k := s.compile(&ir.Gather{
		Dims: dims, Data: ir.Operand{Type: elem.Float32, Strides: []int{0}}, Index: ir.Contiguous(elem.Int64, dims),
		Out: ir.Contiguous(elem.Float32, dims), AxisStride: 1, AxisLen: 8,
	})
	data, index := s.alloc(elem.Bytes(make([]float32, 8))), s.alloc(elem.Bytes([]int64{0, 1, 2, 3, 4, 5, 6, 99}))
	q.Wait(s.q.Record())
	q.Launch(device.Launch{
		Kernel: k, Reads: []device.Buffer{data, index}, Writes: []device.Buffer{y}, Adds: adds, Label: failing,
	})
}

// floats gives a buffer of eight float32.
func (s *suite) floats(v float32) device.Buffer {
	s.Helper()
	data := slices.Repeat([]float32{v}, 8)
	return s.alloc(elem.Bytes(data))
}

// expect reads eight float32 and compares them all with want.
func (s *suite) expect(name string, b device.Buffer, want float32) {
	s.Helper()
	got, err := s.read(b)
	if err != nil {
		s.Errorf("%s: %v", name, err)
		return
	}
	for i, v := range elem.Slice[float32](got) {
		if v != want {
			s.Errorf("%s: element %d is %v, want %v", name, i, v, want)
			return
		}
	}
}

// expectFailed reads a buffer that carries the mark of fail.
func (s *suite) expectFailed(name string, b device.Buffer) {
	s.Helper()
	_, err := s.read(b)
	var index *ir.IndexError
	var launch *device.LaunchError
	if !errors.As(err, &index) || index.Index != 99 {
		s.Errorf("%s: %v, want the *ir.IndexError of index 99", name, err)
	} else if !errors.As(err, &launch) || launch.Label != failing {
		s.Errorf("%s: %v does not name the launch that failed", name, err)
	}
	if b.Err() == nil {
		s.Errorf("%s: the buffer carries no mark", name)
	}
}

// testMarks checks that a failure reaches all that depends on it and nothing
// else.
func testMarks(s *suite) {
	k := s.increment()
	s.sub("dependents", func(s *suite) {
		good, bad := s.floats(1), s.floats(0)
		y, z, other := s.floats(0), s.floats(0), s.floats(0)
		s.fail(s.q, bad, false)
		step(s.q, k, bad, y)
		step(s.q, k, y, z)
		step(s.q, k, good, other)
		s.expectFailed("the result", bad)
		s.expectFailed("its dependent", y)
		s.expectFailed("its dependent's dependent", z)
		s.expect("an independent launch", other, 2)
	})
	s.sub("cleared by a good launch", func(s *suite) {
		good, b := s.floats(1), s.floats(0)
		s.fail(s.q, b, false)
		step(s.q, k, good, b)
		s.expect("overwritten", b, 2)
	})
	s.sub("cleared by a write", func(s *suite) {
		b := s.floats(0)
		s.fail(s.q, b, false)
		s.q.Write(b, elem.Bytes([]float32{3, 3, 3, 3, 3, 3, 3, 3}))
		s.expect("overwritten", b, 3)
	})
	s.sub("kept when adding", func(s *suite) {
		good, b := s.floats(1), s.floats(0)
		s.fail(s.q, b, false)
		s.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{good}, Writes: []device.Buffer{b}, Args: one, Adds: true})
		s.expectFailed("added to", b)
	})
	s.sub("left by adding", func(s *suite) {
		good, b := s.floats(1), s.floats(0)
		step(s.q, k, good, b)
		s.fail(s.q, b, true)
		s.expectFailed("added to", b)
	})
	s.sub("on every output", func(s *suite) {
		dims := []int{8}
		var c code
		v := c.load(ir.Contiguous(elem.Float32, dims))
		o := ir.Contiguous(elem.Float32, dims)
		two := s.compile(&ir.Map{Dims: dims, Code: c.Code, Out: []ir.Operand{o, o}, Value: []ir.ValueID{v, v}})
		bad, y, z := s.floats(0), s.floats(0), s.floats(0)
		s.fail(s.q, bad, false)
		s.q.Launch(device.Launch{Kernel: two, Reads: []device.Buffer{bad}, Writes: []device.Buffer{y, z}})
		s.expectFailed("first output", y)
		s.expectFailed("second output", z)
	})
	s.sub("across queues", func(s *suite) {
		other := s.queue()
		bad, y := s.floats(0), s.floats(0)
		s.fail(other, bad, false)
		e := other.Record()
		s.q.Wait(e)
		step(s.q, k, bad, y)
		s.expectFailed("dependent on another queue", y)
		if err := e.Wait(s.deadline()); err != nil || !e.Happened() {
			s.Errorf("the event after a failure: %v, happened %t", err, e.Happened())
		}
	})
}

// testCancel checks that a done context stops launches, and only those.
func testCancel(s *suite) {
	k := s.increment()
	cause := errors.New("enough")
	cancelled, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	expired, stop := context.WithTimeout(context.Background(), 0)
	defer stop()
	for _, c := range []struct {
		name string
		ctx  context.Context
		want error
	}{
		{"cancelled", cancelled, cause},
		{"expired", expired, context.DeadlineExceeded},
	} {
		s.sub(c.name, func(s *suite) {
			x, y, z := s.floats(1), s.floats(0), s.floats(0)
			s.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}, Args: one, Context: c.ctx})
			step(s.q, k, x, z)
			_, err := s.read(y)
			var mark *device.Cancelled
			if !errors.As(err, &mark) || !errors.Is(err, c.want) {
				s.Errorf("launch under a done context: %v, want a *device.Cancelled of %v", err, c.want)
			}
			s.expect("the next launch", z, 2)

			// A result that is there already may be handed out all the same.
			step(s.q, k, z, y)
			got := make([]byte, y.Bytes())
			if err := s.q.Read(c.ctx, got, y); err != nil && !errors.Is(err, c.want) {
				s.Errorf("read under a done context: %v", err)
			}
			step(s.q, k, z, y)
			if err := s.q.Record().Wait(c.ctx); err != nil && !errors.Is(err, c.want) {
				s.Errorf("wait under a done context: %v", err)
			}
			s.expect("after giving up waiting", y, 3)
		})
	}
	s.sub("live", func(s *suite) {
		x := s.floats(1)
		s.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{x}, Args: one, Context: s.deadline()})
		s.expect("under a live context", x, 2)
	})
}
