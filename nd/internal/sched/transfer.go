package sched

import (
	"context"
	"errors"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// needsTransfer says which nodes must be copied from other devices first.
type needsTransfer struct{ nodes []*graph.Node }

func (n *needsTransfer) Error() string { return "elements are on another device" }

func isTransfer(err error) bool {
	var need *needsTransfer
	return errors.As(err, &need)
}

// startSources sets the devices that elements come from to work, all at once:
// the host waits for one after the other. How they fare it learns then.
func (e *Engine) startSources(ctx context.Context, nodes []*graph.Node) {
	if len(nodes) < 2 {
		return
	}
	for _, n := range nodes {
		in := n.In()
		if len(in) == 0 || in[0].Held() != nil {
			continue
		}
		if r, err := e.submit(ctx, in, in); err == nil {
			r.flush()
			r.Then(nil)
		}
	}
}

// transfer copies the elements of a Transfer node's input to its device. Where
// one of the two devices has its memory on the host, they are copied once.
func (e *Engine) transfer(ctx context.Context, n *graph.Node) error {
	in := n.In()
	if len(in) == 0 { // somebody was faster
		return nil
	}
	to, err := e.Device(n.Device)
	if err != nil {
		return err
	}
	var b *device.Block
	var ev device.Event
	if host, ok := in[0].Held().(*graph.Host); ok { // no device has them yet
		b, ev, err = to.upload(ctx, host.Bytes)
	} else {
		b, ev, err = e.copy(ctx, to, in[0])
	}
	if err != nil {
		return err
	}
	past := graph.PastOfCopy(in[0])
	e.mu.Lock()
	defer e.mu.Unlock()
	if n.Held() != nil {
		b.Release()
		return nil
	}
	v := newValue(to, b, shape.Contiguous(n.Shape), ioQueue, ev, true)
	v.past = past
	n.HoldRef(&v.self)
	n.Detach()
	return nil
}

// copy gives a block of a device the elements of a node of another: directly where
// the two reach each other, else through the host.
func (e *Engine) copy(ctx context.Context, to *Device, n *graph.Node) (*device.Block, device.Event, error) {
	from, err := e.dense(ctx, n)
	if err != nil {
		return nil, device.Event{}, err
	}
	defer from.block.Release()
	bytes := n.Len() * n.Type.Size()
	if source, ok := from.block.Buffer.(device.HostBuffer); ok {
		start := from.view.Offset * n.Type.Size()
		return to.upload(ctx, source.HostBytes()[start:start+bytes])
	}
	if b, ev, ok, err := to.fromPeer(ctx, bytes, from); ok || err != nil {
		return b, ev, err
	}
	return to.download(ctx, bytes, from)
}

// fromPeer copies without the host; ok is false if the devices cannot. It returns
// when the copy is over, because the source may be used for something else then.
func (d *Device) fromPeer(ctx context.Context, bytes int, from *Value) (b *device.Block, ev device.Event, ok bool, err error) {
	peer, ok := d.io.(device.Peer)
	if !ok {
		return nil, ev, false, nil
	}
	if b, err = d.pool.Get(ctx, bytes, ioQueue, d.io.Wait); err != nil {
		return nil, ev, false, err
	}
	if !peer.CopyFrom(b.Buffer, from.block.Buffer, bytes) {
		b.Release()
		return nil, ev, false, nil
	}
	ev = d.io.Record()
	b.Use(ioQueue, ev)
	// Whoever gives up must not leave while the other device's memory is read.
	if err = ev.Wait(context.WithoutCancel(ctx)); err != nil {
		b.Release()
		return nil, ev, false, err
	}
	return b, ev, true, nil
}

// dense computes a node and waits for it. The value it gives has a reference
// to its block and is in row-major order; an offset it has only on the host.
func (e *Engine) dense(ctx context.Context, n *graph.Node) (*Value, error) {
	if err := e.Eval(ctx, []*graph.Node{n}); err != nil {
		return nil, err
	}
	v, err := e.held(n)
	if err != nil {
		return nil, err
	}
	err = v.ready(ctx)
	_, host := v.block.Buffer.(device.HostBuffer)
	if err == nil && (host || v.view.Offset == 0) && v.view.IsContiguous() {
		return v, nil
	}
	v.block.Release()
	if err != nil {
		return nil, err
	}
	packed, err := graph.NewMap(scalar.Copy, n)
	if err != nil {
		return nil, err
	}
	return e.dense(ctx, packed)
}

// ready waits until the value's elements are there.
func (v *Value) ready(ctx context.Context) error {
	if v.dev.closed.Load() {
		return v.dev.closedError()
	}
	if err := v.event.Wait(ctx); err != nil {
		return err
	}
	return v.block.Err()
}

// upload gives a block the elements of a slice, which may be used again at once.
func (d *Device) upload(ctx context.Context, host []byte) (*device.Block, device.Event, error) {
	b, err := d.pool.Get(ctx, len(host), ioQueue, d.io.Wait)
	if err != nil {
		return nil, device.Event{}, err
	}
	ev := d.write(b, host)
	return b, ev, nil
}

// write puts elements into a block that nobody else uses.
func (d *Device) write(b *device.Block, host []byte) device.Event {
	d.io.Write(b.Buffer, host)
	ev := d.io.Record()
	b.Use(ioQueue, ev)
	return ev
}

// download gives a block the elements of another device's: straight into its
// memory if that is on the host.
func (d *Device) download(ctx context.Context, bytes int, from *Value) (*device.Block, device.Event, error) {
	read := func(host []byte) error { return from.dev.back.Read(ctx, host, from.block.Buffer) }
	var before []device.Event
	b, err := d.pool.Get(ctx, bytes, ioQueue, func(e device.Event) { before = append(before, e) })
	if err != nil {
		return nil, device.Event{}, err
	}
	target, ok := b.Buffer.(device.HostBuffer)
	if !ok {
		b.Release()
		host := make([]byte, bytes)
		if err := read(host); err != nil {
			return nil, device.Event{}, err
		}
		return d.upload(ctx, host)
	}
	for _, e := range before {
		if err = e.Wait(ctx); err != nil {
			break
		}
	}
	if err == nil {
		err = read(target.HostBytes()[:bytes])
	}
	if err != nil {
		b.Release()
		return nil, device.Event{}, err
	}
	return b, d.write(b, nil), nil // clears the mark of what was there before
}
