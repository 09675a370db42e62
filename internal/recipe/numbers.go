package recipe

// stripped divides n by all primes that passes can handle.
func stripped(n int) int {
	for _, p := range []int{2, 3, 5, 7, 11, 13} {
		for n%p == 0 {
			n /= p
		}
	}
	return n
}

// Smooth reports a length that passes handle without a convolution: its prime
// factors are at most 13.
func Smooth(n int) bool { return stripped(n) == 1 }

func prime(n int) bool {
	for f := 2; f*f <= n; f++ {
		if n%f == 0 {
			return false
		}
	}
	return n >= 2
}

// doubled lists, for each odd number, its least multiple by a power of two that
// is at least least.
func doubled(least int, odds ...int) []int {
	list := make([]int, len(odds))
	for i, m := range odds {
		for m < least {
			m *= 2
		}
		list[i] = m
	}
	return list
}

func product(factors []int) int {
	n := 1
	for _, f := range factors {
		n *= f
	}
	return n
}

// PrimitiveRoot is the least number whose powers are all residues of the prime p
// but 0. Rader's method puts a line in their order.
func PrimitiveRoot(p int) int {
	var factors []int
	rest := p - 1
	for f := 2; f*f <= rest; f++ {
		if rest%f == 0 {
			factors = append(factors, f)
		}
		for rest%f == 0 {
			rest /= f
		}
	}
	if rest > 1 {
		factors = append(factors, rest)
	}
next:
	for g := 1; ; g++ {
		for _, f := range factors {
			if power(g, (p-1)/f, p) == 1 {
				continue next
			}
		}
		return g
	}
}

// power is base^exponent modulo a number below 2^32.
func power(base, exponent, modulus int) int {
	b, m, result := uint64(base), uint64(modulus), uint64(1)%uint64(modulus)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result = result * b % m
		}
		b = b * b % m
	}
	return int(result)
}
