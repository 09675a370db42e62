package median

import "github.com/twiddle-go/twiddle/internal/simd"

// kernels are by level, those for short windows first.
var kernels = map[simd.Level][]sized{
	simd.NEON: {{32, slide32NEON}},
}
