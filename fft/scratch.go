package fft

import "sync"

// pool lends scratch of one element type. Slices grow to the largest length
// asked for and are then reused, so a plan in steady use allocates nothing.
type pool[T any] struct{ slices sync.Pool }

// get lends a slice of n elements of any content. Give the pointer back with
// put when done.
func (p *pool[T]) get(n int) *[]T {
	s, _ := p.slices.Get().(*[]T)
	if s == nil {
		s = new([]T)
	}
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return s
}

func (p *pool[T]) put(s *[]T) { p.slices.Put(s) }
