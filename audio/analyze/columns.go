package analyze

// columns is the course of something over a time that is not known before: each
// column stands for as many items as the others, except the last. When there
// are too many, neighbours are put together.
type columns[T any] struct {
	limit int
	items []T
	// weight is how many items a column stands for, and last how many the last
	// one has so far.
	weight, last int
	// merge puts b, of so many items, into a.
	merge func(a *T, inA int, b T, inB int)
}

func newColumns[T any](limit int, merge func(a *T, inA int, b T, inB int)) columns[T] {
	return columns[T]{limit: limit, weight: 1, merge: merge}
}

// add appends an item.
func (c *columns[T]) add(item T) {
	if len(c.items) > 0 && c.last < c.weight {
		c.merge(&c.items[len(c.items)-1], c.last, item, 1)
		c.last++
		return
	}
	if len(c.items) == c.limit {
		c.halve()
	}
	c.items = append(c.items, item)
	c.last = 1
}

// halve makes one of every two columns; limits are even.
func (c *columns[T]) halve() {
	for i := range c.limit / 2 {
		c.items[i] = c.items[2*i]
		c.merge(&c.items[i], c.weight, c.items[2*i+1], c.weight)
	}
	clear(c.items[c.limit/2:])
	c.items = c.items[:c.limit/2]
	c.weight *= 2
}
