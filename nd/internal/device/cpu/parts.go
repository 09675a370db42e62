package cpu

const (
	// inlineUpTo is the number of points below which a step is not worth
	// waking another worker for.
	inlineUpTo = 32 << 10

	// streamFrom is the size of an output, in bytes, from which it is written
	// past the caches: several times the second-level cache.
	streamFrom = 8 << 20

	// streamRow is how many bytes a copied run has to have besides: at its ends the cache
	// lines are written in parts, and both wait. Runs of 1000 bytes take 2.5 to 4 times as
	// long past the caches, of 4000 1.0 to 1.7, of 16000 0.8 to 1.2.
	streamRow = 8 << 10

	// rowsFrom is the length of a last dimension from which blocks stay
	// inside it. Shorter rows are gathered to fill a block.
	rowsFrom = 256
)

// narrow is the length of the output's last dimension below which tiles of
// operands that lie across would be rows too short to start. Blocks are then
// transposed as they are gathered; those of up to fewPlaces follow the operands,
// and results are scattered. A few lines of a transform that are stored side by
// side are such a map.
const narrow = 64

// partPoints is the size of the parts that points are shared in: enough parts
// to even out, none too small, and cut where no vector is.
func partPoints(points, workers int) int {
	per := max(inlineUpTo, (points+16*workers-1)/(16*workers))
	return (per + 4095) &^ 4095
}

// nothing is the work of a program over an empty space.
type nothing struct{}

func (nothing) run(*launch) error { return nil }

// A tile is up to tileRows rows of tileCols points: long runs of memory both
// ways, for prefetching, and a tile that fits the second-level cache. Measured
// on the sum of a 4096 x 4096 float32 matrix and a transposed one.
const (
	tileRows = 128
	tileCols = 512
)
