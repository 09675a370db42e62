package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// sums reports whether cross is a sum that wholeSums computes, which is most of
// what simdgroups are used for.
func sums(s *flat.Cross, k ktree.Kind) bool {
	return s.Fn == ktree.SimdSum && (k == ktree.Float || k == ktree.Double)
}

// wholeSums adds up whole simdgroups of active lanes, in the order of combine:
// there, every lane meets the same partners in the same order, so all of them
// get the same bits. It reports false for groups that are not whole.
func wholeSums(f *frame, m *mask, x, d value) bool {
	if !m.full || f.n%ktree.SimdWidth != 0 {
		return false
	}
	if x.kind == ktree.Double {
		addGroups(f.f64[d.reg], f.f64[x.reg], f.n)
	} else {
		addGroups(f.f32[d.reg], f.f32[x.reg], f.n)
	}
	return true
}

func addGroups[T float32 | float64](dst, src []T, n int) {
	for lo := 0; lo < n; lo += ktree.SimdWidth {
		v := (*[ktree.SimdWidth]T)(src[lo:])
		var half [ktree.SimdWidth / 2]T
		for i := range half {
			half[i] = v[i] + v[i+ktree.SimdWidth/2]
		}
		for step := ktree.SimdWidth / 4; step > 0; step /= 2 {
			for i := range step {
				half[i] += half[i+step]
			}
		}
		out := (*[ktree.SimdWidth]T)(dst[lo:])
		for i := range out {
			out[i] = half[0]
		}
	}
}
