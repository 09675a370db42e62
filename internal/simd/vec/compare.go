package vec

func equalVV[T Float](dst []bool, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] == y[i]
	}
}

func equalVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] == y
	}
}

func notEqualVV[T Float](dst []bool, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] != y[i]
	}
}

func notEqualVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] != y
	}
}

func lessVV[T Float](dst []bool, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] < y[i]
	}
}

func lessVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] < y
	}
}

func lessEqualVV[T Float](dst []bool, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = x[i] <= y[i]
	}
}

func lessEqualVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] <= y
	}
}

func greaterVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] > y
	}
}

func greaterEqualVS[T Float](dst []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = x[i] >= y
	}
}

func whereVV[T Float](dst []T, cond []bool, x, y []T, _ bool) {
	n := min(len(dst), len(cond), len(x), len(y))
	dst, cond, x, y = dst[:n], cond[:n], x[:n], y[:n]
	for i := range dst {
		v := y[i]
		if cond[i] {
			v = x[i]
		}
		dst[i] = v
	}
}

func whereVS[T Float](dst []T, cond []bool, x []T, y T, _ bool) {
	n := min(len(dst), len(cond), len(x))
	dst, cond, x = dst[:n], cond[:n], x[:n]
	for i := range dst {
		v := y
		if cond[i] {
			v = x[i]
		}
		dst[i] = v
	}
}

func whereSV[T Float](dst []T, cond []bool, x T, y []T, _ bool) {
	n := min(len(dst), len(cond), len(y))
	dst, cond, y = dst[:n], cond[:n], y[:n]
	for i := range dst {
		v := y[i]
		if cond[i] {
			v = x
		}
		dst[i] = v
	}
}
