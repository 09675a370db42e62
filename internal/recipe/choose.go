package recipe

import (
	"cmp"
	"slices"
)

// machine is what the engine asks of a target. The engine knows the methods, a
// machine knows what their parts cost.
type machine interface {
	// whole reports a length that has a kernel of its own although it is not smooth.
	whole(n int) bool
	// smooth prices ways to run a length that is smooth or whole.
	smooth(n int) []priced
	// inner is the best way for the two transforms of a convolution, false if there is none.
	inner(n int) (priced, bool)
	// padded lists lengths that Bluestein's method may pad to, the safest first.
	padded(least int) []int
	// convolved prices a convolution by two transforms.
	convolved(kind Kind, n int, inner priced) float64
	// guess is the sure of every padded length but the first.
	guess() float64
}

// priced is a recipe and its predicted price. Prices of one machine compare.
type priced struct {
	recipe *Recipe
	cost   float64
	// sure is the share of the price of the best recipe before it that a recipe
	// must stay below to be taken instead: less than 1 where prices are rough.
	sure float64
}

// ways are the ways to transform n elements, none if the machine has no way.
func ways(n int, m machine) []priced {
	if Smooth(n) || m.whole(n) {
		return m.smooth(n)
	}
	var all []priced
	try := func(kind Kind, length int, sure float64) {
		if inner, ok := m.inner(length); ok {
			all = append(all, priced{&Recipe{Kind: kind, N: n, Inner: inner.recipe}, m.convolved(kind, n, inner), sure})
		}
	}
	sure := 1.0
	for _, length := range m.padded(2*n - 1) {
		try(Bluestein, length, sure)
		sure = m.guess()
	}
	if n <= maxRader && prime(n) && Smooth(n-1) {
		try(Rader, n-1, 1)
	}
	return all
}

// best is the way to take.
func best(all []priced) (priced, bool) {
	if len(all) == 0 {
		return priced{}, false
	}
	found := all[0]
	for _, p := range all[1:] {
		if p.cost < p.sure*found.cost {
			found = p
		}
	}
	return found, true
}

// For picks the recipe for length n, n >= 1, on a CPU. It is deterministic: the
// same arguments give the same recipe on every machine.
func For(n int, t Target) *Recipe { return Candidates(n, t, 1)[0] }

// Alone picks the recipe for lines that come one at a time, and lie in a near cache: For's, the
// kernel of 256 bits for lines of 2048 float64, or one by which lines run in their destination. Lines of a
// batch come from an outer cache, and the kernel reads them in steps that the processor does not
// foresee: one alone takes 0.75 to 0.86 of the time that passes take, one of 64 takes 1.01.
func Alone(n int, t Target) *Recipe {
	if t.Lanes*t.Bits == 256 && n == DirectAlone {
		return &Recipe{Kind: Direct, N: n}
	}
	if text, ok := fastestAlone[t][n]; ok {
		return known(text)
	}
	return For(n, t)
}

// DirectAlone is the length that one kernel with vectors of 256 bits transforms only where lines come one
// at a time, if components have 64 bits.
const DirectAlone = 2048

// Batched is the recipe for batches of the lines of a plan with recipe r: For's, if r is for lines
// by themselves.
func Batched(r *Recipe, t Target) *Recipe {
	if text, ok := fastestAlone[t][r.N]; ok && r.Equal(known(text)) {
		return For(r.N, t)
	}
	return r
}

// ForReal picks the recipe for real lines of length n.
func ForReal(n int, t Target) *Recipe { return Pack(n, ForHalf(n, t)) }

// ForHalf picks the recipe for the complex line that a real line of length n travels as.
// Vectors of 256 bits untangle bins faster out of planes, which passes leave and a kernel
// for the whole line does not: where it does not untangle by itself, passes take 0.82 to
// 0.86 of the time (1024 float64, 2048 float32) or as long. With vectors of 512 bits longer
// lines begin with real columns, which are not untangled at all.
func ForHalf(n int, t Target) *Recipe {
	p, m := newPlanner(t), RealLen(n)
	if text, ok := fastestAlone[t][m]; ok && n%2 == 0 && m%t.Lanes != 0 {
		return known(text) // bins are untangled behind it, alone and in batches
	}
	p.odd = n%2 == 1
	p.planes = n%2 == 0 && (t.Lanes*t.Bits == 256 && m*t.Bits > packedBits || t.partial() && t.registers(m) && (m > deepPackedTo || t.Bits == 64 && m >= deepFrom))
	return candidates(m, p, 1)[0]
}

// packedBits is the longest half line, in bits of a component, whose kernel for 256 bits
// untangles bins: 512 float32, 256 float64.
const packedBits = 512 * 32

// RealLen is the length of the complex line that a real line of length n travels
// as on a CPU: n/2 if n is even.
func RealLen(n int) int {
	if n%2 == 0 {
		return n / 2
	}
	return n
}

// Pack is the recipe for real lines of length n by one for complex lines of
// RealLen(n). An odd line is not packed.
func Pack(n int, r *Recipe) *Recipe {
	if n%2 == 1 {
		return r
	}
	return &Recipe{Kind: Packed, N: n, Inner: r}
}

// Candidates returns up to k >= 1 recipes for length n, cheapest first.
func Candidates(n int, t Target, k int) []*Recipe { return candidates(n, newPlanner(t), k) }

func candidates(n int, p *planner, k int) []*Recipe {
	all := ways(n, p)
	slices.SortStableFunc(all, func(a, b priced) int { return cmp.Compare(a.cost, b.cost) })
	var out []*Recipe
	if r := measured(n, p); r != nil {
		out = append(out, r)
	}
	for _, c := range all {
		if len(out) < k && !slices.ContainsFunc(out, c.recipe.Equal) {
			out = append(out, c.recipe)
		}
	}
	return out
}
