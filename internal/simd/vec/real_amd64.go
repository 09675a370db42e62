package vec

func realF32AVX2(r *Real[float32]) {
	r.Add = Binary[float32]{addVVF32AVX2, addVSF32AVX2, flip(addVSF32AVX2)}
	r.Sub = Binary[float32]{subVVF32AVX2, subVSF32AVX2, subSVF32AVX2}
	r.MulRows, r.AddDiagonals = mulRowsF32AVX2, addDiagonalsF32AVX2
	r.Mul = Binary[float32]{mulVVF32AVX2, mulVSF32AVX2, flip(mulVSF32AVX2)}
	r.Div = Binary[float32]{divVVF32AVX2, divVSF32AVX2, divSVF32AVX2}
	r.Max = Binary[float32]{maxVVF32AVX2, maxVSF32AVX2, flip(maxVSF32AVX2)}
	r.Min = Binary[float32]{minVVF32AVX2, minVSF32AVX2, flip(minVSF32AVX2)}

	r.Equal = Compare[float32]{equalVVF32AVX2, equalVSF32AVX2, flipCompare(equalVSF32AVX2)}
	r.NotEqual = Compare[float32]{notEqualVVF32AVX2, notEqualVSF32AVX2, flipCompare(notEqualVSF32AVX2)}
	r.Less = Compare[float32]{lessVVF32AVX2, lessVSF32AVX2, flipCompare(greaterVSF32AVX2)}
	r.LessEqual = Compare[float32]{lessEqualVVF32AVX2, lessEqualVSF32AVX2, flipCompare(greaterEqualVSF32AVX2)}
	r.Greater = Compare[float32]{swapCompare(lessVVF32AVX2), greaterVSF32AVX2, flipCompare(lessVSF32AVX2)}
	r.GreaterEqual = Compare[float32]{swapCompare(lessEqualVVF32AVX2), greaterEqualVSF32AVX2, flipCompare(lessEqualVSF32AVX2)}

	r.Where = Select[float32]{whereVVF32AVX2, whereVSF32AVX2, whereSVF32AVX2}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF32AVX2, absF32AVX2, sqrtF32AVX2, squareF32AVX2, rsqrtF32AVX2
	r.Floor, r.Ceil, r.Round, r.Sign = floorF32AVX2, ceilF32AVX2, roundF32AVX2, signF32AVX2

	r.Sum = func(x []float32) float32 { return tree(x, sumBlockF32AVX2) }
	r.Dot = func(x, y []float32) float32 { return treeProducts(x, y, dotBlockF32AVX2) }
	r.Largest, r.Least = largestF32AVX2, leastF32AVX2
}

func realF64AVX2(r *Real[float64]) {
	r.Add = Binary[float64]{addVVF64AVX2, addVSF64AVX2, flip(addVSF64AVX2)}
	r.Sub = Binary[float64]{subVVF64AVX2, subVSF64AVX2, subSVF64AVX2}
	r.MulRows, r.AddDiagonals = mulRowsF64AVX2, addDiagonalsF64AVX2
	r.Mul = Binary[float64]{mulVVF64AVX2, mulVSF64AVX2, flip(mulVSF64AVX2)}
	r.Div = Binary[float64]{divVVF64AVX2, divVSF64AVX2, divSVF64AVX2}
	r.Max = Binary[float64]{maxVVF64AVX2, maxVSF64AVX2, flip(maxVSF64AVX2)}
	r.Min = Binary[float64]{minVVF64AVX2, minVSF64AVX2, flip(minVSF64AVX2)}

	r.Equal = Compare[float64]{equalVVF64AVX2, equalVSF64AVX2, flipCompare(equalVSF64AVX2)}
	r.NotEqual = Compare[float64]{notEqualVVF64AVX2, notEqualVSF64AVX2, flipCompare(notEqualVSF64AVX2)}
	r.Less = Compare[float64]{lessVVF64AVX2, lessVSF64AVX2, flipCompare(greaterVSF64AVX2)}
	r.LessEqual = Compare[float64]{lessEqualVVF64AVX2, lessEqualVSF64AVX2, flipCompare(greaterEqualVSF64AVX2)}
	r.Greater = Compare[float64]{swapCompare(lessVVF64AVX2), greaterVSF64AVX2, flipCompare(lessVSF64AVX2)}
	r.GreaterEqual = Compare[float64]{swapCompare(lessEqualVVF64AVX2), greaterEqualVSF64AVX2, flipCompare(lessEqualVSF64AVX2)}

	r.Where = Select[float64]{whereVVF64AVX2, whereVSF64AVX2, whereSVF64AVX2}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF64AVX2, absF64AVX2, sqrtF64AVX2, squareF64AVX2, rsqrtF64AVX2
	r.Floor, r.Ceil, r.Round, r.Sign = floorF64AVX2, ceilF64AVX2, roundF64AVX2, signF64AVX2

	r.Sum = func(x []float64) float64 { return tree(x, sumBlockF64AVX2) }
	r.Dot = func(x, y []float64) float64 { return treeProducts(x, y, dotBlockF64AVX2) }
	r.Largest, r.Least = largestF64AVX2, leastF64AVX2
}

