package nd

import "fmt"

// Histogram counts the elements of x between neighbouring edges, which have one
// axis and ascend: bin i is edges[i] <= x < edges[i+1], and the last bin has its
// right edge as well. Elements outside, and NaN, are in no bin. The counts are
// int64.
//
//	counts := nd.Histogram(x, nd.Linspace[float32](-1, 1, 65))
func Histogram(x, edges *Array) *Array {
	if bad := searchable("histogram", edges, x); bad != nil {
		return bad
	}
	bins := edges.Len() - 1
	if bins < 1 {
		return failed("histogram", fmt.Errorf("%d edges, want at least 2", edges.Len()), x, edges)
	}
	x = x.Flatten()
	last := edges.At(bins)
	bin := searched(edges, x).SubScalar(1)
	bin = Where(x.Equal(last), bins-1, bin)
	outside := bin.LessScalar(0).Or(bin.GreaterEqualScalar(bins))
	// What is outside is counted in one bin more, which is cut off.
	counts := Zeros(Int64, bins+1).Beside(x).ScatterAdd(Where(outside, bins, bin), FullLike(bin, 1), 0)
	return named("histogram", counts.Slice(Head(bins)))
}
