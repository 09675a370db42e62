package cuda

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// Copies between host and GPU go through pinned pieces, because only those are
// copied while other work runs. Pieces come in two sizes.
const (
	largePiece = 4 << 20
	smallPiece = 64 << 10
	// mostStaging bounds pinned memory: enough for uploads to run ahead of a
	// busy queue, little beside the host's memory.
	mostStaging = 256 << 20
	// mostMovers is how many goroutines copy from or to pieces: one core alone is
	// slower than the link to the GPU.
	mostMovers = 8
	// leastPart is what a goroutine copies at least: half of what one core copies in
	// the time it takes to start another.
	leastPart = 512 << 10
)

// staging is the pinned memory of a device.
type staging struct {
	most         int // bytes; 0 is mostStaging
	part         int // bytes that are moved at once; 0 is largePiece
	movers       int // goroutines; 0 is mostMovers
	slabs        [][]byte
	small, large [][]byte
}

// inParts moves bytes by several goroutines, each of which gets parts to move, one
// after the other, none larger than a piece. The first error keeps the others from
// beginning new parts.
func (s *staging) inParts(bytes int, move func(next func() (from, to int, ok bool)) error) error {
	movers := max(min(bytes/leastPart, runtime.GOMAXPROCS(0), cmp.Or(s.movers, mostMovers)), 1)
	size := min((bytes+movers-1)/movers, cmp.Or(s.part, largePiece))
	var begun atomic.Int64
	var failed atomic.Bool
	next := func() (from, to int, ok bool) {
		if failed.Load() {
			return 0, 0, false
		}
		to = int(begun.Add(int64(size)))
		from = to - size
		return from, min(to, bytes), from < bytes
	}
	if movers == 1 {
		return move(next)
	}
	errs := make([]error, movers)
	work := func(i int) {
		if errs[i] = move(next); errs[i] != nil {
			failed.Store(true)
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < movers; i++ {
		wg.Go(func() { work(i) })
	}
	work(0)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// take gives a piece for up to bytes bytes; nil if all are in use.
func (s *staging) take(g gpu, bytes int) ([]byte, driver.Result) {
	if bytes <= smallPiece && len(s.small) > 0 {
		return pop(&s.small), driver.Success
	}
	var slab []byte
	if len(s.large) > 0 {
		slab = pop(&s.large)
	} else if len(s.slabs)*largePiece < cmp.Or(s.most, mostStaging) {
		var r driver.Result
		if slab, r = g.HostAlloc(largePiece); r != driver.Success {
			return nil, r
		}
		s.slabs = append(s.slabs, slab)
	}
	if slab != nil && bytes <= smallPiece {
		for at := 0; at < largePiece; at += smallPiece {
			s.small = append(s.small, slab[at:at+smallPiece:at+smallPiece])
		}
		return pop(&s.small), driver.Success
	}
	return slab, driver.Success
}

func pop(list *[][]byte) []byte {
	last := len(*list) - 1
	p := (*list)[last]
	*list = (*list)[:last]
	return p
}

// put takes a piece back.
func (s *staging) put(p []byte) {
	if cap(p) == smallPiece {
		s.small = append(s.small, p[:smallPiece])
	} else {
		s.large = append(s.large, p[:largePiece])
	}
}

func (s *staging) free(g gpu) {
	for _, slab := range s.slabs {
		_ = g.HostFree(slab)
	}
	*s = staging{}
}

// wordsOf views a cell's bytes as words.
func wordsOf(b []byte) *[4]uint64 { return (*[4]uint64)(unsafe.Pointer(&b[0])) }
