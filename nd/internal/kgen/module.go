package kgen

import "github.com/twiddle-go/twiddle/internal/ktree"

// Module is the kernels of a program and how they are launched. Sizes of an
// index space are parameters and not part of a kernel wherever that costs no
// speed, so that programs which differ in their sizes share compiled kernels.
type Module struct {
	Kernels []*ktree.Program
	// Tables are constants that the device uploads once and keeps, by Key.
	Tables []Table
	// Scratch lists memory, in bytes, that the steps of one launch share. Its
	// contents are undefined when the launch starts.
	Scratch []int
	// Maps say how the runs lie that kernels bring.
	Maps []Map
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

// Map is how runs of neighbours lie in a buffer, each Apart elements behind the one
// before it: what a device tells its GPU where a launch brings them.
type Map struct {
	Buffer             Param
	Bytes              int // of an element
	Elements           int // up to the last that is brought
	Count, Runs, Apart int
}

// Step is one kernel launch.
type Step struct {
	Kernel  int // of Module.Kernels
	Groups  int
	Params  []Param
	Threads int
}

// ParamKind says what a kernel parameter is.
type ParamKind uint8

const (
	ReadPointer    ParamKind = iota // the buffer of Launch.Reads[Index]
	WritePointer                    // the buffer of Launch.Writes[Index]
	ScratchPointer                  // Module.Scratch[Index]
	TablePointer                    // Module.Tables[Index]
	FaultCell                       // pointer to four 64-bit words
	Number                          // Value, as an integer of 32 or 64 bits
	Argument                        // Launch.Args[Index], two 64-bit words by value
	MapOf                           // Module.Maps[Index], by value
)

// Param is a kernel parameter, in the order of the kernel's declaration.
type Param struct {
	Kind  ParamKind
	Index int
	Value int64
}

func read(i int) Param    { return Param{Kind: ReadPointer, Index: i} }
func write(i int) Param   { return Param{Kind: WritePointer, Index: i} }
func scratch(i int) Param { return Param{Kind: ScratchPointer, Index: i} }
