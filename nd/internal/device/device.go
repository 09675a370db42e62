package device

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// ErrUnsupported is wrapped by Compile when a device cannot run a program.
var ErrUnsupported = errors.New("program not supported by this device")

// ErrClosed is the error of any use of a closed device.
var ErrClosed = errors.New("device is closed")

// ErrSize is the error of a launch whose buffers are too small for its program: a
// bug of the caller, found before it does damage.
var ErrSize = errors.New("buffer smaller than its operand")

// Device computes. All methods are safe for concurrent use.
type Device interface {
	Info() Info
	// Alloc gives at least bytes bytes, aligned to 64, contents undefined.
	// It fails with an *OutOfMemoryError.
	Alloc(bytes int) (Buffer, error)
	// Free returns a buffer's memory. The caller knows that no queue uses it.
	Free(Buffer)
	Compile(ir.Program) (Kernel, error)
	NewQueue() (Queue, error)
	// Close waits for running work. Buffers become unusable.
	Close() error
}

// Buffer is memory of a device.
type Buffer interface {
	// Bytes is the size asked for.
	Bytes() int
	// Err is the mark left by the last launch that wrote the buffer. It is
	// only stable once an event recorded after that launch has happened.
	Err() error
}

// Kernel is a program made ready by one device.
type Kernel interface{ Program() ir.Program }

// Sized is a Kernel with tables: what is kept is bounded by their bytes.
type Sized interface{ Bytes() int }

// Launch binds a kernel to buffers. A Map with one output may be launched in
// place: Writes[0] is then the buffer of a read whose operand has the output's
// very type, offset and strides. No other launch reads what it writes.
type Launch struct {
	Kernel Kernel
	Reads  []Buffer
	Writes []Buffer
	Args   []scalar.Arg
	// Adds says the writes go into a result that earlier launches began: an
	// error mark already on the buffer stays.
	Adds bool
	// Context is checked just before the launch runs; once it is done the
	// launch fails with a *Cancelled. nil never cancels.
	Context context.Context
	// Label names the operation in the *LaunchError of a launch that fails.
	Label Label
	// Timed, if set, is told when the launch began and ended. Queues that are a
	// Timer need not call it: who launches puts stamps around the launch.
	Timed func(begin, end time.Time)
}

// Fits checks what a launch was given against what its kernel needs: the bytes of each
// buffer, reads first, and a number of arguments. room is the bytes that a buffer has,
// or what is wrong with it. Errors begin with the device's name.
func (l *Launch) Fits(name string, need []int, args int, room func(Buffer) (int, error)) error {
	if n := len(l.Reads) + len(l.Writes); n != len(need) {
		return fmt.Errorf("%s: %d buffers for %d operands", name, n, len(need))
	}
	if len(l.Args) < args {
		return fmt.Errorf("%s: %d arguments for %d", name, len(l.Args), args)
	}
	for i, need := range need {
		list, at := l.Reads, i
		if i >= len(l.Reads) {
			list, at = l.Writes, i-len(l.Reads)
		}
		if n, err := room(list[at]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		} else if n < need {
			return fmt.Errorf("%s: %w: %d bytes, need %d", name, ErrSize, n, need)
		}
	}
	return nil
}

// Label is what a launch computes, for people. Devices pass it on.
type Label struct {
	Op   string
	From *caller.Call // of the one operation that can fail by itself; nil if there is none
}

// LaunchError is the mark of a launch that failed by itself.
type LaunchError struct {
	Label Label
	Err   error
}

func (e *LaunchError) Error() string { return e.Label.Op + ": " + e.Err.Error() }
func (e *LaunchError) Unwrap() error { return e.Err }

// Cancelled is the mark of a launch whose context was done before it ran.
type Cancelled struct{ Cause error }

func (e *Cancelled) Error() string { return "cancelled: " + e.Cause.Error() }
func (e *Cancelled) Unwrap() error { return e.Cause }

