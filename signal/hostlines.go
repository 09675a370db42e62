package signal

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd"
)

// samples is lines of an array on the host, of n samples each.
type samples struct {
	single   []float32 // if the array had these
	double   []float64
	n, count int
}

// line is one of them; wide is room for n samples.
func (s samples) line(i int, wide []float64) []float64 {
	if s.single == nil {
		return s.double[i*s.n : (i+1)*s.n]
	}
	for j, v := range s.single[i*s.n : (i+1)*s.n] {
		wide[j] = float64(v)
	}
	return wide
}

// hostLines is the samples of an array along an axis.
func hostLines(ctx context.Context, op string, x *nd.Array, axis nd.AxisChoice) (samples, error) {
	l, bad := along(op, x, axis, false)
	if bad != nil {
		return samples{}, bad.Err()
	}
	s := samples{n: l.Dim(-1), count: l.Len() / l.Dim(-1)}
	var err error
	if x.DType() == nd.Float64 {
		s.double = doubles.take(l.Len())
		err = nd.Read(ctx, s.double, l.Array)
	} else {
		s.single = singles.take(l.Len())
		err = nd.Read(ctx, s.single, l.Array)
	}
	if err != nil {
		s.release()
	}
	return s, err
}

// release gives the room back; nothing found may point into it.
func (s samples) release() {
	if s.double != nil {
		doubles.give(s.double)
	}
	if s.single != nil {
		singles.give(s.single)
	}
}

// rooms are slices for the samples of lines, used again: memory that is new to
// the process costs more than copying to it.
type rooms[T any] struct{ pool sync.Pool }

var (
	doubles rooms[float64]
	singles rooms[float32]
)

func (r *rooms[T]) take(n int) []T {
	if v, ok := r.pool.Get().(*[]T); ok && cap(*v) >= n {
		return (*v)[:n]
	}
	return make([]T, n)
}

func (r *rooms[T]) give(v []T) { r.pool.Put(&v) }

// eachLine handles lines 0 to n-1 on all processors, each by what worker gives
// to it.
func eachLine(n int, worker func() func(int)) {
	// Lines are handed out in runs, so that short ones are worth it.
	const run = 16
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+run-1)/run) {
		all.Go(func() {
			f := worker()
			for {
				end := int(next.Add(run))
				if end-run >= n {
					return
				}
				for i := end - run; i < min(end, n); i++ {
					f(i)
				}
			}
		})
	}
	all.Wait()
}
