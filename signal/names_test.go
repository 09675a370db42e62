package signal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/signal"
)

// named holds a parser to the names that its type prints, from the first value on
// until there are no more, and to an error that lists them.
func named[T interface {
	~uint8 | ~int
	fmt.Stringer
}](t *testing.T, parse func(string) (T, error)) {
	t.Helper()
	_, err := parse("no such name")
	if err == nil {
		t.Errorf("%T: a name that is none", *new(T))
		return
	}
	count := 0
	for v := T(0); strings.Contains(err.Error(), v.String()); v++ {
		if got, err := parse(v.String()); err != nil || got != v {
			t.Errorf("%T %v: %v, %v", v, v, got, err)
		}
		count++
	}
	if count < 2 {
		t.Errorf("%T: %d names in %q", *new(T), count, err)
	}
}

func TestNames(t *testing.T) {
	named(t, signal.ParseSpectrogramMode)
	named(t, signal.ParseScaling)
	named(t, signal.ParseAveraging)
	named(t, signal.ParseFamily)
	named(t, signal.ParseTrend)
	named(t, signal.ParseRefinement)
	named(t, signal.ParseBorder)
	named(t, signal.ParseFrameScale)
	named(t, signal.ParseBand)
	named(t, signal.ParseSweep)
	named(t, signal.ParseColour)
	named(t, signal.ParseMode)
	named(t, signal.ParseMethod)
	named(t, signal.ParseExtension)
	named(t, signal.ParseBesselNorm)
	named(t, signal.ParseRemezKind)
	named(t, signal.ParseLombUnit)
}
