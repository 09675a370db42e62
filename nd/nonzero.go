package nd

import (
	"context"
	"encoding/binary"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/elem"
)

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
	var places [][]int64
	err := Look(ctx, a.Cast(Bool), func(set []bool) error {
		places = positionsOf(set, a.Shape())
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]*Array, len(places))
	for d, p := range places {
		out[d] = fromHost("nonzero", Int64, elem.Bytes(p), len(p), nil).Beside(a)
	}
	return out, nil
}

// positionsOf is the place along every axis of what is set. Counting first costs less than
// lists that grow, and storing every place, to be overwritten by the next one unless it
// counts, less than branches that nothing predicts.
func positionsOf(set []bool, shape []int) [][]int64 {
	count := trueAmong(set)
	places := make([][]int64, len(shape))
	for d := range max(len(places)-1, 0) {
		places[d] = make([]int64, count)
	}
	if count == 0 || len(shape) == 0 {
		return places
	}
	last := len(shape) - 1
	columns := make([]int64, count+1) // one more, for places behind the last that counts
	places[last] = columns[:count]
	at := make([]int64, last) // of the line, along the axes before the last
	found := 0
	for line := range len(set) / shape[last] {
		begin := found
		for i, yes := range set[line*shape[last]:][:shape[last]] {
			columns[found] = int64(i)
			found += oneIf(yes)
		}
		for d, p := range at {
			fill := places[d][begin:found]
			for k := range fill {
				fill[k] = p
			}
		}
		for d := last - 1; d >= 0; d-- {
			if at[d]++; at[d] < int64(shape[d]) {
				break
			}
			at[d] = 0
		}
	}
	return places
}

// trueAmong counts what is set, eight at a time: a bool is a byte of 0 or 1.
func trueAmong(set []bool) int {
	count, b := 0, elem.Bytes(set)
	for ; len(b) >= 8; b = b[8:] {
		count += bits.OnesCount64(binary.NativeEndian.Uint64(b))
	}
	for _, one := range b {
		count += int(one)
	}
	return count
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
