package signal

// search is the local maxima of a line, what was measured of them, and room to
// find them, which one goroutine uses for line after line.
type search struct {
	at []int32 // the maxima of the line
	// before and after are the lowest places on either side of the maxima, len(at)+1
	// of them: of equal ones the first and the last. They are the same slice if no
	// samples that are neighbours are equal. Without order, where samples do not
	// compare, there are none.
	before, after []int32
	ordered       bool

	measured []measure // of each maximum
	crossed  []crossing

	wide    []float64
	extreme []int32
	lows    [2][]int32
	peaks   []int32
	sel     []int32
	rivals  []rival
	beaten  []uint8
	gone    []uint8
	order   []int32
	stack   []ridge
	ints    block[int]
	floats  block[float64]
}

// measure is how far a maximum stands out, and where the lowest samples beside
// it are.
type measure struct {
	prominence  float64
	left, right int32
}

// crossing is where a line crosses a height on either side of a peak.
type crossing struct{ height, left, right float64 }

func newSearch(n int) *search {
	s := &search{wide: make([]float64, n), extreme: make([]int32, n+1), peaks: make([]int32, n/2+2), sel: make([]int32, n/2+2),
		measured: make([]measure, n/2+2), crossed: make([]crossing, n/2+2)}
	for i := range s.lows {
		s.lows[i] = make([]int32, n/2+3)
	}
	return s
}

// block is memory that results are cut from, so that there are few allocations.
type block[T any] struct{ rest []T }

// cut is n elements that nobody else has, never nil.
func (b *block[T]) cut(n int) []T {
	if len(b.rest) < n || b.rest == nil {
		b.rest = make([]T, max(n, 1<<14))
	}
	out := b.rest[:n:n]
	b.rest = b.rest[n:]
	return out
}

// look finds the maxima of a line.
func (s *search) look(x []float64) {
	s.at, s.ordered = s.peaks[:0], true
	if len(x) < 3 {
		return
	}
	if !s.alternate(x) {
		s.tops(x)
		s.valleys(x)
	}
}

// alternate finds the maxima, and the minima between them, of a line where
// every sample is greater or less than the next: else it gives false. Whether a
// line rises or falls is as good as random in noise, so it is computed, not
// branched on.
func (s *search) alternate(x []float64) bool {
	n, odd := 0, 0
	first := 0
	if x[1] > x[0] {
		first = 1
	}
	if !(x[1] > x[0]) && !(x[1] < x[0]) {
		return false
	}
	extreme := s.extreme[:len(x)]
	rose, here := first, x[1]
	for i, next := range x[2:] {
		rises, falls := 0, 0
		if next > here {
			rises = 1
		}
		if next < here {
			falls = 1
		}
		odd |= 1 ^ rises ^ falls
		extreme[n] = int32(i + 1)
		n += rises ^ rose
		rose, here = rises, next
	}
	if odd != 0 {
		return false
	}
	// Extremes take turns. The ends are the lowest samples beyond the outer
	// maxima unless there is a minimum.
	peaks, low := s.peaks[:cap(s.peaks)], s.lows[0]
	e := extreme[:n]
	if first == 1 {
		low[0] = 0
	} else if n > 0 {
		low[0] = e[0]
		e = e[1:]
	}
	m := 0
	for ; len(e) >= 2; e = e[2:] {
		peaks[m], low[m+1] = e[0], e[1]
		m++
	}
	if len(e) == 1 {
		peaks[m], low[m+1] = e[0], int32(len(x)-1)
		m++
	}
	s.at, s.before, s.after = peaks[:m], low[:m+1], low[:m+1]
	return true
}

// tops finds the maxima of any line.
func (s *search) tops(x []float64) {
	at := s.peaks[:0]
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
	s.at = at
}

// valleys finds the lowest places between the maxima of any line. Between
// maxima a line falls, then rises, so each is where following the slope down
// leads.
func (s *search) valleys(x []float64) {
	for _, v := range x {
		if v != v {
			s.ordered = false
			return
		}
	}
	m := len(s.at)
	first, last := s.lows[0][:m+1], s.lows[1][:m+1]
	for i := range m + 1 {
		from, to := 0, len(x)-1
		if i > 0 {
			from = int(s.at[i-1])
		}
		if i < m {
			to = int(s.at[i])
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
		first[i], last[i] = int32(a), int32(b)
	}
	s.before, s.after = first, last
}

// plateau is the ends of the flat top around a sample.
func plateau(x []float64, k int) (left, right int) {
	left, right = k, k
	for left > 0 && x[left-1] == x[k] {
		left--
	}
	for right < len(x)-1 && x[right+1] == x[k] {
		right++
	}
	return left, right
}

// all selects every maximum: places in at.
func (s *search) all() []int32 {
	sel := s.sel[:len(s.at)]
	for i := range sel {
		sel[i] = int32(i)
	}
	return sel
}

// keep leaves out those for which stays is false, in place.
func (s *search) keep(sel []int32, stays func(int32) bool) []int32 {
	n := 0
	for _, i := range sel {
		if stays(i) {
			sel[n] = i
			n++
		}
	}
	return sel[:n]
}

// keepHeights is keep for heights; what is random in noise is not branched on.
func (s *search) keepHeights(x []float64, sel []int32, l *Limits) []int32 {
	if l.each != nil {
		return s.keep(sel, func(i int32) bool { return l.holds(x[s.at[i]], int(s.at[i])) })
	}
	n := 0
	for _, i := range sel {
		v := x[s.at[i]]
		above, below := 0, 0
		if v >= l.low {
			above = 1
		}
		if v <= l.high {
			below = 1
		}
		sel[n] = i
		n += above & below
	}
	return sel[:n]
}

// keepProminences is keep for prominences.
func (s *search) keepProminences(sel []int32, l *Limits) []int32 {
	if l.each != nil {
		return s.keep(sel, func(i int32) bool { return l.holds(s.measured[i].prominence, int(s.at[i])) })
	}
	n := 0
	for _, i := range sel {
		v := s.measured[i].prominence
		above, below := 0, 0
		if v >= l.low {
			above = 1
		}
		if v <= l.high {
			below = 1
		}
		sel[n] = i
		n += above & below
	}
	return sel[:n]
}
