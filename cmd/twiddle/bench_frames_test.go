package main

import "testing"

// A process that compiles for another starts none itself, whatever part it is given.
func TestCompilersStartNoOthers(t *testing.T) {
	for _, c := range []struct {
		device, shard         string
		processes, jobs, want int
	}{
		{"cuda:0", "1/1", 12, 208, 12},
		{"cuda:0", "1/1", 12, 2, 2},
		{"cuda:0", "1/1", 12, 1, 0},
		{"cuda:0", "1/1", 1, 208, 0},
		{"cuda:0", "2/12", 12, 208, 0},
		{"cpu", "1/1", 12, 208, 0},
	} {
		got := compilers(c.device, c.shard, c.processes, c.jobs)
		if got != c.want || got == 1 {
			t.Errorf("%s, shard %s, %d processes, %d graphs: %d, want %d", c.device, c.shard, c.processes, c.jobs, got, c.want)
		}
	}
}
