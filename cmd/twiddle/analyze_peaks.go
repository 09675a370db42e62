package main

import (
	"strings"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/timing"
)

// writePeaks is a table of peaks. Channels are a column if there are several, and so
// is what peaks are to each other.
func writePeaks(b *strings.Builder, r *analyze.Result) {
	several := page.Several(r)
	related := page.Related(r.Peaks)
	names := []string{"frequency", "level", "prominence", "width"}
	if several {
		names = append(names, "channel")
	}
	if related {
		names = append(names, "what")
	}
	t := timing.NewTable(names...)
	for _, p := range r.Peaks {
		cells := []any{page.Frequency(p.Frequency, r.HasRate()), page.Tenths(p.Level) + " dB", page.Tenths(p.Prominence) + " dB", page.Frequency(p.Width, r.HasRate())}
		if several {
			cells = append(cells, page.Channels(p.Channels, r.Channels))
		}
		if related {
			cells = append(cells, page.Relation(p, r.HasRate()))
		}
		t.Row(cells...)
	}
	t.WriteTo(b)
}
