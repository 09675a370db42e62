package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// twiddle runs a command line as main would.
func twiddle(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

func TestBadUsage(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"versio", `unknown verb "versio" (did you mean version?)`},
		{"frobnicate", `unknown verb "frobnicate"; see 'twiddle --help'`},
		{"version extra", `unexpected argument "extra"`},
		{"version --jsn", "(did you mean --json?); see 'twiddle version --help'"},
		{"version --json=perhaps", "invalid argument"},
		{"--nonsense", "unknown flag: --nonsense; see 'twiddle --help'"},
	} {
		status, stdout, stderr := twiddle(t, strings.Fields(c.args)...)
		if status != 2 || stdout != "" {
			t.Errorf("%s: status %d, stdout %q; want status 2 and no stdout", c.args, status, stdout)
		}
		if !strings.HasPrefix(stderr, "twiddle: ") || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: stderr %q, want one line with %q", c.args, stderr, c.want)
		}
	}
}

func TestHelpIsNotAnError(t *testing.T) {
	for _, args := range []string{"", "--help", "help version", "version --help"} {
		status, stdout, stderr := twiddle(t, strings.Fields(args)...)
		if status != 0 || stderr != "" || !strings.Contains(stdout, "Usage:") {
			t.Errorf("twiddle %s: status %d, stderr %q, stdout %q", args, status, stderr, stdout)
		}
	}
}

func TestVersion(t *testing.T) {
	status, stdout, _ := twiddle(t, "version")
	if status != 0 || !strings.HasPrefix(stdout, "twiddle ") || !strings.Contains(stdout, "simd ") {
		t.Errorf("version: status %d, %q", status, stdout)
	}
	status, stdout, _ = twiddle(t, "version", "--json")
	var r versionReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || r.Go == "" || r.SIMD == "" {
		t.Errorf("version --json: status %d, %v, %q", status, err, stdout)
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"bench", "bench", 0}, {"bnech", "bench", 2}, {"ben", "bench", 2}, {"demo", "dme", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
