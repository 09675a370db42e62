package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// What a convolution costs beside its two transforms, about in instructions per
// element as split.cost counts them. Bluestein's multiplies by a chirp when it
// loads and stores; Rader's puts the line in another order in shared memory and
// back, where threads meet in banks.
const (
	chirpCost = 12
	raderCost = 32
)

// convolutionRoom is how many numbers a thread holds: beside those that pass from
// one transform to the other there are roots and places.
const convolutionRoom = 16

// sure is what a length that was not measured must gain by count to be taken
// instead of a power of two.
const sure = 0.85

// convolutionOf chooses how a line of n whose factors are not small is
// transformed on chip: the way and the length with the fewest instructions.
func convolutionOf(n int, p *precision) (method, split, tuned, error) {
	by, best, how, least := direct, split{}, tuned{}, 0.0
	try := func(way method, m int, extra, margin float64) {
		if m > onChip(p) {
			return
		}
		s, t, err := splitWithin(m, p, false, convolutionRoom)
		if err != nil {
			return
		}
		price := float64(m) * (2*s.cost(false, s.held(false)) + extra)
		if by == direct || price < margin*least {
			by, best, how, least = way, s, t, price
		}
	}
	for i, m := range padded(2*n - 1) {
		if i == 0 {
			try(chirp, m, chirpCost, 1)
		} else {
			try(chirp, m, chirpCost, sure)
		}
	}
	if prime(n) && smooth(n-1) {
		try(rader, n-1, raderCost, 1)
	}
	if by == direct {
		return by, best, how, fmt.Errorf("cuda: fft: a line of %d does not fit on chip: %w", n, device.ErrUnsupported)
	}
	return by, best, how, nil
}

// padded lists lengths of at least n with small factors: the power of two, and
// for some odd numbers the least multiple of them by a power of two.
func padded(n int) []int {
	var list []int
	for _, odd := range []int{1, 3, 5, 7, 9, 15, 21, 25, 27, 35, 45, 63, 75, 105} {
		m := odd
		for m < n {
			m *= 2
		}
		if m%16 == 0 && (len(list) == 0 || m < list[0]) {
			list = append(list, m)
		}
	}
	return list
}

func prime(n int) bool {
	for d := 2; d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return n > 1
}
