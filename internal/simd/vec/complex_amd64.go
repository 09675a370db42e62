package vec

func pairsF32AVX2() pairs[float32] {
	return pairs[float32]{
		addVS: pairAddVSF32AVX2, subSV: pairSubSVF32AVX2,
		mulVV: pairMulVVF32AVX2, mulVS: pairMulVSF32AVX2, mulReal: pairMulRealF32AVX2,
		divVV: pairDivVVF32AVX2, divVS: pairDivVSF32AVX2, divSV: pairDivSVF32AVX2,
		conj: pairConjF32AVX2, abs: pairAbsF32AVX2, absSquared: pairAbsSquaredF32AVX2,
		real: pairRealF32AVX2, imag: pairImagF32AVX2, join: pairJoinF32AVX2, sumBlock: sumBlockF32AVX2,
		mirror: mirrorer(8, pairMirrorF32AVX2),
	}
}

func pairsF64AVX2() pairs[float64] {
	return pairs[float64]{
		addVS: pairAddVSF64AVX2, subSV: pairSubSVF64AVX2,
		mulVV: pairMulVVF64AVX2, mulVS: pairMulVSF64AVX2, mulReal: pairMulRealF64AVX2,
		divVV: pairDivVVF64AVX2, divVS: pairDivVSF64AVX2, divSV: pairDivSVF64AVX2,
		conj: pairConjF64AVX2, abs: pairAbsF64AVX2, absSquared: pairAbsSquaredF64AVX2,
		real: pairRealF64AVX2, imag: pairImagF64AVX2, join: pairJoinF64AVX2, sumBlock: sumBlockF64AVX2,
		mirror: mirrorer(4, pairMirrorF64AVX2),
	}
}

func pairsF32AVX512() pairs[float32] {
	return pairs[float32]{
		addVS: pairAddVSF32AVX512, subSV: pairSubSVF32AVX512,
		mulVV: pairMulVVF32AVX512, mulVS: pairMulVSF32AVX512, mulReal: pairMulRealF32AVX512,
		divVV: pairDivVVF32AVX512, divVS: pairDivVSF32AVX512, divSV: pairDivSVF32AVX512,
		conj: pairConjF32AVX512, abs: pairAbsF32AVX512, absSquared: pairAbsSquaredF32AVX512,
		real: pairRealF32AVX512, imag: pairImagF32AVX512, join: pairJoinF32AVX512, sumBlock: sumBlockF32AVX512,
		mirror: mirrorer(16, pairMirrorF32AVX512),
	}
}

func pairsF64AVX512() pairs[float64] {
	return pairs[float64]{
		addVS: pairAddVSF64AVX512, subSV: pairSubSVF64AVX512,
		mulVV: pairMulVVF64AVX512, mulVS: pairMulVSF64AVX512, mulReal: pairMulRealF64AVX512,
		divVV: pairDivVVF64AVX512, divVS: pairDivVSF64AVX512, divSV: pairDivSVF64AVX512,
		conj: pairConjF64AVX512, abs: pairAbsF64AVX512, absSquared: pairAbsSquaredF64AVX512,
		real: pairRealF64AVX512, imag: pairImagF64AVX512, join: pairJoinF64AVX512, sumBlock: sumBlockF64AVX512,
		mirror: mirrorer(8, pairMirrorF64AVX512),
	}
}