// Queue runs what it is given in order, asynchronously. Methods may be called
// from any goroutine, but order between concurrent callers is theirs to make.
// Slices passed in a Launch must stay unchanged until it has run.
type Queue interface {
	Launch(Launch)
	// Write copies host bytes into the start of dst; src may be reused at once.
	Write(dst Buffer, src []byte)
	// Read copies the start of src to the host. It waits for the queue, and
	// returns the mark of src or the context's error.
	Read(ctx context.Context, dst []byte, src Buffer) error
	// Record gives an event that happens when all work so far is done.
	Record() Event
	// Wait makes later work of this queue wait for e, which may be another
	// queue's.
	Wait(e Event)
	// Flush makes sure queued work is being run without anyone waiting.
	Flush()
	// Close lets queued work finish and ends the queue.
	Close() error
}

// Info is what compiler and cost model may know about a device.
type Info struct {
	Name        string // "cpu", "cuda:0", "null"
	Description string // for people
	// Model is the chip, as its maker calls it, and Family what it has in common
	// with others: tuning files go by them, since a name such as cuda:0 is another
	// chip in another machine. Either may be empty.
	Model, Family string
	Workers       int // how many things run truly in parallel
	Types         []elem.Type
	MemoryBytes   int // 0: unknown
	Arch          int // of a GPU: its compute capability, major*10+minor
	SharedBytes   int // of a GPU: shared memory a block may ask for
	// LineBytes is how long a line may be to stay on chip from load to store.
	LineBytes int
	// Rows, if not nil, reports that the device reads the lines of a program of maps and
	// reductions once, and keeps them near through all stages.
	Rows func(*ir.Line) bool
	// Overlaps says that line programs may add their lines where they overlap.
	Overlaps bool
	// LinesPerHalo is how many lines such a program must have, for each worker and
	// for each that a worker computes only because it reaches what others of its
	// lines do.
	LinesPerHalo int
	// LongLines says that longer lines may come too, in programs that are a
	// ir.Long.
	LongLines bool
	// RoundTrips, if not nil, reports that the device runs a program although its
	// lines are longer than LineBytes: a transform, maps, and the inverse
	// transform, with maps before and behind.
	RoundTrips func(*ir.Line) bool
	// WholeBins, if not nil, reports that the device has all bins of n real numbers faster by
	// ir.FFTRealWhole than by a complex transform.
	WholeBins func(n int) bool
	// Over, if not nil, reports that the device may write the results of a transform over its
	// operand, where both lie alike.
	Over func(*ir.FFT) bool
	// QuarterBins, if not nil, reports that causal convolutions of n samples are faster by
	// lines of n whose bins are a quarter lower, where there are so many lines: in float32,
	// or by transforms that may be fast.
	QuarterBins func(n, lines int, fast bool) bool
	// QuarterRows, if not nil, is in how many rows it wants those bins; 0 for their own order.
	QuarterRows func(n int) int
	// PairSegments, if not nil, reports that powers of segments of n float32 samples are added
	// up faster two segments at a time, where lines have so many, and there are so many lines.
	PairSegments func(n, segments, lines int) bool
	// Margins says that lines may have a ir.Margin.
	Margins bool
	// SharesPads says that lines with margins cost more than a small launch: what
	// several launches read is padded once for all of them.
	SharesPads bool
	// RepeatBytes is how much a plan must store less for lines to be computed in two
	// launches instead, more than caches hold; 0 if they never are.
	RepeatBytes int
	// Batches says that small programs come as a ir.Batch: a launch costs more
	// than most of them.
	Batches bool
	// Flushes says that subnormal numbers with float32's exponents may be taken for
	// zeros, and results that would be subnormal may be zeros.
	Flushes bool
	// Software says that a processor plays the device, for tests: it is never chosen
	// without being asked for.
	Software bool
	Figures  Figures
}

