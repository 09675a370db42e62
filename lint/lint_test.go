package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/linttest"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

func TestRules(t *testing.T) {
	if err := analysis.Validate(Analyzers()); err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, r := range Rules() {
		codes = append(codes, r.Code)
		if !rule.Known(r.Code) {
			t.Errorf("%s is not known to ignores", r.Code)
		}
		if Find(strings.ToLower(r.Code)) != r {
			t.Errorf("%s is not found", r.Code)
		}
		for _, part := range []string{"Before:\n\n```", "After:\n\n```", "Cost: "} {
			if !strings.Contains(r.Lesson, part) {
				t.Errorf("%s: the lesson has no %q", r.Code, part)
			}
		}
	}
	if !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != len(codes) {
		t.Errorf("codes are not in order: %v", codes)
	}
	for _, none := range []string{"TW019", "TWK00", "TWK06", "TW1", "TWK1", "TW0001"} {
		if rule.Known(none) {
			t.Errorf("%s is known", none)
		}
	}
}

// A file of a million lines is looked at in one go.
func TestMillionLines(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: type-checks a million lines")
	}
	var b strings.Builder
	b.WriteString("package a\n\nimport \"github.com/twiddle-go/twiddle/nd\"\n\nfunc f(x, h *nd.Array) {\n")
	for i := range 20_000 {
		fmt.Fprintf(&b, "\tx = x.RFFT().Mul(h).IRFFT(nd.FFT{N: %d})\n\ty%d := x.Neg()\n\t_ = y%d\n", i+2, i, i)
		b.WriteString(strings.Repeat("\t// a line\n", 47))
	}
	b.WriteString("\tx.On(nil)\n}\n")
	start := time.Now()
	found, err := linttest.CheckAll(Analyzers(), b.String())
	if err != nil || len(found) != 1 {
		t.Errorf("%d findings, %v; want 1", len(found), err)
	}
	t.Logf("%d lines in %v", strings.Count(b.String(), "\n"), time.Since(start))
}
