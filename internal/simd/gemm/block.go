package gemm

import (
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// tile multiplies a packed panel of a by a panel of b, whose rows are step apart: c's rows are
// stride apart and cols of its columns exist. It adds to c or overwrites it.
type tile[R float32 | float64] func(k int, a, b, c *R, step, stride, cols int, add bool)

// strip copies rows of src, cols float32 of each, to rows of one or two vectors
// without gaps, and fills up with zeros. A float64 counts as two float32.
type strip func(dst, src *float32, stride, rows, cols int)

// blocking is how one level cuts a product.
type blocking[R float32 | float64] struct {
	tiles   [][2]tile[R] // by rows-1, then vectors-1
	strip   [2]strip     // by vectors-1; nil where packing is plain Go
	squeeze strip        // as strip, but rows are as long as they are; nil where packing is plain Go
	patch   patch
	lanes   int // columns per vector; a panel of b is one or two vectors
	depth   int // steps of k per block; even, for complex products
}

// rows is the height of the tallest tile.
func (b *blocking[R]) rows() int { return len(b.tiles) }

// Sizes of the larger blocks, in numbers. The packed block of b is at most
// depth x maxCols, 2 MiB of float32 at depth 256.
const (
	maxCols = 2048
	maxRows = 4096

	// Tasks are made narrower, down to taskColsLeast columns, while there are
	// fewer than fewTasks of them.
	taskColsLeast = 128
	fewTasks      = 8
)

// cutRows is how many rows of a transposed matrix are cut up at a time.
const cutRows = 16

// parallelFrom is the number of multiplications from which a product is worth
// more than one goroutine: about 20 microseconds of work.
const parallelFrom = 1 << 20

// shape is the size of a real product. pairs marks a complex one: k counts
// parts of a's rows and n parts of c's.
type shape struct {
	m, n, k int
	pairs   bool
	add     bool // to what c holds
}

// job is a product in progress, at one block of rows, columns and depth.
type job[R float32 | float64] struct {
	*blocking[R]
	shape
	level   simd.Level
	c, a, b source[R]
	// Where the rows or columns of a or b are several axes, those of each, and their places in the block.
	axesA, axesB     [2][]Axis
	rowsA, depthA    places
	columnsB, depthB places

	row0, rowN, col0, colN, k0, kN int // the block: where it starts, how far it goes
	panels                         int // of a in this block
	least, over                    int // rows of a panel, and how many panels have one more
	packA, packB                   []R
	room                           []R // what packA and packB are cut from
	taskPanels                     int // panels of a task
	taskCols, gridCols             int // columns of a task, and tasks along the columns
	freshB                         bool
	alone                          bool // tasks pack the columns that they read
	// inPlace says that whole panels of b are read where they lie: a has one panel, so that
	// each is read once, and packing would read and write it once more. Only AVX-512 has tiles that
	// ask for the next panel; without that, 12 rows times 4096 x 2048 float32 take 1.9 of the time.
	inPlace bool
}

var (
	pool32 = sync.Pool{New: func() any { return new(job[float32]) }}
	pool64 = sync.Pool{New: func() any { return new(job[float64]) }}
)

func run[R float32 | float64, T Element](b *blocking[R], level simd.Level, pool *sync.Pool, s shape, c, x, y Matrix[T], p Parallel) {
	j := pool.Get().(*job[R])
	defer pool.Put(j)
	*j = job[R]{
		blocking: b, level: level, shape: s, c: from[R](c), a: from[R](x), b: from[R](y), room: j.room,
		axesA: x.axes(s.m, s.k), axesB: y.axes(s.k, s.n),
		rowsA: places{at: j.rowsA.at}, depthA: places{at: j.depthA.at}, columnsB: places{at: j.columnsB.at}, depthB: places{at: j.depthB.at},
	}
	j.c.col = 1 // also between the parts of one element
	j.multiply(p)
	j.a, j.b, j.c = source[R]{}, source[R]{}, source[R]{} // let the operands go
	j.axesA, j.axesB = [2][]Axis{}, [2][]Axis{}
}

// multiply walks the blocks: columns, then depth, then rows, so that a packed
// block of b serves all rows.
func (j *job[R]) multiply(p Parallel) {
	if j.m*j.n*j.k < parallelFrom {
		p = nil
	}
	j.inPlace = j.level == simd.AVX512 && j.m <= j.rows() && j.b.col == 1 && j.b.row >= 0 && !j.pairs && j.axesB[0] == nil
	j.reserve(min(j.m, maxRows)*min(j.k, j.depth), roundUp(min(j.n, maxCols), j.lanes)*min(j.k, j.depth))
	for j.col0 = 0; j.col0 < j.n; j.col0 += maxCols {
		j.colN = min(maxCols, j.n-j.col0)
		for j.k0 = 0; j.k0 < j.k; j.k0 += j.depth {
			j.kN = min(j.depth, j.k-j.k0)
			for j.row0 = 0; j.row0 < j.m; j.row0 += maxRows {
				j.rowN = min(maxRows, j.m-j.row0)
				j.freshB = j.row0 == 0
				j.block(p)
			}
		}
	}
}

// reserve makes room for the packed blocks, aligned to cache lines.
func (j *job[R]) reserve(a, b int) {
	const line = 64
	size := int(unsafe.Sizeof(*new(R)))
	slack := line / size
	a = roundUp(a, slack)
	if len(j.room) < a+b+slack {
		j.room = make([]R, a+b+slack)
	}
	skip := int(-uintptr(unsafe.Pointer(&j.room[0]))%line) / size
	j.packA = j.room[skip : skip+a]
	j.packB = j.room[skip+a : skip+a+b]
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// block packs and multiplies one block. Everything that several tasks read is packed before
// anything is multiplied. Columns that one task alone reads, because it has all rows, are packed by it, a
// panel at a time, and read while they are in L1.
func (j *job[R]) block(p Parallel) {
	j.panels = (j.rowN + j.rows() - 1) / j.rows()
	j.least = j.rowN / j.panels
	j.over = j.rowN - j.least*j.panels
	tasks := tasksNow()
	j.taskPanels = tasks.Panels
	packs := 1 + (j.panels-1)/j.taskPanels
	rowTasks := packs
	j.taskCols = tasks.Columns
	j.gridCols = 1 + (j.colN-1)/j.taskCols
	for rowTasks*j.gridCols < fewTasks && j.taskCols > taskColsLeast {
		j.taskCols /= 2
		j.gridCols = 1 + (j.colN-1)/j.taskCols
	}
	size := int(unsafe.Sizeof(*new(R)))
	if j.axesA[0] != nil {
		j.rowsA.fill(j.axesA[0], size, j.row0, j.rowN)
		j.depthA.fill(j.axesA[1], size, j.k0, j.kN)
	}
	if j.axesB[0] != nil && j.freshB {
		j.depthB.fill(j.axesB[0], size, j.k0, j.kN)
		j.columnsB.fill(j.axesB[1], size, j.col0, j.colN)
	}
	j.alone = rowTasks == 1 && j.m <= maxRows && !j.inPlace
	switch {
	case j.alone:
	case j.freshB && !j.inPlace:
		packs += 1 + (j.colN-1)/(2*j.lanes)
	case j.freshB && j.colN%(2*j.lanes) > 0:
		packs++ // the last panel, which a tile would read past its end
	}
	if p == nil {
		for t := range packs {
			j.pack(t)
		}
		for t := range rowTasks * j.gridCols {
			j.cell(t)
		}
		return
	}
	if packs == 1 {
		j.pack(0) // sooner than others are awake
	} else {
		p(packs, j.pack)
	}
	p(rowTasks*j.gridCols, j.cell)
}

// panelAt is where panel i of a starts, i*rowN/panels, and what the division leaves. Rows are dealt
// out evenly, so that the last panel is not a stump.
func (j *job[R]) panelAt(i int) (row, rest int) {
	if i == 0 {
		return 0, 0
	}
	return i * j.rowN / j.panels, i * j.rowN % j.panels
}

// panelRows is the rows of a panel, and what is left for the next one. Two divisions for each tile
// took an eighth of the time of small products.
func (j *job[R]) panelRows(rest int) (rows, left int) {
	if left = rest + j.over; left >= j.panels {
		return j.least + 1, left - j.panels
	}
	return j.least, left
}

// pack is a packing task: first the panels of a, taskPanels at a time, then
// those of b, one at a time.
func (j *job[R]) pack(task int) {
	rowTasks := 1 + (j.panels-1)/j.taskPanels
	if task >= rowTasks {
		panel := task - rowTasks
		if j.inPlace {
			panel = j.colN / (2 * j.lanes)
		}
		col := panel * 2 * j.lanes
		j.packColumns(col, col)
		return
	}
	// Panels of a transposed matrix are narrow cuts through its rows: all panels
	// of the task take theirs from a few rows before the next come.
	step := j.kN
	if j.axesA[0] == nil && j.a.row == 1 && !j.pairs {
		step = cutRows
	}
	for from := 0; from < j.kN; from += step {
		depth := min(step, j.kN-from)
		first, rest := j.panelAt(task * j.taskPanels)
		for range min(j.taskPanels, j.panels-task*j.taskPanels) {
			rows, left := j.panelRows(rest)
			to := j.packA[first*j.kN+rows*from:][:rows*depth]
			switch {
			case j.pairs:
				packPairs(to, j.a, j.row0+first, rows, j.k0/2, depth/2)
			case j.axesA[0] != nil:
				packPlaces(j.level, j.patch, 2*j.lanes, to, rows, j.a.base, j.rowsA.part(first, rows), j.depthA)
			default:
				packRun(j.level, j.squeeze, to, rows, source[R]{unsafe.Pointer(j.a.at(j.row0+first, j.k0+from)), j.a.row, j.a.col}, rows, depth)
			}
			first, rest = first+rows, left
		}
	}
}

// columns is the width of b's panel that starts at column col of the block,
// and how many of its columns exist.
func (j *job[R]) columns(col int) (width, cols int) {
	cols = min(2*j.lanes, j.colN-col)
	width = 2 * j.lanes
	if cols <= j.lanes {
		width = j.lanes
	}
	return width, cols
}

// packColumns packs the panel of b that starts at column col of the block to where column at has its place.
func (j *job[R]) packColumns(col, at int) {
	width, cols := j.columns(col)
	to := j.packB[at*j.kN:][:width*j.kN]
	if j.pairs {
		packBlocks(to, width, j.b, (j.col0+col)/2, cols/2, j.k0/2, j.kN/2)
		return
	}
	if j.axesB[0] != nil {
		packPlaces(j.level, j.patch, 2*j.lanes, to, width, j.b.base, j.columnsB.part(col, cols), j.depthB)
		return
	}
	packRun(j.level, j.strip[width/j.lanes-1], to, width, source[R]{unsafe.Pointer(j.b.at(j.k0, j.col0+col)), j.b.col, j.b.row}, cols, j.kN)
}

// cell is a multiplying task: one cell of the grid of row and column blocks.
func (j *job[R]) cell(task int) {
	firstPanel := task / j.gridCols * j.taskPanels
	lastPanel := min(firstPanel+j.taskPanels, j.panels)
	firstCol := task % j.gridCols * j.taskCols
	lastCol := min(firstCol+j.taskCols, j.colN)
	add := j.add || j.k0 > 0
	firstRow, firstRest := j.panelAt(firstPanel)
	for col := firstCol; col < lastCol; col += 2 * j.lanes {
		width, cols := j.columns(col)
		at := col
		if j.alone {
			at = firstCol
			j.packColumns(col, at)
		}
		b, step := &j.packB[at*j.kN], width
		if j.inPlace && cols == 2*j.lanes {
			b, step = j.b.at(j.k0, j.col0+col), j.b.row
		}
		vectors := 2
		if width == j.lanes {
			vectors = 1
		}
		row, rest := firstRow, firstRest
		for range lastPanel - firstPanel {
			rows, left := j.panelRows(rest)
			j.tiles[rows-1][vectors-1](j.kN, &j.packA[row*j.kN], b, j.c.at(j.row0+row, j.col0+col), step, j.c.row, cols, add)
			row, rest = row+rows, left
		}
	}
}
