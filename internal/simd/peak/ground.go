package peak

// Slack is how many elements behind its end a slice has to have that results are
// put in.
const Slack = 8

// front is how many elements lie before the first of a ground.
const front = 1

// Ground is a list of maxima, each with the lowest places before it, up to the
// maximum before. Its last element is no maximum: it is higher than all of them and
// has the places behind them. As much lies before the first.
type Ground struct {
	stride int
	values []float64 // heights, then lows
	places []uint64  // the first and last of the lowest places, then which maximum it is
}

// NewGround has room for n elements.
func NewGround(n int) *Ground {
	g := &Ground{stride: front + n + Slack}
	g.values, g.places = make([]float64, 2*g.stride), make([]uint64, 2*g.stride)
	g.values[0] = highest
	return g
}

func (g *Ground) heights() []float64 { return g.values[front:g.stride] }
func (g *Ground) lows() []float64    { return g.values[g.stride+front:] }
func (g *Ground) lowest() []uint64   { return g.places[front:g.stride] }
func (g *Ground) which() []uint64    { return g.places[g.stride+front:] }

// span is two places.
func span(first, last int32) uint64 { return uint64(uint32(first)) | uint64(uint32(last))<<32 }

// Bases are the lowest places on either side of a maximum, up to higher ground.
type Bases struct{ Left, Right int32 }
