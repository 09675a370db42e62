package cpu

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/philox"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// integerType is what the programs of other files do with one type of integers.
type integerType struct {
	forms    func(scalar.Op) forms
	cast     func(to elem.Type) forms
	fold     func(ir.ReduceOp) (fold, bool)
	draws    func(k *philox.Kernels) forms
	scan     func(w *scanWork, prod bool)
	scatter  func(wide bool) scatterRow
	multiply multiplier
}

var integers = map[elem.Type]integerType{
	elem.Uint8: integerTypeOf[uint8](), elem.Int8: integerTypeOf[int8](), elem.Int16: integerTypeOf[int16](),
	elem.Int32: integerTypeOf[int32](), elem.Int64: integerTypeOf[int64](), elem.Uint32: integerTypeOf[uint32](),
}

func integerTypeOf[T integer]() integerType {
	return integerType{
		forms: integerForms[T], cast: castReal[T], fold: integerFold[T], draws: drawsBetween[T], scan: setScan[T, T],
		scatter: rowsOf(sum[T]), multiply: multiplyIntegers[T],
	}
}
