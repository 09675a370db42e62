package fft

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/internal/transform"
)

// MeasureOptions adjust Measure. The zero value is useful.
type MeasureOptions struct {
	// Wisdom, if not empty, is a file to look the length up in first, and to
	// add what was found to.
	Wisdom string
	// Candidates is how many recipes to try; 0 means 6.
	Candidates int
	// Time is about how long to measure each; 0 means 20 ms.
	Time time.Duration
}

// Measurement is what Measure found.
type Measurement struct {
	Recipe string // the fastest
	Tried  []Tried
}

// Tried is one recipe and the best time of a forward transform. There are
// none if the answer came from a wisdom file.
type Tried struct {
	Recipe      string
	Nanoseconds float64
}

// Measure times the most promising recipes for complex transforms of n elements and
// remembers the fastest for this process: plans made later use it. (A real transform of
// even n uses the complex one of n/2.) Without Measure a deterministic cost model chooses,
// mostly the same recipe.
func Measure[C Complex](n int, o ...MeasureOptions) (Measurement, error) {
	var options MeasureOptions
	switch len(o) {
	case 0:
	case 1:
		options = o[0]
	default:
		return Measurement{}, fmt.Errorf("fft: measure: %d MeasureOptions given, want at most one", len(o))
	}
	if err := checkLen("measure", n); err != nil {
		return Measurement{}, err
	}
	key := wisdomKeyOf[C](n, simd.Active())
	if options.Wisdom != "" {
		known, err := lookUp(options.Wisdom, key)
		if err != nil {
			return Measurement{}, fmt.Errorf("fft: measure: wisdom: %w", err)
		}
		if known != nil {
			remembered.add(map[wisdomKey]*recipe.Recipe{key: known})
			return Measurement{Recipe: known.String()}, nil
		}
	}
	found, best, err := race[C](n, options)
	if err != nil {
		return Measurement{}, err
	}
	remembered.add(map[wisdomKey]*recipe.Recipe{key: best})
	if options.Wisdom != "" {
		if err := saveWisdom(options.Wisdom, key, best); err != nil {
			return Measurement{}, fmt.Errorf("fft: measure: wisdom: %w", err)
		}
	}
	return found, nil
}

// lookUp is what a wisdom file says, nil if nothing or if there is no file.
func lookUp(file string, key wisdomKey) (*recipe.Recipe, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	recipes, err := readWisdom(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return recipes[key], nil
}

// race times candidates against each other.
func race[C Complex](n int, o MeasureOptions) (Measurement, *recipe.Recipe, error) {
	if o.Candidates <= 0 {
		o.Candidates = 6
	}
	if o.Time <= 0 {
		o.Time = 20 * time.Millisecond
	}
	target := transform.Target[C](simd.Active())
	candidates := recipe.Candidates(n, target, o.Candidates)
	if r := recipe.Alone(n, target); !slices.ContainsFunc(candidates, r.Equal) {
		candidates = append(candidates, r)
	}
	src, dst := make([]C, n), make([]C, n)
	for i := range src {
		// Any numbers do, as long as they are no zeros, no giants and no
		// denormals.
		src[i] = C(complex(0.5+float64(i%7)/16, 0.25-float64(i%5)/16))
	}
	var contenders []timing.Contender
	for _, r := range candidates {
		p, err := transform.New[C](r, simd.Active())
		if err != nil {
			return Measurement{}, nil, fmt.Errorf("fft: measure: %w", err)
		}
		scratch := make([]C, p.ScratchLen())
		contenders = append(contenders, timing.Contender{Name: r.String(), Run: func(reps int) {
			for range reps {
				p.Forward(dst, src, scratch)
			}
		}})
	}
	const rounds = 10
	ns, err := timing.Compare(context.Background(), timing.Options{Rounds: rounds, Slice: o.Time / rounds}, contenders...)
	if err != nil {
		return Measurement{}, nil, fmt.Errorf("fft: measure: %w", err)
	}
	found, best := Measurement{}, 0
	for i, c := range contenders {
		found.Tried = append(found.Tried, Tried{Recipe: c.Name, Nanoseconds: ns[i]})
		if ns[i] < ns[best] {
			best = i
		}
	}
	found.Recipe = contenders[best].Name
	return found, candidates[best], nil
}
