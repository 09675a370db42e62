package nd

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// Nonzero computes the array and gives the positions of the elements that are
// not zero, or are true: one int64 array for each axis, in row-major order, as
// Take and Gather use them. How many there are is known only now, so this is no
// lazy operation. A number without axes has no positions, and is an error, as in NumPy.
//
//	at, err := nd.Nonzero(ctx, x.GreaterScalar(0.5))
//	loud := x.Take(at[0], 0) // of an array with one axis
func Nonzero(ctx context.Context, a *Array) ([]*Array, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	if a.NDim() == 0 {
		return nil, &OpError{Op: "nonzero", Shapes: [][]int{a.Shape()}, Site: caller.Site("nd"),
			Err: errors.New("a single number has no axes for positions: Reshape(1) gives it one, Item its value")}
	}
	d, err := engine.Device(a.node.Device)
	if err != nil {
		return nil, err
	}
	set := a.Cast(Bool)
	if a.Len() >= nonzeroFrom && a.node.Device != cpuIndex {
		out, err := sortedPlaces(ctx, set)
		var full *OutOfMemoryError
		if !errors.As(err, &full) && !errors.Is(err, device.ErrUnsupported) {
			return out, err
		} // the host can do with less, and with arrays of more than 2^31
	}
	var places [][]int64
	err = Look(ctx, set, func(set []bool) error {
		places = positionsOf(set, a.Shape())
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([]*Array, len(places))
	for i, p := range places {
		out[i] = fromHost("nonzero", Int64, elem.Bytes(p), len(p), nil).On(&Stream{d, a.node.Stream})
	}
	return out, nil
}

// nonzeroFrom is the number of elements from which a GPU finds those that are set faster than
// it sends them to the host: an H200 sorts by digits from there on.
const nonzeroFrom = 1 << 18

// sortedPlaces is Nonzero of bools on the array's device: a stable sort has what is set first, in its
// order.
func sortedPlaces(ctx context.Context, a *Array) ([]*Array, error) {
	set := a.Flatten()
	count := set.Cast(Int64).Sum()
	if err := Eval(ctx, set, count); err != nil {
		return nil, err
	}
	n, err := Item[int64](ctx, count)
	if err != nil {
		return nil, err
	}
	_, place := set.TopK(int(n), 0)
	shape := a.Shape()
	out := make([]*Array, len(shape))
	for d := len(shape) - 1; d > 0; d-- {
		size := int64(shape[d])
		out[d] = place.RemScalar(size)
		place = place.Sub(out[d]).DivScalar(size)
	}
	out[0] = place
	return out, Eval(ctx, out...)
}

// positionsOf is the place along every axis of what is set. Counting first costs less than
// lists that grow.
func positionsOf(set []bool, shape []int) [][]int64 {
	count := trueAmong(set)
	places := make([][]int64, len(shape))
	for d := range len(places) - 1 {
		places[d] = make([]int64, count)
	}
	if count == 0 {
		return places
	}
	last := len(shape) - 1
	columns := make([]int64, count+7) // eight are stored at a time
	places[last] = columns[:count]
	at := make([]int64, last) // of the line, along the axes before the last
	found := 0
	for line := range len(set) / shape[last] {
		begin := found
		found += storeSet(columns[found:], elem.Bytes(set[line*shape[last]:][:shape[last]]))
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

// storeSet stores the positions of the bytes that are 1, and says how many they are. Of eight
// bytes at a time it stores eight positions, those that are set first, to be overwritten by the
// next ones: less than branches that nothing predicts. columns has room for seven more.
func storeSet(columns []int64, set []byte) int {
	found, i := 0, 0
	for ; i+8 <= len(set); i += 8 {
		eight := binary.LittleEndian.Uint64(set[i:])
		if eight == 0 {
			continue
		}
		first := &setFirst[eight*0x0102040810204080>>56] // byte k is bit k
		to := (*[8]int64)(columns[found:])
		for k, p := range first {
			to[k] = int64(i) + int64(p)
		}
		found += bits.OnesCount64(eight)
	}
	for ; i < len(set); i++ {
		if set[i] != 0 {
			columns[found] = int64(i)
			found++
		}
	}
	return found
}

// setFirst is for every set of eight bits the positions of those that are set.
var setFirst = func() (first [256][8]uint8) {
	for set := range first {
		n := 0
		for k := range uint8(8) {
			if set>>k&1 == 1 {
				first[set][n] = k
				n++
			}
		}
	}
	return first
}()

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
