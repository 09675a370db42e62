package cpu

import "unsafe"

// scratch is one worker's temporary memory: a stack that is emptied before
// every part. Slices from it are aligned and hold garbage.
type scratch struct {
	chunks [][]byte
	chunk  int // the one in use
	used   int // of it
	launch launch
	line   lineRun

	frames     []*frame
	framesUsed int
}

// scratchChunk is enough for the registers of almost every program.
const scratchChunk = 256 << 10

func (s *scratch) reset() { s.chunk, s.used, s.framesUsed = 0, 0, 0 }

// bytes gives n bytes until the next reset.
func (s *scratch) bytes(n int) []byte {
	size := (n + alignment - 1) &^ (alignment - 1)
	for ; s.chunk < len(s.chunks); s.chunk, s.used = s.chunk+1, 0 {
		if c := s.chunks[s.chunk]; s.used+size <= len(c) {
			b := c[s.used : s.used+n : s.used+size]
			s.used += size
			return b
		}
	}
	s.chunks = append(s.chunks, alignedBytes(max(size, scratchChunk)))
	return s.bytes(n)
}

func (s *scratch) pointer(n int) unsafe.Pointer {
	return unsafe.Pointer(unsafe.SliceData(s.bytes(max(n, 1))))
}

// level and back let a loop inside a part reuse what an iteration took.
type level struct{ chunk, used int }

func (s *scratch) level() level { return level{s.chunk, s.used} }
func (s *scratch) back(l level) { s.chunk, s.used = l.chunk, l.used }

// scratchOf is typed scratch.
func scratchOf[T any](s *scratch, n int) []T {
	var zero T
	return unsafe.Slice((*T)(s.pointer(n*int(unsafe.Sizeof(zero)))), n)
}

// newFrame gives a frame until the next reset.
func (s *scratch) newFrame(places, rank int) *frame {
	if s.framesUsed == len(s.frames) {
		s.frames = append(s.frames, new(frame))
	}
	f := s.frames[s.framesUsed]
	s.framesUsed++
	f.ptr = resized(f.ptr, places)
	f.index = resized(f.index, rank)
	f.walk = resized(f.walk, rank)
	return f
}

func resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	return list[:n]
}
