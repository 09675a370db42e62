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

// line is one of them; wide makes float64 of float32.
func (s samples) line(i int, wide func([]float32) []float64) []float64 {
	if s.single == nil {
		return s.double[i*s.n : (i+1)*s.n]
	}
	return wide(s.single[i*s.n : (i+1)*s.n])
}

// lookAtLines calls look with the samples of an array along an axis, which are there
// until it returns.
func lookAtLines(ctx context.Context, op string, x *nd.Array, axis nd.AxisChoice, look func(samples) error) error {
	l, bad := along(op, x, axis, false)
	if bad != nil {
		return bad.Err()
	}
	s := samples{n: l.Dim(-1), count: l.Len() / l.Dim(-1)}
	if x.DType() == nd.Float64 {
		return nd.Look(ctx, l.Array, func(v []float64) error {
			s.double = v
			return look(s)
		})
	}
	return nd.Look(ctx, l.Array, func(v []float32) error {
		s.single = v
		return look(s)
	})
}

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
