// Package share divides short lines among the warps of a GPU, of which each thread has a
// line to itself. Kernels are made by it, and the cost model knows by it how long they wait.
package share

const (
	// Warps is how many warps a group has, and Groups how many groups a
	// multiprocessor has registers for if each thread takes 168. On an H200, the
	// gradient of 4194304 frames of 64 takes 634 us. With barriers that keep warps
	// in step it takes 664 us, with 16 warps of 128 registers in a group 677. Groups
	// of 4 warps took 1.12 times as long, groups of one 1.23 times.
	Warps, Groups = 12, 1
	// Lines is how many a warp has at a time.
	Lines = 32

	quarters = 4 // of a multiprocessor
	most     = Warps * Groups
)

// Turns is how many turns lines take.
func Turns(lines int) int { return (lines + Lines - 1) / Lines }

// Halo is how many turns before its own a warp takes that adds overlapping lines of a size.
func Halo(size int) int { return max(1, (size+Lines-2)/Lines) }

// Run is how many turns of an item a warp takes, such that the least time passes until
// the last one is done, if a turn takes as long as there are warps that share a quarter of a
// multiprocessor, and one more for what nobody else can fill. Lines that overlap are computed
// twice where two runs meet: every warp takes the halo before its own turns, too, or, joined,
// the warps of a group are one run that has it once, and add up the sums where they meet.
// The last result is that time, over the time of the same turns if every multiprocessor were
// full throughout and nothing were computed twice.
func Run(turns, items, halo, processors int) (run int, joined bool, slower float64) {
	least := 0
	try := func(r, groups, taken int, together bool) {
		each := (groups + processors - 1) / processors * Warps // warps of a multiprocessor
		time := each / most * (most/quarters + 1)
		if rest := each % most; rest > 0 {
			time += (rest+quarters-1)/quarters + 1
		}
		if time *= taken; least == 0 || time < least {
			run, joined, least = r, together, time
		}
	}
	for r := 1; r <= max(turns, halo); r += 1 + r/128 {
		try(r, ((turns+r-1)/r*items+Warps-1)/Warps, r+halo, false)
		if own := Own(r, halo, true); halo > 0 && r >= halo {
			try(r, (turns+own-1)/own*items, r, true)
		}
	}
	full := float64(turns*items) / float64(processors*most) * (most/quarters + 1)
	return run, joined, float64(least) / full
}

// Own is how many turns a run has that no other has: one of a warp, or of a group whose warps
// take so many turns.
func Own(turns, halo int, joined bool) int {
	if joined {
		return Warps*turns - halo
	}
	return turns
}
