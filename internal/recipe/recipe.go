package recipe

import (
	"fmt"
	"slices"
	"strings"
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
)

var kindNames = [...]string{Direct: "direct", MixedRadix: "mixed", FourStep: "fourstep", Rader: "rader", Bluestein: "bluestein"}

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

// MaxRadix is the largest butterfly a pass may use.
const MaxRadix = 31

// MaxDirect is the largest power of two that may be Direct. Of other lengths some
// below 64 may be.
const MaxDirect = 512

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

	// Columns and Rows are the parts of FourStep: N = Columns.N * Rows.N. Both
	// are Direct or turnless MixedRadix, because they run across lines.
	Columns *Recipe `json:"columns,omitempty"`
	Rows    *Recipe `json:"rows,omitempty"`

	// Inner transforms the convolution of Rader (N-1) or Bluestein (at least
	// 2N-1).
	Inner *Recipe `json:"inner,omitempty"`
}

// Equal reports whether two recipes are the same tree.
func (r *Recipe) Equal(o *Recipe) bool {
	if r == nil || o == nil {
		return r == o
	}
	return r.Kind == o.Kind && r.N == o.N && r.Turn == o.Turn && slices.Equal(r.Radices, o.Radices) &&
		r.Columns.Equal(o.Columns) && r.Rows.Equal(o.Rows) && r.Inner.Equal(o.Inner)
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
	switch r.Kind {
	case Direct:
		if r.N > MaxRadix && !short(r.N) && (r.N > MaxDirect || r.N&(r.N-1) != 0) {
			return fail("no butterfly that large")
		}
	case MixedRadix:
		product := 1
		for _, f := range r.Radices {
			if f < 2 || f > MaxRadix {
				return fail("radix %d outside 2..%d", f, MaxRadix)
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
			if part.Kind > MixedRadix || part.Turn != 0 {
				return fail("part %v does not run across lines", part)
			}
		}
		if r.Columns.N > r.N || r.Rows.N > r.N || r.Columns.N*r.Rows.N != r.N {
			return fail("parts of %d and %d", r.Columns.N, r.Rows.N)
		}
	case Rader, Bluestein:
		if err := r.Inner.Validate(); err != nil {
			return err
		}
		if r.Kind == Rader && r.N > maxRader {
			return fail("longer than %d", maxRader)
		}
		if r.Kind == Rader && (!prime(r.N) || r.N < 3 || r.Inner.N != r.N-1) {
			return fail("needs a prime and an inner length of %d, has %d", r.N-1, r.Inner.N)
		}
		if r.Kind == Bluestein && r.Inner.N < 2*r.N-1 {
			return fail("inner length %d is below %d", r.Inner.N, 2*r.N-1)
		}
	default:
		return fail("unknown kind")
	}
	return nil
}

// String writes the recipe on one line, in the form that Parse reads.
func (r *Recipe) String() string {
	switch r.Kind {
	case MixedRadix:
		var b strings.Builder
		b.WriteString("mixed ")
		for i, f := range r.Radices {
			switch {
			case i == 0:
			case i == r.Turn:
				b.WriteByte('|')
			default:
				b.WriteByte('.')
			}
			fmt.Fprint(&b, f)
		}
		return b.String()
	case FourStep:
		return fmt.Sprintf("fourstep (%v) (%v)", r.Columns, r.Rows)
	case Rader, Bluestein:
		return fmt.Sprintf("%v %d (%v)", r.Kind, r.N, r.Inner)
	}
	return fmt.Sprintf("%v %d", r.Kind, r.N)
}

// Tree writes the recipe one part per line, indented.
func (r *Recipe) Tree() string {
	var b strings.Builder
	r.tree(&b, "", "")
	return b.String()
}

func (r *Recipe) tree(b *strings.Builder, indent, role string) {
	fmt.Fprintf(b, "%s%s%d: ", indent, role, r.N)
	indent += "  "
	switch r.Kind {
	case Direct:
		fmt.Fprintf(b, "one kernel\n")
	case MixedRadix:
		fmt.Fprintf(b, "passes")
		for i, f := range r.Radices {
			if i > 0 && i == r.Turn {
				fmt.Fprintf(b, " turn")
			}
			fmt.Fprintf(b, " %d", f)
		}
		b.WriteByte('\n')
	case FourStep:
		fmt.Fprintf(b, "four-step, %d x %d\n", r.Columns.N, r.Rows.N)
		r.Columns.tree(b, indent, "columns ")
		r.Rows.tree(b, indent, "rows ")
	case Rader:
		fmt.Fprintf(b, "Rader, cyclic convolution of %d\n", r.Inner.N)
		r.Inner.tree(b, indent, "inner ")
	case Bluestein:
		fmt.Fprintf(b, "Bluestein, convolution padded to %d\n", r.Inner.N)
		r.Inner.tree(b, indent, "inner ")
	}
}
