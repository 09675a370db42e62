package sched

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// verifier lets a fraction of evaluations be computed twice: by the plan of the
// whole graph, and one operation after the other, each by a plan of its own. A
// fault of the planner, of a fused kernel or of the hardware makes them differ.
type verifier struct {
	mu       sync.Mutex
	fraction float64
	owed     float64 // grows by fraction with every evaluation; at 1, one is verified
	counts   VerifyCounts
}

// VerifyCounts is how many evaluations were verified.
type VerifyCounts struct {
	Same      int `json:"same"`
	Different int `json:"different"`
	// Skipped were chosen but not compared: they may overwrite a donated array,
	// or did not fit into memory a second time.
	Skipped int `json:"skipped"`
}

// VerifyError says that an array computed in one plan differs from the same
// operations computed one by one, by more than rounding.
type VerifyError struct {
	Op             string // that made the array
	Shape          []int
	Index          int // of the first element that differs, in row-major order
	Fused, Unfused string
	Count          int    // elements that differ
	Graph          string // the operations, one for each line
}

func (e *VerifyError) Error() string {
	return fmt.Sprintf("verify: element %d of %s %v is %s in the fused plan and %s if operations run one by one; %d elements differ",
		e.Index, e.Op, e.Shape, e.Fused, e.Unfused, e.Count)
}

// SetVerify chooses the fraction of evaluations that are verified.
func (e *Engine) SetVerify(fraction float64) error {
	if !(fraction >= 0 && fraction <= 1) {
		return fmt.Errorf("fraction %g: want 0 to 1", fraction)
	}
	v := &e.verifier
	v.mu.Lock()
	v.fraction, v.owed = fraction, 0
	v.mu.Unlock()
	e.verifying.Store(fraction > 0)
	return nil
}

// Verified is what was verified so far.
func (e *Engine) Verified() VerifyCounts {
	e.verifier.mu.Lock()
	defer e.verifier.mu.Unlock()
	return e.verifier.counts
}

// choose reports whether the next evaluation is verified. The first is, whatever
// the fraction, so that a short program is verified at all.
func (v *verifier) choose() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.fraction <= 0 {
		return false
	}
	first := v.owed == 0
	v.owed += v.fraction
	if first || v.owed >= 1 {
		v.owed = max(v.owed-1, v.fraction)
		return true
	}
	return false
}

func (v *verifier) count(c VerifyCounts) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.counts.Same += c.Same
	v.counts.Different += c.Different
	v.counts.Skipped += c.Skipped
}

// evalVerified is eval, and the same again without fusion.
func (e *Engine) evalVerified(ctx context.Context, nodes []*graph.Node) error {
	steps := e.stepsOf(nodes)
	if steps == nil { // nothing to compute, or nothing that may be computed twice
		return e.eval(ctx, nodes)
	}
	want, ok := e.oneByOne(ctx, nodes, steps)
	if err := e.eval(ctx, nodes); err != nil || !ok {
		if !ok {
			e.verifier.count(VerifyCounts{Skipped: 1})
		}
		return err
	}
	for i, n := range nodes {
		if want[i].bytes == nil {
			continue
		}
		got := make([]byte, len(want[i].bytes))
		if err := e.read(ctx, n, got); err != nil {
			return err
		}
		if bad := want[i].compare(got); bad != nil {
			bad.Op, bad.Shape, bad.Graph = steps[len(steps)-1].Op.String(), n.Shape, listing(steps)
			if k := slices.Index(steps, n); k >= 0 {
				bad.Op = opText(steps[k])
			}
			e.verifier.count(VerifyCounts{Different: 1})
			return bad
		}
	}
	e.verifier.count(VerifyCounts{Same: 1})
	return nil
}

