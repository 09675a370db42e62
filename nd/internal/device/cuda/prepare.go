package cuda

import (
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// prepared are the texts of programs that are about to be compiled. The device's mu
// guards them.
type prepared struct {
	card    emit.Card
	modules map[ir.Program]*emit.Module
}

// inTurn is the time between texts that are given to the compiler. It reads one at a time,
// up to a quarter of a second each, in the order they come, and compiles what it has read
// side by side. So the longest goes first: read last, it would have a core and all others
// wait.
const inTurn = 500 * time.Microsecond

// Prepare generates and compiles the texts of programs side by side.
func (d *Device) Prepare(programs []ir.Program) {
	if len(programs) < 2 {
		return // Compile does as well
	}
	card := d.chosen()
	list := make([]*emit.Module, len(programs))
	sideBySide(len(programs), func(i int) {
		if m, err := d.generate(programs[i], card); err == nil {
			list[i] = m
		}
	})
	names := map[string]string{} // by text
	modules := map[ir.Program]*emit.Module{}
	for i, m := range list {
		if m == nil {
			continue
		}
		modules[programs[i]] = m
		if d.check(m, programs[i]) == nil && len(m.Steps) > 0 {
			names[m.Text] = programs[i].Name()
		}
	}
	d.mu.Lock()
	d.prepared = prepared{card, modules}
	d.mu.Unlock()
	texts := slices.SortedFunc(maps.Keys(names), func(a, b string) int { return len(b) - len(a) })
	sideBySide(len(texts), func(i int) {
		if i < runtime.GOMAXPROCS(0) { // others begin when one of these ends
			time.Sleep(time.Duration(i) * inTurn)
		}
		_, _ = d.module(names[texts[i]], texts[i]) // Compile meets the error again
	})
}

// sideBySide calls f for 0 to n-1, begun in that order, on all cores.
func sideBySide(n int, f func(int)) {
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			f(i)
			<-slots
		})
	}
	wg.Wait()
}

// text is a program's for a card, which may have been made by Prepare: then it is given
// away.
func (d *Device) text(p ir.Program, card emit.Card) (*emit.Module, error) {
	d.mu.Lock()
	m := d.prepared.modules[p]
	if m != nil && d.prepared.card == card {
		delete(d.prepared.modules, p)
		d.mu.Unlock()
		return m, nil
	}
	d.mu.Unlock()
	return d.generate(p, card)
}
