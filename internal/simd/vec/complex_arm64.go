package vec

func pairsF32NEON() pairs[float32] {
	return pairs[float32]{
		addVS: pairAddVSF32NEON, subSV: pairSubSVF32NEON,
		mulVV: pairMulVVF32NEON, mulVS: pairMulVSF32NEON, mulReal: pairMulRealF32NEON,
		divVV: pairDivVVF32NEON, divVS: pairDivVSF32NEON, divSV: pairDivSVF32NEON,
		conj: pairConjF32NEON, abs: pairAbsF32NEON, absSquared: pairAbsSquaredF32NEON,
		real: pairRealF32NEON, imag: pairImagF32NEON, join: pairJoinF32NEON, sumBlock: sumBlockF32NEON,
		mirror: mirrorer(4, pairMirrorF32NEON),
	}
}

func pairsF64NEON() pairs[float64] {
	return pairs[float64]{
		addVS: pairAddVSF64NEON, subSV: pairSubSVF64NEON,
		mulVV: pairMulVVF64NEON, mulVS: pairMulVSF64NEON, mulReal: pairMulRealF64NEON,
		divVV: pairDivVVF64NEON, divVS: pairDivVSF64NEON, divSV: pairDivSVF64NEON,
		conj: pairConjF64NEON, abs: pairAbsF64NEON, absSquared: pairAbsSquaredF64NEON,
		real: pairRealF64NEON, imag: pairImagF64NEON, join: pairJoinF64NEON, sumBlock: sumBlockF64NEON,
		mirror: mirrorer(2, pairMirrorF64NEON),
	}
}
