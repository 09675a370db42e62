package sched

import (
	"runtime"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// constant is a constant of n elements that begins with a byte.
func (b *bench) constant(first byte, n int) *graph.Node {
	b.t.Helper()
	host := make([]byte, 4*n)
	host[0] = first
	return b.node(b.dev.Constant(elem.Float32, []int{n}, graph.NewHost(host)))
}

// written counts the copies from the host since the log was reset.
func (b *bench) written() int {
	n := 0
	for _, e := range b.null.Log() {
		if e.Kind == null.Wrote {
			n++
		}
	}
	return n
}

func TestConstantsAreCopiedOnce(t *testing.T) {
	b := newBench(t, null.Options{}, 1)
	x := b.evaluated(b.data(64))
	ask := func(first byte) int {
		b.null.ResetLog()
		b.mustEval(b.op(scalar.Mul, x, b.constant(first, 64)))
		return b.written()
	}
	for i, c := range []struct {
		first byte
		want  int
	}{{1, 1}, {1, 0}, {2, 1}, {1, 0}, {2, 0}} {
		if got := ask(c.first); got != c.want {
			t.Errorf("evaluation %d: %d copies, want %d", i, got, c.want)
		}
	}
	host := make([]byte, 256)
	host[0] = 1
	for name, n := range map[string]*graph.Node{
		"type":  b.node(b.dev.Constant(elem.Int32, []int{64}, graph.NewHost(host))),
		"shape": b.node(b.dev.Constant(elem.Float32, []int{8, 8}, graph.NewHost(host))),
	} {
		if n == b.constant(1, 64) {
			t.Errorf("another %s is the same constant", name)
		}
	}
	b.engine.Release(b.constant(1, 64)) // which nobody should
	if got := ask(1); got != 1 {
		t.Errorf("after it was released: %d copies, want 1", got)
	}
	b.dev.Trim()
	if got := ask(2); got != 1 {
		t.Errorf("after Trim: %d copies, want 1", got)
	}
}

func TestConstantsAreBounded(t *testing.T) {
	const limit = 1 << 20
	b := newBench(t, null.Options{}, 1)
	b.dev.pool.SetLimit(limit)
	func() {
		for i := range 200 {
			b.mustEval(b.constant(byte(i), 512)) // 2 KiB
		}
		if large := b.constant(0, limit); large == b.constant(0, limit) {
			t.Error("a large constant was kept")
		}
	}()
	if got := b.dev.constants.bytes; got > limit/constantShare || got == 0 {
		t.Errorf("%d bytes are kept", got)
	}
	b.eventually("the others are free", func() bool {
		runtime.GC()
		return b.dev.pool.Usage().Active <= limit/constantShare
	})
	if err := b.dev.Close(); err != nil {
		t.Fatal(err)
	}
	if c := &b.dev.constants; c.bytes != 0 || len(c.byKey) != 0 || c.order.Len() != 0 {
		t.Errorf("a closed device keeps %d bytes", c.bytes)
	}
}
