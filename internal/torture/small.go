//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/nd"
)

// small evaluates a million little arrays: no kind of bookkeeping may grow with
// the number of evaluations.
func (t *torture) small() (string, []string) {
	count := 1_000_000
	if t.quick {
		count /= 10
	}
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(t.seed, 2))
	early, most := 0, 0
	for i := range count {
		n := 1 + rng.IntN(64)
		x := nd.From(make([]float32, n)).AddScalar(float32(i % 97))
		var err error
		switch i % 4 {
		case 0:
			_, err = nd.Item[float32](ctx, x.Sum())
		case 1:
			err = nd.Eval(ctx, x.RFFT().AbsSquared(), x.Max())
		case 2:
			err = nd.Eval(ctx, x.Slice(nd.Range{Stop: 1 + rng.IntN(n)}).Exp().Sort(-1))
		case 3:
			err = nd.Eval(ctx, nd.Concat(0, x, x.Flip()).CumSum(0))
		}
		if err != nil {
			return fmt.Sprintf("%d evaluations", i), []string{err.Error()}
		}
		if i%1000 == 0 {
			now := resident()
			most = max(most, now)
			if i <= count/10 {
				early = max(early, now)
			}
		}
	}
	var heap runtime.MemStats
	runtime.ReadMemStats(&heap)
	m := nd.CPU().Memory()
	did := fmt.Sprintf("%d small evaluations, %d MiB resident in the first tenth, %d at most; heap %d MiB, cached %d, compiled %d", count, early>>20, most>>20, heap.HeapAlloc>>20, m.Cached>>20, m.Compiled>>20)
	if most-early > 64<<20 {
		return did, []string{"memory grows with the number of evaluations"}
	}
	return did, nil
}

// resident is the memory of this process in bytes; 0 where nobody says.
func resident() int {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}
