package pair

import "github.com/twiddle-go/twiddle/internal/simd"

func vectors(l simd.Level) (Table, bool) { return tableNEON, l == simd.NEON }
