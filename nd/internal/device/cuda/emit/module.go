package emit

import "github.com/twiddle-go/twiddle/nd/internal/kgen"

// Card is what a generator may know about the GPU it writes for.
type Card struct {
	Arch        int // compute capability, major*10+minor: 70, 80, 90
	Processors  int // multiprocessors
	SharedBytes int // shared memory a block may ask for
	L2Bytes     int
	Cluster     int  // blocks of a cluster, 0 for none
	Maps        bool // the driver makes maps of tensors
	Tile        int  // of products that was asked for, 0 for none
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
	Tables []kgen.Table
	// Scratch lists memory, in bytes, that the steps of one launch share. Its
	// contents are undefined when the launch starts.
	Scratch []int
	// Maps say how the runs lie that kernels bring.
	Maps []kgen.Map
	// Steps run one after another.
	Steps []Step
	// Fault turns what a kernel left in the launch's fault cell into an error.
	// It is nil if no step has a FaultCell parameter. The cell is zero when
	// the launch starts; a kernel that finds a fault sets the first word last.
	Fault func(cell [4]uint64) error
}

// Step is one kernel launch.
type Step struct {
	Entry       string       // an extern "C" __global__ function of the text
	Grid, Block [3]int       // in blocks, in threads; a step with an empty grid is left out
	Shared      int          // bytes of dynamic shared memory
	Cluster     int          // blocks that run together, as the text says; 0 for none
	Params      []kgen.Param // the Value of a pointer to a buffer is bytes from its start
}

// Read is the parameter for a buffer that is read.
func Read(i int) kgen.Param { return kgen.Param{Kind: kgen.ReadPointer, Index: i} }

// Write is the parameter for a buffer that is written.
func Write(i int) kgen.Param { return kgen.Param{Kind: kgen.WritePointer, Index: i} }

// TableOf is the parameter for a table.
func TableOf(i int) kgen.Param { return kgen.Param{Kind: kgen.TablePointer, Index: i} }

// Fault is the parameter for the fault cell.
func Fault() kgen.Param { return kgen.Param{Kind: kgen.FaultCell} }

// Int is a 64-bit number.
func Int(v int) kgen.Param { return kgen.Param{Kind: kgen.Number, Value: int64(v)} }
