package simd

func supported(l Level) bool { return l == NEON }
