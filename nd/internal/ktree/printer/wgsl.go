package printer

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/flat"
)

// WGSL is the kernel as a WebGPU shader for groups of the given size. It is
// printed from the flattened program, because WGSL has no pointers into
// buffers. Bindings of group 0 are the inputs, the outputs, the metadata that
// is mentioned, and the grid as a uniform vec3<u32>.
//
// A kernel of the engine has its buffers in the order of its parameters, then,
// as one buffer of words, its numbers; group is not looked at.
//
// What WGSL lacks is an error: 64-bit numbers, 8- and 16-bit integers,
// bfloat, bool and byte buffers. Barriers must be reached by whole groups
// there, so a kernel with barriers needs a grid that its groups divide.
func WGSL(p *flat.Program, group [3]int) (string, error) {
	w := &wgsl{p: p, names: map[any]string{}, used: map[string]bool{}, words: map[*flat.Mem]int{}}
	if p.IR.IsEngine() {
		group = [3]int{p.IR.Threads, 1, 1}
	}
	w.header()
	if err := w.bindings(); err != nil {
		return "", err
	}
	for _, v := range p.Vars {
		if w.kind(v.Kind, v.Offset) == "" {
			return "", fmt.Errorf("%s is %s, which WGSL does not have", orTemp(v.Name), v.Kind)
		}
	}
	w.entry(group)
	if w.mulhi {
		w.b.WriteString(wgslMulHi)
	}
	if w.err != nil {
		return "", w.err
	}
	return w.b.String(), nil
}

func orTemp(s string) string {
	if s == "" {
		return "a value"
	}
	return s
}

