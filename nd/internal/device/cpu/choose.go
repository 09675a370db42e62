package cpu

import (
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// chosen is the tasks of products that were asked for. Products of one process
// share them, as they share its caches.
var chosen = struct {
	sync.Mutex
	tasks gemm.Tasks
}{tasks: gemm.DefaultTasks}

// Choose takes a choice from the device's tuning; those it does not know are
// for others.
func (d *Device) Choose(key string, value int) {
	chosen.Lock()
	defer chosen.Unlock()
	switch key {
	case "gemm_task_panels":
		chosen.tasks.Panels = value
	case "gemm_task_columns":
		chosen.tasks.Columns = value
	default:
		return
	}
	gemm.SetTasks(chosen.tasks)
}
