// Package share divides short lines among the warps of a GPU, of which each thread has a
// line to itself. Kernels are made by it, and the cost model knows by it how long they wait.
package share

const (
	// Warps is how many warps a group has, and Groups how many groups a
	// multiprocessor has registers for if each thread takes 168. On an H200, the
	// gradient of 4194304 frames of 64 takes 0.81 ms. With barriers that keep warps
	// in step it takes 0.86 ms, in groups of 4 warps 0.91, with 16 warps of 128
	// registers in a group 0.82 and in groups of one 1.0.
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

// Run is how many turns of each item a warp takes, besides those before its own: such
// that the least time passes until the last one is done, if a turn takes as long as there
// are warps that share a quarter of a multiprocessor, and one more for what nobody else can
// fill. The second result is that time, over the time of the same turns if every
// multiprocessor were full throughout and nothing were computed twice.
func Run(turns, items, halo, processors int) (run int, slower float64) {
	least := 0
	for r := 1; r <= turns; r += 1 + r/128 {
		groups := ((turns+r-1)/r*items + Warps - 1) / Warps
		each := (groups + processors - 1) / processors * Warps // warps of a multiprocessor
		time := each / most * (most/quarters + 1)
		if rest := each % most; rest > 0 {
			time += (rest+quarters-1)/quarters + 1
		}
		if time *= r + halo; least == 0 || time < least {
			run, least = r, time
		}
	}
	full := float64(turns*items) / float64(processors*most) * (most/quarters + 1)
	return run, float64(least) / full
}
