package nd

import "context"

// Nonzero computes the array and gives the positions of the elements that are
// not zero, or are true: one int64 array for each axis, in row-major order, as
// Take and Gather use them. How many there are is known only now, so this is no
// lazy operation.
//
//	at, err := nd.Nonzero(ctx, x.GreaterScalar(0.5))
//	loud := x.Take(at[0], 0) // of an array with one axis
func Nonzero(ctx context.Context, a *Array) ([]*Array, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	shape := a.Shape()
	places := make([][]int64, len(shape))
	err := Look(ctx, a.Cast(Bool), func(set []bool) error {
		at := make([]int64, len(shape))
		for _, yes := range set {
			if yes {
				for d, i := range at {
					places[d] = append(places[d], i)
				}
			}
			for d := len(at) - 1; d >= 0; d-- {
				if at[d]++; at[d] < int64(shape[d]) {
					break
				}
				at[d] = 0
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]*Array, len(places))
	for d, p := range places {
		out[d] = From(p).Beside(a)
	}
	return out, nil
}
