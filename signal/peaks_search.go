package signal

import (
	"cmp"
	"slices"
)

// search is the local maxima of a line and room to find them, which one
// goroutine uses for line after line.
type search struct {
	at    []int // the maxima of the line
	wide  []float64
	kept  []int
	order []ranked
	stay  []bool
	fate  []fate
	left  []ground
	right []ground
	stack []int
}

// ranked is a peak in the order of heights.
type ranked struct {
	height float64
	peak   int
}

// ground is the lowest sample beside a peak and where it is.
type ground struct {
	low float64
	at  int
}

func newSearch(n int) *search {
	return &search{at: make([]int, 0, n/2+2), wide: make([]float64, n)}
}

// tops finds the maxima. Whether a sample rises or falls is as good as random
// in noise, so it is computed, not branched on; only flat ground, which is
// rare, is looked at apart.
func (s *search) tops(x []float64) {
	s.at = s.at[:0]
	if len(x) < 3 {
		return
	}
	at := s.at[:cap(s.at)]
	n := 0
	before, here := x[0], x[1]
	for i := 1; i < len(x)-1; i++ {
		after := x[i+1]
		if here == after && before < here {
			end := i + 1
			for end < len(x)-1 && x[end] == here {
				end++
			}
			if x[end] < here {
				at[n] = (i + end - 1) / 2
				n++
			}
			i = end - 1
			before, here = x[i], x[end]
			continue
		}
		rises, falls := 0, 0
		if before < here {
			rises = 1
		}
		if after < here {
			falls = 1
		}
		at[n] = i
		n += rises & falls
		before, here = here, after
	}
	s.at = at[:n]
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

// fate is what becomes of a peak.
type fate uint8

const (
	open fate = iota
	stays
	goes
)

// crowd is how many peaks there may be in the distance, on average, for looking
// at neighbours to be faster than sorting.
const crowd = 8

// distant says which peaks stay if, from the highest down, each takes away
// those closer than distance. Of equal ones the last comes first.
func (s *search) distant(x []float64, peaks []int, distance int) []bool {
	s.stay = slices.Grow(s.stay[:0], len(peaks))[:len(peaks)]
	if len(peaks)*distance > crowd*len(x) {
		s.byHeight(x, peaks, distance)
	} else {
		s.byNeighbours(x, peaks, distance)
	}
	return s.stay
}

// byHeight is distant by its definition.
func (s *search) byHeight(x []float64, peaks []int, distance int) {
	s.order = s.order[:0]
	for i, k := range peaks {
		s.order = append(s.order, ranked{x[k], i})
		s.stay[i] = true
	}
	slices.SortFunc(s.order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.height, a.height), cmp.Compare(b.peak, a.peak))
	})
	for _, r := range s.order {
		j := r.peak
		if !s.stay[j] {
			continue
		}
		for k := j - 1; k >= 0 && peaks[j]-peaks[k] < distance; k-- {
			s.stay[k] = false
		}
		for k := j + 1; k < len(peaks) && peaks[k]-peaks[j] < distance; k++ {
			s.stay[k] = false
		}
	}
}

// byNeighbours uses that a peak goes if and only if a higher one in the
// distance stays, which is found out first.
func (s *search) byNeighbours(x []float64, peaks []int, distance int) {
	s.fate = slices.Grow(s.fate[:0], len(peaks))[:len(peaks)]
	clear(s.fate)
	for i := range peaks {
		s.stack = append(s.stack[:0], i)
		for len(s.stack) > 0 {
			j := s.stack[len(s.stack)-1]
			verdict, ask := s.judge(x, peaks, j, distance)
			if verdict == open {
				s.stack = append(s.stack, ask)
				continue
			}
			s.fate[j] = verdict
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.stay[i] = s.fate[i] == stays
	}
}

// judge is the fate of a peak, or a higher neighbour whose fate has to be known
// first.
func (s *search) judge(x []float64, peaks []int, j, distance int) (verdict fate, ask int) {
	at := peaks[j]
	verdict = stays
	for k := j - 1; k >= 0 && at-peaks[k] < distance; k-- {
		if x[peaks[k]] > x[at] {
			switch s.fate[k] {
			case stays:
				return goes, 0
			case open:
				verdict, ask = open, k
			}
		}
	}
	for k := j + 1; k < len(peaks) && peaks[k]-at < distance; k++ {
		if x[peaks[k]] >= x[at] {
			switch s.fate[k] {
			case stays:
				return goes, 0
			case open:
				verdict, ask = open, k
			}
		}
	}
	return verdict, ask
}

// prominences is the function of that name. For many peaks it does not walk
// from each, but visits the maxima once from either side and keeps those that
// no later one has overtaken: the ground beside a peak is the lowest of the
// valleys since the last higher one.
func (s *search) prominences(x []float64, peaks []int, wlen int) (prominence []float64, leftBases, rightBases []int) {
	if wlen != 0 || len(peaks) < 8 || 4*len(peaks) < len(s.at) || !orderly(x) {
		return prominences(x, peaks, wlen)
	}
	n := len(s.at)
	s.left, s.right = slices.Grow(s.left[:0], n)[:n], slices.Grow(s.right[:0], n)[:n]
	s.valleys(x)
	s.stack = s.stack[:0]
	for i, k := range s.at {
		for len(s.stack) > 0 && x[s.at[s.stack[len(s.stack)-1]]] <= x[k] {
			if g := s.left[s.stack[len(s.stack)-1]]; g.low < s.left[i].low {
				s.left[i] = g
			}
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.stack = append(s.stack, i)
	}
	s.stack = s.stack[:0]
	for i := n - 1; i >= 0; i-- {
		for len(s.stack) > 0 && x[s.at[s.stack[len(s.stack)-1]]] <= x[s.at[i]] {
			if g := s.right[s.stack[len(s.stack)-1]]; g.low < s.right[i].low {
				s.right[i] = g
			}
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.stack = append(s.stack, i)
	}
	prominence = make([]float64, len(peaks))
	bases := make([]int, 2*len(peaks))
	leftBases, rightBases = bases[:len(peaks):len(peaks)], bases[len(peaks):]
	j := 0
	for i, k := range peaks {
		for s.at[j] != k {
			j++
		}
		leftBases[i], rightBases[i] = s.left[j].at, s.right[j].at
		prominence[i] = x[k] - max(s.left[j].low, s.right[j].low)
	}
	return prominence, leftBases, rightBases
}

// valleys puts the lowest sample between neighbouring maxima, or a maximum and
// the end, beside both: of equal ones the nearer. Between maxima a line falls,
// then rises, so each is found by following the slope down.
func (s *search) valleys(x []float64) {
	for i, k := range s.at {
		from, to := 0, len(x)-1
		if i > 0 {
			from = s.at[i-1]
		}
		if i < len(s.at)-1 {
			to = s.at[i+1]
		}
		j := k
		for j > from && x[j-1] <= x[j] {
			j--
		}
		for x[j] == x[j+1] && j+1 < k {
			j++ // the near end of flat ground
		}
		s.left[i] = ground{x[j], j}
		j = k
		for j < to && x[j+1] <= x[j] {
			j++
		}
		for x[j] == x[j-1] && j-1 > k {
			j--
		}
		s.right[i] = ground{x[j], j}
	}
}

// orderly reports whether all samples are finite, so that they compare.
func orderly(x []float64) bool {
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * 0
		b += x[i+1] * 0
		c += x[i+2] * 0
		d += x[i+3] * 0
	}
	for ; i < len(x); i++ {
		a += x[i] * 0
	}
	return a+b+c+d == 0
}
