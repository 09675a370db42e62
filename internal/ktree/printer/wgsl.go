package printer

import (
	"fmt"
	"sort"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// WGSL is the kernel as a WebGPU shader for groups of the given size, for people:
// with the functions of subgroups, which must have 32 threads, and the halves that
// some adapters have. It is printed from the flattened program, because WGSL has no
// pointers into buffers. Bindings of group 0 are the inputs, the outputs, the
// metadata that is mentioned, and the grid as a uniform vec3<u32>.
//
// A kernel of the engine has its buffers in the order of its parameters, then, as
// one buffer of words, its numbers; group is not looked at.
//
// Barriers must be reached by whole groups in WGSL, so a kernel with barriers needs
// a grid that its groups divide.
func WGSL(p *flat.Program, group [3]int) (string, error) {
	w := newWGSL(p)
	w.native = true
	s, err := w.print(group)
	if err != nil {
		return "", err
	}
	return s.Text, nil
}

// Shader is a kernel for a WebGPU device.
type Shader struct {
	Text  string
	Entry string
	// Written says of each binding of group 0 whether the kernel writes it, and
	// Bound what it is. The buffers come first, in order and without those that are
	// another one, then memory that several are joined in, the fault cell of a
	// checked kernel, and the words, which are read.
	Written []bool
	Bound   []Bound
	// Joins is where the joined buffers begin: for each its word, which is to hold a
	// number of words; -1 of the others.
	Joins []int
	// Words is how many words there are, and Numbers where those of a kernel of the
	// engine are: by parameter, of the buffers -1.
	Words   int
	Numbers []int
	// Base is the first of three words that the position of the first group is in,
	// and Grid of three that have the size of the grid of a user's kernel.
	Base, Grid int
	// Starts is where the first elements of a user's inputs are: for each, its word.
	Starts []int
	// Metas is where the metadata of a user's kernel begins, by Program.Metas.
	Metas []int
	// Lens is where the lengths of a checked kernel's operands are, inputs first.
	Lens []int
	// Accesses are the places of a checked kernel where an index may be wrong.
	Accesses []Access
	// GroupBytes is the workgroup memory that it has.
	GroupBytes int
}

// ShaderOptions is what a shader is printed for.
type ShaderOptions struct {
	Group [3]int // of a user's kernel
	// Same is, for each buffer, the first one that it is the same memory as: WebGPU
	// does not let one be bound twice if it is written. nil if all differ.
	Same []int
	// Dims is the number of dimensions of each input of a user's kernel.
	Dims []int
	// Extent is how many threads the groups of a launch have: those at the edge of a
	// grid are fewer than Group. Zero is Group, and threads outside of the grid leave.
	Extent [3]int
	// Check has the indices of a user's kernel checked.
	Check bool
	// Pieces is, for each buffer, how many bindings of PieceBytes it needs; nil if
	// each is one.
	Pieces     []int
	PieceBytes int
	// Joined says which buffers are joined with others in one binding.
	Joined []bool
	// Halves says that the adapter has floats of 16 bits: buffers of them are no parts
	// of words, so that threads write neighbours without atomics. Numbers are computed
	// as without, and have the same bits.
	Halves bool
	// Subgroup is how many neighbours of a group are a subgroup of the adapter, a power
	// of two; 0 if it has none. They exchange values without workgroup memory, in the
	// same order as without.
	Subgroup int
	// Contracts says that the adapter's compiler joins a product and a sum, which then are
	// rounded once, as it likes: products are kept apart, so that a value does not depend on
	// what is computed with it in the same kernel.
	Contracts bool
	// Enable says that the compiler wants subgroups to be enabled: Dawn does, naga
	// does not know how.
	Enable bool
}

// ShaderOf is the kernel as a shader for a device: one that any adapter can run,
// unless options say what it has. Operations across simdgroups, which have 32 threads
// whatever the adapter's subgroups have, need the whole group.
func ShaderOf(p *flat.Program, o ShaderOptions) (*Shader, error) {
	w := newWGSL(p)
	w.device, w.same, w.dims, w.extent, w.check = true, o.Same, o.Dims, o.Extent, o.Check
	w.pieces, w.pieceWords, w.joined = o.Pieces, o.PieceBytes/4, o.Joined
	w.halves, w.subgroup, w.enable = o.Halves, min(o.Subgroup, 32), o.Enable
	if o.Contracts {
		w.zero = w.name(w, "tw_zero")
	}
	return w.print(o.Group)
}

func newWGSL(p *flat.Program) *wgsl {
	return &wgsl{p: p, names: map[any]string{}, used: map[string]bool{}, words: map[*flat.Mem]int{}, starts: map[*flat.Mem]int{}, lanes: map[string]bool{},
		lens: map[*flat.Mem]int{}, numbers: map[*flat.Mem]int{}}
}

func (w *wgsl) print(group [3]int) (*Shader, error) {
	if w.p.IR.IsEngine() {
		group = [3]int{w.p.IR.Threads, 1, 1}
	}
	if w.p.IR.Cluster > 1 {
		return nil, fmt.Errorf("groups push into each other's memory, which those of WGSL cannot")
	}
	w.group = group
	w.bindings()
	for _, v := range w.p.Vars {
		if w.kind(v.Kind, v.Offset) == "" {
			return nil, fmt.Errorf("%s is %s, which WGSL does not have", orTemp(v.Name), v.Kind)
		}
	}
	w.entry()
	if w.err != nil {
		return nil, w.err
	}
	w.lanesUsed()
	w.out.Text = w.header() + w.b.String() + wgslNeeded(w.b.String())
	w.out.Entry = w.name("entry", w.p.IR.Name)
	return &w.out, nil
}

func orTemp(s string) string {
	if s == "" {
		return "a value"
	}
	return s
}

type wgsl struct {
	p         *flat.Program
	b         strings.Builder
	indent    int
	names     map[any]string
	used      map[string]bool
	scopes    []*scopeState
	err       error
	counter   int
	group     [3]int
	words     map[*flat.Mem]int // where a number is among the words
	starts    map[*flat.Mem]int // the word that has an operand's first element
	native    bool              // subgroups and halves are those of WGSL
	device    bool              // for a device: all that is no buffer is in the words
	same      []int
	dims      []int
	lanes     map[string]bool // what lanes are needed across simdgroups
	combiners []combined
	parted    int // enclosing statements that not the whole group runs

	extent     [3]int
	check      bool
	lens       map[*flat.Mem]int // the word that has an operand's length
	pieces     []int
	pieceWords int
	joined     []bool
	halves     bool
	subgroup   int
	enable     bool
	zero       string            // if not empty, a word that is 0, which compilers do not know
	shuffles   bool              // subgroups are used
	numbers    map[*flat.Mem]int // of the buffers

	out Shader
}

// scopeState is an expanded function that is being printed. Returns leave it
// through a loop that runs once; inside other loops a flag carries them out.
type scopeState struct {
	once  bool
	flag  string
	loops int
}

func (w *wgsl) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *wgsl) fail(format string, args ...any) string {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
	return "0"
}

