package recipe

// Launch is one kernel of a transform on a GPU: a pass over memory.
type Launch struct {
	Role    Role  `json:"role"`
	Length  int   `json:"length"`            // of the lines it transforms
	Radices []int `json:"radices,omitempty"` // none where it does each element by itself
	Threads int   `json:"threads"`           // of a line
	Held    int   `json:"elements_per_thread"`
	Lines   int   `json:"lines_per_block"`
	// Exchange is the bytes in which the threads of a line exchange numbers, and
	// Pitch those from line to line.
	Exchange int `json:"-"`
	Pitch    int `json:"-"`
	// Blocks is how many share a line, in a cluster; 0 for one.
	Blocks int `json:"blocks_per_line,omitempty"`
	// Resident is how many blocks a multiprocessor should hold, 0 for as many as it
	// comes to.
	Resident int `json:"resident_blocks,omitempty"`
}

// BlockThreads is the threads of a block.
func (l Launch) BlockThreads() int { return l.Lines * l.Threads / max(l.Blocks, 1) }

// SharedBytes is the shared memory of a block.
func (l Launch) SharedBytes() int { return l.Lines * l.Pitch }

// Role is what a launch does.
type Role string

const (
	WholeLine Role = "line"     // transforms lines on chip
	Axis      Role = "axis"     // transforms along an axis that is not the last, lines side by side
	LastAxis  Role = "last"     // transforms along the last axis and stores with axes reversed
	Row       Role = "row"      // transforms rows, multiplies by a chirp's spectrum and transforms back
	AxisBack  Role = "back"     // Axis on the way back
	Reals     Role = "reals"    // transforms along the last axis rows of real columns, of which numbers were two
	InCluster Role = "cluster"  // transforms lines by clusters of blocks
	Untangle  Role = "untangle" // makes the bins of a real line from those of the packed one, or the reverse
)

// untangleThreads is the threads of a block that does each pair of bins by itself.
const untangleThreads = 256

// Launches are the kernels of a recipe, in order, for so many lines that a GPU is
// busy, each contiguous.
func (g GPU) Launches(r *Recipe) []Launch {
	switch {
	case r.Kind == Cluster:
		return []Launch{g.Together(r)}
	case r.Kind == Packed && r.Inner.Kind == Cluster:
		return g.Launches(r.Inner)
	case r.Kind == Packed && g.Trip(r) != nil:
		t := g.Trip(r)
		return []Launch{g.Out(t), g.Middle(t)}
	case r.Kind == Packed && r.Inner.Kind == FourStep:
		return append(g.Launches(r.Inner), UntangleLaunch(r.Inner.N))
	case r.Kind == Bluestein && r.Inner.Kind == FourStep:
		axes := r.Inner.Axes()
		last := len(axes) - 1
		var list []Launch
		for _, a := range axes[:last] {
			list = append(list, g.Pass(Axis, a))
		}
		list = append(list, g.Pass(Row, axes[last]))
		for i := last - 1; i >= 0; i-- {
			list = append(list, g.Pass(AxisBack, axes[i]))
		}
		return list
	case r.Kind == FourStep:
		var list []Launch
		axes := r.Axes()
		for i, a := range axes {
			role := Axis
			if i == len(axes)-1 {
				role = LastAxis
			}
			list = append(list, g.Pass(role, a))
		}
		return list
	}
	leaf, bytes := r, g.Exchange(r)
	if r.Inner != nil {
		leaf = r.Inner
	}
	l := Launch{Role: WholeLine, Length: r.N, Radices: leaf.Passes(), Threads: leaf.Threads, Held: leaf.Held(r.Kind == Packed), Exchange: bytes}
	l.Lines = UsualLines(l.Threads, bytes, 1<<30)
	if r.Kind == Packed && leaf.Lines > 0 {
		l.Lines = leaf.Lines
	}
	if r.Kind == Rader || r.Kind == Bluestein {
		l.Lines = FillWarps(l.Lines, l.Threads, bytes)
	}
	for l.BlockThreads() < warp {
		l.Lines *= 2
	}
	l.Pitch = Pitch(bytes, l.Threads, l.Lines, 0)
	for l.Lines > 1 && (l.SharedBytes() > g.SharedBytes || l.BlockThreads() > g.threads()) {
		l.Lines /= 2
		l.Pitch = Pitch(bytes, l.Threads, l.Lines, 0)
	}
	return []Launch{l}
}

// ScratchBytes is the memory that the launches of a recipe take for each line,
// beside the input and the output.
func (g GPU) ScratchBytes(r *Recipe) int {
	switch {
	case r.Kind == FourStep:
		return r.N * g.bytes()
	case r.Kind == Packed && r.Inner.Kind == Cluster:
		return 0
	case r.Kind == Packed && g.Trip(r) != nil:
		return g.Trip(r).Numbers() * g.bytes()
	case r.Kind == Packed:
		return 2 * g.ScratchBytes(r.Inner)
	case r.Kind == Bluestein:
		return g.ScratchBytes(r.Inner)
	}
	return 0
}

// Pass is the launch of one pass over lines that do not fit on chip.
func (g GPU) Pass(role Role, axis *Recipe) Launch {
	room := axis.Room(g.Bits)
	if role == Row {
		room = max(room, axis.Reversed().Room(g.Bits))
	}
	bytes := g.bytes()
	if axis.Turns {
		bytes /= 2
	}
	l := Launch{Role: role, Length: axis.N, Radices: axis.Passes(), Threads: axis.Threads, Held: axis.Held(false), Lines: axis.Lines,
		Exchange: (room*bytes + 15) / 16 * 16, Resident: axis.Resident / (axis.Threads * axis.Lines)}
	across := 0
	if role == Axis || role == AxisBack || role == LastAxis {
		across = bytes
	}
	l.Pitch = Pitch(l.Exchange, l.Threads, l.Lines, across)
	return l
}

// UntangleLaunch has a thread for every pair of bins k and n-k of packed lines of
// n.
func UntangleLaunch(n int) Launch {
	return Launch{Role: Untangle, Length: n, Threads: untangleThreads, Held: 2, Lines: 1}
}

const (
	warp = 32
	// usualThreads is the size of a block that needs no other. A block with more
	// than muchShared leaves a multiprocessor room for too few of them.
	usualThreads, muchShared = 128, 56 << 10
)

// UsualLines is how many lines make a block of the usual size, if a line has some
// threads and bytes of shared memory.
func UsualLines(threads, bytes, lines int) int {
	n := 1
	for n*threads < usualThreads && 2*n*bytes <= muchShared && n < lines {
		n *= 2
	}
	return n
}

// FillWarps takes a line or two more where so many make up whole warps. It pays
// for convolutions: memory bound transforms run well as they are.
func FillWarps(lines, threads, bytes int) int {
	const most = 512
	full := func(lines int) float64 {
		return float64(lines*threads) / float64((lines*threads+warp-1)/warp*warp)
	}
	for more, end := lines+1, lines+2; more <= end && more*bytes <= muchShared && more*threads <= most; more++ {
		if full(more) > full(lines)+0.02 {
			lines = more
		}
	}
	return lines
}

// Pitch is the bytes from line to line in shared memory, such that the threads of
// a warp that are in different lines are in different banks. Threads of columns
// walk across lines, by numbers of so many bytes; 0 for others.
func Pitch(bytes, threads, lines, across int) int {
	if bytes == 0 || lines == 1 {
		return bytes
	}
	whole := (bytes + 127) / 128 * 128
	switch {
	case across > 0:
		return whole + max(across, 128/lines)
	case 8*threads < 128:
		return whole + (8*threads+15)/16*16
	}
	return whole
}
