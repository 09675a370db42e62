package cuda

import (
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Prepare compiles the texts of programs side by side.
func (d *Device) Prepare(programs []ir.Program) {
	names := map[string]string{} // by text
	card := d.chosen()
	for _, p := range programs {
		if m, err := d.generate(p, card); err == nil && d.check(m, p) == nil && len(m.Steps) > 0 {
			names[m.Text] = p.Name()
		}
	}
	if len(names) < 2 {
		return // Compile does as well
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	// The longest first: one that begins last would have a core and all others wait.
	for _, text := range slices.SortedFunc(maps.Keys(names), func(a, b string) int { return len(b) - len(a) }) {
		slots <- struct{}{}
		wg.Go(func() {
			_, _ = d.module(names[text], text) // Compile meets the error again
			<-slots
		})
	}
	wg.Wait()
}
