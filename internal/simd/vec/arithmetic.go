package vec

func addVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func addVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] + y
	}
}

func subVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func subVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] - y
	}
}

func subSV[T Float](dst []T, x T, y []T, _ bool) {
	n := min(len(dst), len(y))
	dst, y = dst[:n], y[:n]
	for i := range dst {
		dst[i] = x - y[i]
	}
}

func mulVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func mulVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] * y
	}
}

func divVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

func divVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] / y
	}
}

func divSV[T Float](dst []T, x T, y []T, _ bool) {
	n := min(len(dst), len(y))
	dst, y = dst[:n], y[:n]
	for i := range dst {
		dst[i] = x / y[i]
	}
}

func maxVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = max(x[i], y[i])
	}
}

func maxVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = max(x[i], y)
	}
}

func minVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = min(x[i], y[i])
	}
}

func minVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = min(x[i], y)
	}
}
