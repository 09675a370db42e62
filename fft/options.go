package fft

import (
	"fmt"
	"runtime"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Complex is an element of a complex transform.
type Complex interface{ complex64 | complex128 }

// Float is an element of a real transform.
type Float interface{ float32 | float64 }

// Norm says where the factor 1/n goes that makes Inverse undo Forward.
type Norm int

// The norms, named as NumPy and SciPy name them.
const (
	NormBackward Norm = iota // Inverse multiplies by 1/n
	NormOrtho                // both multiply by 1/sqrt(n)
	NormForward              // Forward multiplies by 1/n
)

var normNames = [...]string{NormBackward: "backward", NormOrtho: "ortho", NormForward: "forward"}

func (m Norm) valid() bool { return m >= 0 && int(m) < len(normNames) }

func (m Norm) String() string {
	if !m.valid() {
		return fmt.Sprintf("Norm(%d)", int(m))
	}
	return normNames[m]
}

// ParseNorm is the norm of that name: backward, ortho or forward.
func ParseNorm(name string) (Norm, error) {
	for m, s := range normNames {
		if s == name {
			return Norm(m), nil
		}
	}
	return 0, fmt.Errorf("fft: norm %q: want backward, ortho or forward", name)
}

// AllThreads, as Options.Threads, is as many as GOMAXPROCS allows.
const AllThreads = -1

// Options adjust a plan. The zero value is what most callers want.
type Options struct {
	Norm Norm
	// Threads is the number of goroutines that one call may use, for lengths and
	// batches large enough to gain from it. 0 means 1: a plan is safe to use
	// from many goroutines, and programs that do so keep all cores busy already.
	// More than GOMAXPROCS counts as GOMAXPROCS. Results have the same bits
	// whatever the number.
	Threads int
	// Recipe, if not empty, is the factorisation of the length, as Plan.Recipe
	// prints it. By default a cost model chooses, or the result of Measure.
	Recipe string

	// level is 1 more than the instruction set to use; 0 means the active
	// one. Tests compare all of them.
	level simd.Level
}

// one takes the only element of a variadic options argument.
func one(op string, o []Options) (Options, error) {
	var options Options
	switch len(o) {
	case 0:
	case 1:
		options = o[0]
	default:
		return Options{}, fmt.Errorf("fft: %s: %d Options given, want at most one", op, len(o))
	}
	if !options.Norm.valid() {
		return Options{}, fmt.Errorf("fft: %s: %v is not a norm: want NormBackward, NormOrtho or NormForward", op, options.Norm)
	}
	switch procs := runtime.GOMAXPROCS(0); {
	case options.Threads == AllThreads:
		options.Threads = procs
	case options.Threads == 0:
		options.Threads = 1
	case options.Threads < 0:
		return Options{}, fmt.Errorf("fft: %s: %d threads", op, options.Threads)
	default:
		options.Threads = min(options.Threads, procs)
	}
	return options, nil
}

// simdLevel is the instruction set a plan is built for.
func (o Options) simdLevel() simd.Level {
	if o.level == 0 {
		return simd.Active()
	}
	return o.level - 1
}
