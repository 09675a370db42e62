//go:build amd64 || arm64

package vec

// Some kernels stop before a vector in which an argument needs the portable
// function, and return how many elements they did. The functions of this file
// go on from there.

// resumed is how many elements the portable function does before the kernel
// has another try: a vector of the widest level.
const resumed = 8

func resume[T Float](kernel func(dst, x []T, stream bool) int, portable func(T) T) Unary[T] {
	return func(dst, x []T, stream bool) {
		n := min(len(dst), len(x))
		dst, x = dst[:n], x[:n]
		for {
			done := kernel(dst, x, stream)
			if done == len(dst) {
				return
			}
			next := min(done+resumed, len(dst))
			apply(portable, dst[done:next], x[done:next])
			dst, x = dst[next:], x[next:]
		}
	}
}

func resumeVV[T Float](kernel func(dst, x, y []T, stream bool) int, portable func(dst, x, y []T, stream bool)) func(dst, x, y []T, stream bool) {
	return func(dst, x, y []T, stream bool) {
		n := min(len(dst), len(x), len(y))
		dst, x, y = dst[:n], x[:n], y[:n]
		for {
			done := kernel(dst, x, y, stream)
			if done == len(dst) {
				return
			}
			next := min(done+resumed, len(dst))
			portable(dst[done:next], x[done:next], y[done:next], stream)
			dst, x, y = dst[next:], x[next:], y[next:]
		}
	}
}

func resumeVS[T Float](kernel func(dst, x []T, y T, stream bool) int, portable func(dst, x []T, y T, stream bool)) func(dst, x []T, y T, stream bool) {
	return func(dst, x []T, y T, stream bool) {
		n := min(len(dst), len(x))
		dst, x = dst[:n], x[:n]
		for {
			done := kernel(dst, x, y, stream)
			if done == len(dst) {
				return
			}
			next := min(done+resumed, len(dst))
			portable(dst[done:next], x[done:next], y, stream)
			dst, x = dst[next:], x[next:]
		}
	}
}

func resumeSV[T Float](kernel func(dst []T, x T, y []T, stream bool) int, portable func(dst []T, x T, y []T, stream bool)) func(dst []T, x T, y []T, stream bool) {
	return func(dst []T, x T, y []T, stream bool) {
		n := min(len(dst), len(y))
		dst, y = dst[:n], y[:n]
		for {
			done := kernel(dst, x, y, stream)
			if done == len(dst) {
				return
			}
			next := min(done+resumed, len(dst))
			portable(dst[done:next], x, y[done:next], stream)
			dst, y = dst[next:], y[next:]
		}
	}
}
