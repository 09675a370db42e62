package vec

func integersAVX2(t *Table) {
	t.U8.use(32, integerKernels{integerU8AVX2, compareU8AVX2, foldU8AVX2})
	t.I8.use(32, integerKernels{integerI8AVX2, compareI8AVX2, foldI8AVX2})
	t.I16.use(32, integerKernels{integerI16AVX2, compareI16AVX2, foldI16AVX2})
	t.I32.use(32, integerKernels{integerI32AVX2, compareI32AVX2, foldI32AVX2})
	t.U32.use(32, integerKernels{integerU32AVX2, compareU32AVX2, foldU32AVX2})
	t.I64.use(32, integerKernels{integerI64AVX2, compareI64AVX2, foldI64AVX2})
	t.Choose1, t.Choose2 = chooseFrom(32, choose1AVX2, t.Choose1), chooseFrom(16, choose2AVX2, t.Choose2)
}

func integersAVX512(t *Table) {
	t.U8.use(64, integerKernels{integerU8AVX512, compareU8AVX512, foldU8AVX512})
	t.I8.use(64, integerKernels{integerI8AVX512, compareI8AVX512, foldI8AVX512})
	t.I16.use(64, integerKernels{integerI16AVX512, compareI16AVX512, foldI16AVX512})
	t.I32.use(64, integerKernels{integerI32AVX512, compareI32AVX512, foldI32AVX512})
	t.U32.use(64, integerKernels{integerU32AVX512, compareU32AVX512, foldU32AVX512})
	t.I64.use(64, integerKernels{integerI64AVX512, compareI64AVX512, foldI64AVX512})
	t.Choose1, t.Choose2 = chooseFrom(64, choose1AVX512, t.Choose1), chooseFrom(32, choose2AVX512, t.Choose2)
}
