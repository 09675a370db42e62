package vec

func convertAVX2() Convert {
	return Convert{
		F32FromF16:  f32FromF16AVX2,
		F16FromF32:  f16FromF32AVX2,
		F32FromBF16: f32FromBF16AVX2,
		BF16FromF32: bf16FromF32AVX2,
		F32FromI32:  f32FromI32AVX2,
		I32FromF32:  i32FromF32AVX2,
		F64FromI32:  f64FromI32AVX2,
		I32FromF64:  i32FromF64AVX2,
		F64FromF32:  f64FromF32AVX2,
		F32FromF64:  f32FromF64AVX2,
		F32FromU8:   f32FromU8AVX2,
	}
}

func convertAVX512() Convert {
	return Convert{
		F32FromF16:  f32FromF16AVX512,
		F16FromF32:  f16FromF32AVX512,
		F32FromBF16: f32FromBF16AVX512,
		BF16FromF32: bf16FromF32AVX512,
		F32FromI32:  f32FromI32AVX512,
		I32FromF32:  i32FromF32AVX512,
		F64FromI32:  f64FromI32AVX512,
		I32FromF64:  i32FromF64AVX512,
		F64FromF32:  f64FromF32AVX512,
		F32FromF64:  f32FromF64AVX512,
		F32FromU8:   f32FromU8AVX512,
	}
}
