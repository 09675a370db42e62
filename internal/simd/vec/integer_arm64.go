package vec

func integersNEON(t *Table) {
	t.U8.use(16, integerKernels{integerU8NEON, compareU8NEON, foldU8NEON})
	t.I8.use(16, integerKernels{integerI8NEON, compareI8NEON, foldI8NEON})
	t.I16.use(16, integerKernels{integerI16NEON, compareI16NEON, foldI16NEON})
	t.I32.use(16, integerKernels{integerI32NEON, compareI32NEON, foldI32NEON})
	t.U32.use(16, integerKernels{integerU32NEON, compareU32NEON, foldU32NEON})
	products := t.I64.Mul // of which NEON has none
	t.I64.use(16, integerKernels{integerI64NEON, compareI64NEON, foldI64NEON})
	t.I64.Mul = products
	t.Choose1, t.Choose2 = chooseFrom(16, choose1NEON, t.Choose1), chooseFrom(8, choose2NEON, t.Choose2)
}
