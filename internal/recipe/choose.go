package recipe

// Target is what the cost model knows about the machine.
type Target struct {
	Bits  int // 32 or 64: the width of a component
	Lanes int // components in a vector register, 1 without vectors
}

// For picks the recipe for length n, n >= 1. It is deterministic: the same
// arguments give the same recipe on every machine.
func For(n int, t Target) *Recipe {
	return Candidates(n, t, 1)[0]
}

// Candidates returns up to k recipes for length n, cheapest first.
func Candidates(n int, t Target, k int) []*Recipe {
	if n <= 16 {
		return []*Recipe{{Kind: Direct, N: n}}
	}
	if radices := factor(n); radices != nil {
		return []*Recipe{{Kind: MixedRadix, N: n, Radices: radices}}
	}
	if prime(n) && factor(n-1) != nil {
		return []*Recipe{{Kind: Rader, N: n, Inner: For(n-1, t)}}
	}
	m := 1
	for m < 2*n-1 {
		m *= 2
	}
	return []*Recipe{{Kind: Bluestein, N: n, Inner: For(m, t)}}
}

// factor splits n into radices, or returns nil if a prime is too large.
func factor(n int) []int {
	var radices []int
	for _, r := range []int{8, 4, 2, 9, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31} {
		for n%r == 0 && n > 1 {
			radices = append(radices, r)
			n /= r
		}
	}
	if n != 1 {
		return nil
	}
	return radices
}

func prime(n int) bool {
	for f := 2; f*f <= n; f++ {
		if n%f == 0 {
			return false
		}
	}
	return n >= 2
}
