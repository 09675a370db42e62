package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Tonnetz is where chords lie on the circles of fifths, minor and major thirds, two coordinates
// each: (..., 6, frames) of pitch classes (..., classes, frames), such as those of ChromaCQT, as
// librosa.feature.tonnetz.
func Tonnetz(chroma *nd.Array) *nd.Array {
	const op = "tonnetz"
	if bad := bins(op, chroma); bad != nil {
		return bad
	}
	n := chroma.Dim(-2)
	if err := checkSize("classes", n, 6); err != nil {
		return nd.Fail("signal", op, err, chroma)
	}
	w := make([]float64, 0, 6*n)
	for _, circle := range []struct{ turns, radius float64 }{{7.0 / 12, 1}, {3.0 / 4, 1}, {1.0 / 3, 0.5}} {
		for _, wave := range []func(float64) float64{math.Sin, math.Cos} {
			for k := range n {
				w = append(w, circle.radius*wave(2*math.Pi*circle.turns*12*float64(k)/float64(n)))
			}
		}
	}
	return constant(w, chroma, 6, n).MatMul(portions(chroma))
}
