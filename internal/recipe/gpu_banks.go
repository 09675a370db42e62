package recipe

// Between passes the numbers of a line lie in shared memory in their order, with
// gaps, so that threads which write a round number of places apart do not meet
// in a bank. Lengths that are powers of two leave out one number in so many;
// there start and distance of a butterfly's numbers have no bits in common and
// gaps can be counted apart. Other lengths leave some out behind each run of
// numbers that the passes so far have joined: runs are whole butterflies of the
// pass before and whole distances of the next.

// banks is how many numbers of two components a warp stores or loads at once.
func banks(bits int) int { return 128 / (bits / 4) }

func (r *Recipe) powerOfTwo() bool { return r.N&(r.N-1) == 0 }

// Spacing is after how many numbers one is left out, for components of so many
// bits; 0 for never, as for lengths that are no powers of two.
func (r *Recipe) Spacing(bits int) int {
	if r.Tight || !r.powerOfTwo() || r.N%16 != 0 || len(r.Radices) < 2 {
		return 0
	}
	return max(banks(bits), r.Radices[0])
}

// Spaces is how many numbers are left out behind each run of Spacing.
func (r *Recipe) Spaces() int {
	if r.Wide {
		return 2
	}
	return 1
}

// Gap is how many numbers are left out behind each run of those that a pass has
// joined: as many as make threads wait the least for each other when they store
// and when the next pass loads. It is 0 for powers of two.
func (r *Recipe) Gap(pass, bits int) int {
	if r.Tight || r.powerOfTwo() {
		return 0
	}
	ns := product(r.Radices[:pass])
	radix, next := r.Radices[pass], r.Radices[pass+1]
	run, banks := ns*radix, banks(bits)
	best, least := 0, 0
	for gap := range banks {
		waits := waiting(r.N/radix, banks, func(b int) int { return b/ns*(run+gap) + b%ns }) * radix
		waits += waiting(r.N/next, banks, func(b int) int { return b + b/run*gap }) * next
		if gap == 0 || waits < least {
			best, least = gap, waits
		}
	}
	return best
}

// waiting is how many turns it takes threads that follow each other to access
// places, a warp's share at a time.
func waiting(threads, banks int, place func(int) int) int {
	turns := 0
	for first := 0; first < threads; first += banks {
		var busy [32]int
		most := 0
		for t := first; t < min(first+banks, threads); t++ {
			b := place(t) % banks
			busy[b]++
			most = max(most, busy[b])
		}
		turns += most
	}
	return turns
}

// Room is how many numbers an exchange between passes takes in shared memory.
func (r *Recipe) Room(bits int) int {
	most := r.N
	if len(r.Radices) < 2 {
		return 0
	}
	if r.powerOfTwo() {
		if d := r.Spacing(bits); d > 0 {
			most += r.N / d * r.Spaces()
		}
		return most
	}
	run := 1
	for i, radix := range r.Radices[:len(r.Radices)-1] {
		run *= radix
		most = max(most, r.N+r.N/run*r.Gap(i, bits))
	}
	return most
}

// Exchange is the bytes of shared memory in which a line on chip is exchanged
// between threads, there and back.
func (g GPU) Exchange(r *Recipe) int {
	n := 0
	switch r.Kind {
	case Rader:
		n = r.N * g.bytes()
		fallthrough
	case Bluestein, Packed:
		n = max(n, g.Exchange(r.Inner)) + 2*r.Wrapped()*g.bytes()
	default:
		n = max(r.Room(g.Bits), r.Reversed().Room(g.Bits)) * g.bytes()
		if r.Turns {
			n /= 2
		}
	}
	return (n + 15) / 16 * 16
}
