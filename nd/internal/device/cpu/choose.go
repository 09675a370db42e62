package cpu

import (
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// chosen is the tasks of products that were asked for. Products of one process
// share them, as they share its caches.
var chosen = struct {
	sync.Mutex
	tasks gemm.Tasks
}{tasks: gemm.DefaultTasks}

// bundleBytes is how much memory the lines that go through the stages together
// may take: a part of the second-level cache, so that a stage finds what the
// one before it wrote.
//
// Programs that are compiled already keep theirs.
var bundleBytes atomic.Int64

func init() { bundleBytes.Store(128 << 10) }

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
	case "line_bundle_bytes":
		bundleBytes.Store(int64(value))
		return
	default:
		return
	}
	gemm.SetTasks(chosen.tasks)
}
