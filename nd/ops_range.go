package nd

// Head is the first n elements of an axis, or all if there are fewer.
func Head(n int) Range {
	if n <= 0 {
		return Range{}
	}
	return Range{Stop: n}
}

// Tail is the last n elements of an axis, or all if there are fewer.
func Tail(n int) Range {
	if n <= 0 {
		return Range{}
	}
	return Range{Start: -n, Stop: End}
}

// Skip is an axis without its first n elements.
func Skip(n int) Range { return Range{Start: max(n, 0), Stop: End} }

// Between is the elements start to stop, which is not one of them. Negative
// bounds count from the end; stop may be End.
func Between(start, stop int) Range { return Range{Start: start, Stop: stop} }
