package transform

// Parallel runs tasks 0..tasks-1, in any order and on any goroutines, and
// returns when all are done.
type Parallel func(tasks int, run func(task int))

// ParallelScratchLen is the number of scratch elements ForwardParallel and
// InverseParallel need. The scratch of concurrent tasks does not overlap.
func (p *Plan[C]) ParallelScratchLen() int { return p.ScratchLen() }

// ForwardParallel is Forward with its parts handed to parallel. The result has
// the same bits as Forward's.
func (p *Plan[C]) ForwardParallel(dst, src, scratch []C, parallel Parallel) {
	parallel(1, func(int) { p.Forward(dst, src, scratch) })
}

// InverseParallel is Inverse with its parts handed to parallel.
func (p *Plan[C]) InverseParallel(dst, src, scratch []C, parallel Parallel) {
	parallel(1, func(int) { p.Inverse(dst, src, scratch) })
}
