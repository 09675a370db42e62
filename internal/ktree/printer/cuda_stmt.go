package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

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
		if c.p.Counted > 0 && s.Arrive != s.Wait {
			c.line("%s();", c.part("keep_order"))
		}
		if s.Wait {
			c.line("%s();", c.part("cluster_wait"))
		}
	case *ktree.Collect:
		c.line("%s(&tw_counted);", c.part("collect"))
	case *ktree.Copies:
		if s.Behind {
			c.line("%s();", c.part("keep_order"))
		}
		if s.Wait {
			c.line("%s<%d>();", c.part("copy_wait"), s.Pending)
		} else {
			c.line("%s();", c.part("copy_commit"))
		}
	case *ktree.Bring:
		c.line("%s(&%s, &%s, %s, &tw_landing[%d], %du);", c.part("bring"), c.expr(s.To), c.name(s.Map), bare(c.expr(s.From)), s.Landing,
			s.Count*s.Runs*s.To.T().Comps()*s.To.T().Kind.Bits()/8)
	case *ktree.Vacate:
		c.line("%s();", c.part("vacate"))
	case *ktree.Landed:
		c.line("%s(&tw_landing[%d], %s);", c.part("landed"), s.Landing, bare(c.expr(s.Odd)))
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
		if s.Simd {
			c.line("__syncwarp();") // of all lanes: active ones may be fewer behind a loop that lanes leave one by one, until they meet here
		} else {
			c.line("__syncthreads();")
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