// wgslWords are keywords, reserved words and built-in functions in use here.
var wgslWords = func() map[string]bool {
	m := map[string]bool{}
	for _, s := range strings.Fields(`alias break case const const_assert continue continuing default diagnostic discard else enable
		false fn for if let loop override requires return struct switch true var while NULL Self abstract active alignas alignof
		as asm asm_fragment async attribute auto await become cast catch class co_await co_return co_yield coherent column_major
		common compile compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete demote
		demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough filter final finally friend from
		fxgroup get goto groupshared highp impl implements import inline instanceof interface layout lowp macro macro_rules match
		mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent
		noperspective null nullptr of operator package packoffset partial pass patch pixelfragment precise precision premerge priv
		protected pub public readonly ref regardless register reinterpret_cast resource restrict self set shared sizeof smooth
		snorm static static_assert static_cast std subroutine super target template this thread_local throw trait try type
		typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with
		writeonly yield i32 u32 f32 f16 bool vec2 vec3 vec4 array atomic ptr main select min max abs exp log sqrt sin cos pow
		floor ceil clamp fma tanh round sign step bitcast any all trunc reverseBits countOneBits
		countLeadingZeros countTrailingZeros`) {
		m[s] = true
	}
	return m
}()

// name gives an object a name of its own.
func (w *wgsl) name(key any, wish string) string {
	if n, ok := w.names[key]; ok {
		return n
	}
	wish = strings.ReplaceAll(wish, ".", "_")
	if wish == "" {
		w.counter++
		wish = fmt.Sprintf("t%d", w.counter)
	}
	if wgslWords[wish] || strings.HasPrefix(wish, "_") || strings.HasPrefix(wish, "tw_") {
		wish = "k_" + strings.TrimLeft(wish, "_")
	}
	n := wish
	for i := 2; w.used[n]; i++ {
		n = fmt.Sprintf("%s_%d", wish, i)
	}
	w.used[n] = true
	w.names[key] = n
	return n
}

