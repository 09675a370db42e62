package vec

func elementaryF32AVX2(r *Real[float32]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF32AVX2, expm1F32AVX2, logF32AVX2, log1pF32AVX2
	r.Sin, r.Cos, r.Tan = resume(sinF32AVX2, sin32), resume(cosF32AVX2, cos32), resume(tanF32AVX2, tan32)
	r.Tanh, r.Sigmoid = tanhF32AVX2, sigmoidF32AVX2
	r.Atan2 = Binary[float32]{atan2VVF32AVX2, atan2VSF32AVX2, atan2SVF32AVX2}
	r.Erf = erfF32AVX2
	r.Pow = Binary[float32]{
		resumeVV(powVVF32AVX2, powVV[float32]), resumeVS(powVSF32AVX2, powVS[float32]), resumeSV(powSVF32AVX2, powSV[float32]),
	}
}

func elementaryF64AVX2(r *Real[float64]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF64AVX2, expm1F64AVX2, logF64AVX2, log1pF64AVX2
	r.Sin, r.Cos, r.Tan = resume(sinF64AVX2, sin64), resume(cosF64AVX2, cos64), resume(tanF64AVX2, tan64)
	r.Tanh, r.Sigmoid = tanhF64AVX2, sigmoidF64AVX2
	r.Atan2 = Binary[float64]{atan2VVF64AVX2, atan2VSF64AVX2, atan2SVF64AVX2}
	r.Pow = Binary[float64]{
		resumeVV(powVVF64AVX2, powVV[float64]), resumeVS(powVSF64AVX2, powVS[float64]), resumeSV(powSVF64AVX2, powSV[float64]),
	}
}

func elementaryF32AVX512(r *Real[float32]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF32AVX512, expm1F32AVX512, logF32AVX512, log1pF32AVX512
	r.Sin, r.Cos, r.Tan = resume(sinF32AVX512, sin32), resume(cosF32AVX512, cos32), resume(tanF32AVX512, tan32)
	r.Tanh, r.Sigmoid = tanhF32AVX512, sigmoidF32AVX512
	r.Atan2 = Binary[float32]{atan2VVF32AVX512, atan2VSF32AVX512, atan2SVF32AVX512}
	r.Erf = erfF32AVX512
	r.Pow = Binary[float32]{
		resumeVV(powVVF32AVX512, powVV[float32]), resumeVS(powVSF32AVX512, powVS[float32]), resumeSV(powSVF32AVX512, powSV[float32]),
	}
}

func elementaryF64AVX512(r *Real[float64]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF64AVX512, expm1F64AVX512, logF64AVX512, log1pF64AVX512
	r.Sin, r.Cos, r.Tan = resume(sinF64AVX512, sin64), resume(cosF64AVX512, cos64), resume(tanF64AVX512, tan64)
	r.Tanh, r.Sigmoid = tanhF64AVX512, sigmoidF64AVX512
	r.Atan2 = Binary[float64]{atan2VVF64AVX512, atan2VSF64AVX512, atan2SVF64AVX512}
	r.Pow = Binary[float64]{
		resumeVV(powVVF64AVX512, powVV[float64]), resumeVS(powVSF64AVX512, powVS[float64]), resumeSV(powSVF64AVX512, powSV[float64]),
	}
}