type wgsl struct {
	p       *flat.Program
	b       strings.Builder
	indent  int
	names   map[any]string
	used    map[string]bool
	scopes  []*scopeState
	err     error
	counter int
	words   map[*flat.Mem]int // where a number is among the words
	mulhi   bool              // the helper is used
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
		floor ceil clamp fma tanh round sign step bitcast`) {
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

// kind is the type's name, or "" where there is none. The offset of a moving
// pointer is a long in the dialect; buffers here are short enough for i32.
func (w *wgsl) kind(k ktree.Kind, offset bool) string {
	switch {
	case k == ktree.Long && offset, k == ktree.Int:
		return "i32"
	case k == ktree.Uint:
		return "u32"
	case k == ktree.Float:
		return "f32"
	case k == ktree.Half:
		return "f16"
	case k == ktree.Bool:
		return "bool"
	}
	return ""
}

func (w *wgsl) header() {
	half := false
	for _, v := range w.p.Vars {
		half = half || v.Kind == ktree.Half
	}
	for _, m := range w.p.Mems {
		half = half || m.Kind == ktree.Half
	}
	if half {
		w.line("enable f16;")
	}
	if w.p.IR.UsesSimd {
		w.line("enable subgroups;")
	}
	if half || w.p.IR.UsesSimd {
		w.line("")
	}
}

func (w *wgsl) bindings() error {
	slot := 0
	for _, m := range w.p.Mems {
		t := w.kind(m.Kind, false)
		if m.Role == ktree.Number && t != "" {
			w.words[m] = w.count()
			continue
		}
		if m.Kind == ktree.Bool && m.Role != ktree.Local && m.Role != ktree.Global {
			t = ""
		}
		if t == "" {
			return fmt.Errorf("%s holds %s, which WGSL does not have in buffers", m.Name, m.Kind)
		}
		if m.Comps > 1 {
			t = fmt.Sprintf("vec%d<%s>", m.Comps, t)
		}
		name := w.name(m, m.Name)
		access := "read"
		switch m.Role {
		case ktree.Output:
			access = "read_write"
		case ktree.Buffer:
			if !m.ReadOnly {
				access = "read_write"
			}
		case ktree.Local:
			if m.Space == ktree.Threadgroup {
				w.line("var<workgroup> %s: array<%s, %d>;", name, w.atomicType(m, t), m.Len)
			}
			continue
		case ktree.Global:
			var vals []string
			for i := 0; i < len(m.Values); i += m.Comps {
				var part []string
				for _, v := range m.Values[i : i+m.Comps] {
					part = append(part, w.num(m.Kind, v))
				}
				s := strings.Join(part, ", ")
				if m.Comps > 1 {
					s = t + "(" + s + ")"
				}
				vals = append(vals, s)
			}
			w.line("const %s = array<%s, %d>(%s);", name, t, m.Len, strings.Join(vals, ", "))
			continue
		}
		w.line("@group(0) @binding(%d) var<storage, %s> %s: array<%s>;", slot, access, name, w.atomicType(m, t))
		slot++
	}
	if w.p.IR.IsEngine() {
		w.line("@group(0) @binding(%d) var<storage, read> tw_words: array<u32>;", slot)
	} else {
		w.line("@group(0) @binding(%d) var<uniform> tw_grid: vec3<u32>;", slot)
	}
	w.line("")
	return nil
}

// count is the words that numbers take so far.
func (w *wgsl) count() int {
	n := 0
	for m := range w.words {
		n += m.Comps
	}
	return n
}

// atomicType wraps the element of an atomic object; floats are kept as bits.
func (w *wgsl) atomicType(m *flat.Mem, t string) string {
	switch {
	case !m.Atomic:
		return t
	case m.Kind == ktree.Float:
		return "atomic<u32>"
	}
	return "atomic<" + t + ">"
}

func (w *wgsl) entry(group [3]int) {
	w.line("@compute @workgroup_size(%d, %d, %d)", group[0], group[1], group[2])
	if w.p.IR.IsEngine() {
		w.line("fn %s(@builtin(local_invocation_id) tw_thread: vec3<u32>, @builtin(workgroup_id) tw_group: vec3<u32>) {", w.name("entry", w.p.IR.Name))
		w.indent++
	} else {
		w.line("fn %s(@builtin(global_invocation_id) tw_at: vec3<u32>, @builtin(local_invocation_id) tw_thread: vec3<u32>,", w.name("entry", w.p.IR.Name))
		w.line("    @builtin(workgroup_id) tw_group: vec3<u32>) {")
		w.indent++
		if !w.p.IR.UsesBarrier {
			w.line("if (any(tw_at >= tw_grid)) { return; }")
		}
		w.line("let tw_size = vec3<u32>(%du, %du, %du);", group[0], group[1], group[2])
		w.line("let tw_ext = min(tw_size, tw_grid - tw_group * tw_size);")
		w.line("let tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);")
	}
	vars := append([]*flat.Var(nil), w.p.Vars...)
	sort.SliceStable(vars, func(i, j int) bool { return vars[i].ID < vars[j].ID })
	for _, v := range vars {
		w.line("var %s: %s;", w.name(v, v.Name), w.kind(v.Kind, v.Offset))
	}
	for _, m := range w.p.Mems {
		if m.Role == ktree.Local && m.Space == ktree.Thread {
			t := w.kind(m.Kind, false)
			if m.Comps > 1 {
				t = fmt.Sprintf("vec%d<%s>", m.Comps, t)
			}
			w.line("var %s: array<%s, %d>;", w.name(m, m.Name), t, m.Len)
		}
	}
	w.scopes = append(w.scopes, &scopeState{})
	w.list(w.p.Body.Body)
	w.indent--
	w.line("}")
}

func (w *wgsl) num(k ktree.Kind, n ktree.Num) string {
	switch k {
	case ktree.Bool:
		return strconv.FormatBool(n.I != 0)
	case ktree.Float, ktree.Half:
		suffix, bits := "f", uint32(0)
		if k == ktree.Half {
			suffix = "h"
		}
		switch {
		case math.IsNaN(n.F):
			bits = 0x7fc00000
		case math.IsInf(n.F, 1):
			bits = 0x7f800000
		case math.IsInf(n.F, -1):
			bits = 0xff800000
		default:
			s := withPoint(strconv.FormatFloat(n.F, 'g', -1, 32)) + suffix
			if n.F < 0 {
				return "(" + s + ")"
			}
			return s
		}
		// Not a literal in WGSL; through a variable it is not folded either.
		s := fmt.Sprintf("bitcast<f32>(tw_group.x * 0u + 0x%xu)", bits)
		if k == ktree.Half {
			return "f16(" + s + ")"
		}
		return s
	case ktree.Uint:
		return strconv.FormatInt(n.I, 10) + "u"
	}
	if n.I == math.MinInt32 {
		return "i32(-2147483648)"
	}
	if n.I < 0 {
		return fmt.Sprintf("(%di)", n.I)
	}
	return fmt.Sprintf("%di", n.I)
}
