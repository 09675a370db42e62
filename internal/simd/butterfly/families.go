//go:build amd64 || arm64

package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// family is the generated kernels of one level and component width.
type family struct {
	passes   *[MaxRadix + 1][2][2]Kernel
	partials *[MaxRadix + 1][2][2]Kernel // rows shorter than a vector, or nil
	mixed    *[MaxRadix + 1]Kernel       // rows in the order of lanes, or nil
	leads    map[LeadKind]Kernel
	lanes    []int          // the columns in a lead's lanes; nil for all in order
	doubled  map[int]Kernel // by radix
	// pairedLead and paired, by radix, transform two lines at once, or are nil.
	pairedLead Kernel
	paired     map[int]Kernel
	// jointLead and jointPasses, by radix, keep complex numbers interleaved, or are nil.
	jointLead   Kernel
	jointPasses map[int]Kernel
	firsts      []Kernel  // by radix
	turns       [2]Kernel // table, product
	wholes      map[int]whole
	packed      map[int]packed    // by number of samples
	folded      bool              // packed lines begin with real columns
	shorts      []Kernel          // by length
	composed    map[[2]int]Kernel // by radices
	manies      []Kernel          // by length
	manyReals   [][2]Kernel       // by length, there and back
	intoLanes   [2]Kernel         // and back
	// shortReals and composedReals are by length, there and back.
	shortReals, composedReals [][2]Kernel
	tangle                    Kernel
	tanglePlanes              Kernel                // or nil
	tangleMixed               Kernel                // the same in the order of lanes, or nil
	realLeads                 [2][2]Kernel          // of all legs and of the lower half; by table and by products, or nil
	folds                     *[MaxRadix + 1]Kernel // by radix, or nil
	tangleSome                Kernel                // the same for some vectors of a line, or nil
	times                     [2][2]Kernel          // by load and store form
	odds                      [2][2]Kernel          // by load and store form
	primes                    [2][2]Kernel          // by load and store form
	besides                   besides
	reals                     map[int][2]RealKernel // by length: there, back
}

// vector returns the pass kernel of exactly this level, or nil.
func vector(level simd.Level, bits, radix int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.passes[radix][load][store]
	}
	return nil
}

// vectorPartial is vector for fewer columns than lanes.
func vectorPartial(level simd.Level, bits, radix int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil && f.partials != nil {
		return f.partials[radix][load][store]
	}
	return nil
}

// vectorMixed is vector for rows in the order of leadLanes.
func vectorMixed(level simd.Level, bits, radix int) Kernel {
	if f := families[level][bits]; f != nil && f.mixed != nil {
		return f.mixed[radix]
	}
	return nil
}

func vectorRealLead(level simd.Level, bits int, half, product bool) Kernel {
	f := families[level][bits]
	if f == nil {
		return nil
	}
	legs, twiddles := 0, 0
	if half {
		legs = 1
	}
	if product {
		twiddles = 1
	}
	return f.realLeads[legs][twiddles]
}

func vectorFolded(level simd.Level, bits int) bool {
	f := families[level][bits]
	return f != nil && f.folded
}

func vectorFold(level simd.Level, bits, radix int) Kernel {
	if f := families[level][bits]; f != nil && f.folds != nil {
		return f.folds[radix]
	}
	return nil
}

func vectorLead(level simd.Level, bits int, v LeadKind) Kernel {
	if f := families[level][bits]; f != nil {
		return f.leads[v]
	}
	return nil
}

func vectorDoubled(level simd.Level, bits, radix int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.doubled[radix]
	}
	return nil
}

func vectorPaired(level simd.Level, bits, radix int) (lead, last Kernel) {
	if f := families[level][bits]; f != nil {
		return f.pairedLead, f.paired[radix]
	}
	return nil, nil
}

func vectorJoint(level simd.Level, bits, radix int) (lead, pass Kernel) {
	if f := families[level][bits]; f != nil {
		return f.jointLead, f.jointPasses[radix]
	}
	return nil, nil
}

func vectorFirst(level simd.Level, bits, radix int) Kernel {
	if f := families[level][bits]; f != nil && radix < len(f.firsts) {
		return f.firsts[radix]
	}
	return nil
}

// leadLanes is the column in each lane of a lead's vectors.
func leadLanes(level simd.Level, bits int) []int {
	if f := families[level][bits]; f != nil && f.lanes != nil {
		return f.lanes
	}
	return inOrder(Lanes(level, bits))
}

func vectorTurn(level simd.Level, bits int, product bool) Kernel {
	f := families[level][bits]
	switch {
	case f == nil:
		return nil
	case product:
		return f.turns[1]
	}
	return f.turns[0]
}

func vectorWhole(level simd.Level, bits, n int) whole {
	if f := families[level][bits]; f != nil {
		return f.wholes[n]
	}
	return whole{}
}

func vectorPacked(level simd.Level, bits, n int) packed {
	if f := families[level][bits]; f != nil {
		return f.packed[n]
	}
	return packed{}
}

func vectorShort(level simd.Level, bits, n int) Kernel {
	if f := families[level][bits]; f != nil && n < len(f.shorts) {
		return f.shorts[n]
	}
	return nil
}

func vectorComposed(level simd.Level, bits int, radices [2]int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.composed[radices]
	}
	return nil
}

func vectorManyReal(level simd.Level, bits, n int) [2]Kernel {
	if f := families[level][bits]; f != nil && n < len(f.manyReals) {
		return f.manyReals[n]
	}
	return [2]Kernel{}
}

func vectorIntoLanes(level simd.Level, bits int) [2]Kernel {
	if f := families[level][bits]; f != nil {
		return f.intoLanes
	}
	return [2]Kernel{}
}

func vectorMany(level simd.Level, bits, n int) Kernel {
	if f := families[level][bits]; f != nil && n < len(f.manies) {
		return f.manies[n]
	}
	return nil
}

func vectorShortReal(level simd.Level, bits, n int) [2]Kernel {
	if f := families[level][bits]; f != nil && n < len(f.shortReals) {
		return f.shortReals[n]
	}
	return [2]Kernel{}
}

func vectorComposedReal(level simd.Level, bits, n int) [2]Kernel {
	if f := families[level][bits]; f != nil && n < len(f.composedReals) {
		return f.composedReals[n]
	}
	return [2]Kernel{}
}

func vectorUntangle(level simd.Level, bits int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.tangle
	}
	return nil
}

func vectorUntanglePlanes(level simd.Level, bits int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.tanglePlanes
	}
	return nil
}

// vectorUntangleMixed is vectorUntanglePlanes for bins in the order of leadLanes.
func vectorUntangleMixed(level simd.Level, bits int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.tangleMixed
	}
	return nil
}

func vectorUntangleSome(level simd.Level, bits int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.tangleSome
	}
	return nil
}

func vectorTimes(level simd.Level, bits int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.times[load][store]
	}
	return nil
}

func vectorOdd(level simd.Level, bits int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.odds[load][store]
	}
	return nil
}

func vectorPrime(level simd.Level, bits int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.primes[load][store]
	}
	return nil
}

func vectorBesides(level simd.Level, bits int) besides {
	if f := families[level][bits]; f != nil {
		return f.besides
	}
	return besides{}
}

func vectorReals(level simd.Level, bits int) map[int][2]RealKernel {
	if f := families[level][bits]; f != nil {
		return f.reals
	}
	return nil
}
