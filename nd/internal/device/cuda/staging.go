package cuda

import (
	"cmp"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/driver"
)

// Copies between host and GPU go through pinned pieces, because only those are
// copied while other work runs. Pieces come in two sizes.
const (
	largePiece = 4 << 20
	smallPiece = 64 << 10
	// mostStaging bounds pinned memory: enough for uploads to run ahead of a
	// busy queue, little beside the host's memory.
	mostStaging = 256 << 20
	// copyPart is what a goroutine copies at least; half of what one core
	// copies in the time it takes to start another.
	copyPart = 512 << 10
)

// staging is the pinned memory of a device.
type staging struct {
	most         int // bytes; 0 is mostStaging
	slabs        [][]byte
	small, large [][]byte
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

// copyHost copies with several goroutines: one core alone is slower than the
// link to the GPU.
func copyHost(dst, src []byte) {
	n := len(src)
	parts := min(n/copyPart, runtime.GOMAXPROCS(0), 8)
	if parts < 2 {
		copy(dst, src)
		return
	}
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() { copy(dst[i*n/parts:(i+1)*n/parts], src[i*n/parts:(i+1)*n/parts]) })
	}
	wg.Wait()
}

// wordsOf views a cell's bytes as words.
func wordsOf(b []byte) *[4]uint64 { return (*[4]uint64)(unsafe.Pointer(&b[0])) }
