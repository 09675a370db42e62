package measure

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Kurtogram is the options of finding the most impulsive band, for EnvelopeSpectrum: the
// band with the greatest spectral kurtosis (Antoni, 2006), over windows of several
// lengths. Stationary noise has a spectral kurtosis of 0, and rare shocks a much greater
// one.
type Kurtogram struct {
	FS float64
	// Shortest and Longest are the samples of the windows that are tried, powers of two; 0
	// is 16 and 512. A short one has a wide band.
	Shortest, Longest int
}

// Ringing is a band and how far it is from stationary noise.
type Ringing struct {
	Band     [2]float64 // in the unit of FS
	Kurtosis float64    // the fourth moment over the square of the second, less 2: 0 of Gaussian noise
	Window   int        // samples
}

// leastSegments is how many windows a kurtosis is of, at least: of fewer, noise has large
// ones by chance.
const leastSegments = 64

// Apply gives the band of the greatest kurtosis in any line of x.
func (k Kurtogram) Apply(ctx context.Context, x *nd.Array) (Ringing, error) {
	const op = "kurtogram"
	if err := check(op, x); err != nil {
		return Ringing{}, err
	}
	if k.Shortest == 0 {
		k.Shortest = 16
	}
	if k.Longest == 0 {
		k.Longest = 512
	}
	power := func(n int) bool { return n >= 8 && n <= 1<<20 && n&(n-1) == 0 }
	switch {
	case !(k.FS > 0) || math.IsInf(k.FS, 0):
		return Ringing{}, fmt.Errorf("measure: %s: FS %g: want a positive number", op, k.FS)
	case !power(k.Shortest) || !power(k.Longest) || k.Shortest > k.Longest:
		return Ringing{}, fmt.Errorf("measure: %s: windows of %d to %d samples: want powers of two from 8 on", op, k.Shortest, k.Longest)
	}
	lines := x.Cast(nd.Float64).Reshape(-1, x.Dim(-1))
	lines = lines.Sub(lines.Keep(-1).Mean())
	best := Ringing{Kurtosis: math.Inf(-1)}
	for n := k.Shortest; n <= k.Longest && (x.Dim(-1)-n)/(n/2)+1 >= leastSegments; n *= 2 {
		p := lines.Frames(n, n/2).Mul(signal.Window{}.Array(nd.Float64, n)).RFFT().AbsSquared()
		square, fourth := p.Mean(-2), p.Mul(p).Mean(-2)
		values, err := nd.Slice[float64](ctx, fourth.Div(square.Mul(square)).SubScalar(2))
		if err != nil {
			return Ringing{}, err
		}
		bins := n/2 + 1
		step := k.FS / float64(n)
		for i, v := range values {
			// The window spreads over two bins on either side: what is at 0 Hz and at the
			// highest frequency would count as shocks of their neighbours.
			if bin := i % bins; bin >= 2 && bin <= bins-3 && v > best.Kurtosis {
				best = Ringing{[2]float64{float64(bin-1) * step, float64(bin+1) * step}, v, n}
			}
		}
	}
	if math.IsInf(best.Kurtosis, 0) {
		return Ringing{}, fmt.Errorf("measure: %s: no band of x has a kurtosis: want %d samples or more, all of them numbers, and not all the same", op, (leastSegments-1)*k.Shortest/2+k.Shortest)
	}
	return best, nil
}
