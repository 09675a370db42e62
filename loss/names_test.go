package loss_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/loss"
)

func TestNames(t *testing.T) {
	for _, s := range []loss.Scale{loss.Linear, loss.Log, loss.Smooth} {
		if got, err := loss.ParseScale(s.String()); err != nil || got != s {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	for _, r := range []loss.Reduction{loss.Mean, loss.Sum, loss.Item, loss.None} {
		if got, err := loss.ParseReduction(r.String()); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	for _, d := range []loss.Distance{loss.L1, loss.L2} {
		if got, err := loss.ParseDistance(d.String()); err != nil || got != d {
			t.Errorf("%v: %v, %v", d, got, err)
		}
	}
	for name, parse := range map[string]func(string) error{
		"scale":     func(s string) error { _, err := loss.ParseScale(s); return err },
		"reduction": func(s string) error { _, err := loss.ParseReduction(s); return err },
		"distance":  func(s string) error { _, err := loss.ParseDistance(s); return err },
	} {
		if parse("no such name") == nil {
			t.Errorf("%s: a name that is none", name)
		}
	}
}
