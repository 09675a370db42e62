package printer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
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
		if c.engine && t.Kind == ktree.Half {
			c.part("half_pairs")
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
	c.line("TW %s %s(%s) {", c.value(f.Result), f.Name, strings.Join(params, ", "))
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

func (c *cuda) block(list []ktree.Stmt) {
	c.indent++
	for _, s := range list {
		c.stmt(s)
	}
	c.indent--
}

func (c *cuda) stmt(s ktree.Stmt) {
	switch s := s.(type) {
	case *ktree.Decl:
		c.line("%s;", c.decl(s))
	case *ktree.Do:
		c.line("%s;", c.effect(s.X))
	case *ktree.Block:
		c.line("{")
		c.block(s.List)
		c.line("}")
	case *ktree.If:
		c.line("if (%s) {", bare(c.expr(s.Cond)))
		c.block(s.Then)
		if len(s.Else) > 0 {
			c.line("} else {")
			c.block(s.Else)
		}
		c.line("}")
	case *ktree.Loop:
		c.loop(s)
	case *ktree.Move:
		c.move(s)
	case *ktree.Push:
		if c.p.Counted > 0 {
			c.line("%s(&%s, %s, %s, &tw_counted);", c.part("push_counted"), c.expr(s.To), bare(c.expr(s.Rank)), bare(c.expr(s.X)))
			break
		}
		c.line("%s(&%s, %s, %s);", c.part("push"), c.expr(s.To), bare(c.expr(s.Rank)), bare(c.expr(s.X)))
	case *ktree.Meet:
		if s.Arrive && s.Wait {
			c.line("%s();", c.part("cluster_arrive"))
		} else if s.Arrive {
			c.line("%s();", c.part("cluster_ready"))
		}
		if s.Wait {
			c.line("%s();", c.part("cluster_wait"))
		}
	case *ktree.Collect:
		c.line("%s(&tw_counted);", c.part("collect"))
	case *ktree.Copies:
		if s.Wait {
			c.line("%s<%d>();", c.part("copy_wait"), s.Pending)
		} else {
			c.line("%s();", c.part("copy_commit"))
		}
	case *ktree.Prefetch:
		c.line("%s(&%s, %d);", c.part("prefetch"), c.expr(s.From), s.Count*s.From.T().Comps()*s.From.T().Kind.Bits()/8)
	case *ktree.LoadMatrices:
		name := "load_matrices"
		if s.Turned {
			name = "load_turned"
		}
		c.line("%s(&%s, &%s);", c.part(name), c.expr(s.To), c.expr(s.From))
	case *ktree.MultiplyMatrices:
		name := map[ktree.Kind]string{ktree.Half: "mma_f16", ktree.Bfloat: "mma_bf16"}[s.Kind]
		c.line("%s(&%s, &%s, &%s);", c.part(name), c.expr(s.Sum), c.expr(s.A), c.expr(s.B))
	case *ktree.Jump:
		if s.Break {
			c.line("break;")
		} else {
			c.line("continue;")
		}
	case *ktree.Return:
		if s.X == nil {
			c.line("return;")
		} else {
			c.line("return %s;", bare(c.expr(s.X)))
		}
	case *ktree.Barrier:
		switch {
		case !s.Simd:
			c.line("__syncthreads();")
		case c.engine:
			c.line("__syncwarp();")
		default:
			c.line("__syncwarp(__activemask());")
		}
	}
}

func (c *cuda) loop(s *ktree.Loop) {
	switch {
	case s.Unroll == ktree.Fully:
		c.line("#pragma unroll")
	case s.Unroll > 0:
		c.line("#pragma unroll %d", s.Unroll)
	}
	if s.Late {
		c.line("do {")
		c.block(s.Body)
		c.line("} while (%s);", bare(c.expr(s.Cond)))
		return
	}
	cond := ""
	if s.Cond != nil {
		cond = bare(c.expr(s.Cond))
	}
	if len(s.Init) == 0 && len(s.Post) == 0 && cond != "" {
		c.line("while (%s) {", cond)
		c.block(s.Body)
		c.line("}")
		return
	}
	var post []string
	for _, x := range s.Post {
		post = append(post, c.effect(x.(*ktree.Do).X))
	}
	if len(s.Init) <= 1 && c.engine {
		init := ""
		if len(s.Init) == 1 {
			init = c.decl(s.Init[0].(*ktree.Decl))
		}
		c.line("for (%s; %s; %s) {", init, cond, strings.Join(post, ", "))
		c.block(s.Body)
		c.line("}")
		return
	}
	// The start has a scope of its own: declarations of several types fit.
	c.line("{")
	c.indent++
	for _, i := range s.Init {
		c.stmt(i)
	}
	c.line("for (; %s; %s) {", cond, strings.Join(post, ", "))
	c.block(s.Body)
	c.line("}")
	c.indent--
	c.line("}")
}

func (c *cuda) decl(s *ktree.Decl) string {
	v := s.Var
	head := fmt.Sprintf("%s %s%s", c.typ(v.Type), c.name(v), dims(v.Type))
	switch {
	case v.Pooled:
		return fmt.Sprintf("auto& %s = *reinterpret_cast<%s(*)%s>(tw_pool)", c.name(v), c.value(v.Type.Elem()), dims(v.Type))
	case v.Overlay > 0 && c.engine:
		return fmt.Sprintf("auto& %s = *reinterpret_cast<%s(*)%s>(tw_chip + %d)", c.name(v), c.value(v.Type.Elem()), dims(v.Type), c.overlays[v])
	case v.Space == ktree.Threadgroup && c.engine:
		return "alignas(16) __shared__ " + head
	case v.Type.Form == ktree.Array && s.Bare:
		return head
	case v.Space == ktree.Threadgroup:
		// Vectors have constructors, which shared memory may not run.
		return fmt.Sprintf("__shared__ alignas(16) unsigned char tw_mem_%s[%d]; auto& %s = *reinterpret_cast<%s(*)%s>(tw_mem_%s)",
			v.Name, v.Type.Len()*v.Type.Comps()*v.Type.Kind.Bits()/8, c.name(v), c.value(v.Type.Elem()), dims(v.Type), v.Name)
	case v.Type.Form == ktree.Array:
		var vals []string
		for _, e := range s.List {
			vals = append(vals, c.expr(e))
		}
		return head + " = {" + strings.Join(vals, ", ") + "}"
	case s.Init != nil:
		if c.engine && v.Const && v.Type.Form == ktree.Value {
			head = "const " + head
		}
		return head + " = " + bare(c.expr(s.Init))
	}
	return head
}

// num prints a number of a kind.
func (c *cuda) num(k ktree.Kind, n ktree.Num) string {
	switch {
	case k == ktree.Bool:
		return strconv.FormatBool(n.I != 0)
	case k == ktree.Double:
		return float64Text(n.F)
	case k == ktree.Float:
		return float32Text(n.F)
	case k == ktree.Half && c.engine:
		return fmt.Sprintf("%s{%d}", cudaKinds[k], elem.F16From(float32(n.F)))
	case k == ktree.Bfloat && c.engine:
		return fmt.Sprintf("%s{%d}", cudaKinds[k], elem.BF16From(float32(n.F)))
	case k.IsFloat():
		return fmt.Sprintf("%s(%s)", cudaKinds[k], float32Text(n.F))
	case k == ktree.Int && n.I == math.MinInt32:
		return "(-2147483647 - 1)"
	case k == ktree.Long && n.I == math.MinInt64:
		return "(-9223372036854775807ll - 1)"
	case k == ktree.Int:
		return strconv.FormatInt(n.I, 10)
	case k == ktree.Uint:
		return strconv.FormatInt(n.I, 10) + "u"
	case k == ktree.Long:
		return strconv.FormatInt(n.I, 10) + "ll"
	case k == ktree.Ulong:
		return strconv.FormatUint(uint64(n.I), 10) + "ull"
	}
	return fmt.Sprintf("(%s)%d", cudaKinds[k], n.I)
}

func float32Text(f float64) string {
	switch {
	case math.IsNaN(f):
		return "__uint_as_float(0x7fc00000u)"
	case math.IsInf(f, 1):
		return "__uint_as_float(0x7f800000u)"
	case math.IsInf(f, -1):
		return "__uint_as_float(0xff800000u)"
	}
	return withPoint(strconv.FormatFloat(f, 'g', -1, 32)) + "f"
}

func float64Text(f float64) string {
	switch {
	case math.IsNaN(f):
		return "__longlong_as_double(0x7ff8000000000000ll)"
	case math.IsInf(f, 1):
		return "__longlong_as_double(0x7ff0000000000000ll)"
	case math.IsInf(f, -1):
		return "__longlong_as_double((long long)0xfff0000000000000ull)"
	}
	return withPoint(strconv.FormatFloat(f, 'g', -1, 64))
}

func withPoint(s string) string {
	if !strings.ContainsAny(s, ".e") {
		return s + ".0"
	}
	return s
}
