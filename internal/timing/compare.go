package timing

import (
	"context"
	"math"
	"time"
)

// Contender is one implementation of the work that is compared.
type Contender struct {
	Name string
	// Run does the work reps times. A loop inside Run keeps the cost of
	// calling it out of short measurements.
	Run func(reps int)
}

// Options say how long to measure. The zero value is useful.
type Options struct {
	Rounds int           // turns each contender gets; 0 means 15
	Slice  time.Duration // time one turn should take; 0 means 2 ms
}

func (o Options) withDefaults() Options {
	if o.Rounds <= 0 {
		o.Rounds = 15
	}
	if o.Slice <= 0 {
		o.Slice = 2 * time.Millisecond
	}
	return o
}

// Compare runs the contenders in turns and returns, in their order, the
// nanoseconds one repetition took in the best round of each. It stops early,
// with the context's error, when the context ends between two turns.
func Compare(ctx context.Context, o Options, contenders ...Contender) ([]float64, error) {
	o = o.withDefaults()
	reps := make([]int, len(contenders))
	best := make([]float64, len(contenders))
	for i, c := range contenders {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		reps[i] = calibrate(c.Run, o.Slice)
		best[i] = math.Inf(1)
	}
	for round := range o.Rounds {
		for turn := range contenders {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			// Rotating the order spreads what one contender leaves behind in
			// the caches over all the others.
			i := (turn + round) % len(contenders)
			elapsed := measure(contenders[i].Run, reps[i])
			best[i] = min(best[i], float64(elapsed.Nanoseconds())/float64(reps[i]))
		}
	}
	return best, nil
}

// calibrate finds how many repetitions fill a slice. The runs it makes also
// warm up caches and branch predictors.
func calibrate(run func(reps int), slice time.Duration) int {
	const most = 1 << 30
	for reps := 1; ; {
		elapsed := measure(run, reps)
		if elapsed >= slice || reps >= most {
			return reps
		}
		// Aim at the slice, but never grow more than tenfold from one
		// possibly misleading measurement.
		grown := 10 * reps
		if elapsed > 0 {
			grown = min(grown, int(1.2*float64(reps)*float64(slice)/float64(elapsed))+1)
		}
		reps = min(max(grown, reps+1), most)
	}
}

func measure(run func(reps int), reps int) time.Duration {
	start := time.Now()
	run(reps)
	return time.Since(start)
}

// Ratio is the peer's time over ours: above 1, we are faster. It is 0 when
// either time is missing.
func Ratio(ours, peer float64) float64 {
	if ours <= 0 || peer <= 0 || math.IsInf(ours, 0) || math.IsInf(peer, 0) {
		return 0
	}
	return peer / ours
}
