package kgen

// Target is what a generator may know about the device it makes kernels for.
type Target struct {
	Processors  int // multiprocessors
	SharedBytes int // shared memory a group may have without asking for more
	Subgroup    int // threads of a simdgroup
	// Wide says that there are integers and floats of 64 bits. Without them
	// positions have 32 bits, and arrays that need more are refused; indices that
	// are data still have 64, which the printer makes of pairs of words.
	Wide bool
	// Tensor says that there are products of small matrices of halves, as on
	// NVIDIA's cards from sm_80 on, and copies into shared memory that run by
	// themselves.
	Tensor bool
	// Arch is which tuned recipes there are for transforms, 0 for none: NVIDIA's
	// compute capability, major*10+minor.
	Arch int
	// PoolBytes is shared memory that a group may ask for and see as arrays of
	// several types at once; 0 where shared memory cannot be seen so.
	PoolBytes int
	// Cluster is how many groups may run together and store in each other's shared
	// memory, as on NVIDIA's cards from sm_90 on; 0 where they cannot.
	Cluster int
	// Maps says that one instruction brings runs of memory to shared memory, as on NVIDIA's
	// cards from sm_90 on: see ktree.Bring.
	Maps bool
	// Tile is the side of the tiles of products, 64 or 128, where both can be; 0 goes by
	// how many there are.
	Tile int
	// Threads is how many a group may have; 0 for 1024, or 256 where numbers are not
	// Wide.
	Threads int
}

// GroupThreads is how many threads a group may have.
func (t Target) GroupThreads() int {
	switch {
	case t.Threads > 0:
		return t.Threads
	case t.Wide:
		return 1024
	}
	return 256
}
