package kgen

// SetNarrowMost makes positions have 64 bits for smaller arrays, until restore.
func SetNarrowMost(n int) (restore func()) {
	most := narrowMost
	narrowMost = n
	return func() { narrowMost = most }
}