func (w *wgsl) header() string {
	if !w.native {
		s := ""
		for _, m := range w.p.Mems {
			if w.inHalves(m) {
				s = "enable f16;\n"
			}
		}
		if w.shuffles && w.enable {
			s += "enable subgroups;\n"
		}
		return s
	}
	half := false
	for _, v := range w.p.Vars {
		half = half || v.Kind == ktree.Half
	}
	for _, m := range w.p.Mems {
		half = half || m.Kind == ktree.Half
	}
	s := ""
	if half {
		s += "enable f16;\n"
	}
	if w.p.IR.UsesSimd {
		s += "enable subgroups;\n"
	}
	if s != "" {
		s += "\n"
	}
	return s
}

func (w *wgsl) entry() {
	g, threads := w.group, w.group
	if w.extent != [3]int{} {
		threads = w.extent
	}
	w.line("@compute @workgroup_size(%d, %d, %d)", threads[0], threads[1], threads[2])
	from := "tw_group"
	if w.device {
		from = "tw_own_group"
	}
	w.line("fn %s(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) %s: vec3<u32>) {", w.name("entry", w.p.IR.Name), from)
	w.indent++
	word := func(at int) string {
		return fmt.Sprintf("vec3<u32>(tw_words[%d], tw_words[%d], tw_words[%d])", at, at+1, at+2)
	}
	if w.device {
		w.line("let tw_group = %s + %s;", from, word(w.out.Base))
	}
	if w.zero != "" {
		w.line("let %s = tw_words[%d];", w.zero, w.take(1))
	}
	if w.p.IR.IsEngine() {
		w.line("let tw_index = tw_thread.x;")
	} else {
		if w.device {
			w.line("let tw_grid = %s;", word(w.out.Grid))
		}
		w.line("let tw_size = vec3<u32>(%du, %du, %du);", g[0], g[1], g[2])
		w.line("let tw_at = tw_group * tw_size + tw_thread;")
		if w.extent != [3]int{} {
			w.line("let tw_ext = vec3<u32>(%du, %du, %du);", threads[0], threads[1], threads[2])
		} else {
			if !w.p.IR.UsesBarrier && !(w.p.IR.UsesSimd && !w.native) {
				w.line("if (any(tw_at >= tw_grid)) { return; }")
			}
			w.line("let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);")
		}
		w.line("let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);")
	}
	if w.check {
		w.line("tw_who = %s;", w.threadNumber())
	}
	vars := append([]*flat.Var(nil), w.p.Vars...)
	sort.SliceStable(vars, func(i, j int) bool { return vars[i].ID < vars[j].ID })
	for _, v := range vars {
		w.line("var %s: %s;", w.name(v, v.Name), w.kind(v.Kind, v.Offset))
	}
	for _, m := range w.p.Mems {
		if m.Role == ktree.Local && m.Space == ktree.Thread {
			w.line("var %s: array<%s, %d>;", w.name(m, m.Name), w.stored(m), m.Len)
		}
	}
	w.scopes = append(w.scopes, &scopeState{})
	w.list(w.p.Body.Body)
	w.indent--
	w.line("}")
}
