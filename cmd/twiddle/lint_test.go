package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/lint"
)

// TestMain lets the test binary be the vet tool that TestVetTool needs, or the command.
func TestMain(m *testing.M) {
	if os.Getenv("TWIDDLE_TEST_MAIN") != "" {
		main()
	}
	vet(os.Args[1:])
	os.Exit(m.Run())
}

func metalFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "k.metal")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestLint(t *testing.T) {
	bad := metalFile(t, "uint i = thread_position_in_grid.x;\nif (i > 3) return;\nthreadgroup_barrier(mem_flags::mem_none);\n")
	status, stdout, stderr := twiddle(t, "lint", bad)
	if status != 1 || !strings.Contains(stdout, "k.metal:3:1: [error TWK04] threadgroup_barrier after a return") || stderr != "twiddle: lint: findings of kind error: 1\n" {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	status, stdout, _ = twiddle(t, "lint", "--disable", "TWK04", bad)
	if status != 0 || !strings.Contains(stdout, "nothing to report") {
		t.Errorf("--disable: status %d, stdout %q", status, stdout)
	}
	status, stdout, _ = twiddle(t, "lint", "--json", bad)
	var r lint.Report
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 1 || r.Summary.Errors != 1 || r.Summary.Codes["TWK04"] != 1 || r.Findings[0].Line != 3 {
		t.Errorf("--json: status %d, %v, %s", status, err, stdout)
	}
	status, stdout, _ = twiddle(t, "lint", "--sarif", bad)
	if status != 1 || !strings.Contains(stdout, `"ruleId": "TWK04"`) || !json.Valid([]byte(stdout)) {
		t.Errorf("--sarif: status %d, %s", status, stdout)
	}
	half := metalFile(t, "half h = x[0];\nh *= 0.5f;\ny[0] = h;\n")
	status, stdout, _ = twiddle(t, "lint", "--fix", half)
	data, err := os.ReadFile(half)
	if status != 0 || err != nil || !strings.Contains(stdout, "fixed 1 finding") || !strings.Contains(string(data), "0.5h") {
		t.Errorf("--fix: status %d, %v, stdout %q, file %q", status, err, stdout, data)
	}
}

func TestLintUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"lint --disable TW99", `there is no rule "TW99"`},
		{"lint --json --sarif", "exclude each other"},
		{"lint ./nosuchfolder", "nothing to look at"},
		{"lint nosuch.metal", "no such file"},
		{"lint explain TW99", `there is no rule "TW99"`},
		{"lint explain TW001 TW002", "want one code at a time, got 2"},
	} {
		status, _, stderr := twiddle(t, strings.Fields(c.args)...)
		if status != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, stderr %q; want 2 and %q", c.args, status, stderr, c.want)
		}
	}
}

func TestLintExplain(t *testing.T) {
	status, stdout, _ := twiddle(t, "lint", "explain")
	if status != 0 || strings.Count(stdout, "\n") != len(lint.Rules()) {
		t.Errorf("status %d, %s", status, stdout)
	}
	status, stdout, _ = twiddle(t, "lint", "explain", "tw005")
	for _, want := range []string{"TW005 (error): forward and inverse", "Before:", "After:", "Cost:"} {
		if status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("status %d, no %q in %s", status, want, stdout)
		}
	}
}

func TestVetTool(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("testdata", "vet-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	src := "package a\n\nimport \"github.com/twiddle-go/twiddle/nd\"\n\nfunc F(x *nd.Array, s *nd.Stream) *nd.Array {\n\tx.On(s)\n\treturn x.Neg()\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "vet", "-vettool="+self, "./"+dir).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "a.go:6:2: [error TW010] the result of On is dropped: x stays on its stream") {
		t.Errorf("go vet -vettool: %v\n%s", err, out)
	}
}
