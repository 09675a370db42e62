package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// CUDA is the kernel as CUDA C++ for NVRTC. Its parameters are the inputs, the
// outputs, the metadata that is mentioned (pointers to int shapes and long
// long strides, int for the number of axes), and the grid in threads as three
// unsigned ints. Launch it over ceil(grid/threadgroup) blocks of the
// threadgroup, whose size the compiler is told: a block has but so many
// registers. With turns, at most Turns(p), a block does that many threadgroups
// along x, and x of the grid and of turns threadgroups together is below 2^32.
// Threads outside the grid leave at once. Compile with --fmad=false for the
// CPU's bits.
func CUDA(p *ktree.Program, threadgroup [3]int, turns int) string {
	c := &cuda{p: p, group: threadgroup, turns: turns}
	c.b.WriteString(cudaPrelude)
	c.program()
	return c.b.String()
}

type cuda struct {
	p      *ktree.Program
	group  [3]int
	turns  int
	b      strings.Builder
	indent int

	engine bool // a kernel of the engine, printed by CUDAUnit
	parts  map[string]bool
	// overlays are the places of arrays that share memory.
	overlays map[*ktree.Var]int

	check    bool // pointers are spans, indices are looked at
	accesses []Access
}

// program prints everything after the prelude.
func (c *cuda) program() {
	c.b.WriteString("\nnamespace user {\n")
	for _, g := range c.p.Globals {
		c.global(g)
	}
	for _, f := range c.p.Funcs {
		c.function(f)
	}
	c.b.WriteString("}  // namespace user\n\n")
	c.kernel()
}

func (c *cuda) line(format string, args ...any) {
	c.b.WriteString(strings.Repeat("  ", c.indent))
	fmt.Fprintf(&c.b, format, args...)
	c.b.WriteByte('\n')
}

var cudaKinds = map[ktree.Kind]string{
	ktree.Void: "void", ktree.Bool: "bool", ktree.Char: "tw::i8", ktree.Uchar: "tw::u8", ktree.Short: "short", ktree.Ushort: "tw::u16",
	ktree.Int: "int", ktree.Uint: "tw::u32", ktree.Long: "tw::i64", ktree.Ulong: "tw::u64", ktree.Half: "tw::half", ktree.Bfloat: "tw::bfloat",
	ktree.Float: "float", ktree.Double: "double",
}

func (c *cuda) value(t ktree.Type) string {
	if t.Width > 1 {
		if c.engine && t.Kind.IsHalf() {
			c.part(pairParts[t.Kind])
		}
		return fmt.Sprintf("tw::vec<%s, %d>", cudaKinds[t.Kind], t.Width)
	}
	return cudaKinds[t.Kind]
}

func (c *cuda) typ(t ktree.Type) string {
	if t.Form != ktree.Pointer {
		return c.value(t)
	}
	s := c.value(t.Elem())
	if t.Const {
		s = "const " + s
	}
	if c.check {
		return "tw::span<" + s + ">"
	}
	return s + "*"
}

