package recipe

import (
	"fmt"
	"slices"
	"sync"
)

// Sharing is how the threads of a GPU share lines.
type Sharing struct {
	// Threads is how many a line has. Thread t does butterflies t, t+Threads and
	// so on of every pass.
	Threads int `json:"threads,omitempty"`
	// Lines is how many a block takes, 0 for as many as make a usual block.
	Lines int `json:"lines,omitempty"`
	// Resident is how many threads a multiprocessor should hold at once, which
	// bounds their registers; 0 for as many as it comes to.
	Resident int `json:"resident,omitempty"`
	// Ahead is how many blocks of each multiprocessor ahead a block asks for its lines
	// to be brought near; 0 for none.
	Ahead int `json:"ahead,omitempty"`
	// Tight says that numbers are exchanged without gaps between them: threads wait
	// for each other, but more fits.
	Tight bool `json:"tight,omitempty"`
	// Turns says that real and imaginary parts are exchanged in turn, through the
	// same memory: twice as many barriers, but lines twice as long.
	Turns bool `json:"turns,omitempty"`
	// Stays says that blocks stay for line after line, and load the next one into
	// registers before the last pass of the one they have. Blocks of a pass along columns
	// stay for tile after tile, and have the next one brought to shared memory, where the
	// GPU does that.
	Stays bool `json:"stays,omitempty"`
	// Wide says that threads store two numbers at once for the pass behind the first, and so
	// leave gaps of two.
	Wide bool `json:"wide,omitempty"`
}

// String writes a Sharing as it follows the radices in a recipe.
func (s Sharing) String() string {
	if s.Threads == 0 {
		return ""
	}
	text := fmt.Sprintf("@%d", s.Threads)
	if s.Lines > 0 {
		text += fmt.Sprintf("x%d", s.Lines)
	}
	if s.Resident > 0 {
		text += fmt.Sprintf("/%d", s.Resident)
	}
	if s.Ahead > 0 {
		text += fmt.Sprintf("+%d", s.Ahead)
	}
	switch {
	case s.Tight && s.Turns:
		text += "!!"
	case s.Tight:
		text += "!"
	case s.Turns:
		text += "~"
	}
	if s.Stays {
		text += "*"
	}
	if s.Wide {
		text += "="
	}
	return text
}

// Pairs is the number of pairs of butterflies in a mirrored pass, whose threads
// have element k of a line together with n-k, as packed lines need in their last
// pass. The two butterflies that are their own images make one pair; of an odd
// number, one stands alone.
func Pairs(butterflies int) int { return (butterflies + 1) / 2 }

// share is how threads that hold so many numbers share a smooth line of n: as
// was measured, or else by counting instructions; nil if there is no way. The last
// pass of a packed line is mirrored.
func (g GPU) share(n int, mirrored bool, held int) *Recipe {
	if !g.holds(n, mirrored) {
		return nil
	}
	key := shareKey{g.Arch, g.Bits, g.threads(), n, mirrored, held}
	if r, ok := shares.Load(key); ok {
		return r.(*Recipe)
	}
	r := g.search(n, mirrored, held)
	shares.Store(key, r)
	return r
}

// shares keeps what search found: axes of long lines ask for hundreds of lengths,
// of which there are few on chip.
var shares sync.Map // of *Recipe, by shareKey

type shareKey struct {
	arch, bits, threads, n int
	mirrored               bool
	held                   int
}

