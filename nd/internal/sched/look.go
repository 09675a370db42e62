package sched

import (
	"context"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Look computes a node and calls look with its elements in row-major order: where
// they are, if that is on the host, else with a copy.
func (e *Engine) Look(ctx context.Context, n *graph.Node, look func([]byte) error) error {
	v, err := e.dense(ctx, n)
	if err != nil {
		return err
	}
	defer v.block.Release()
	bytes := n.Len() * n.Type.Size()
	source, ok := v.block.Buffer.(device.HostBuffer)
	if !ok {
		host := make([]byte, bytes)
		if err := v.dev.back.Read(ctx, host, v.block.Buffer); err != nil {
			return err
		}
		return look(host)
	}
	// Nobody but Close waits for this lock, so that looks may nest.
	if !v.dev.looks.TryRLock() {
		return v.dev.closedError()
	}
	defer v.dev.looks.RUnlock()
	if v.dev.closed.Load() {
		return v.dev.closedError()
	}
	start := v.view.Offset * n.Type.Size()
	return look(source.HostBytes()[start : start+bytes])
}