// stepsOf lists what is to be computed for nodes, inputs first; nil if that is
// nothing, or a donated array is among what it starts from.
func (e *Engine) stepsOf(nodes []*graph.Node) []*graph.Node {
	e.mu.Lock() // what is computed lets go of its inputs, under this lock
	defer e.mu.Unlock()
	all := graph.Topological(func(n *graph.Node) bool { return n.Held() != nil }, nodes...)
	if len(all) > maxScratch {
		return nil
	}
	var steps []*graph.Node
	for _, n := range all {
		switch h := n.Held().(type) {
		case nil:
			steps = append(steps, n)
		case *Value:
			if h != releasedValue && h.isDonated() {
				return nil
			}
		}
	}
	return steps
}

// mostVerified is the bytes of a result on the host up to which it is computed again:
// broadcast arrays may have more elements than there is memory.
const mostVerified = 1 << 30

// oneByOne computes copies of the steps, each by itself, and gives the elements
// of those that stand for nodes. Intermediates go as soon as nobody needs them.
func (e *Engine) oneByOne(ctx context.Context, nodes, steps []*graph.Node) (results []expectation, ok bool) {
	copies := make(map[*graph.Node]*graph.Node, len(steps))
	about := make(map[*graph.Node]expectation, len(steps))
	uses := map[*graph.Node]int{}
	for _, n := range steps {
		for _, in := range n.In() {
			uses[in]++
		}
	}
	results = make([]expectation, len(nodes))
	for _, n := range steps {
		in := slices.Clone(n.In())
		for i, m := range in {
			if c := copies[m]; c != nil {
				in[i] = c
			} else if m.Held() == nil {
				return nil, false // somebody else's evaluation failed just now
			}
		}
		if n.Len() > mostVerified/n.Type.Size() {
			return nil, false
		}
		c := graph.New(graph.Def{Op: n.Op, Attr: n.Attr, Type: n.Type, Shape: n.Shape, Device: n.Device, Stream: n.Stream, In: in, Args: n.Args})
		copies[n] = c
		data := make([]byte, n.Len()*n.Type.Size())
		if err := e.read(ctx, c, data); err != nil {
			return nil, false
		}
		x := expected(n, data, n.In(), about)
		about[n] = x
		for i, out := range nodes {
			if out == n {
				results[i] = x
				results[i].bytes = data
			}
		}
		for _, m := range n.In() {
			if uses[m]--; uses[m] == 0 && copies[m] != nil {
				e.Release(copies[m])
			}
		}
	}
	for n, c := range copies {
		if uses[n] == 0 {
			e.Release(c)
		}
	}
	return results, true
}

func opText(n *graph.Node) string {
	if a, ok := n.Attr.(graph.MapAttr); ok {
		return a.Op.String()
	}
	return n.Op.String()
}

// listing is the graph in text, to be attached to a report.
func listing(steps []*graph.Node) string {
	var b strings.Builder
	id := map[*graph.Node]int{}
	number := func(n *graph.Node) int {
		if _, ok := id[n]; !ok {
			id[n] = len(id)
		}
		return id[n]
	}
	for _, n := range steps {
		for _, in := range n.In() {
			if _, ok := id[in]; !ok {
				fmt.Fprintf(&b, "%%%d = given %s %v\n", number(in), in.Type, in.Shape)
			}
		}
		fmt.Fprintf(&b, "%%%d = %s", number(n), opText(n))
		for _, in := range n.In() {
			fmt.Fprintf(&b, " %%%d", number(in))
		}
		if s, ok := n.Attr.(fmt.Stringer); ok {
			fmt.Fprintf(&b, " (%s)", s)
		}
		fmt.Fprintf(&b, " -> %s %v\n", n.Type, n.Shape)
	}
	return b.String()
}

// textOf is element i of an array.
func textOf(t elem.Type, data []byte, i int) string {
	re, im, whole := number(t, data, i)
	switch {
	case t == elem.Bool:
		return fmt.Sprint(whole != 0)
	case !t.IsFloat() && !t.IsComplex():
		return fmt.Sprint(whole)
	case t.IsComplex():
		return fmt.Sprint(complex(re, im))
	}
	return fmt.Sprint(re)
}
