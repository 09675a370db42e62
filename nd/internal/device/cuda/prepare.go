package cuda

import (
	"runtime"
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
	for text, name := range names {
		wg.Go(func() {
			slots <- struct{}{}
			_, _ = d.module(name, text) // Compile meets the error again
			<-slots
		})
	}
	wg.Wait()
}
