package vec

func convertNEON() Convert {
	return Convert{
		F32FromF16:  f32FromF16NEON,
		F16FromF32:  f16FromF32NEON,
		F32FromBF16: f32FromBF16NEON,
		BF16FromF32: bf16FromF32NEON,
		F32FromI32:  f32FromI32NEON,
		I32FromF32:  i32FromF32NEON,
		F64FromI32:  f64FromI32NEON,
		I32FromF64:  i32FromF64NEON,
		F64FromF32:  f64FromF32NEON,
		F32FromF64:  f32FromF64NEON,
		F32FromU8:   f32FromU8NEON,
		F32FromI16:  f32FromI16NEON,
	}
}
