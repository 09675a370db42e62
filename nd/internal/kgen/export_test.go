package kgen

// SetNarrowMost makes positions have 64 bits for smaller arrays, until restore.
func SetNarrowMost(n int) (restore func()) {
	most := narrowMost
	narrowMost = n
	return func() { narrowMost = most }
}

// NearNormal and Normal are normal numbers of four words, the short way and the usual one.
var NearNormal, Normal = nearNormal, normal
