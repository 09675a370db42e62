package vec

import "math"

func neg[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = -x[i]
	}
}

func abs[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.Abs(float64(x[i])))
	}
}

func square[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] * x[i]
	}
}

// A float64 square root rounded to float32 is the float32 square root: 53
// bits are more than twice 24 and two.
func sqrt[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.Sqrt(float64(x[i])))
	}
}

func rsqrt[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = 1 / T(math.Sqrt(float64(x[i])))
	}
}

func floor[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.Floor(float64(x[i])))
	}
}

func ceil[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.Ceil(float64(x[i])))
	}
}

func round[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.RoundToEven(float64(x[i])))
	}
}

func sign[T Float](dst, x []T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		switch {
		case v > 0:
			v = 1
		case v < 0:
			v = -1
		case v == 0:
			v = 0
		}
		dst[i] = v
	}
}

// each makes a kernel from the scalar functions of the two types.
func each[T Float](f32 func(float32) float32, f64 func(float64) float64) Unary[T] {
	var k any
	switch any(T(0)).(type) {
	case float32:
		k = Unary[float32](func(dst, x []float32, _ bool) { apply(f32, dst, x) })
	case float64:
		k = Unary[float64](func(dst, x []float64, _ bool) { apply(f64, dst, x) })
	}
	return k.(Unary[T])
}

func apply[T Float](f func(T) T, dst, x []T) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i, v := range x {
		dst[i] = f(v)
	}
}
