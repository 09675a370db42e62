package flac

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/mewkiz/flac/frame"
)

// ErrNoSeek is returned by SeekFrame for a stream that can only be read forward.
var ErrNoSeek = errors.New("the stream cannot seek")

// probeBytes is how much of a file is searched for the start of a block at a
// time: a few blocks of most files.
const probeBytes = 64 << 10

// SeekFrame makes the given frame the next one to be read. It needs no seek table:
// blocks are found by their headers and checksums, in a bisection of the file.
// Beyond the last frame there is nothing to read.
func (r *Reader) SeekFrame(to int64) error {
	in, ok := r.in.r.(io.ReadSeeker)
	if !ok {
		return fmt.Errorf("flac: seek: %w", ErrNoSeek)
	}
	if to < 0 || r.header.Frames >= 0 && to > r.header.Frames {
		return fmt.Errorf("flac: seek: frame %d of %d", to, r.header.Frames)
	}
	s := seeker{in: in, reader: r}
	offset, err := s.search(to)
	if err == nil {
		_, err = in.Seek(offset, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("flac: seek: frame %d: %w", to, err)
	}
	r.source = bufio.NewReaderSize(r.in, probeBytes)
	r.in.bytes, r.decoded, r.block, r.used, r.err = offset, 0, nil, 0, nil
	for first := true; ; first = false {
		r.next()
		if r.err != nil {
			return nil // Read says how the stream ends
		}
		n := int64(len(r.block.Subframes[0].Samples))
		if first {
			r.decoded = s.first(r.block) + n
		}
		if to < r.decoded {
			r.used = int(n - (r.decoded - to))
			return nil
		}
	}
}

// seeker finds blocks in a file.
type seeker struct {
	in     io.ReadSeeker
	reader *Reader
}

// first is the number of a block's first frame.
func (s *seeker) first(b *frame.Frame) int64 {
	if b.HasFixedBlockSize { // but for the last block, which may be shorter
		return int64(b.Num) * int64(s.reader.stream.Info.BlockSizeMax)
	}
	return int64(b.Num)
}

// search gives the offset of a block that starts at or before a frame, a few
// blocks at most.
func (s *seeker) search(to int64) (int64, error) {
	low, err := s.start()
	if err != nil {
		return 0, err
	}
	high, err := s.in.Seek(0, io.SeekEnd)
	if err != nil {
		return 0, err
	}
	for high-low > probeBytes {
		middle := low + (high-low)/2
		offset, first, err := s.find(middle, high)
		if err != nil {
			return 0, err
		}
		if offset < 0 || first > to {
			high = middle
		} else {
			low = offset
		}
	}
	return low, nil
}

// start is the offset of the first block, behind the metadata.
func (s *seeker) start() (int64, error) {
	at, b := int64(0), make([]byte, 10)
	if err := s.read(0, b); err != nil {
		return 0, err
	}
	if string(b[:3]) == "ID3" { // its size has 7 bits a byte
		at = 10 + int64(b[6]&127)<<21 + int64(b[7]&127)<<14 + int64(b[8]&127)<<7 + int64(b[9]&127)
	}
	at += 4 // fLaC
	for last := false; !last; {
		if err := s.read(at, b[:4]); err != nil {
			return 0, err
		}
		last = b[0]&0x80 != 0
		at += 4 + int64(b[1])<<16 + int64(b[2])<<8 + int64(b[3])
	}
	return at, nil
}

func (s *seeker) read(at int64, b []byte) error {
	if _, err := s.in.Seek(at, io.SeekStart); err != nil {
		return err
	}
	_, err := io.ReadFull(s.in, b)
	return err
}

// find is the first whole block that starts between two offsets, and the frame
// it starts with. An offset of -1 says that there is none.
func (s *seeker) find(from, to int64) (offset, first int64, err error) {
	window := make([]byte, probeBytes)
	for from < to {
		if _, err := s.in.Seek(from, io.SeekStart); err != nil {
			return 0, 0, err
		}
		n, err := io.ReadFull(s.in, window)
		if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
			return 0, 0, err
		}
		if n < 2 {
			return -1, 0, nil
		}
		for i := 0; i+1 < n && from+int64(i) < to; i++ {
			skip := bytes.IndexByte(window[i:n-1], 0xff)
			if skip < 0 {
				break
			}
			i += skip
			if from+int64(i) >= to || window[i+1]&0xfe != 0xf8 {
				continue
			}
			if b := s.block(from+int64(i), window[i:n]); b != nil {
				return from + int64(i), s.first(b), nil
			}
		}
		from += int64(n - 1)
	}
	return -1, 0, nil
}

// block is the block at an offset, nil if there is none: bytes of samples may
// look like a header, but will not have the checksums of one.
func (s *seeker) block(at int64, head []byte) *frame.Frame {
	var b *frame.Frame
	err := guarded(func() (err error) {
		b, err = frame.New(bytes.NewReader(head))
		return err
	})
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	if _, err := s.in.Seek(at, io.SeekStart); err != nil {
		return nil
	}
	err = guarded(func() (err error) {
		b, err = frame.Parse(bufio.NewReaderSize(s.in, 16<<10))
		return err
	})
	if err != nil || b.Channels.Count() != s.reader.header.Channels {
		return nil
	}
	return b
}
