package cpu

import (
	"math"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// fold is a reduction on one register type. An accumulator is the value
// itself, or a value and its position for ArgMax and ArgMin.
type fold struct {
	size int // bytes of an accumulator
	// places says that accumulators are where something was found, which is the same however
	// rows are put together.
	places bool

	// none writes n identities.
	none func(acc unsafe.Pointer, n int)
	// line reduces x[:n], n > 0; x[0] is at position at.
	line func(acc, x unsafe.Pointer, n, at int)
	// start and add work on n accumulators side by side: start makes them
	// from x, add combines x into them. All of x is at position at.
	start, add func(acc, x unsafe.Pointer, n, at int)
	// join combines n accumulators with those of later elements.
	join func(acc, later unsafe.Pointer, n int)
	// result turns accumulators into values. nil: they are values.
	result func(dst, acc unsafe.Pointer, n int)
}

func foldOf(k *vec.Table, op ir.ReduceOp, t elem.Type) (fold, bool) {
	if t.IsInteger() {
		return integers[t].fold(k, op)
	}
	switch t {
	case elem.Bool:
		return truthFold(k, op)
	case elem.Float32:
		return floatFold(&k.F32, op)
	case elem.Float64:
		return floatFold(&k.F64, op)
	case elem.Complex64:
		return complexFold(&k.C64, op)
	case elem.Complex128:
		return complexFold(&k.C128, op)
	}
	return fold{}, false
}

// valueFold is a fold whose accumulators are values; both combines two of them.
func valueFold[T any](identity T, line func(x []T) T, both stepFunc) fold {
	return fold{
		size: int(unsafe.Sizeof(identity)),
		none: func(acc unsafe.Pointer, n int) {
			dst := slice[T](acc, n)
			for i := range dst {
				dst[i] = identity
			}
		},
		line:  func(acc, x unsafe.Pointer, n, _ int) { *(*T)(acc) = line(slice[T](x, n)) },
		start: func(acc, x unsafe.Pointer, n, _ int) { copy(slice[T](acc, n), slice[T](x, n)) },
		add:   func(acc, x unsafe.Pointer, n, _ int) { both(acc, acc, x, nil, n) },
		join:  func(acc, later unsafe.Pointer, n int) { both(acc, acc, later, nil, n) },
	}
}

func floatFold[T vec.Float](r *vec.Real[T], op ir.ReduceOp) (fold, bool) {
	inf := T(math.Inf(1))
	f, ok := map[ir.ReduceOp]fold{
		ir.Sum:    valueFold(0, r.Sum, binary(r.Add, false).vv),
		ir.Prod:   valueFold(1, product[T], binary(r.Mul, false).vv),
		ir.Max:    valueFold(-inf, r.Largest, binary(r.Max, false).vv),
		ir.Min:    valueFold(inf, r.Least, binary(r.Min, false).vv),
		ir.ArgMax: argFold(r.Largest, indexOfFloat[T], func(x, y T) bool { return x > y || x != x && y == y }, takeLarger[T]),
		ir.ArgMin: argFold(r.Least, indexOfFloat[T], func(x, y T) bool { return x < y || x != x && y == y }, takeSmaller[T]),
	}[op]
	return f, ok
}

func integerFold[T integer](k *vec.Integer[T], op ir.ReduceOp) (fold, bool) {
	least, greatest := elem.Of[T]().Range()
	f, ok := map[ir.ReduceOp]fold{
		ir.Sum:    valueFold(0, k.Sum, stepOf(k.Add)),
		ir.Prod:   valueFold(1, product[T], stepOf(k.Mul)),
		ir.Max:    valueFold(T(least), k.Largest, stepOf(k.Max)),
		ir.Min:    valueFold(T(greatest), k.Least, stepOf(k.Min)),
		ir.ArgMax: argFold(k.Largest, slices.Index[[]T], func(x, y T) bool { return x > y }, takeLarger[T]),
		ir.ArgMin: argFold(k.Least, slices.Index[[]T], func(x, y T) bool { return x < y }, takeSmaller[T]),
	}[op]
	return f, ok
}

func complexFold[C complex64 | complex128, R vec.Float](c *vec.Complex[C, R], op ir.ReduceOp) (fold, bool) {
	f, ok := map[ir.ReduceOp]fold{
		ir.Sum:  valueFold(0, c.Sum, binary(c.Add, false).vv),
		ir.Prod: valueFold(1, product[C], binary(c.Mul, false).vv),
	}[op]
	return f, ok
}

// truthFold reads bytes, like every operation on bool.
func truthFold(k *vec.Table, op ir.ReduceOp) (fold, bool) {
	all := func(x []uint8) uint8 { return truth(k.U8.Least(x) != 0) }
	some := func(x []uint8) uint8 { return truth(k.U8.Largest(x) != 0) }
	find := func(x []uint8, best uint8) int {
		return slices.IndexFunc(x, func(v uint8) bool { return (v != 0) == (best != 0) })
	}
	switch op {
	case ir.All, ir.Min, ir.Prod:
		return bytesFold(k, 1, all, scalar.And, k.U8.Min), true
	case ir.Any, ir.Max, ir.Sum:
		return bytesFold(k, 0, some, scalar.Or, k.U8.Max), true
	case ir.ArgMax:
		return argFold(some, find, func(x, y uint8) bool { return x != 0 && y == 0 }, nil), true
	case ir.ArgMin:
		return argFold(all, find, func(x, y uint8) bool { return x == 0 && y != 0 }, nil), true
	}
	return fold{}, false
}

// bytesFold is a fold of truth values whose accumulators are any bytes until they become results: 0,
// or not 0.
func bytesFold(k *vec.Table, identity uint8, line func(x []uint8) uint8, op scalar.Op, both vec.Lanes) fold {
	if !hasBytes(k) {
		return valueFold(identity, line, wordwise(boolOps[op]))
	}
	f := valueFold(identity, line, stepOf(both))
	f.result = func(dst, acc unsafe.Pointer, n int) { bytewise(k.U8.Min, dst, acc, unsafe.Pointer(&oneBytes), n) }
	return f
}

func product[T number | complex64 | complex128](x []T) T {
	p := T(1)
	for _, v := range x {
		p *= v
	}
	return p
}

// indexOfFloat finds the first element equal to v, or the first NaN.
func indexOfFloat[T vec.Float](x []T, v T) int {
	if v == v {
		return slices.Index(x, v)
	}
	return slices.IndexFunc(x, func(v T) bool { return v != v })
}

// found is an extreme and where it was first seen.
type found[T any] struct {
	value T
	at    int64
}

// takeLarger replaces what is less than values, all of which are at a position. It says
// itself what argFold's before does: calling that for every element takes four times as long.
func takeLarger[T number](dst []found[T], values []T, at int64) {
	values = values[:len(dst)]
	for i, v := range values {
		if y := dst[i].value; !(v <= y) && y == y { // a first NaN is neither
			dst[i] = found[T]{v, at}
		}
	}
}

func takeSmaller[T number](dst []found[T], values []T, at int64) {
	values = values[:len(dst)]
	for i, v := range values {
		if y := dst[i].value; !(v >= y) && y == y {
			dst[i] = found[T]{v, at}
		}
	}
}

// argBlock is how many elements have one extreme, so that it need not be looked for in others.
// In its block it is looked for by the extremes of argFew elements, and then one by one.
const argBlock, argFew = 4096, 128

// argFold finds positions. find gives the first place of an extreme; before
// says that x replaces an earlier y: it is more extreme, or the first NaN. take, which may be
// nil, replaces many.
func argFold[T any](extreme func([]T) T, find func([]T, T) int, before func(x, y T) bool, take func([]found[T], []T, int64)) fold {
	if take == nil {
		take = func(dst []found[T], values []T, at int64) {
			for i := range dst {
				if before(values[i], dst[i].value) {
					dst[i] = found[T]{values[i], at}
				}
			}
		}
	}
	return fold{
		size:   int(unsafe.Sizeof(found[T]{})),
		places: true,
		none:   func(acc unsafe.Pointer, n int) { clear(slice[found[T]](acc, n)) },
		line: func(acc, x unsafe.Pointer, n, at int) {
			best, block := extreme(slice[T](x, min(n, argBlock))), 0
			for i := argBlock; i < n; i += argBlock {
				v := extreme(slice[T](unsafe.Add(x, i*int(unsafe.Sizeof(best))), min(n-i, argBlock)))
				if before(v, best) {
					best, block = v, i
				}
			}
			for block+argFew < n && before(best, extreme(slice[T](x, n)[block:block+argFew])) {
				block += argFew
			}
			i := block + find(slice[T](x, n)[block:], best)
			*(*found[T])(acc) = found[T]{best, int64(at + i)}
		},
		start: func(acc, x unsafe.Pointer, n, at int) {
			dst, values := slice[found[T]](acc, n), slice[T](x, n)
			for i := range dst {
				dst[i] = found[T]{values[i], int64(at)}
			}
		},
		add: func(acc, x unsafe.Pointer, n, at int) { take(slice[found[T]](acc, n), slice[T](x, n), int64(at)) },
		join: func(acc, later unsafe.Pointer, n int) {
			dst, more := slice[found[T]](acc, n), slice[found[T]](later, n)
			for i := range dst {
				if before(more[i].value, dst[i].value) {
					dst[i] = more[i]
				}
			}
		},
		result: func(d, acc unsafe.Pointer, n int) {
			dst, from := slice[int64](d, n), slice[found[T]](acc, n)
			for i := range dst {
				dst[i] = from[i].at
			}
		},
	}
}
