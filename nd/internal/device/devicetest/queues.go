package devicetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

func (s *suite) queue() device.Queue {
	s.Helper()
	q, err := s.dev.NewQueue()
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		if err := q.Close(); err != nil {
			s.Errorf("close: %v", err)
		}
	})
	return q
}

// readOn reads a buffer through any queue.
func (s *suite) readOn(q device.Queue, b device.Buffer) ([]float32, error) {
	out := make([]float32, b.Bytes()/4)
	return out, q.Read(s.deadline(), elem.Bytes(out), b)
}

// alternate makes steps on two queues, each after the other's.
func alternate(a, b device.Queue, k device.Kernel, x device.Buffer, turns int) {
	for range turns {
		step(a, k, x, x)
		b.Wait(a.Record())
		step(b, k, x, x)
		a.Wait(b.Record())
	}
}

func testQueues(s *suite) {
	k := s.increment()
	s.sub("in order", func(s *suite) {
		x := s.floats(0)
		for range 1000 {
			step(s.q, k, x, x)
		}
		s.expect("after 1000 steps", x, 1000)
	})
	s.sub("fences", func(s *suite) {
		a, b := s.queue(), s.queue()
		x := s.floats(0)
		a.Wait(s.q.Record())
		alternate(a, b, k, x, 500)
		got, err := s.readOn(a, x)
		if err != nil || got[0] != 1000 || got[7] != 1000 {
			s.Errorf("1000 steps on alternating queues: %v, %v", got, err)
		}
	})
	s.sub("fan in", func(s *suite) {
		a, b := s.queue(), s.queue()
		x, y := s.floats(0), s.floats(10)
		a.Wait(s.q.Record())
		b.Wait(s.q.Record())
		for range 50 {
			step(a, k, x, x)
			step(b, k, y, y)
		}
		s.q.Wait(a.Record())
		s.q.Wait(b.Record())
		step(s.q, k, x, x)
		step(s.q, k, y, y)
		s.expect("first", x, 51)
		s.expect("second", y, 61)
	})
	s.sub("waiting from both ends", func(s *suite) {
		a, b := s.queue(), s.queue()
		x := s.floats(0)
		a.Wait(s.q.Record())
		alternate(a, b, k, x, 100)
		var done sync.WaitGroup
		for _, e := range []device.Event{a.Record(), b.Record(), a.Record()} {
			done.Go(func() {
				if err := e.Wait(s.deadline()); err != nil {
					s.Errorf("wait: %v", err)
				}
			})
		}
		done.Wait()
	})
	s.sub("flush", func(s *suite) {
		x := s.floats(0)
		step(s.q, k, x, x)
		e := s.q.Record()
		s.q.Flush()
		for start := time.Now(); !e.Happened(); time.Sleep(time.Millisecond) {
			if time.Since(start) > patience {
				s.Fatal("flushed work does not run by itself")
			}
		}
	})
	s.sub("then", testThen)
	s.sub("own and past events", func(s *suite) {
		x := s.floats(0)
		e := s.q.Record()
		if err := e.Wait(s.deadline()); err != nil {
			s.Fatal(err)
		}
		s.q.Wait(e)
		step(s.q, k, x, x)
		s.q.Wait(s.q.Record())
		step(s.q, k, x, x)
		s.expect("after waiting for itself", x, 2)
	})
	s.sub("many goroutines", testConcurrent)
	s.sub("write copies", func(s *suite) {
		x := s.floats(0)
		for range 20 {
			step(s.q, k, x, x) // so that the write is not first in the queue
		}
		src := []float32{7, 7, 7, 7, 7, 7, 7, 7}
		s.q.Write(x, elem.Bytes(src))
		clear(src)
		s.expect("source reused at once", x, 7)
	})
	s.sub("parts", func(s *suite) {
		x := s.floats(1)
		s.q.Write(x, elem.Bytes([]float32{5, 6}))
		got := make([]float32, 3)
		if err := s.q.Read(s.deadline(), elem.Bytes(got), x); err != nil || got[0] != 5 || got[1] != 6 || got[2] != 1 {
			s.Errorf("the first three elements: %v, %v", got, err)
		}
	})
	s.sub("close finishes", func(s *suite) {
		q, err := s.dev.NewQueue()
		if err != nil {
			s.Fatal(err)
		}
		x := s.floats(0)
		q.Wait(s.q.Record())
		for range 100 {
			step(q, k, x, x)
		}
		e := q.Record()
		if err := q.Close(); err != nil {
			s.Fatal(err)
		}
		if !e.Happened() {
			s.Error("close did not wait for queued work")
		}
		s.expect("after close", x, 100)
	})
}

// testThen counts calls: one per registration, whenever it is made.
func testThen(s *suite) {
	k := s.increment()
	x := s.floats(0)
	step(s.q, k, x, x)
	e := s.q.Record()
	var calls atomic.Int32
	called := make(chan struct{}, 8)
	f := func() {
		calls.Add(1)
		called <- struct{}{}
	}
	e.Then(f)
	e.Then(f)
	s.q.Flush()
	if err := e.Wait(s.deadline()); err != nil {
		s.Fatal(err)
	}
	e.Then(f)
	for range 3 {
		select {
		case <-called:
		case <-time.After(patience):
			s.Fatalf("%d of 3 calls were made", calls.Load())
		}
	}
	if err := s.q.Record().Wait(s.deadline()); err != nil {
		s.Fatal(err)
	}
	if n := calls.Load(); n != 3 {
		s.Errorf("%d calls for 3 registrations", n)
	}
}

// testConcurrent has goroutines with queues of their own share the device.
func testConcurrent(s *suite) {
	k := s.increment()
	const goroutines, rounds = 8, 50
	errs := make(chan error, goroutines)
	for g := range goroutines {
		go func() {
			errs <- func() error {
				q, err := s.dev.NewQueue()
				if err != nil {
					return err
				}
				x, err := s.dev.Alloc(32)
				if err != nil {
					return err
				}
				data := make([]float32, 8)
				data[3] = float32(g)
				q.Write(x, elem.Bytes(data))
				for range rounds {
					step(q, k, x, x)
				}
				ctx, cancel := context.WithTimeout(context.Background(), patience)
				defer cancel()
				if err := q.Read(ctx, elem.Bytes(data), x); err != nil {
					return err
				}
				if data[3] != float32(g+rounds) || data[0] != rounds {
					return errors.New("a goroutine's numbers are wrong")
				}
				s.dev.Free(x)
				return q.Close()
			}()
		}()
	}
	for range goroutines {
		if err := <-errs; err != nil {
			s.Error(err)
		}
	}
}
