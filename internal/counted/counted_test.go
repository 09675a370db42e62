package counted_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/counted"
)

func TestOf(t *testing.T) {
	for got, want := range map[string]string{
		counted.Of(1, "sample"):                                   "1 sample",
		counted.Of(0, "sample"):                                   "0 samples",
		counted.Of(int64(2), "axis", "axes"):                      "2 axes",
		counted.Of(1, "sample is few", "samples are few"):         "1 sample is few",
		counted.Of(uint64(0), "sample is few", "samples are few"): "0 samples are few",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
