package ir

import "testing"

// Workers take a product each where sharing would wake them more often than that saves.
func TestOneEach(t *testing.T) {
	for _, c := range []struct {
		batch, m, n, k, workers int
		want                    bool
	}{
		{1, 64, 64, 64, 8, false}, // nothing to choose from
		{16, 2048, 2048, 2048, 8, true},
		{8, 128, 128, 1024, 8, true},
		{4, 192, 64, 512, 8, true},     // half of the workers have none
		{9, 2048, 2048, 256, 8, false}, // the last would be one worker's
		{2, 2048, 2048, 2048, 8, false},
		{2, 2048, 2048, 2048, 2, true},
	} {
		g := &Gemm{Batch: []int{c.batch}, M: c.m, N: c.n, K: c.k}
		if got := g.OneEach(c.workers); got != c.want {
			t.Errorf("%d products of %dx%dx%d, %d workers: one each is %v, want %v", c.batch, c.m, c.n, c.k, c.workers, got, c.want)
		}
	}
}
