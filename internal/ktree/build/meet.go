package build

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Barrier waits for the group; what its threads wrote to shared memory is then
// there for all.
func (k *Kernel) Barrier() { k.BarrierOf(false) }

// BarrierOf is a Barrier, behind which also what threads wrote to device memory is
// there for all of the group.
func (k *Kernel) BarrierOf(device bool) {
	k.p.UsesBarrier = true
	k.emit(&ktree.Barrier{Threadgroup: true, Device: device})
}

// WarpBarrier waits for the simdgroup.
func (k *Kernel) WarpBarrier() {
	k.p.UsesBarrier = true
	k.emit(&ktree.Barrier{Simd: true, Threadgroup: true})
}

// Cluster lets so many groups that follow each other run together. The kernel is
// launched in whole clusters, and Rank is a group's number in its own, an Uint.
func (k *Kernel) Cluster(groups int) { k.p.Cluster = groups }

// Rank is a group's number in its cluster.
func (k *Kernel) Rank() Val { return k.Group().Rem(k.p.Cluster) }

// Counted lets pushes count themselves where they go to: so many bytes to each group.
// Collect waits for them.
func (k *Kernel) Counted(bytes int) { k.p.Counted = bytes }

// Collect waits until all that is pushed to the group is there.
func (k *Kernel) Collect() {
	k.p.UsesBarrier = true
	k.emit(&ktree.Collect{})
}

// Push stores x in an element of the pool of another group of the cluster.
func (k *Kernel) Push(rank, to, x Val) {
	if x.Type() != to.Type() {
		panic(fmt.Sprintf("build: %s pushed to %s", x.Type(), to.Type()))
	}
	k.emit(&ktree.Push{Rank: rank.To(ktree.Uint).E, To: to.E, X: x.E})
}

// Meet is a barrier of the cluster: behind it, what its threads wrote to pools is
// there for all.
func (k *Kernel) Meet() { k.meet(true, true) }

// Arrive is the first half of Meet for a group that has pushed nothing since the last:
// its threads have read what comes before it.
func (k *Kernel) Arrive() { k.meet(true, false) }

// AwaitCluster is the second half of Meet.
func (k *Kernel) AwaitCluster() { k.meet(false, true) }

func (k *Kernel) meet(arrive, wait bool) {
	k.p.UsesBarrier = true
	k.emit(&ktree.Meet{Arrive: arrive, Wait: wait})
}

// Fence orders the thread's writes to device memory.
func (k *Kernel) Fence() {
	k.emit(&ktree.Do{X: &ktree.Apply{E: ktree.E{Type: ktree.Scalar(ktree.Void)}, Fn: ktree.Fence}})
}

// Across is an operation across a simdgroup, of which all threads take part:
// ktree.SimdShuffleXor and its like with a lane or a distance, ktree.SimdMax and
// its like without.
func (k *Kernel) Across(fn ktree.Intrinsic, v Val, lane ...any) Val {
	k.p.UsesSimd = true
	t := v.Type()
	a := &ktree.Apply{E: ktree.E{Type: t}, Fn: fn, Args: []ktree.Expr{v.E}, Whole: true}
	for _, l := range lane {
		a.Args = append(a.Args, operand(l, ktree.Uint).E)
	}
	return k.Let("across", Val{a})
}

// SameOfGroup is a condition of which the kernel knows that it is the same for all threads
// of the group.
func (k *Kernel) SameOfGroup(c Val) Val {
	return k.Let("same", Val{&ktree.Apply{E: ktree.E{Type: c.Type()}, Fn: ktree.GroupSame, Args: []ktree.Expr{c.E}, Whole: true}})
}

// AnyOfGroup is whether a condition holds for any thread of the group, which all
// get there.
func (k *Kernel) AnyOfGroup(c Val) Val {
	k.p.UsesBarrier = true
	return k.Let("any", Val{&ktree.Apply{E: ktree.E{Type: c.Type()}, Fn: ktree.GroupAny, Args: []ktree.Expr{c.E}, Whole: true}})
}

// Atomic is an operation on element at of an atomic buffer or array; it gives the
// value before.
func (k *Kernel) Atomic(fn ktree.Intrinsic, at Val, x ...Val) Val {
	t := at.Type()
	space := ktree.Device
	if i, ok := at.E.(*ktree.Index); ok && i.X.T().Space == ktree.Threadgroup {
		space = ktree.Threadgroup
	}
	address := &ktree.Addr{E: ktree.E{Type: ktree.Type{Kind: t.Kind, Width: t.Width, Form: ktree.Pointer, Space: space}}, X: at.E}
	a := &ktree.Apply{E: ktree.E{Type: t}, Fn: fn, Args: []ktree.Expr{address}}
	for _, v := range x {
		a.Args = append(a.Args, v.E)
	}
	return Val{a}
}
