package recipe

import (
	"fmt"
	"slices"
)

// Kind names an algorithm.
type Kind int

const (
	// Direct is one kernel call: a butterfly, or a short power of two that
	// stays in registers. Length 1 is the empty butterfly.
	Direct Kind = iota
	// MixedRadix is a sequence of radix passes over the whole line, with at
	// most one turn.
	MixedRadix
	// FourStep splits a line that outgrows the caches into two parts whose
	// bundles of columns fit: column transforms, a turn, row transforms.
	FourStep
	// Rader turns a prime length p into a cyclic convolution of length p-1.
	Rader
	// Bluestein turns any length into a padded convolution.
	Bluestein
	// Packed takes a real line of even length through as a complex line of half
	// the length, whose spectrum is untangled.
	Packed
	// Cluster is a FourStep whose parts run one after the other in the shared memory
	// of several blocks of a GPU, which hand each other the columns' results.
	Cluster
)

var kindNames = [...]string{Direct: "direct", MixedRadix: "mixed", FourStep: "fourstep", Rader: "rader", Bluestein: "bluestein", Packed: "packed", Cluster: "cluster"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// MarshalText writes the kind's name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the kind's name.
func (k *Kind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("recipe: unmarshal: unknown kind %q", text)
	}
	*k = Kind(i)
	return nil
}

// MaxRadix is the largest butterfly a pass on a CPU may use.
const MaxRadix = 32

// maxSharedRadix is the largest butterfly of a thread of a GPU.
const maxSharedRadix = 32

// MaxDirect is the largest power of two that may be Direct. Of other lengths some
// below 64 may be.
const MaxDirect = 4096

// maxRader keeps the permutations of Rader in 32 bits.
const maxRader = 1<<31 - 1

// Recipe says how to transform a line of N elements.
type Recipe struct {
	Kind Kind `json:"kind"`
	N    int  `json:"n"`

	// Radices are the passes of MixedRadix in order; their product is N.
	Radices []int `json:"radices,omitempty"`
	// Turn is the number of passes before the turn; 0 means there is none.
	Turn int `json:"turn,omitempty"`

	// Sharing is how the threads of a GPU share lines of Direct or MixedRadix. It
	// is zero on a CPU.
	Sharing

	// Blocks is how many a Cluster has. They share columns equally, and rows, or pairs
	// of rows that are images of each other.
	Blocks int `json:"blocks,omitempty"`

	// Columns and Rows are the parts of FourStep and Cluster: N = Columns.N * Rows.N. Both
	// are Direct or turnless MixedRadix, because they run across lines. On a GPU
	// Rows may be a FourStep again: a line is an array of three axes then.
	Columns *Recipe `json:"columns,omitempty"`
	Rows    *Recipe `json:"rows,omitempty"`

	// Inner transforms the convolution of Rader (N-1) or Bluestein (at least
	// 2N-1, on a GPU up to maxWrapped less), or the line of Packed (N/2).
	Inner *Recipe `json:"inner,omitempty"`
}

// maxWrapped is how many products of a padded convolution may wrap around. They are left
// out, and few enough to be added one by one: so lengths just past a power of two need
// not be padded to more than twice that.
const maxWrapped = 15

// Wrapped is how many products of the convolution of Bluestein wrap around.
func (r *Recipe) Wrapped() int {
	if r.Kind != Bluestein {
		return 0
	}
	return max(2*r.N-1-r.Inner.N, 0)
}

// OnGPU reports a recipe for the threads of a GPU.
func (r *Recipe) OnGPU() bool {
	switch r.Kind {
	case FourStep, Cluster:
		return r.Columns.OnGPU()
	case Rader, Bluestein, Packed:
		return r.Inner.OnGPU()
	}
	return r.Threads > 0
}

// Passes are the radices of the passes over a line of Direct or MixedRadix.
func (r *Recipe) Passes() []int {
	if r.Kind == Direct {
		return []int{r.N}
	}
	return r.Radices
}

// Reversed has the passes of a MixedRadix the other way round.
func (r *Recipe) Reversed() *Recipe {
	o := *r
	o.Radices = slices.Clone(r.Radices)
	slices.Reverse(o.Radices)
	return &o
}

// Axes are the parts of a FourStep, and of those inside it, in order.
func (r *Recipe) Axes() []*Recipe {
	if r.Kind != FourStep {
		return []*Recipe{r}
	}
	return append([]*Recipe{r.Columns}, r.Rows.Axes()...)
}

// Equal reports whether two recipes are the same tree.
func (r *Recipe) Equal(o *Recipe) bool {
	if r == nil || o == nil {
		return r == o
	}
	return r.Kind == o.Kind && r.N == o.N && r.Blocks == o.Blocks && r.Turn == o.Turn && r.Sharing == o.Sharing && slices.Equal(r.Radices, o.Radices) &&
		r.Columns.Equal(o.Columns) && r.Rows.Equal(o.Rows) && r.Inner.Equal(o.Inner)
}

// inPairs reports a Cluster for packed lines, whose blocks take pairs of rows.
func (r *Recipe) inPairs() bool { return 2*r.Blocks*r.Rows.Lines == r.Columns.N }

