package emit

// Card is what a generator may know about the GPU it writes for.
type Card struct {
	Arch        int // compute capability, major*10+minor: 70, 80, 90
	Processors  int // multiprocessors
	SharedBytes int // shared memory a block may ask for
	L2Bytes     int
	Cluster     int // blocks of a cluster, 0 for none
}

// Module is the CUDA C++ of a program and how it is launched.
type Module struct {
	// Text is a whole translation unit. Sizes of an index space are launch
	// parameters and not part of the text wherever that costs no speed, so
	// that programs which differ in their sizes share one compiled module.
	// It is compiled without contraction of a*b+c: where a fused multiply-add
	// is wanted the text says so, and results do not depend on what a program
	// was fused with.
	Text string
	// Tables are constants that the device uploads once and keeps, by Key.
	Tables []Table
	// Scratch lists memory, in bytes, that the steps of one launch share. Its
	// contents are undefined when the launch starts.
	Scratch []int
	// Steps run one after another.
	Steps []Step
	// Fault turns what a kernel left in the launch's fault cell into an error.
	// It is nil if no step has a FaultCell parameter. The cell is zero when
	// the launch starts; a kernel that finds a fault sets the first word last.
	Fault func(cell [4]uint64) error
}

// Table is constant data. Two tables with one key are the same data.
type Table struct {
	Key  string
	Data func() []byte
}

// Step is one kernel launch.
type Step struct {
	Entry       string // an extern "C" __global__ function of the text
	Grid, Block [3]int // in blocks, in threads; a step with an empty grid is left out
	Shared      int    // bytes of dynamic shared memory
	Cluster     int    // blocks that run together, as the text says; 0 for none
	Params      []Param
}

// ParamKind says what a kernel parameter is.
type ParamKind uint8

const (
	ReadPointer    ParamKind = iota // the buffer of Launch.Reads[Index]
	WritePointer                    // the buffer of Launch.Writes[Index]
	ScratchPointer                  // Module.Scratch[Index]
	TablePointer                    // Module.Tables[Index]
	FaultCell                       // pointer to four 64-bit words
	Number                          // Value, as a 64-bit integer
	Argument                        // Launch.Args[Index], two 64-bit words by value
)

// Param is a kernel parameter, in the order of the entry's declaration. The
// Value of a ReadPointer or WritePointer is bytes from the buffer's start.
type Param struct {
	Kind  ParamKind
	Index int
	Value int64
}

// Read is the parameter for a buffer that is read.
func Read(i int) Param { return Param{Kind: ReadPointer, Index: i} }

// Write is the parameter for a buffer that is written.
func Write(i int) Param { return Param{Kind: WritePointer, Index: i} }

// Scratch is the parameter for scratch memory.
func Scratch(i int) Param { return Param{Kind: ScratchPointer, Index: i} }

// TableOf is the parameter for a table.
func TableOf(i int) Param { return Param{Kind: TablePointer, Index: i} }

// Fault is the parameter for the fault cell.
func Fault() Param { return Param{Kind: FaultCell} }

// Int is a 64-bit number.
func Int(v int) Param { return Param{Kind: Number, Value: int64(v)} }

// Arg is the parameter for a launch argument.
func Arg(i int) Param { return Param{Kind: Argument, Index: i} }