// Figures are calibrated speeds; predictions are only as good as they are.
type Figures struct {
	CopyBytesPerNs float64 // bytes read plus bytes written, large arrays
	OpsPerNs       float64 // simple float32 operations in fused maps
	SortsPerNs     float64 // comparisons of sorts with places, and the moves that follow; 0 is 40 operations each
	LineSortsPerNs float64 // the same within line programs
	BareSortGain   float64 // how many times as fast sorts without places are; 0 is 1
	FunctionOps    float64 // how many of those take as long as a sine or a logarithm; 0 is 16
	FFTOpsPerNs    float64 // complex64 transforms, 5 N log2 N operations each
	// LongFFTOpsPerNs is the same for lines of 65536 samples, which go through the caches
	// of a CPU several times; 0 is FFTOpsPerNs.
	LongFFTOpsPerNs float64
	ShortLineGain   float64 // how many times as fast line programs are whose lines are short and real; 0 is 1
	GemmOpsPerNs    float64 // float32 matrix products
	LaunchNs        float64 // fixed cost of a launch
	SyncNs          float64 // fixed cost of waiting for a queue
	// Workers is how many share the speeds above, and Grain how many points of a map
	// one takes at least: a program of fewer pieces leaves some idle. 0 Workers are a
	// device that one piece may fill.
	Workers, Grain int
	// Processors is how many parts a GPU has that run groups of threads, and ChipBytes the
	// longest line that a kernel transforms in one: a longer one takes another kernel.
	Processors, ChipBytes int
	CoreBytesPerNs        float64 // what one worker moves by itself; 0 is its share of CopyBytesPerNs
	CacheBytesPerNs       float64 // what all workers move between caches; 0 is CopyBytesPerNs
	SpreadNs              float64 // until all workers are at work
	Link                  Link
}

// Link is how copies between slices of the host and a device go. A copy takes
// FixedNs, and for its bytes either what one core moves, or StartNs until several are
// at work and then the rate of its direction, whichever is less.
type Link struct {
	FixedNs         float64
	CoreBytesPerNs  float64 // 0 is none: several from the start
	StartNs         float64
	AloneBytes      int     // what one core copies at most, although several would take less
	ThereBytesPerNs float64 // to the device; 0 if its memory is the host's
	BackBytesPerNs  float64 // to a slice; 0 is as ThereBytesPerNs
}

// ThereNs predicts how long a copy to the device takes.
func (l Link) ThereNs(bytes int) float64 {
	if l.ThereBytesPerNs == 0 {
		return 0
	}
	return l.ns(bytes, l.ThereBytesPerNs)
}

// BackNs predicts how long a copy to a slice takes.
func (l Link) BackNs(bytes int) float64 {
	if l.BackBytesPerNs > 0 {
		return l.ns(bytes, l.BackBytesPerNs)
	}
	return l.ThereNs(bytes)
}

func (l Link) ns(bytes int, rate float64) float64 {
	all := l.StartNs + float64(bytes)/rate
	if alone := float64(bytes) / l.CoreBytesPerNs; alone < all || bytes < l.AloneBytes {
		all = alone // +Inf where there is no such core
	}
	return l.FixedNs + all
}

// OutOfMemoryError says how much was asked for and what there was.
type OutOfMemoryError struct {
	Device            string
	Asked, Held, Free int // bytes; Free is -1 if unknown
	Limit             int // the configured limit, 0 if none
}

func (e *OutOfMemoryError) Error() string {
	s := fmt.Sprintf("%s: out of memory: asked for %d bytes, hold %d", e.Device, e.Asked, e.Held)
	if e.Free >= 0 {
		s += fmt.Sprintf(", %d free", e.Free)
	}
	if e.Limit > 0 {
		s += fmt.Sprintf(" (limit %d)", e.Limit)
	}
	return s
}

// DTypeError is the error of a program with elements that the device has no arithmetic
// for.
type DTypeError struct {
	Device        string
	Type, Instead elem.Type
}

func (e *DTypeError) Error() string {
	return fmt.Sprintf("%s has no %s: cast to %s first, or compute on the CPU", e.Device, e.Type, e.Instead)
}

// Unwrap lets it be recognised as a program that the device does not run.
func (e *DTypeError) Unwrap() error { return ErrUnsupported }
