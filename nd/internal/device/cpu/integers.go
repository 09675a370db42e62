package cpu

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integerType is what the programs of other files do with one type of integers.
type integerType struct {
	forms    func(*vec.Table, scalar.Op) forms
	cast     func(to elem.Type) forms
	fold     func(*vec.Table, ir.ReduceOp) (fold, bool)
	draws    func(k *philox.Kernels) forms
	scan     func(w *scanWork, prod bool)
	scatter  func(wide bool) scatterRow
	multiply multiplier
}

var integers = map[elem.Type]integerType{
	elem.Uint8:  integerTypeOf(func(k *vec.Table) *vec.Integer[uint8] { return &k.U8 }),
	elem.Int8:   integerTypeOf(func(k *vec.Table) *vec.Integer[int8] { return &k.I8 }),
	elem.Int16:  integerTypeOf(func(k *vec.Table) *vec.Integer[int16] { return &k.I16 }),
	elem.Int32:  integerTypeOf(func(k *vec.Table) *vec.Integer[int32] { return &k.I32 }),
	elem.Uint32: integerTypeOf(func(k *vec.Table) *vec.Integer[uint32] { return &k.U32 }),
	elem.Int64:  integerTypeOf(func(k *vec.Table) *vec.Integer[int64] { return &k.I64 }),
}

func integerTypeOf[T integer](kernels func(*vec.Table) *vec.Integer[T]) integerType {
	return integerType{
		forms: func(k *vec.Table, op scalar.Op) forms { return integerForms(k, kernels(k), op) },
		fold:  func(k *vec.Table, op ir.ReduceOp) (fold, bool) { return integerFold(kernels(k), op) },
		cast:  castReal[T], draws: drawsBetween[T], scan: setScan[T, T],
		scatter: rowsOfSums[T], multiply: multiplyIntegers[T],
	}
}
