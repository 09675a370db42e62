package command

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
)

// watch shows how far a run is, wherever it is computed: it looks at what is
// in the output folder. The function it gives ends it.
func watch(r *fleet.Run, quiet bool, shard, of int) (stop func()) {
	if quiet {
		return func() {}
	}
	mine := func() (units int, hours float64, bytes int64) {
		for _, u := range r.Missing() {
			if of == 0 || u%of == shard {
				units++
				hours += r.Plan.Seconds(&r.Plan.Units[u]) / 3600
				bytes += r.Plan.Bytes(&r.Plan.Units[u])
			}
		}
		return units, hours, bytes
	}
	units, hours, size := mine()
	if units == 0 {
		return func() {}
	}
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	every := 30 * time.Second
	if terminal {
		every = time.Second
	}
	start := time.Now()
	line := func() string {
		left, hoursLeft, sizeLeft := mine()
		seconds := time.Since(start).Seconds()
		text := fmt.Sprintf("%d of %d units, %.1f of %.1f hours", units-left, units, hours-hoursLeft, hours)
		if left < units {
			text += fmt.Sprintf(", %s/s, %.0f x real time", sized(int64(float64(size-sizeLeft)/seconds)), (hours-hoursLeft)*3600/seconds)
		}
		if left > 0 && left < units {
			text += ", " + (time.Duration(seconds * float64(sizeLeft) / float64(max(1, size-sizeLeft)) * 1e9)).Round(time.Second).String() + " left"
		}
		return text
	}
	end, ended := make(chan bool), sync.WaitGroup{}
	ended.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if terminal {
					fmt.Fprintf(os.Stderr, "\r\x1b[K%s", line())
				} else {
					fmt.Fprintln(os.Stderr, line())
				}
			case <-end:
				if terminal {
					fmt.Fprint(os.Stderr, "\r\x1b[K")
				}
				fmt.Fprintf(os.Stderr, "%s, in %v\n", line(), time.Since(start).Round(time.Millisecond))
				return
			}
		}
	})
	return func() {
		close(end)
		ended.Wait()
	}
}
