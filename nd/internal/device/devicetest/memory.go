package devicetest

import (
	"errors"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func testMemory(s *suite) {
	s.sub("out of memory", func(s *suite) {
		const asked = min(1<<60, math.MaxInt)
		b, err := s.dev.Alloc(asked)
		var oom *device.OutOfMemoryError
		if !errors.As(err, &oom) || b != nil {
			s.Fatalf("alloc of %d bytes: %v, %v, want an *OutOfMemoryError", asked, b, err)
		}
		if oom.Asked != asked || oom.Device == "" {
			s.Errorf("%+v does not say what was asked of whom", oom)
		}
		k, x := s.increment(), s.floats(1)
		step(s.q, k, x, x)
		s.expect("after running out", x, 2)
	})
	s.sub("nothing", func(s *suite) {
		b := s.alloc(nil)
		if got, err := s.read(b); err != nil || len(got) != 0 {
			s.Errorf("read of an empty buffer: %v, %v", got, err)
		}
		s.dev.Free(b)
	})
	s.sub("freed memory comes back", func(s *suite) {
		total := s.dev.Info().MemoryBytes
		if total == 0 {
			s.Skip("the device does not say how much memory it has")
		}
		for range 12 {
			b, err := s.dev.Alloc(total / 4)
			if err != nil {
				s.Fatalf("alloc of a quarter of memory, freed in between: %v", err)
			}
			s.dev.Free(b)
		}
	})
}

// testClose checks that a closed device says so.
func testClose(s *suite) {
	k, x := s.increment(), s.floats(0)
	for range 50 {
		step(s.q, k, x, x)
	}
	e := s.q.Record()
	if err := s.dev.Close(); err != nil {
		s.Fatal(err)
	}
	if !e.Happened() {
		s.Error("close did not wait for queued work")
	}
	if _, err := s.dev.Alloc(64); !errors.Is(err, device.ErrClosed) {
		s.Errorf("alloc: %v, want ErrClosed", err)
	}
	if _, err := s.dev.NewQueue(); !errors.Is(err, device.ErrClosed) {
		s.Errorf("new queue: %v, want ErrClosed", err)
	}
	p := apply(scalar.Neg, elem.Float32, []int{8}, elem.Float32)
	if _, err := s.dev.Compile(p); !errors.Is(err, device.ErrClosed) {
		s.Errorf("compile: %v, want ErrClosed", err)
	}
	step(s.q, k, x, x)
	if _, err := s.read(x); !errors.Is(err, device.ErrClosed) {
		s.Errorf("read: %v, want ErrClosed", err)
	}
	if err := s.dev.Close(); err != nil {
		s.Errorf("closing twice: %v", err)
	}
}