func realF32AVX512(r *Real[float32]) {
	r.Add = Binary[float32]{addVVF32AVX512, addVSF32AVX512, flip(addVSF32AVX512)}
	r.Sub = Binary[float32]{subVVF32AVX512, subVSF32AVX512, subSVF32AVX512}
	r.MulRows, r.AddDiagonals = mulRowsF32AVX512, addDiagonalsF32AVX512
	r.Mul = Binary[float32]{mulVVF32AVX512, mulVSF32AVX512, flip(mulVSF32AVX512)}
	r.Div = Binary[float32]{divVVF32AVX512, divVSF32AVX512, divSVF32AVX512}
	r.Max = Binary[float32]{maxVVF32AVX512, maxVSF32AVX512, flip(maxVSF32AVX512)}
	r.Min = Binary[float32]{minVVF32AVX512, minVSF32AVX512, flip(minVSF32AVX512)}

	r.Equal = Compare[float32]{equalVVF32AVX512, equalVSF32AVX512, flipCompare(equalVSF32AVX512)}
	r.NotEqual = Compare[float32]{notEqualVVF32AVX512, notEqualVSF32AVX512, flipCompare(notEqualVSF32AVX512)}
	r.Less = Compare[float32]{lessVVF32AVX512, lessVSF32AVX512, flipCompare(greaterVSF32AVX512)}
	r.LessEqual = Compare[float32]{lessEqualVVF32AVX512, lessEqualVSF32AVX512, flipCompare(greaterEqualVSF32AVX512)}
	r.Greater = Compare[float32]{swapCompare(lessVVF32AVX512), greaterVSF32AVX512, flipCompare(lessVSF32AVX512)}
	r.GreaterEqual = Compare[float32]{swapCompare(lessEqualVVF32AVX512), greaterEqualVSF32AVX512, flipCompare(lessEqualVSF32AVX512)}

	r.Where = Select[float32]{whereVVF32AVX512, whereVSF32AVX512, whereSVF32AVX512}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF32AVX512, absF32AVX512, sqrtF32AVX512, squareF32AVX512, rsqrtF32AVX512
	r.Floor, r.Ceil, r.Round, r.Sign = floorF32AVX512, ceilF32AVX512, roundF32AVX512, signF32AVX512

	r.Sum = func(x []float32) float32 { return tree(x, sumBlockF32AVX512) }
	r.Dot = func(x, y []float32) float32 { return treeProducts(x, y, dotBlockF32AVX512) }
	r.Largest, r.Least = largestF32AVX512, leastF32AVX512
}

func realF64AVX512(r *Real[float64]) {
	r.Add = Binary[float64]{addVVF64AVX512, addVSF64AVX512, flip(addVSF64AVX512)}
	r.Sub = Binary[float64]{subVVF64AVX512, subVSF64AVX512, subSVF64AVX512}
	r.MulRows, r.AddDiagonals = mulRowsF64AVX512, addDiagonalsF64AVX512
	r.Mul = Binary[float64]{mulVVF64AVX512, mulVSF64AVX512, flip(mulVSF64AVX512)}
	r.Div = Binary[float64]{divVVF64AVX512, divVSF64AVX512, divSVF64AVX512}
	r.Max = Binary[float64]{maxVVF64AVX512, maxVSF64AVX512, flip(maxVSF64AVX512)}
	r.Min = Binary[float64]{minVVF64AVX512, minVSF64AVX512, flip(minVSF64AVX512)}

	r.Equal = Compare[float64]{equalVVF64AVX512, equalVSF64AVX512, flipCompare(equalVSF64AVX512)}
	r.NotEqual = Compare[float64]{notEqualVVF64AVX512, notEqualVSF64AVX512, flipCompare(notEqualVSF64AVX512)}
	r.Less = Compare[float64]{lessVVF64AVX512, lessVSF64AVX512, flipCompare(greaterVSF64AVX512)}
	r.LessEqual = Compare[float64]{lessEqualVVF64AVX512, lessEqualVSF64AVX512, flipCompare(greaterEqualVSF64AVX512)}
	r.Greater = Compare[float64]{swapCompare(lessVVF64AVX512), greaterVSF64AVX512, flipCompare(lessVSF64AVX512)}
	r.GreaterEqual = Compare[float64]{swapCompare(lessEqualVVF64AVX512), greaterEqualVSF64AVX512, flipCompare(lessEqualVSF64AVX512)}

	r.Where = Select[float64]{whereVVF64AVX512, whereVSF64AVX512, whereSVF64AVX512}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF64AVX512, absF64AVX512, sqrtF64AVX512, squareF64AVX512, rsqrtF64AVX512
	r.Floor, r.Ceil, r.Round, r.Sign = floorF64AVX512, ceilF64AVX512, roundF64AVX512, signF64AVX512

	r.Sum = func(x []float64) float64 { return tree(x, sumBlockF64AVX512) }
	r.Dot = func(x, y []float64) float64 { return treeProducts(x, y, dotBlockF64AVX512) }
	r.Largest, r.Least = largestF64AVX512, leastF64AVX512
}
