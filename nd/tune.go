package nd

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/sched"
	"github.com/twiddle-go/twiddle/nd/internal/tuning"
)

// Tunable is a choice of a program's own, such as the tile of a kernel that it
// brings: a number that steers how something is computed, and not what.
type Tunable struct {
	// Key names it: small letters, digits and _. TWIDDLE_ and the name in capitals
	// is its environment variable.
	Key string
	// Candidates are the values to try. The first is used where there is no Run.
	Candidates []float64
	// Run does the work once with a value, and waits for it.
	Run func(ctx context.Context, v float64) error
	// Keep writes what won into the tuning file, for the next process.
	Keep bool
}

// Tune returns the value of a program's choice on a device: that of the environment, else
// that of the tuning file, else the fastest candidate, which is measured once per process.
// The rounds of the candidates alternate; a candidate that falls a quarter behind the
// best, or whose Run fails, is dropped. If all fail, Tune returns their errors.
//
//	tile, err := nd.Tune(ctx, dev, nd.Tunable{Key: "my_tile", Candidates: []float64{8, 16, 32},
//		Run: func(ctx context.Context, tile float64) error { return nd.Eval(ctx, blur(x, int(tile))) }})
func Tune(ctx context.Context, d *Device, t Tunable) (float64, error) {
	fail := func(err error) (float64, error) { return 0, fmt.Errorf("nd: tune: %w", err) }
	if ctx == nil {
		return fail(sched.ErrNilContext)
	}
	own, ok := ownOf(d)
	if !ok {
		return fail(errors.New("the device has no tuning"))
	}
	path := tuning.Path()
	if v, source, err := tuning.Own(own.chip(), t.Key, path); err != nil || source != "" {
		if err != nil {
			return fail(err)
		}
		own.note(TuningFigure{Key: t.Key, Value: v, Source: source})
		return v, nil
	}
	if len(t.Candidates) == 0 {
		return fail(fmt.Errorf("%s has no candidates", t.Key))
	}
	if v, ok := own.noted(t.Key); ok && slices.Contains(t.Candidates, v) {
		return v, nil
	}
	best, source := t.Candidates[0], "built in"
	if t.Run != nil && len(t.Candidates) > 1 {
		var err error
		if best, err = t.fastest(ctx); err != nil {
			return fail(fmt.Errorf("%s: %w", t.Key, err))
		}
		source = "measured"
		if t.Keep {
			if err := tuning.WriteOwn(path, own.chip(), t.Key, best); err != nil {
				return fail(err)
			}
		}
	}
	own.note(TuningFigure{Key: t.Key, Value: best, Source: source})
	return best, nil
}

// Bench and prune: turns of each candidate, and how far behind the best one may be
// to get another.
const (
	tuneTurns  = 5
	tuneBehind = 1.25
)

// fastest measures the candidates.
func (t Tunable) fastest(ctx context.Context) (float64, error) {
	var faults []error
	left := slices.Clone(t.Candidates)
	times := map[float64]time.Duration{}
	once := func(v float64) (time.Duration, error) {
		start := time.Now()
		err := t.Run(ctx, v)
		return time.Since(start), err
	}
	for turn := range tuneTurns + 1 {
		if len(left) < 2 && turn > 0 {
			break
		}
		left = slices.DeleteFunc(left, func(v float64) bool {
			took, err := once(v)
			if err != nil {
				faults = append(faults, fmt.Errorf("%g: %w", v, err))
				return true
			}
			if best, ok := times[v]; turn > 0 && (!ok || took < best) { // the first turn plans and compiles
				times[v] = took
			}
			return false
		})
		if err := ctx.Err(); err != nil {
			return 0, context.Cause(ctx)
		}
		best := time.Duration(math.MaxInt64)
		for _, v := range left {
			if took, ok := times[v]; ok {
				best = min(best, took)
			}
		}
		left = slices.DeleteFunc(left, func(v float64) bool {
			took, ok := times[v]
			return ok && float64(took) > tuneBehind*float64(best)
		})
	}
	if len(left) == 0 {
		return 0, errors.Join(faults...)
	}
	return slices.MinFunc(left, func(a, b float64) int { return int(times[a] - times[b]) }), nil
}

// ownOf is the device's tuning, which keeps programs' choices beside its own.
func ownOf(d *Device) (*tunedDevice, bool) {
	if d == nil {
		return nil, false
	}
	t, ok := d.d.Driver().(*tunedDevice)
	return t, ok
}

func (t *tunedDevice) chip() tuning.Chip { return tuning.ChipOf(t.info) }

// note keeps a choice, to be shown by Tuning.
func (t *tunedDevice) note(f TuningFigure) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.own == nil {
		t.own = map[string]TuningFigure{}
	}
	t.own[f.Key] = f
}

// noted is a choice that was measured before.
func (t *tunedDevice) noted(key string) (float64, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	f, ok := t.own[key]
	return f.Value, ok && f.Source == "measured"
}

// owns lists programs' choices, those of this process before those of the file.
func (t *tunedDevice) owns() []TuningFigure {
	var out []TuningFigure
	for _, f := range t.own {
		out = append(out, f)
	}
	for _, f := range tuning.OwnOf(t.chip(), t.tuning.File) {
		if _, ok := t.own[f.Key]; !ok {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b TuningFigure) int { return strings.Compare(a.Key, b.Key) })
	return out
}
