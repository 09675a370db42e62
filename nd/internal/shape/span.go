package shape

import (
	"fmt"
	"math"
)

// End, as the stop of a range, means through to the last element the step
// reaches, whichever its direction.
const End = math.MaxInt

// Range resolves start:stop:step on an axis of n elements as NumPy does:
// negative bounds count from the end, bounds outside the axis are clipped. It
// gives the first index, the step and the count; the step is 1 and the first
// index in [0, n] where fewer than two elements are left, so that strides made
// from them cannot overflow.
func Range(n, start, stop, step int) (first, by, count int, err error) {
	switch {
	case step == 0:
		return 0, 0, 0, fmt.Errorf("range with step 0")
	case step > 0:
		start = clip(start, n, 0, n)
		stop = clip(stop, n, 0, n)
		if start < stop {
			count = (stop-start-1)/step + 1
		}
	default:
		start = clip(start, n, -1, n-1)
		if stop == End {
			stop = -1
		} else {
			stop = clip(stop, n, -1, n-1)
		}
		if start > stop {
			// -step overflows for MinInt, which steps past any axis.
			if step == math.MinInt {
				step++
			}
			count = (start-stop-1)/-step + 1
		}
	}
	if count == 0 {
		return 0, 1, 0, nil
	}
	if count == 1 {
		step = 1
	}
	return start, step, count, nil
}

// clip resolves a negative bound and holds it in [lo, hi].
func clip(i, n, lo, hi int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, lo), hi)
}

// FrameCount is how many frames of size elements, hop apart, fit in n.
func FrameCount(n, size, hop int) (int, error) {
	switch {
	case size < 1:
		return 0, fmt.Errorf("frame size %d is not positive", size)
	case hop < 1:
		return 0, fmt.Errorf("frame hop %d is not positive", hop)
	case size > n:
		return 0, fmt.Errorf("frame size %d is longer than the axis, %d", size, n)
	}
	return (n-size)/hop + 1, nil
}
