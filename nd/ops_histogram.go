package nd

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/counted"
)

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
		return failed("histogram", fmt.Errorf("%s, want at least 2", counted.Of(edges.Len(), "edge")), x, edges)
	}
	x = x.Flatten()
	if t, n := x.DType(), x.Len(); (t == Float32 || t == Float64) && bins <= mostGroupBins && n > 0 && n <= math.MaxInt32 {
		return named("histogram", histogramByGroups(x, edges, bins))
	}
	last := edges.At(bins)
	bin := searched(edges, x).SubScalar(1)
	bin = Where(x.Equal(last), bins-1, bin)
	outside := bin.LessScalar(0).Or(bin.GreaterEqualScalar(bins))
	// What is outside is counted in one bin more, which is cut off.
	counts := Zeros(Int64, bins+1).Beside(x).ScatterAdd(Where(outside, bins, bin), FullLike(bin, 1), 0)
	return named("histogram", counts.Slice(Head(bins)))
}

// mostGroupBins is how many counts a threadgroup has room for: 8 KiB, half of what WebGPU
// promises.
const mostGroupBins = 2048

// groupThreads is how many threads count together.
const groupThreads = 256

// countBins counts a part of x in each threadgroup. The bin where an element would be if all
// were equally wide is asked first.
var countBins = Kernel{
	Name: "histogram", Inputs: []string{"x", "edges"}, Outputs: []string{"counts"},
	Source: `threadgroup atomic_int count[BINS];
int lane = thread_position_in_threadgroup.x;
int group = threadgroup_position_in_grid.x;
for (int b = lane; b < BINS; b += THREADS)
    atomic_store_explicit(&count[b], 0, memory_order_relaxed);
threadgroup_barrier(mem_flags::mem_threadgroup);
int n = x_shape[0];
int end = min(PART, n - group * PART);
T low = edges[0], high = edges[BINS], scale = BINS / (high - low);
for (int i = lane; i < end; i += THREADS) {
    T v = x[group * PART + i];
    if (v >= low && v <= high) {
        T even = (v - low) * scale;
        int bin = even >= 0 && even < BINS ? int(even) : 0;
        if (!(edges[bin] <= v && v < edges[bin + 1])) {
            bin = 0;
            for (int step = HALF; step > 0; step /= 2)
                if (bin + step < BINS && edges[bin + step] <= v)
                    bin += step;
        }
        atomic_fetch_add_explicit(&count[bin], 1, memory_order_relaxed);
    }
}
threadgroup_barrier(mem_flags::mem_threadgroup);
for (int b = lane; b < BINS; b += THREADS)
    counts[group * BINS + b] = atomic_load_explicit(&count[b], memory_order_relaxed);
`,
	Native: NewNative(func(g *Group) {
		if g.Inputs[0].Type == Float32 {
			histogramGroup[float32](g)
		} else {
			histogramGroup[float64](g)
		}
	}),
}

func histogramByGroups(x, edges *Array, bins int) *Array {
	n := x.Len()
	part := groupPart(x, 16*bins) // a CPU prepares each by work that grows with the bins
	groups := (n + part - 1) / part
	counts := countBins.Call(Launch{
		Inputs: []*Array{x, edges}, Shapes: [][]int{{groups, bins}}, DTypes: []DType{Int32},
		Grid: [3]int{groups * groupThreads}, Threadgroup: [3]int{groupThreads}, Whole: true,
		Template: map[string]any{"T": x.DType(), "BINS": bins, "PART": part, "THREADS": groupThreads, "HALF": 1 << bits.Len(uint(bins)) >> 1},
	})[0]
	return counts.Cast(Int64).Sum(0)
}
