package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchMixer(t *testing.T) {
	status, stdout, stderr := twiddle(t, "bench", "mixer", "--shape", "2,8,4", "--bidirectional", "--residual", "--rounds", "1", "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var r mixerReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || r.Rows[0].What != "forward" || r.Rows[1].What != "train" || !r.Bidirectional || !r.Residual {
		t.Fatalf("report %+v", r)
	}
	for _, row := range r.Rows {
		if !(row.NS > 0) || row.Launches < 1 || row.Peer != "" {
			t.Errorf("row %+v", row)
		}
	}
}

func TestBenchMixerErrors(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.py")
	if err := os.WriteFile(broken, []byte("raise SystemExit('no torch here')\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"shape", []string{"--shape", "8,x,1"}, 2, `--shape "8,x,1"`},
		{"two numbers", []string{"--shape", "8,4"}, 2, "want batch,length,width"},
		{"no rounds", []string{"--rounds", "0"}, 2, "--rounds 0"},
		{"device", []string{"--device", "cpuu"}, 2, `no device "cpuu"`},
		{"flag", []string{"--residul"}, 2, "did you mean --residual"},
		{"no script", []string{"--shape", "1,4,2", "--peer", "nowhere.py"}, 2, "nowhere.py"},
		{"broken script", []string{"--shape", "1,4,2", "--peer", broken}, 1, "broken.py"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, _, stderr := twiddle(t, append([]string{"bench", "mixer"}, tt.args...)...)
			if status != tt.status || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d: %s", status, stderr)
			}
		})
	}
}