func (g GPU) search(n int, mirrored bool, held int) *Recipe {
	t := g.tables()
	table := t.line
	if mirrored {
		table = t.packed
	}
	if r := table[n]; r != nil && (g.Bits == 32 || r.Held(mirrored) <= held) {
		return r
	}
	var found *Recipe
	least := 0.0
	try := func(radices []int, threads int) {
		r := Recipe{Kind: MixedRadix, N: n, Radices: radices, Sharing: Sharing{Threads: threads}}
		if threads < 1 || threads > g.threads() || r.Held(mirrored) > held {
			return
		}
		if c := r.instructions(mirrored); found == nil || c < least {
			better := r // r itself is not to escape
			better.Radices = slices.Clone(radices)
			found, least = &better, c
		}
	}
	factorings(n, 16, nil, func(radices []int) {
		last := n / radices[len(radices)-1]
		if mirrored {
			for d := 1; d <= 4; d *= 2 {
				try(radices, (Pairs(last)+d-1)/d)
			}
			return
		}
		for _, r := range radices {
			for d := 1; d <= 4; d *= 2 {
				try(radices, (n/r+d-1)/d)
			}
		}
	})
	if found != nil && len(found.Radices) == 1 {
		found.Kind, found.Radices = Direct, nil
	}
	return found
}

// factorings calls f with the ways to write n as a product of radices: odd
// ones first, since threads that write an odd number of places apart do not
// meet in a bank of shared memory, then larger ones first, except for the last,
// which may be any.
func factorings(n, most int, begun []int, f func([]int)) {
	if n == 1 {
		if len(begun) == 0 {
			f([]int{1})
			return
		}
		for i, r := range begun {
			if slices.Index(begun, r) != i {
				continue
			}
			list := append(slices.Delete(slices.Clone(begun), i, i+1), r)
			slices.SortStableFunc(list[:len(list)-1], func(a, b int) int { return b%2 - a%2 })
			f(list)
		}
		return
	}
	if len(begun) == 6 {
		return
	}
	for r := min(n, most); r > 1; r-- {
		if n%r == 0 {
			factorings(n/r, r, append(begun, r), f)
		}
	}
}

// Held is how many numbers a thread has in registers at most; 0 on a CPU.
func (r *Recipe) Held(mirrored bool) int {
	if r.Threads == 0 {
		return 0
	}
	most, passes := 0, r.Passes()
	for i, radix := range passes {
		most = max(most, radix*r.turns(i, mirrored && i == len(passes)-1))
	}
	return most
}

// turns is how many butterflies of a pass a thread does.
func (r *Recipe) turns(pass int, mirrored bool) int {
	b := r.N / r.Passes()[pass]
	if mirrored {
		return 2 * ((Pairs(b) + r.Threads - 1) / r.Threads)
	}
	return (b + r.Threads - 1) / r.Threads
}

// instructions is about those of a transform, per element.
func (r *Recipe) instructions(mirrored bool) float64 {
	const exchange, twiddles = 12, 6
	c := 0.0
	passes := r.Passes()
	for i, radix := range passes {
		share := float64(r.turns(i, mirrored && i == len(passes)-1)*r.Threads*radix) / float64(r.N)
		c += share * (butterflyInstructions(radix) + exchange)
		if i > 0 {
			c += share * twiddles
		}
	}
	if r.Held(mirrored) > 16 {
		c += 8
	}
	if 32%r.Threads != 0 && r.Threads%32 != 0 {
		c += 3
	}
	if r.Threads < 4 && r.N > 32 {
		c += 20
	}
	return c
}

// idle is how many times as many butterflies threads have turns for as there
// are.
func (r *Recipe) idle() float64 {
	sum := 0.0
	for i, radix := range r.Passes() {
		sum += float64(r.turns(i, false)*r.Threads*radix) / float64(r.N)
	}
	return sum / float64(len(r.Passes()))
}

// butterflyInstructions is those per element of a transform in registers.
func butterflyInstructions(r int) float64 {
	switch r {
	case 1:
		return 0
	case 2:
		return 2
	case 4:
		return 4
	}
	if m := InnerRadix(r); m > 1 {
		return butterflyInstructions(m) + butterflyInstructions(r/m) + 2.5
	}
	h := float64(r / 2)
	return (4*h*h + 10*h) / float64(r)
}

// InnerRadix is the second factor m of a split r = f*m of a butterfly that makes
// the fewest multiplications; 1 for a prime.
func InnerRadix(r int) int {
	for _, m := range []int{4, 2, 3, 5, 7, 11} {
		if r%m == 0 && r > m {
			return m
		}
	}
	return 1
}