// severalColumns reports a Cluster whose threads take several columns each, one after the
// other, and whose blocks have one row.
func (r *Recipe) severalColumns() bool {
	return r.Columns.Threads == 1 && r.Blocks == r.Columns.N && r.Blocks*r.Columns.Lines < r.Rows.N && r.Rows.N%(r.Blocks*r.Columns.Lines) == 0
}

// Validate reports the first thing that makes the recipe impossible to build.
func (r *Recipe) Validate() error {
	if r == nil {
		return fmt.Errorf("recipe: validate: no recipe")
	}
	if r.N < 1 {
		return fmt.Errorf("recipe: validate: length %d", r.N)
	}
	fail := func(format string, a ...any) error {
		return fmt.Errorf("recipe: validate: %v %d: %s", r.Kind, r.N, fmt.Sprintf(format, a...))
	}
	if s := r.Sharing; s != (Sharing{}) && (s.Threads < 1 || s.Threads > MaxThreads || s.Lines < 0 || s.Lines > MaxThreads/s.Threads || s.Resident < 0 || s.Ahead < 0 || r.Kind > MixedRadix || r.Turn > 0) {
		return fail("shared as %d threads, %d lines, %d resident", s.Threads, s.Lines, s.Resident)
	}
	switch r.Kind {
	case Direct:
		if r.N > MaxRadix && !short(r.N) && !threefold(r.N) && (r.N > MaxDirect || r.N&(r.N-1) != 0) {
			return fail("no butterfly that large")
		}
	case MixedRadix:
		product, most := 1, MaxRadix
		if r.Threads > 0 {
			most = maxSharedRadix
		}
		for _, f := range r.Radices {
			if f < 2 || f > most {
				return fail("radix %d outside 2..%d", f, most)
			}
			if product > r.N/f {
				return fail("radices %v multiply to more", r.Radices)
			}
			product *= f
		}
		if product != r.N {
			return fail("radices %v multiply to %d", r.Radices, product)
		}
		if r.Turn < 0 || r.Turn > 0 && r.Turn >= len(r.Radices) {
			return fail("turn after %d of %d passes", r.Turn, len(r.Radices))
		}
	case FourStep:
		for _, part := range []*Recipe{r.Columns, r.Rows} {
			if err := part.Validate(); err != nil {
				return err
			}
			if part.Kind > MixedRadix && !(part == r.Rows && part.Kind == FourStep && part.OnGPU()) || part.Turn != 0 {
				return fail("part %v does not run across lines", part)
			}
		}
		if r.Columns.OnGPU() != r.Rows.OnGPU() {
			return fail("one part is for a GPU and one is not")
		}
		if r.Columns.N > r.N || r.Rows.N > r.N || r.Columns.N*r.Rows.N != r.N {
			return fail("parts of %d and %d", r.Columns.N, r.Rows.N)
		}
	case Cluster:
		for _, part := range []*Recipe{r.Columns, r.Rows} {
			if err := part.Validate(); err != nil {
				return err
			}
			if part.Kind != MixedRadix || part.Threads == 0 || part.Lines == 0 || part.Threads*part.Lines != r.Columns.Threads*r.Columns.Lines {
				return fail("part %v of blocks that have others", part)
			}
		}
		if r.Columns.N > r.N || r.Rows.N > r.N || r.Columns.N*r.Rows.N != r.N {
			return fail("parts of %d and %d", r.Columns.N, r.Rows.N)
		}
		if rows := r.Blocks * r.Rows.Lines; r.Blocks < 2 || r.Blocks*r.Columns.Lines != r.Rows.N && !r.severalColumns() || rows != r.Columns.N && 2*rows != r.Columns.N {
			return fail("%d blocks of %d columns and %d rows", r.Blocks, r.Columns.Lines, r.Rows.Lines)
		}
	case Rader, Bluestein, Packed:
		if err := r.Inner.Validate(); err != nil {
			return err
		}
		if r.Inner.Kind == Packed {
			return fail("packs a line that is complex")
		}
		if r.Inner.Kind == Cluster && (r.Kind != Packed || !r.Inner.inPairs()) {
			return fail("blocks of %v do not take pairs of rows", r.Inner)
		}
		if r.Kind == Packed && r.Inner.N*2 != r.N {
			return fail("inner length %d is not half", r.Inner.N)
		}
		if r.Kind == Rader && r.N > maxRader {
			return fail("longer than %d", maxRader)
		}
		if r.Kind == Rader && (!prime(r.N) || r.N < 3 || r.Inner.N != r.N-1) {
			return fail("needs a prime and an inner length of %d, has %d", r.N-1, r.Inner.N)
		}
		least := 2*r.N - 1
		if r.Inner.Kind == MixedRadix && r.Inner.OnGPU() {
			least -= maxWrapped
		}
		if r.Kind == Bluestein && r.Inner.N < least {
			return fail("inner length %d is below %d", r.Inner.N, least)
		}
	default:
		return fail("unknown kind")
	}
	return nil
}
