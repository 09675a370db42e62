package layer

import "github.com/twiddle-go/twiddle/nd"

// Dropout makes elements 0 with a probability p and divides the others by 1-p. Every step needs a key of its own:
// key.Fold(step). A model that is evaluated leaves it out.
func Dropout(key nd.Key, x *nd.Array, p float64) *nd.Array {
	const op = "dropout"
	if bad := usable(op, x); bad != nil {
		return bad
	}
	if !(p >= 0 && p < 1) {
		return fail(op, "probability %g: want 0 to below 1", p)
	}
	if p == 0 {
		return x
	}
	keep := nd.Uniform(key, nd.Float32, x.Shape()...).Beside(x).GreaterEqualScalar(p)
	return nd.Where(keep, x.DivScalar(1-p), 0)
}
