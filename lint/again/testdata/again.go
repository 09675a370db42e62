package a

import (
	"context"
	"time"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func filter(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	h := k.RFFT()
	for _, x := range blocks {
		if _, err := nd.Slice[float32](ctx, x.RFFT().Mul(h).IRFFT(nd.FFT{N: 8})); err != nil { // want `\[warn TW015\] h is lazy: every turn computes it again; evaluate it once, before the loop`
			return err
		}
	}
	return nil
}

func byName(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	h := k.RFFT().Conj()
	for _, x := range blocks {
		y := x.RFFT().Mul(h)
		if err := nd.Eval(ctx, y); err != nil { // want `h is lazy`
			return err
		}
	}
	return nil
}

func feature(ctx context.Context, x *nd.Array, n int) (sum float64, err error) {
	z := signal.STFT{NFFT: 512}.Apply(x)
	for i := range n {
		v, err := nd.Item[float64](ctx, z.Abs().MulScalar(i).Max()) // want `z is lazy`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func random(ctx context.Context, n int) error {
	noise := nd.Normal(1, nd.Float32, 1024)
	for i := 0; i < n; i++ {
		if err := nd.Eval(ctx, noise.MulScalar(i)); err != nil { // want `noise is lazy`
			return err
		}
	}
	return nil
}

func product(ctx context.Context, a, b *nd.Array, xs []*nd.Array) error {
	m := a.MatMul(b)
	for _, x := range xs {
		if err := nd.Eval(ctx, m.MatMul(x)); err != nil { // want `m is lazy`
			return err
		}
	}
	return nil
}

func behindMaps(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	h := k.RFFT()
	g := h.MulScalar(2)
	for _, x := range blocks {
		if err := nd.Eval(ctx, x.Mul(g)); err != nil { // want `g is lazy`
			return err
		}
	}
	return nil
}

func evaluated(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	h := k.RFFT()
	if err := nd.Eval(ctx, h); err != nil {
		return err
	}
	for _, x := range blocks {
		if err := nd.Eval(ctx, x.RFFT().Mul(h)); err != nil {
			return err
		}
	}
	return nil
}

func cheap(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	h := k.MulScalar(2)
	for _, x := range blocks {
		if err := nd.Eval(ctx, x.Mul(h)); err != nil {
			return err
		}
	}
	return nil
}

func made(ctx context.Context, samples []float32, blocks []*nd.Array) error {
	k := nd.From(samples)
	for _, x := range blocks {
		if err := nd.Eval(ctx, x.Mul(k)); err != nil {
			return err
		}
	}
	return nil
}

func changes(ctx context.Context, w *nd.Array, n int) error {
	for range n {
		w = w.RFFT().Abs()
		if err := nd.Eval(ctx, w); err != nil {
			return err
		}
	}
	return nil
}

func inLoop(ctx context.Context, k *nd.Array, blocks []*nd.Array) error {
	for _, x := range blocks {
		h := k.Mul(x).RFFT()
		if err := nd.Eval(ctx, h.Abs()); err != nil {
			return err
		}
	}
	return nil
}

func handedOn(ctx context.Context, k *nd.Array, blocks []*nd.Array, keep func(*nd.Array)) error {
	h := k.RFFT()
	keep(h)
	for _, x := range blocks {
		if err := nd.Eval(ctx, x.Mul(h)); err != nil {
			return err
		}
	}
	return nil
}

func measured(ctx context.Context, k *nd.Array, blocks []*nd.Array) (d time.Duration, err error) {
	h := k.RFFT()
	for _, x := range blocks {
		start := time.Now()
		if err := nd.Eval(ctx, x.Mul(h)); err != nil {
			return 0, err
		}
		d += time.Since(start)
	}
	return d, nil
}

func once(ctx context.Context, k, x *nd.Array) ([]float32, error) {
	h := k.RFFT()
	return nd.Slice[float32](ctx, x.RFFT().Mul(h).Abs())
}
