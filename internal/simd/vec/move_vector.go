//go:build amd64 || arm64

package vec

import "unsafe"

// streaming copies with Go's copy unless the stores are to pass by the caches.
func streaming(kernel func(dst, x []byte, stream bool)) func(dst, src []byte, stream bool) {
	return func(dst, src []byte, stream bool) {
		if stream {
			kernel(dst, src, true)
		} else {
			copy(dst, src)
		}
	}
}

// gatherer is gather, with every second element as the real parts of complex
// numbers.
func gatherer(real32 func(dst, x []float32, stream bool), real64 func(dst, x []float64, stream bool)) func(size int, dst, src unsafe.Pointer, stride, n int) {
	return func(size int, dst, src unsafe.Pointer, stride, n int) {
		switch {
		case stride == 2 && size == 4 && n > 1:
			everySecond(real32, dst, src, n)
		case stride == 2 && size == 8 && n > 1:
			everySecond(real64, dst, src, n)
		default:
			gather(size, dst, src, stride, n)
		}
	}
}

// everySecond copies the last element by itself: the memory may end with it.
func everySecond[R Float](real func(dst, x []R, stream bool), dst, src unsafe.Pointer, n int) {
	to, from := unsafe.Slice((*R)(dst), n), unsafe.Slice((*R)(src), 2*n-1)
	real(to[:n-1], from, false)
	to[n-1] = from[2*n-2]
}