// cudaWords cannot be names of variables.
var cudaWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl
		concept const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum
		explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
		operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static
		static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
		using virtual void volatile wchar_t while xor xor_eq tw user threadIdx blockIdx blockDim gridDim warpSize TW`) {
		m[w] = true
	}
	return m
}()

// cudaFunctions are names that CUDA has given to functions of its own, which a
// kernel with C linkage cannot take.
var cudaFunctions = func() map[string]bool {
	m := map[string]bool{}
	for _, f := range strings.Fields(`abs acos acosh asin asinh assert atan atan2 atan2f atanh atomicAdd atomicAnd atomicCAS atomicExch
		atomicMax atomicMin atomicOr atomicSub atomicXor cbrt ceil clock clock64 copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1
		erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma fmax fmin fmod free frexp hypot ilogb isfinite
		isinf isnan j0 j1 jn labs ldexp lgamma llabs llmax llmin llrint llround log log10 log1p log2 logb lrint lround malloc max
		memcpy memset min modf nan nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow printf rcbrt remainder remquo rhypot
		rint rnorm rnorm3d rnorm4d round rsqrt scalbln scalbn signbit sin sincos sincospi sinh sinpi sqrt tan tanh tgamma trap trunc
		ullmax ullmin umax umin y0 y1 yn`) {
		m[f], m[f+"f"] = true, true
	}
	return m
}()

// CUDAEntry is the name of the kernel in its CUDA text: its own, unless CUDA
// has another use for it.
func CUDAEntry(p *ktree.Program) string {
	if cudaFunctions[p.Name] || cudaWords[p.Name] {
		return p.Name + "_kernel"
	}
	return p.Name
}

func (c *cuda) name(v *ktree.Var) string {
	if c.engine && cudaFunctions[v.Name] {
		return v.Name + "_"
	}
	if cudaWords[v.Name] || strings.HasPrefix(v.Name, "__") || strings.HasPrefix(v.Name, "tw_") || strings.HasPrefix(v.Name, "TW_") {
		return v.Name + "_"
	}
	return v.Name
}

// bare strips a pair of parentheses around the whole of s.
func bare(s string) string {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return s
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return s
		}
	}
	return s[1 : len(s)-1]
}

func dims(t ktree.Type) string {
	s := ""
	if t.Form == ktree.Array {
		for _, d := range t.Dims {
			if d != 0 {
				s += fmt.Sprintf("[%d]", d)
			}
		}
	}
	return s
}

func (c *cuda) global(g *ktree.Var) {
	var vals []string
	comps := g.Type.Comps()
	for i := 0; i < len(g.Values); i += comps {
		var part []string
		for _, v := range g.Values[i : i+comps] {
			part = append(part, c.num(g.Type.Kind, v))
		}
		s := strings.Join(part, ", ")
		if comps > 1 {
			s = c.value(g.Type.Elem()) + "(" + s + ")"
		}
		vals = append(vals, s)
	}
	t := c.value(g.Type.Elem())
	switch {
	case g.Type.Form != ktree.Array:
		c.line("TW %s %s() { return %s; }", t, c.name(g), vals[0])
	case !g.Type.Kind.IsHalf():
		c.line("__device__ const %s %s[%d] = {%s};", t, c.name(g), g.Type.Len(), strings.Join(vals, ", "))
	default: // making a half needs an instruction, so no table can hold one
		c.line("struct tw_%s { %s v[%d]; };", g.Name, t, g.Type.Len())
		c.line("TW tw_%s %s() { return tw_%s{{%s}}; }", g.Name, c.name(g), g.Name, strings.Join(vals, ", "))
	}
}

func (c *cuda) function(f *ktree.Func) {
	var params []string
	for _, p := range f.Params {
		ref := ""
		if p.Ref {
			ref = "&"
		}
		params = append(params, fmt.Sprintf("%s%s %s", c.typ(p.Type), ref, c.name(p)))
	}
	inline := "TW"
	if f.Rare {
		inline = "static __device__ __noinline__"
	}
	c.line("%s %s %s(%s) {", inline, c.value(f.Result), f.Name, strings.Join(params, ", "))
	c.block(f.Body)
	c.line("}")
}

func (c *cuda) kernel() {
	var params []string
	add := func(format string, args ...any) { params = append(params, fmt.Sprintf(format, args...)) }
	var pointers []*ktree.Var
	pointer := func(v *ktree.Var) {
		name, elem := c.name(v), c.value(v.Type.Elem())
		if c.check {
			name = "tw_ptr_" + v.Name
		}
		if v.Type.Const {
			elem = "const " + elem
		}
		add("%s* __restrict__ %s", elem, name)
		pointers = append(pointers, v)
	}
	for _, v := range c.p.Inputs {
		pointer(v)
	}
	for _, v := range c.p.Outputs {
		pointer(v)
	}
	for _, v := range c.p.Metas {
		if v.What == "ndim" {
			add("int %s", c.name(v))
		} else {
			pointer(v)
		}
	}
	add("unsigned int tw_grid_x, unsigned int tw_grid_y, unsigned int tw_grid_z")
	if c.check {
		for _, v := range pointers {
			add("unsigned long long tw_len_%s", v.Name)
		}
		add("unsigned long long* tw_fault")
	}
	c.line("extern \"C\" __global__ void __launch_bounds__(%d) %s(\n    %s) {",
		c.group[0]*c.group[1]*c.group[2], CUDAEntry(c.p), strings.Join(params, ",\n    "))
	c.indent++
	if c.turns > 1 {
		c.takeTurns()
		c.indent--
		c.line("}")
		return
	}
	if c.check { // every thread writes the same, before it reads
		c.line("tw_cell = tw_fault; tw_threads[0] = tw_grid_x; tw_threads[1] = tw_grid_y;")
	}
	c.positions()
	if c.check {
		for _, v := range pointers {
			c.line("const %s %s(tw_ptr_%s, tw_len_%s);", c.typ(v.Type), c.name(v), v.Name, v.Name)
		}
	}
	c.indent--
	c.block(c.p.Body)
	c.line("}")
}

// positions declares the built-ins that are mentioned. A group at the edge of
// the grid has only the threads that are inside it.
func (c *cuda) positions() {
	v3 := "tw::vec<tw::u32, 3>"
	c.line("const %s tw_size(%d, %d, %d), tw_grid(tw_grid_x, tw_grid_y, tw_grid_z);", v3, c.group[0], c.group[1], c.group[2])
	c.line("const %s tw_group(blockIdx.x, blockIdx.y, blockIdx.z), tw_thread(threadIdx.x, threadIdx.y, threadIdx.z);", v3)
	c.line("const %s tw_at = tw_group * tw_size + tw_thread;", v3)
	c.line("if (tw_at.x >= tw_grid_x || tw_at.y >= tw_grid_y || tw_at.z >= tw_grid_z) return;")
	has := func(gs ...ktree.Grid) bool {
		for _, g := range gs {
			if c.p.Builtins[g] != nil {
				return true
			}
		}
		return false
	}
	if has(ktree.ThreadsPerThreadgroup, ktree.ThreadIndexInThreadgroup, ktree.ThreadIndexInSimdgroup, ktree.SimdgroupIndexInThreadgroup, ktree.SimdgroupsPerThreadgroup) {
		c.line("const %s tw_ext = tw::min(tw_size, tw_grid - tw_group * tw_size);", v3)
		c.line("const tw::u32 tw_index = tw_thread.x + tw_ext.x * (tw_thread.y + tw_ext.y * tw_thread.z);")
	}
	for g, v := range c.p.Builtins {
		if v == nil {
			continue
		}
		e := ""
		switch ktree.Grid(g) {
		case ktree.ThreadPositionInGrid:
			e = "tw_at"
		case ktree.ThreadgroupPositionInGrid:
			e = "tw_group"
		case ktree.ThreadPositionInThreadgroup:
			e = "tw_thread"
		case ktree.ThreadsPerThreadgroup:
			e = "tw_ext"
		case ktree.ThreadsPerGrid:
			e = "tw_grid"
		case ktree.ThreadgroupsPerGrid:
			e = v3 + "(gridDim.x, gridDim.y, gridDim.z)"
		case ktree.ThreadIndexInThreadgroup:
			e = "tw_index"
		case ktree.ThreadIndexInSimdgroup:
			e = "tw_index % 32u"
		case ktree.SimdgroupIndexInThreadgroup:
			e = "tw_index / 32u"
		case ktree.ThreadsPerSimdgroup:
			e = "32u"
		case ktree.SimdgroupsPerThreadgroup:
			e = "(tw_ext.x * tw_ext.y * tw_ext.z + 31u) / 32u"
		}
		c.line("const %s %s = %s;", c.value(v.Type), v.Name, e)
	}
}
