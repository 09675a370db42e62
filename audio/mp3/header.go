package mp3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// decoderDelay is how much later samples come out of a decoder than they went into the
// encoder, beside the delay that the encoder notes: 528 of the filter bank and one.
const decoderDelay = 529

// frameRoom is how much is read to find the first frame behind the tags.
const frameRoom = 1 << 16

// first is what the first frame says of the file.
type first struct {
	mono      bool
	perFrame  int // samples of a channel in a frame
	info      bool
	frames    int // of the info frame; 0 if it does not say
	lead, end int // samples that the encoder added
}

// readFirst finds the first frame. It gives the bytes that it read.
func readFirst(r io.Reader) (f first, start []byte, err error) {
	start = make([]byte, 10, frameRoom)
	if n, err := io.ReadFull(r, start); err != nil {
		return f, start[:n], ended(err)
	}
	if string(start[:3]) == "ID3" {
		size := 0 // seven bits in a byte
		for _, b := range start[6:10] {
			size = size<<7 | int(b&0x7f)
		}
		// By way of a buffer that grows as bytes arrive: the size may be a lie.
		var tag bytes.Buffer
		if n, err := io.CopyN(&tag, r, int64(size)); err != nil {
			return f, start, fmt.Errorf("a tag of %d bytes has %d: %w", size, n, ended(err))
		}
		start = append(start, tag.Bytes()...)
	}
	at := len(start)
	if string(start[:3]) != "ID3" {
		at = 0
	}
	room := make([]byte, frameRoom)
	n, err := io.ReadFull(r, room)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return f, start, err
	}
	start = append(start, room[:n]...)
	for b := start[at:]; len(b) >= 4; b = b[1:] {
		if b[0] == 0xff && b[1]&0xe6 == 0xe2 && b[1]&0x18 != 0x08 && b[2]&0xf0 != 0xf0 && b[2]&0x0c != 0x0c {
			return headerOf(b), start, nil
		}
	}
	return f, start, errors.New("no frame of layer III in sight")
}

// headerOf reads the frame at b, and the Xing and LAME headers in it if it has them.
func headerOf(b []byte) first {
	one := b[1]&0x18 == 0x18 // MPEG-1
	f := first{mono: b[3]>>6 == 3, perFrame: 576}
	side := 17
	switch {
	case one && f.mono:
		f.perFrame = 1152
	case one:
		f.perFrame, side = 1152, 32
	case f.mono:
		side = 9
	}
	if len(b) < 4+side+8 {
		return f
	}
	tag := b[4+side:]
	if id := string(tag[:4]); id != "Xing" && id != "Info" {
		return f
	}
	f.info = true
	flags, rest := tag[7], tag[8:]
	if flags&1 != 0 && len(rest) >= 4 {
		f.frames = int(binary.BigEndian.Uint32(rest)) & (1<<28 - 1)
		rest = rest[4:]
	}
	for i, size := range []int{4, 100, 4} { // bytes, places, quality
		if flags>>(i+1)&1 != 0 {
			rest = rest[min(size, len(rest)):]
		}
	}
	if len(rest) >= 24 && (string(rest[:4]) == "LAME" || string(rest[:4]) == "Lavc" || string(rest[:4]) == "Lavf") {
		f.lead = int(rest[21])<<4 | int(rest[22])>>4 + decoderDelay
		f.end = max((int(rest[22])&15)<<8|int(rest[23])-decoderDelay, 0)
	}
	return f
}

func ended(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the file ends: %w", io.ErrUnexpectedEOF)
	}
	return err
}
