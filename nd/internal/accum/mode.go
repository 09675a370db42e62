package accum

// Mode says how sums of products are accumulated.
type Mode uint8

const (
	// Pairwise adds fixed blocks and then their sums: small errors at full
	// speed.
	Pairwise Mode = iota
	// Fast adds in whatever order a device is fastest in, and in as many digits as
	// halves have where a transform's lines are stored so.
	Fast
	// Compensated also adds up what each addition rounds away, which is about
	// as good as twice the digits, rounded at the end.
	Compensated
	// Exact keeps every bit, and rounds once. The order does not matter.
	Exact
	modes
)

var names = [modes]string{"pairwise", "fast", "compensated", "exact"}

func (m Mode) String() string {
	if m.Valid() {
		return names[m]
	}
	return "unknown"
}

// Valid reports whether m is one of the modes.
func (m Mode) Valid() bool { return m < modes }
