package signal

import (
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/peak"
)

// search is the maxima of a line and room for results, which one goroutine uses for
// line after line.
type search struct {
	*peak.Finder
	ints   block[int]
	floats block[float64]
}

func newSearch(n int) *search {
	return &search{Finder: peak.NewFinder(n, simd.Active())}
}

// keepValues leaves out those whose value is not inside the limits.
func (s *search) keepValues(values []float64, l *Limits) {
	if l.none() {
		return
	}
	if l.each == nil {
		s.KeepBetween(values, l.low, l.high)
		return
	}
	s.Keep(func(i int) bool { return l.holds(values[i], int(s.At[i])) })
}

// block is memory that results are cut from, so that there are few allocations.
type block[T any] struct{ rest []T }

// room is what comes next, at least n elements and peak.Slack more.
func (b *block[T]) room(n int) []T {
	if n += peak.Slack; len(b.rest) < n {
		b.rest = make([]T, max(n, 1<<14))
	}
	return b.rest
}

// cut is the first n elements of the room there is.
func (b *block[T]) cut(n int) []T {
	out := b.rest[:n:n]
	b.rest = b.rest[n:]
	return out
}

// places is where the selected maxima are.
func (s *search) places(n int) []int {
	s.Places(s.ints.room(n))
	return s.ints.cut(n)
}

// values is numbers of the selected maxima, given those of all.
func (s *search) values(n int, all []float64) []float64 {
	s.Values(s.floats.room(n), all)
	return s.floats.cut(n)
}

// bases is the bases of the selected maxima.
func (s *search) bases(n int) (left, right []int) {
	room := s.ints.room(2*n + peak.Slack)
	left, right = room[:n+peak.Slack], room[n+peak.Slack:]
	s.PlacesOfBases(left, right)
	s.ints.cut(n + peak.Slack)
	return left[:n:n], s.ints.cut(n)
}

// measure finds the prominences of the selected maxima: of all of them, unless it is
// a few of many, or they look only so far; those are walked from.
func (s *search) measure(x []float64, wlen int) {
	if wlen == 0 && s.Ordered && 16*s.Count() >= len(s.At) {
		s.Measure()
		return
	}
	s.Each(func(i int) {
		p, l, r := prominence(x, int(s.At[i]), wlen)
		s.Prominences[i], s.Bases[i] = p, peak.Bases{Left: int32(l), Right: int32(r)}
	})
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
