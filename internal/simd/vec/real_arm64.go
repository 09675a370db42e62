package vec

func realF32NEON(r *Real[float32]) {
	r.Add = Binary[float32]{addVVF32NEON, addVSF32NEON, flip(addVSF32NEON)}
	r.Sub = Binary[float32]{subVVF32NEON, subVSF32NEON, subSVF32NEON}
	r.MulRows, r.AddDiagonals = mulRowsF32NEON, addDiagonalsF32NEON
	r.Mul = Binary[float32]{mulVVF32NEON, mulVSF32NEON, flip(mulVSF32NEON)}
	r.Div = Binary[float32]{divVVF32NEON, divVSF32NEON, divSVF32NEON}
	r.Max = Binary[float32]{maxVVF32NEON, maxVSF32NEON, flip(maxVSF32NEON)}
	r.Min = Binary[float32]{minVVF32NEON, minVSF32NEON, flip(minVSF32NEON)}

	r.Equal = Compare[float32]{equalVVF32NEON, equalVSF32NEON, flipCompare(equalVSF32NEON)}
	r.NotEqual = Compare[float32]{notEqualVVF32NEON, notEqualVSF32NEON, flipCompare(notEqualVSF32NEON)}
	r.Less = Compare[float32]{lessVVF32NEON, lessVSF32NEON, flipCompare(greaterVSF32NEON)}
	r.LessEqual = Compare[float32]{lessEqualVVF32NEON, lessEqualVSF32NEON, flipCompare(greaterEqualVSF32NEON)}
	r.Greater = Compare[float32]{swapCompare(lessVVF32NEON), greaterVSF32NEON, flipCompare(lessVSF32NEON)}
	r.GreaterEqual = Compare[float32]{swapCompare(lessEqualVVF32NEON), greaterEqualVSF32NEON, flipCompare(lessEqualVSF32NEON)}

	r.Where = Select[float32]{whereVVF32NEON, whereVSF32NEON, whereSVF32NEON}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF32NEON, absF32NEON, sqrtF32NEON, squareF32NEON, rsqrtF32NEON
	r.Floor, r.Ceil, r.Round, r.Sign = floorF32NEON, ceilF32NEON, roundF32NEON, signF32NEON

	r.Sum = func(x []float32) float32 { return tree(x, sumBlockF32NEON) }
	r.Dot = func(x, y []float32) float32 { return treeProducts(x, y, dotBlockF32NEON) }
	r.Largest, r.Least = largestF32NEON, leastF32NEON
}

func realF64NEON(r *Real[float64]) {
	r.Add = Binary[float64]{addVVF64NEON, addVSF64NEON, flip(addVSF64NEON)}
	r.Sub = Binary[float64]{subVVF64NEON, subVSF64NEON, subSVF64NEON}
	r.MulRows, r.AddDiagonals = mulRowsF64NEON, addDiagonalsF64NEON
	r.Mul = Binary[float64]{mulVVF64NEON, mulVSF64NEON, flip(mulVSF64NEON)}
	r.Div = Binary[float64]{divVVF64NEON, divVSF64NEON, divSVF64NEON}
	r.Max = Binary[float64]{maxVVF64NEON, maxVSF64NEON, flip(maxVSF64NEON)}
	r.Min = Binary[float64]{minVVF64NEON, minVSF64NEON, flip(minVSF64NEON)}

	r.Equal = Compare[float64]{equalVVF64NEON, equalVSF64NEON, flipCompare(equalVSF64NEON)}
	r.NotEqual = Compare[float64]{notEqualVVF64NEON, notEqualVSF64NEON, flipCompare(notEqualVSF64NEON)}
	r.Less = Compare[float64]{lessVVF64NEON, lessVSF64NEON, flipCompare(greaterVSF64NEON)}
	r.LessEqual = Compare[float64]{lessEqualVVF64NEON, lessEqualVSF64NEON, flipCompare(greaterEqualVSF64NEON)}
	r.Greater = Compare[float64]{swapCompare(lessVVF64NEON), greaterVSF64NEON, flipCompare(lessVSF64NEON)}
	r.GreaterEqual = Compare[float64]{swapCompare(lessEqualVVF64NEON), greaterEqualVSF64NEON, flipCompare(lessEqualVSF64NEON)}

	r.Where = Select[float64]{whereVVF64NEON, whereVSF64NEON, whereSVF64NEON}
	r.Neg, r.Abs, r.Sqrt, r.Square, r.Rsqrt = negF64NEON, absF64NEON, sqrtF64NEON, squareF64NEON, rsqrtF64NEON
	r.Floor, r.Ceil, r.Round, r.Sign = floorF64NEON, ceilF64NEON, roundF64NEON, signF64NEON

	r.Sum = func(x []float64) float64 { return tree(x, sumBlockF64NEON) }
	r.Dot = func(x, y []float64) float64 { return treeProducts(x, y, dotBlockF64NEON) }
	r.Largest, r.Least = largestF64NEON, leastF64NEON
}
