package vec

func elementaryF32NEON(r *Real[float32]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF32NEON, expm1F32NEON, logF32NEON, log1pF32NEON
	r.Sin, r.Cos, r.Tan = resume(sinF32NEON, sin32), resume(cosF32NEON, cos32), resume(tanF32NEON, tan32)
	r.Tanh, r.Sigmoid = tanhF32NEON, sigmoidF32NEON
	r.Atan2 = Binary[float32]{atan2VVF32NEON, atan2VSF32NEON, atan2SVF32NEON}
	r.Erf = erfF32NEON
	r.Pow = Binary[float32]{
		resumeVV(powVVF32NEON, powVV[float32]), resumeVS(powVSF32NEON, powVS[float32]), resumeSV(powSVF32NEON, powSV[float32]),
	}
}

func elementaryF64NEON(r *Real[float64]) {
	r.Exp, r.Expm1, r.Log, r.Log1p = expF64NEON, expm1F64NEON, logF64NEON, log1pF64NEON
	r.Sin, r.Cos, r.Tan = resume(sinF64NEON, sin64), resume(cosF64NEON, cos64), resume(tanF64NEON, tan64)
	r.Tanh, r.Sigmoid = tanhF64NEON, sigmoidF64NEON
	r.Atan2 = Binary[float64]{atan2VVF64NEON, atan2VSF64NEON, atan2SVF64NEON}
	r.Pow = Binary[float64]{
		resumeVV(powVVF64NEON, powVV[float64]), resumeVS(powVSF64NEON, powVS[float64]), resumeSV(powSVF64NEON, powSV[float64]),
	}
}
