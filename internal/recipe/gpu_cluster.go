package recipe

import "slices"

// Together is the launch of a Cluster: all passes over columns and rows.
func (g GPU) Together(r *Recipe) Launch {
	threads, rows := r.Columns.Threads*r.Columns.Lines, r.Columns.N/r.Blocks
	return Launch{Role: InCluster, Length: r.N, Radices: slices.Concat(r.Columns.Radices, r.Rows.Radices),
		Threads: threads * r.Blocks, Held: max(r.Columns.Held(false), r.Rows.Held(false)*(rows/r.Rows.Lines)), Lines: 1, Blocks: r.Blocks,
		Pitch:    max(r.Rows.Reversed().Room(g.Bits)*rows, r.Columns.Lines*g.Apart(r.Columns), rows*g.Apart(r.Rows)) * g.bytes(),
		Resident: r.Columns.Resident / threads,
	}
}

// Apart is how many numbers there are from line to line in the shared memory of a
// block of a Cluster: an odd number, so that threads that walk across lines are in
// different banks.
func (g GPU) Apart(part *Recipe) int { return max(part.Room(g.Bits), part.N) | 1 }
