package main

import (
	"context"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// measureFigures times work that one figure dominates. Arrays are evaluated
// before, plans cached by the first run.
func measureFigures(ctx context.Context, dev *nd.Device) (map[string]float64, error) {
	workers := max(dev.Info().Workers, 1)
	m := measuring{ctx: ctx, dev: dev, workers: workers, figures: map[string]float64{}, gpu: dev != nd.CPU(), software: dev.Info().Software,
		large: 1 << 24, // elements: 64 MiB, past every cache
		piece: 1 << 15, // what one worker of a CPU takes at least
		side:  768, lines: max(256, 64*workers), points: 1024}
	m.small = m.piece * 4 * workers // in the caches of all workers
	if workers > 4 {
		m.side = 2048
	}
	switch info := dev.Info(); {
	case info.Software:
		m.large, m.small, m.side, m.lines = 1<<21, 1<<17, 256, 128
	case info.Arch > 0:
		// What keeps all of a GPU busy for long enough.
		m.large, m.small, m.side, m.lines = 1<<28, 1<<22, 4096, 1<<16
	case m.gpu: // which may be a small one
		m.large, m.small, m.side, m.lines = 1<<26, 1<<20, 2048, 1<<14
	}
	for _, step := range []func() error{m.starting, m.waking, m.moving, m.computing, m.longLines, m.sorting, m.copying} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return m.figures, nil
}

// measuring is figures on their way.
type measuring struct {
	ctx                 context.Context
	dev                 *nd.Device
	gpu, software       bool
	workers             int
	large, small, piece int // elements
	side, lines, points int
	figures             map[string]float64
}

// noise is evaluated numbers on the device.
func (m *measuring) noise(shape ...int) (*nd.Array, error) {
	a := nd.Uniform(1, nd.Float32, shape...).On(m.dev.Stream())
	return a, nd.Eval(m.ctx, a)
}

// ns is how long evaluating takes, of the best of many times.
func (m *measuring) ns(build func() *nd.Array) (float64, error) {
	return m.timed(func() error { return evaluated(m.ctx, build()) })
}

// tuneSlice is long beside the time that sleeping cores take to wake.
const tuneSlice = 10 * time.Millisecond

func (m *measuring) timed(once func() error) (float64, error) {
	run, err := loop(once)
	if err != nil {
		return 0, err
	}
	best, err := timing.Compare(m.ctx, timing.Options{Rounds: 8, Slice: tuneSlice}, timing.Contender{Run: run})
	if err != nil {
		return 0, err
	}
	return best[0], nil
}

// starting finds what a launch and waiting for it take. Running sums do not fuse: a
// launch is what each one more costs, and what remains of the first is the wait.
func (m *measuring) starting() error {
	const launches = 32
	one, err := m.noise(1)
	if err != nil {
		return err
	}
	chain := func(n int) (float64, error) {
		return m.ns(func() *nd.Array {
			y := one
			for range n {
				y = y.CumSum(0)
			}
			return y
		})
	}
	first, err := chain(1)
	if err != nil {
		return err
	}
	all, err := chain(1 + launches)
	if err != nil {
		return err
	}
	each := max((all-first)/launches, 1)
	m.figures["launch_ns"], m.figures["sync_ns"] = each, max(first-each, 1)
	return nil
}

// simple is a map of so many operations.
func simple(x *nd.Array, operations int) *nd.Array {
	y := x
	for range operations / 2 {
		y = y.Mul(x).Add(x)
	}
	return y
}

// wakingShare is what of the time until all workers are at work the model has whoever wakes
// them take.
const wakingShare = 0.4

// waking finds how long it takes until all workers of a CPU are at work. The model has it
// that what takes t if they begin at once takes sqrt(t^2 + 2 spread t) and a share of spread.
// A map with a piece for each worker, of few operations, takes about as long as waking them,
// and one of many operations tells t. One core by itself would tell less: it runs faster than
// all of them together.
func (m *measuring) waking() error {
	const few, times = 16, 16
	if m.gpu || m.workers == 1 {
		return nil
	}
	x, err := m.noise(m.piece * m.workers)
	if err != nil {
		return err
	}
	defer x.Release()
	var took [2]float64
	for i, n := range []int{few, times * few} {
		ns, err := m.ns(func() *nd.Array { return simple(x, n) })
		if err != nil {
			return err
		}
		took[i] = max(ns-m.started(), 1)
	}
	m.figures["spread_ns"] = spreadOf(took[0], took[1], times)
	return nil
}

// spreadOf is the time until all workers are at work, of what work takes and as much as so
// many times that.
func spreadOf(once, often, times float64) float64 {
	spread := 1.0
	for range 20 { // until the share of what is found is what was taken away
		a, b := math.Pow(max(once-wakingShare*spread, once/2), 2), math.Pow(often-wakingShare*spread, 2)
		// Other work must not make waking all there is.
		t := math.Sqrt(max((b-times*a)/(times*times-times), a/16))
		spread = (spread + max((a-t*t)/(2*t), 1)) / 2
	}
	return spread
}

// atOnce is how long what took ns would take if all workers began at once.
func (m *measuring) atOnce(ns float64) float64 {
	spread := m.figures["spread_ns"]
	joined := max(ns-wakingShare*spread, ns/2)
	return max(math.Sqrt(joined*joined+spread*spread)-spread, ns/2)
}

// moving finds how fast bytes go through a map: of all workers, of one, and of all of
// them where caches have the bytes.
func (m *measuring) moving() error {
	const cached = 1 << 20 // elements: 8 MiB with the results, of which the caches keep most
	for _, what := range []struct {
		key      string
		elements int
	}{{"copy_bytes_per_ns", m.large}, {"core_bytes_per_ns", m.piece}, {"cache_bytes_per_ns", cached}} {
		if m.gpu && what.elements < m.large {
			continue
		}
		x, err := m.noise(what.elements)
		if err != nil {
			return err
		}
		ns, err := m.ns(func() *nd.Array { return x.AddScalar(1) })
		if err != nil {
			return err
		}
		ns = max(ns-m.started(), 1)
		if what.elements == cached {
			ns = m.atOnce(ns)
		}
		m.figures[what.key] = 8 * float64(what.elements) / ns
		x.Release()
	}
	return nil
}

// started is what evaluating takes before anything is done.
func (m *measuring) started() float64 { return m.figures["launch_ns"] + m.figures["sync_ns"] }

// computing finds the speeds of operations.
func (m *measuring) computing() error {
	const chain, long = 32, 128 // operations of maps; beside a long one, waking workers is nothing
	little, err := m.noise(m.small)
	if err != nil {
		return err
	}
	square, err := m.noise(m.side, m.side)
	if err != nil {
		return err
	}
	signals := nd.Complex(nd.Uniform(4, nd.Float32, m.lines, m.points), nd.Uniform(5, nd.Float32, m.lines, m.points)).On(m.dev.Stream())
	if err := nd.Eval(m.ctx, signals); err != nil {
		return err
	}
	there := func(z *nd.Array) *nd.Array { return z.FFT().MulScalar(1.5).IFFT() } // and back
	ns := map[string]float64{}
	for what, build := range map[string]func() *nd.Array{
		"simple": func() *nd.Array { return simple(little, long) },
		"functions": func() *nd.Array {
			y := little
			for range chain / 4 {
				y = y.Sin().Exp().AddScalar(1).Log()
			}
			return y
		},
		"transform": func() *nd.Array { return signals.FFT() },
		"two":       func() *nd.Array { return there(signals) },
		"four":      func() *nd.Array { return there(there(signals).MulScalar(1.5)) },
		"product":   func() *nd.Array { return square.MatMul(square) },
	} {
		t, err := m.ns(build)
		if err != nil {
			return err
		}
		ns[what] = max(t-m.started(), 1)
	}
	elements := float64(m.small)
	// Two in one pass over memory are nearer to what transforms take by themselves.
	transform := min(ns["transform"], ns["two"]/2)
	if !m.gpu {
		// Two more in the same pass take no time to come and go.
		transform = max((ns["four"]-ns["two"])/2, ns["two"]/4)
	}
	each := ns["simple"] / long // of one operation on all elements
	m.figures["ops_per_ns"] = elements / each
	m.figures["function_ops"] = min(max((ns["functions"]/(chain/4)/each-1)/3, 1), 1000)
	m.figures["fft_ops_per_ns"] = 5 * float64(m.points) * math.Log2(float64(m.points)) * float64(m.lines) / transform
	product := ns["product"]
	if !m.gpu { // matrices are copied to where they are multiplied, which is counted by itself
		product = max(product-3*4*math.Pow(float64(m.side), 2)/m.figures["copy_bytes_per_ns"], product/2)
	}
	m.figures["gemm_ops_per_ns"] = 2 * math.Pow(float64(m.side), 3) / product
	return nil
}
