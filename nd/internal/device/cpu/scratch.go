package cpu

import (
	"slices"
	"unsafe"
)

// scratch is one worker's temporary memory: a stack that is emptied before
// every part. Slices from it are aligned and hold garbage.
type scratch struct {
	stash  *stash   // of large chunks
	large  []piece  // that are from there
	own    []byte   // the ordinary chunk, which stays when others are given up; nil until it is needed
	taking bool     // own is one of chunks
	chunks [][]byte // one, but while a part needs more than any before it
	chunk  int      // the one in use
	used   int      // of it
	taken  int      // of all chunks
	most   int      // that was taken at once since the last reset
	tidy   []byte   // of transforms only
	launch launch
	line   lineRun

	frames     []*frame
	framesUsed int
}

// scratchChunk is enough for the registers of almost every program.
const scratchChunk = 256 << 10

// reset empties the stack. Chunks that were added one after the other become one
// that is as large as what they were needed for: parts of ever different sizes
// would leave chunks of all those sizes behind.
func (s *scratch) reset() {
	if len(s.chunks) > 1 {
		s.leave()
		s.add(s.most)
	}
	s.chunk, s.used, s.taken, s.most, s.framesUsed = 0, 0, 0, 0, 0
}

// add makes a chunk of at least n bytes the last one.
func (s *scratch) add(n int) {
	if n >= mapFrom {
		if p, err := s.stash.get(n); err == nil {
			s.large, s.chunks = append(s.large, p), append(s.chunks, p.mem)
			return
		}
	}
	if n > scratchChunk || s.taking {
		s.chunks = append(s.chunks, alignedBytes(max(n, scratchChunk)))
		return
	}
	if s.own == nil {
		s.own = alignedBytes(scratchChunk)
	}
	s.chunks, s.taking = append(s.chunks, s.own), true
}

// leave gives all chunks up. The ordinary one is kept for later: launches that need a
// large one need it as well, and it would be garbage of every one of them.
func (s *scratch) leave() {
	for _, p := range s.large {
		s.stash.put(p)
	}
	clear(s.large)
	clear(s.chunks)
	s.large, s.chunks, s.taking = s.large[:0], s.chunks[:0], false
}

// idle gives the chunks up if there are large ones among them, which others may need.
func (s *scratch) idle() {
	if len(s.large) > 0 {
		s.leave()
	}
}

// bytes gives n bytes until the next reset.
func (s *scratch) bytes(n int) []byte {
	size := (n + alignment - 1) &^ (alignment - 1)
	for ; s.chunk < len(s.chunks); s.chunk, s.used = s.chunk+1, 0 {
		if c := s.chunks[s.chunk]; s.used+size <= len(c) {
			b := c[s.used : s.used+n : s.used+size]
			s.used += size
			s.taken += size
			s.most = max(s.most, s.taken)
			return b
		}
	}
	s.add(size)
	return s.bytes(n)
}

func (s *scratch) pointer(n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(s.bytes(max(n, 1))))
}

// tidyMost is the longest scratch of a transform that is kept apart: 44100 complex128 need 1.4 MiB.
const tidyMost = 2 << 20

// numbers gives a transform n bytes that hold zeros or what other transforms left there, until the
// next call. Vectors at the edges of a line compute with what lies beside it. Pointers and
// small integers, which others leave behind, are subnormal numbers, and a product of those takes
// 150 cycles: 1000 real transforms of 100 float32 took 0.1 to 4 ms.
func (s *scratch) numbers(n int) unsafe.Pointer {
	if n > tidyMost {
		return s.pointer(n)
	}
	if len(s.tidy) < n {
		s.tidy = alignedBytes(max(n, scratchChunk/4))
	}
	return unsafe.Pointer(unsafe.SliceData(s.tidy))
}

// level and back let a loop inside a part reuse what an iteration took.
type level struct{ chunk, used, taken int }

func (s *scratch) level() level { return level{s.chunk, s.used, s.taken} }
func (s *scratch) back(l level) { s.chunk, s.used, s.taken = l.chunk, l.used, l.taken }

// scratchOf is typed scratch.
func scratchOf[T any](s *scratch, n int) []T {
	var zero T
	return unsafe.Slice((*T)(s.pointer(n*int(unsafe.Sizeof(zero)))), n)
}

func resized[T any](list []T, n int) []T {
	return slices.Grow(list[:0], n)[:n]
}

func alignedBytes(n int) []byte {
	m := make([]byte, n+alignment-1)
	skip := -uintptr(unsafe.Pointer(&m[0])) & (alignment - 1)
	return m[skip : int(skip)+n : int(skip)+n]
}
