package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// What is measured is not tested, that it is measured is.
func TestBenchCore(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "core", "--only", "cached,streams", "--rounds", "1", "--json")
	var r coreReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 {
		t.Fatalf("status %d, %v, %q, %q", status, err, stdout, stderr)
	}
	var names []string
	for _, row := range r.Rows {
		names = append(names, row.Name)
		if !(row.Value > 0 || row.Unit == "objects" && row.Value == 0) || row.Met != (row.Value <= row.Limit) {
			t.Errorf("%+v", row)
		}
	}
	if got, want := strings.Join(names, ","), "cached,cached allocs,streams"; got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
	for _, args := range []string{"bench core --only chian", "bench core --rounds 0", "bench cor"} {
		if status, _, stderr := twiddle(t, strings.Fields(args)...); status != 2 || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}
