package peak

// widen is kernels.widen.
func widen(dst []float64, src []float32) {
	for i, v := range src {
		dst[i] = float64(v)
	}
}

// tops is kernels.tops.
func tops(at []int, heights, x []float64, low, high float64) (n int, plain bool) {
	before, here, odd := x[0], x[1], 0
	for i, next := range x[2:] {
		at[n], heights[n] = i+1, here
		n += bit(here > before) & bit(here > next) & bit(here >= low) & bit(here <= high)
		odd |= 1 ^ bit(here > next) ^ bit(here < next)
		before, here = here, next
	}
	return n, odd == 0
}

// bit is 1 for true. Whether a line rises or falls is as good as random in noise,
// so it is computed, not branched on.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// turns is kernels.turns. Maxima and minima take turns; the ends are the lowest
// samples beyond the outer maxima unless there is a minimum.
func turns(f *Finder, x []float64) (plain bool) {
	first := bit(x[1] > x[0])
	n, odd := 0, 1^first^bit(x[1] < x[0])
	extremes := f.extremes[:len(x)]
	rose, here := first, x[1]
	for i, next := range x[2:] {
		rises := bit(next > here)
		odd |= 1 ^ rises ^ bit(next < here)
		extremes[n] = int32(i + 1)
		n += rises ^ rose
		rose, here = rises, next
	}
	if odd != 0 {
		return false
	}
	e := extremes[:n]
	low := int32(0)
	if first == 0 && n > 0 {
		low, e = e[0], e[1:]
	}
	m := 0
	for ; len(e) > 0; m++ {
		f.at[m] = e[0]
		f.ground.set(m, x[e[0]], x[low], span(low, low))
		low = int32(len(x) - 1)
		if len(e) > 1 {
			low = e[1]
		}
		e = e[min(2, len(e)):]
	}
	f.ground.set(m, highest, x[low], span(low, low))
	f.At = f.at[:m]
	return true
}

func (g *Ground) set(i int, height, low float64, at uint64) {
	g.heights()[i], g.lows()[i], g.lowest()[i] = height, low, at
}

// plateaus finds the maxima of any line.
func (f *Finder) plateaus(x []float64) {
	at := f.at[:0]
	for i := 1; i < len(x)-1; i++ {
		if !(x[i-1] < x[i]) {
			continue
		}
		end := i + 1
		for end < len(x)-1 && x[end] == x[i] {
			end++
		}
		if x[end] < x[i] {
			at = append(at, int32((i+end-1)/2))
			i = end - 1
		}
	}
	f.At = at
	for i, k := range at {
		f.ground.heights()[i] = x[k]
	}
}

// valleys finds the lowest places between the maxima of any line. Between maxima a
// line falls, then rises, so each is where following the slope down leads.
func (f *Finder) valleys(x []float64) {
	for _, v := range x {
		if v != v {
			f.Ordered = false
			return
		}
	}
	m := len(f.At)
	for i := range m + 1 {
		from, to, height := 0, len(x)-1, highest
		if i > 0 {
			from = int(f.At[i-1])
		}
		if i < m {
			to = int(f.At[i])
			height = x[to]
		}
		low := from
		if i > 0 {
			for low < to && x[low+1] <= x[low] {
				low++
			}
		} else {
			for low = to; low > from && x[low-1] <= x[low]; {
				low--
			}
		}
		a, b := low, low
		for a > from && x[a-1] == x[low] {
			a--
		}
		for b < to && x[b+1] == x[low] {
			b++
		}
		f.ground.set(i, height, x[low], span(int32(a), int32(b)))
	}
}
