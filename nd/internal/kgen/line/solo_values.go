package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// solo is the kernel of a program of short lines that begin close to each other
// in memory: frames of a signal. Every thread takes a line through all stages by
// itself. It knows at every point which element it has, so factors are constants
// in the kernel, and nothing is exchanged: the samples of a warp's lines come
// through shared memory once, and what is left of a line is a number or two, or
// is added to a signal (see solo_overlap.go).
//
// A warp, or all warps of a group one behind the other, go through a run of neighbouring
// lines, each warp 32 at a time. All warps take as many turns, so that all threads of a group are seen to go the same way. They
// also go more or less in step, having started together: the kernel is long, and
// what one warp has fetched of it serves the others.
type solo struct {
	*kernel
	kinds  []soloKind   // by slot
	places []int        // by slot in shared memory: where, in bytes
	common int          // bytes that the warps of a group share
	each   int          // bytes of a warp
	pitch  int          // of rows in which lines are added; 0 if there is no room for them
	values [][]kgen.Num // by slot that was computed: its elements
	made   map[int]bool // stages

	lane, warp          build.Val
	turn, turns         build.Val // of a warp
	first, from, end, n build.Val // lines: of the turn, of the run, behind it, of all
	start               build.Val // the first line of a warp
	run                 build.Val // how many lines a run has
	joined              bool      // the warps of a group are one run
	left                map[ir.SlotID]kgen.Num
	sums, pending       [][]build.Val           // by sum: what is left of a line for it, and what waits for more lines
	frame               map[ir.SlotID]build.Val // by slot of frames: where the thread's line begins
	sliding             []*sliding              // the stretches of slots that slide
}

// soloKind is how lines find a slot.
type soloKind uint8

const (
	_          soloKind = iota
	soloShared          // the same for all lines: a group has it in shared memory
	soloItem            // the same for the lines of a run
	soloFrames          // a warp's lines are a stretch of memory
	soloValue           // computed
	soloOut             // an element of each line
	soloSum             // what lines are added to
)
