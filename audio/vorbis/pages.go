package vorbis

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Of an Ogg page (RFC 3533): the fixed part of its header, and the most it can have.
const (
	pageHeader  = 27
	longestPage = pageHeader + 255 + 255*255
)

// pages reads a stream page by page, without those that are empty: the decoder calls
// itself for each of them, and millions of them would end its stack.
type pages struct {
	r    io.Reader
	page [longestPage]byte
	rest []byte
}

// next is the next page that has content, and the lengths of its segments.
func (p *pages) next() (page, segments []byte, err error) {
	for {
		header := p.page[:pageHeader]
		if _, err := io.ReadFull(p.r, header); err != nil {
			return nil, nil, err
		}
		if string(header[:4]) != "OggS" {
			return nil, nil, errors.New("a page does not begin with OggS")
		}
		last, count := header[5]&4 != 0, int(header[26])
		segments = p.page[pageHeader : pageHeader+count]
		if _, err := io.ReadFull(p.r, segments); err != nil {
			return nil, nil, cutShort(err)
		}
		size := 0
		for _, s := range segments {
			size += int(s)
		}
		page = p.page[:pageHeader+count+size]
		if _, err := io.ReadFull(p.r, page[pageHeader+count:]); err != nil {
			return nil, nil, cutShort(err)
		}
		if size > 0 {
			return page, segments, nil
		}
		if last {
			return nil, nil, io.EOF
		}
	}
}

func cutShort(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (p *pages) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		page, _, err := p.next()
		if err != nil {
			return 0, err
		}
		p.rest = page
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// maxHeaders is how long the headers of a file may be: comments can have a picture.
const maxHeaders = 1 << 25

// checked reads the three headers and checks what the decoder believes. It gives the
// bytes that it read.
func checked(r io.Reader) ([]byte, error) {
	var start []byte
	var packets [][]byte
	var packet []byte
	p := &pages{r: r}
	for len(packets) < 3 {
		page, segments, err := p.next()
		if err != nil {
			return nil, cutShort(err)
		}
		if start = append(start, page...); len(start) > maxHeaders {
			return nil, fmt.Errorf("more than %d bytes", maxHeaders)
		}
		content := page[pageHeader+len(segments):]
		for _, s := range segments {
			packet, content = append(packet, content[:s]...), content[s:]
			if s < 255 {
				packets, packet = append(packets, packet), nil
			}
		}
	}
	for i, packet := range packets[:3] {
		if want := append([]byte{byte(1 + 2*i)}, "vorbis"...); !bytes.HasPrefix(packet, want) {
			return nil, fmt.Errorf("packet %d is not one of Vorbis", i)
		}
	}
	if err := checkComments(packets[1][7:]); err != nil {
		return nil, err
	}
	return start, checkSetup(packets[2][7:])
}

// checkComments checks that there can be as many comments as the packet says.
func checkComments(b []byte) error {
	var lengths [2]uint32
	for i := range lengths {
		if len(b) < 4 {
			return errors.New("comments: the packet ends")
		}
		lengths[i] = binary.LittleEndian.Uint32(b)
		b = b[4:]
		if uint64(lengths[i]) > uint64(len(b)) {
			return fmt.Errorf("comments: a length of %d in a packet of %d bytes", lengths[i], len(b))
		}
		if i == 0 {
			b = b[lengths[0]:]
		}
	}
	return nil
}

// lengthOf is how many frames a file says that it has, or -1: the position of the last
// page. It leaves the file where it was.
func lengthOf(s io.ReadSeeker) int64 {
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1
	}
	defer s.Seek(at, io.SeekStart)
	end, err := s.Seek(0, io.SeekEnd)
	if err != nil {
		return -1
	}
	if _, err := s.Seek(max(end-2*longestPage, at), io.SeekStart); err != nil {
		return -1
	}
	tail, err := io.ReadAll(io.LimitReader(s, 2*longestPage))
	if err != nil {
		return -1
	}
	i := bytes.LastIndex(tail, []byte("OggS"))
	if i < 0 || len(tail) < i+pageHeader || tail[i+5]&4 == 0 {
		return -1 // cut short
	}
	return max(int64(binary.LittleEndian.Uint64(tail[i+6:])), -1)
}
