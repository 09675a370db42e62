package nd

import (
	"fmt"
	"math"
	"math/bits"
)

// SearchSorted gives, for each element of x, the int64 position in sorted, which
// has one axis and ascends, before which it would be put: behind equal elements,
// so that it is how many of them are at most x. NaN goes to the end.
func SearchSorted(sorted, x *Array) *Array {
	if bad := searchable("search_sorted", sorted, x); bad != nil {
		return bad
	}
	return named("search_sorted", searched(sorted, x))
}

// searchable gives the Array that op has to return if sorted and x do not fit
// each other; nil if they do.
func searchable(op string, sorted, x *Array) *Array {
	if bad := unusable(op, sorted, x); bad != nil {
		return bad
	}
	if sorted.NDim() != 1 {
		return failed(op, fmt.Errorf("shape %v, want one axis", sorted.node.Shape), sorted, x)
	}
	if sorted.node.Type != x.node.Type || !x.node.Type.IsOrdered() {
		return failed(op, fmt.Errorf("%s in %s: want one dtype that has an order", x.node.Type, sorted.node.Type), sorted, x)
	}
	return nil
}

// searched is SearchSorted of what is searchable.
func searched(sorted, x *Array) *Array {
	m, n := sorted.Len(), x.Len()
	switch x.DType() {
	case Float32, Float64, Int32, Int64:
		if m > 0 && n > 0 && max(m, n) < math.MaxInt32/2 {
			return searchByGroups(sorted, x)
		}
	}
	return searchByTakes(sorted, x)
}

// searchByTakes halves the candidates of all elements at once: as many takes as the
// length has bits.
func searchByTakes(sorted, x *Array) *Array {
	n := sorted.Len()
	place := FullLike(x.Cast(Bool).Cast(Int64), 0)
	if n == 0 {
		return place
	}
	isNaN := FullLike(x.Equal(x), false)
	if x.DType().IsFloat() {
		isNaN = x.IsNaN()
	}
	for step := 1 << (bits.Len(uint(n)) - 1); step > 0; step /= 2 {
		next := place.AddScalar(step)
		candidate := sorted.Take(next.MinimumScalar(n).SubScalar(1), 0)
		behind := next.LessEqualScalar(n).And(candidate.LessEqual(x).Or(isNaN))
		place = Where(behind, next, place)
	}
	return place
}

// search finds places for a part of x in each threadgroup. Integers have no NaN, but the
// text asks for any type.
var search = Kernel{
	Name: "search_sorted", Inputs: []string{"x", "sorted"}, Outputs: []string{"places"},
	Source: `int n = x_shape[0];
int first = threadgroup_position_in_grid.x * PART;
int end = min(PART, n - first);
for (int i = thread_position_in_threadgroup.x; i < end; i += THREADS) {
    T v = x[first + i];
    int place = 0;
    for (int step = HALF; step > 0; step /= 2)
        if (place + step <= COUNT && sorted[place + step - 1] <= v)
            place += step;
    if (isnan(float(v)))
        place = COUNT;
    places[first + i] = place;
}
`,
	Native: NewNative(func(g *Group) {
		switch g.Inputs[0].Type {
		case Float32:
			searchCells[float32](g)
		case Float64:
			searchCells[float64](g)
		case Int32:
			searchGroup[int32](g)
		case Int64:
			searchGroup[int64](g)
		}
	}),
}

func searchByGroups(sorted, x *Array) *Array {
	n := x.Len()
	grid := searchGrid(x, sorted.Len())
	grid.Inputs = []*Array{StopGradient(x.Flatten()), StopGradient(sorted)}
	grid.Shapes, grid.DTypes = [][]int{{n}}, []DType{Int32}
	grid.Template["T"] = x.DType()
	return search.Call(grid)[0].Reshape(x.Shape()...).Cast(Int64)
}

// searchGrid is a launch that searches m sorted elements for those of x.
func searchGrid(x *Array, m int) Launch {
	n := x.Len()
	// A CPU prepares each group by work that grows with m, up to where its table would no
	// longer be in a cache.
	part := groupPart(x, min(2*m, 1<<16))
	groups := (n + part - 1) / part
	half := 1 << (bits.Len(uint(m)) - 1)
	return Launch{
		Grid: [3]int{groups * groupThreads}, Threadgroup: [3]int{groupThreads}, Whole: true,
		Template: map[string]any{"COUNT": m, "PART": part, "THREADS": groupThreads, "HALF": half},
		Ops:      4 * float64(n) * float64(bits.Len(uint(m))),
	}
}

// groupPart is how many elements of x a threadgroup of groupThreads has: on a CPU not fewer
// than prepared, and on a GPU as few as let every processor have groupsEach of them. An H200
// searched 2^22 elements in 581 us with 64 groups.
func groupPart(x *Array, prepared int) int {
	const least, groupsEach = 4096, 8
	n := x.Len()
	if d, err := engine.Device(x.node.Device); err == nil {
		if info := d.Info(); info.Figures.Grain == 0 && info.Workers > 0 {
			turns := (n + groupThreads*groupsEach*info.Workers - 1) / (groupThreads * groupsEach * info.Workers)
			return groupThreads * turns
		}
	}
	return max(least, (n+255)/256, prepared)
}
