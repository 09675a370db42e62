//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// allowance is what a process may hold above its working set, which is the most
// bytes that arrays had at once and the scratch of operations: code, runtime,
// caches, plans and garbage.
const allowance = 300 << 20

// soak does mixed work of changing lengths, as a service would that gets
// recordings of any length.
func (t *torture) soak() (string, []string) {
	rng := rand.New(rand.NewPCG(t.seed, 1))
	d := nd.CPU()
	d.ResetPeak()
	end := time.Now().Add(t.span)
	rounds, failures := 0, []string(nil)
	above, worst := 0, ""
	for report := time.Now().Add(time.Minute); time.Now().Before(end); rounds++ {
		if err := mixed(rng); err != nil {
			failures = append(failures, fmt.Sprintf("round %d: %v", rounds, err))
			break
		}
		if rounds%16 == 0 {
			m, now := d.Memory(), resident()
			if over := now - m.Peak - m.Scratch; over > above {
				above, worst = over, holding(m, now)
			}
			if time.Now().After(report) {
				fmt.Printf("torture: soak: %d rounds, %s\n", rounds, holding(m, now))
				report = report.Add(time.Minute)
			}
		}
	}
	if above > allowance {
		failures = append(failures, fmt.Sprintf("%d MiB above the working set: at most %d are promised", above>>20, allowance>>20))
	}
	return fmt.Sprintf("%d rounds of mixed work in %s, working set %d MiB, at most %d MiB above it, with %s", rounds, t.span, (d.Memory().Peak+d.Memory().Scratch)>>20, above>>20, worst), failures
}

// holding is where the memory is.
func holding(m nd.Memory, resident int) string {
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	return fmt.Sprintf("%d MiB resident: arrays %d, at most %d; scratch %d, cached %d, compiled %d; heap %d in use, %d idle, next collection at %d", resident>>20,
		m.Active>>20, m.Peak>>20, m.Scratch>>20, m.Cached>>20, m.Compiled>>20, heap.HeapInuse>>20, (heap.HeapIdle-heap.HeapReleased)>>20, heap.NextGC>>20)
}

// mixed is one piece of work of a random kind and length.
func mixed(rng *rand.Rand) error {
	ctx := context.Background()
	n := 1000 + rng.IntN(1<<(10+rng.IntN(10)))
	channels := 1 + rng.IntN(4)
	x := nd.Normal(nd.Key(rng.Uint64()), nd.Float32, channels, n)
	switch rng.IntN(6) {
	case 0:
		return nd.Eval(ctx, signal.Welch(x, signal.Spectral{NPerSeg: 16 + rng.IntN(min(n, 5000)-15)}).Array)
	case 1:
		s := signal.STFT{NFFT: 16 + rng.IntN(1000)}
		return nd.Eval(ctx, s.Inverse(s.Apply(x)))
	case 2:
		h := nd.Normal(nd.Key(rng.Uint64()), nd.Float32, channels, 1+rng.IntN(n))
		y, err := nd.Slice[float32](ctx, signal.Conv{}.Apply(x, h).AbsSquared().Mean(-1))
		if err == nil && len(y) != channels {
			err = fmt.Errorf("%d means of %d channels", len(y), channels)
		}
		return err
	case 3:
		return nd.Eval(ctx, nd.Grad(x.RFFT().AbsSquared().AddScalar(1).Log().Mean(), x)...)
	case 4: // sorts, scans and products
		m := 1 + rng.IntN(200)
		a := nd.Normal(nd.Key(rng.Uint64()), nd.Float64, m, 1+rng.IntN(200))
		return nd.Eval(ctx, a.MatMul(a.SwapAxes(0, 1)).Sort(-1), a.CumSum(0).Max(1))
	}
	st, err := nd.CPU().NewStream()
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	_, err = nd.Slice[float32](ctx, signal.Resample{N: 1 + rng.IntN(n)}.Apply(x.On(st)))
	return err
}
