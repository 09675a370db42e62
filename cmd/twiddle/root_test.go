package main

import (
	"bytes"
	"context"
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
		{"anal", `unknown verb "anal" (did you mean analyze?)`},
		{"welsh --in x.npy", `unknown verb "welsh" (did you mean welch?); see 'twiddle --help'`},
		{"bench ftt --sizes 8", `unknown verb "ftt" (did you mean fft?); see 'twiddle bench --help'`},
		{"plna 8", `unknown verb "plna" (did you mean plan?)`},
		{"bench nope", `unknown verb "nope"; see 'twiddle bench --help'`},
		{"mel a.wav --mels 40", "unknown flag: --mels (did you mean --n-mels?)"},
		{"stft a.wav --hop_length 40", "unknown flag: --hop_length (did you mean --hop?)"},
		{"stft a.wav --n_fft 512", "unknown flag: --n_fft (did you mean --nfft?)"},
		{"peaks a.wav --min 1", "unknown flag: --min (did you mean --in?)"},
		{"stft a.wav -nfft 512", "unknown flag: -nfft (did you mean --nfft?); see"},
		{"stft a.wav -q", "unknown flag: -q; see"},
		{"plan -4", "unexpected number -4; see 'twiddle plan --help'"},
		{"stft a.wav --q 3", "unknown flag: --q; see"},
		{"help welsh", `unknown verb "welsh" (did you mean welch?)`},
		{"help bench ftt", `unknown verb "ftt" (did you mean fft?)`},
		{"version --json=perhaps", `--json "perhaps": want true or false; see 'twiddle version --help'`},
		{"analyze a.wav --fs abc", `--fs "abc": want samples per second as a number, such as 44100 or 2e6; see 'twiddle analyze --help'`},
		{"check --for 1", `--for "1": want a time such as 90s or 5m; see 'twiddle check --help'`},
		{"trace run --out t.json", "want a verb to trace, behind --; see 'twiddle trace run --help'"},
		{"analyze", "want a recording or several; see 'twiddle analyze --help'"},
		{"plan", "want one length, got 0 arguments; see 'twiddle plan --help'"},
		{"welch a.wav --prominence 6", "unknown flag: --prominence; see"},
		{"mel a.wav --n-mels 40.5", `--n-mels "40.5": want a whole number; see`},
		{"welch a.wav --window han", `unknown window "han" (did you mean "hann"?)`},
		{"welch a.wav --detrend linar", `unknown trend "linar" (did you mean "linear"?)`},
		{"stft a.wav --preset scpy", `--preset "scpy" (did you mean "scipy"?)`},
		{"root_test.go", "root_test.go is a file: say what to do with it, as in 'twiddle analyze root_test.go'"},
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

// TestInterrupted interrupts work before it begins.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	if status := run(ctx, []string{"train", "fft", "--n", "8"}, &out, &errs); status != 130 || errs.String() != "twiddle: interrupted\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
}

func TestVersion(t *testing.T) {
	status, stdout, _ := twiddle(t, "version")
	if _, flag, _ := twiddle(t, "--version"); flag != stdout {
		t.Errorf("--version: %q, version: %q", flag, stdout)
	}
	if status != 0 || !strings.HasPrefix(stdout, "twiddle ") || !strings.Contains(stdout, "simd ") {
		t.Errorf("version: status %d, %q", status, stdout)
	}
	status, stdout, _ = twiddle(t, "version", "--json")
	var r versionReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || r.Go == "" || r.SIMD == "" {
		t.Errorf("version --json: status %d, %v, %q", status, err, stdout)
	}
}
