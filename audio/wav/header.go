package wav

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
)

// Header is what a file says about its samples.
type Header struct {
	pcm.Format
	Kind        string // RIFF, RIFX, RF64 or BW64
	Extensible  bool
	Bits        int    // of a sample that mean something; the others are zeros
	ChannelMask uint32 // which loudspeakers, if Extensible; 0 says nothing
	DataOffset  int64  // of the first sample in the file
	DataBytes   int64  // the samples take; negative if the file does not say
	// Recorded is when the first sample was taken, as a chunk before the
	// samples says: bext, guan, or LIST with a date or AudioMoth's comment.
	// It is zero if none does. A time without a zone is taken as UTC.
	Recorded time.Time
}

// Format tags, from Microsoft's mmreg.h.
const (
	tagPCM        = 0x0001
	tagFloat      = 0x0003
	tagExtensible = 0xfffe
)

// otherTags is what else files are met with, for errors.
var otherTags = map[uint16]string{0x0002: "Microsoft ADPCM", 0x0006: "A-law", 0x0007: "mu-law", 0x0011: "IMA ADPCM", 0x0031: "GSM 6.10", 0x0050: "MPEG", 0x0055: "MP3", 0x00ff: "AAC"}

// subformat is the end of the GUID that follows a format tag in EXTENSIBLE
// headers.
var subformat = []byte{0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71}

// unknownSize stands for a size that is elsewhere, or not known.
const unknownSize = math.MaxUint32

// parser reads chunks up to the samples.
type parser struct {
	r     io.Reader
	at    int64 // of the next byte
	order binary.ByteOrder
	Header
	riffBytes uint32
	data64    uint64 // from the ds64 chunk
	hasDS64   bool
	hasFormat bool
}

// fail is an error at a place in the file.
func (p *parser) fail(at int64, format string, args ...any) error {
	return fmt.Errorf("wav: header: offset %d: %w", at, fmt.Errorf(format, args...))
}

func (p *parser) read(b []byte, what string) error {
	n, err := io.ReadFull(p.r, b)
	at := p.at
	p.at += int64(n)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return p.fail(at, "the file ends in %s: %w", what, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return p.fail(at, "%w", err)
	}
	return nil
}

func (p *parser) skip(n int64) error {
	got, err := io.CopyN(io.Discard, p.r, n)
	p.at += got
	if err == io.EOF {
		return p.fail(p.at, "the file ends before any samples: %w", io.ErrUnexpectedEOF)
	}
	return err
}

// parse reads everything before the first sample.
func (p *parser) parse() error {
	var b [12]byte
	if err := p.read(b[:], "its first twelve bytes"); err != nil {
		return err
	}
	p.Kind, p.order = string(b[:4]), binary.LittleEndian
	switch p.Kind {
	case "RIFF", "RF64", "BW64":
	case "RIFX":
		p.order = binary.BigEndian
	default:
		return p.fail(0, "not a WAV file: it starts with %q", b[:4])
	}
	if string(b[8:]) != "WAVE" {
		return p.fail(8, "not a WAV file: %q instead of WAVE", b[8:])
	}
	p.riffBytes = p.order.Uint32(b[4:])
	for {
		if err := p.read(b[:8], "the name of a chunk, before any samples"); err != nil {
			return err
		}
		id, size := string(b[:4]), p.order.Uint32(b[4:])
		if id == "data" {
			return p.data(size)
		}
		start := p.at
		var err error
		switch id {
		case "fmt ":
			err = p.format(size)
		case "ds64":
			err = p.ds64(size)
		case "bext", "guan", "LIST":
			err = p.recorded(id, size)
		}
		if err == nil {
			// Chunks are padded to an even number of bytes.
			err = p.skip(start + int64(size) + int64(size&1) - p.at)
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) ds64(size uint32) error {
	if size < 24 {
		return p.fail(p.at, "a ds64 chunk of %d bytes: want 28 or more", size)
	}
	var b [24]byte
	if err := p.read(b[:], "the ds64 chunk"); err != nil {
		return err
	}
	p.data64, p.hasDS64 = p.order.Uint64(b[8:]), true
	if p.data64 > math.MaxInt64 {
		return p.fail(p.at-16, "%d bytes of samples: no file has as many", p.data64)
	}
	return nil
}

func (p *parser) format(size uint32) error {
	start := p.at
	if size < 16 {
		return p.fail(start, "a fmt chunk of %d bytes: want 16 or more", size)
	}
	b := make([]byte, min(size, 40))
	if err := p.read(b, "the fmt chunk"); err != nil {
		return err
	}
	u16 := func(at int) uint16 { return p.order.Uint16(b[at:]) }
	tag, channels, rate, block, bits := u16(0), int(u16(2)), p.order.Uint32(b[4:]), int(u16(12)), int(u16(14))
	p.Bits = bits
	if tag == tagExtensible {
		if len(b) < 40 {
			return p.fail(start, "an EXTENSIBLE fmt chunk of %d bytes: want 40", size)
		}
		if tag = u16(24); !bytes.Equal(b[26:], subformat) {
			return p.fail(start+24, "unknown subformat % x", b[24:])
		}
		p.Extensible, p.ChannelMask = true, p.order.Uint32(b[20:])
		if valid := int(u16(18)); valid > 0 && valid < bits {
			p.Bits = valid
		}
	}
	if tag != tagPCM && tag != tagFloat { // whose blocks are not samples of channels
		name := fmt.Sprintf("format tag 0x%04x", tag)
		if known, ok := otherTags[tag]; ok {
			name = known + " samples"
		}
		return p.fail(start, "%s: only PCM and floats are read", name)
	}
	switch {
	case channels == 0:
		return p.fail(start+2, "0 channels")
	case rate == 0:
		return p.fail(start+4, "0 frames per second")
	case block == 0 || block%channels != 0:
		return p.fail(start+12, "%d bytes for a frame of %d channels", block, channels)
	}
	e, err := encodingOf(tag, block/channels, bits)
	if err != nil {
		return p.fail(start, "%w", err)
	}
	p.Format = pcm.Format{Encoding: e, Channels: channels, Rate: float64(rate), BigEndian: p.order == binary.BigEndian && e.Bytes() > 1}
	p.hasFormat = true
	return nil
}

// encodingOf is the encoding of samples in so many bytes. Fewer bits than the
// bytes have are the upper ones.
func encodingOf(tag uint16, size, bits int) (pcm.Encoding, error) {
	if bits < 1 || bits > 8*size {
		return 0, fmt.Errorf("samples of %d bits in %d bytes", bits, size)
	}
	switch {
	case tag == tagPCM && size >= 1 && size <= 4:
		return [...]pcm.Encoding{pcm.Uint8, pcm.Int16, pcm.Int24, pcm.Int32}[size-1], nil
	case tag == tagPCM:
		return 0, fmt.Errorf("integers of %d bytes: want 1 to 4", size)
	case size == 4 && bits == 32:
		return pcm.Float32, nil
	case size == 8 && bits == 64:
		return pcm.Float64, nil
	}
	return 0, fmt.Errorf("floats of %d bits in %d bytes: want 32 or 64", bits, size)
}

// data ends the header.
func (p *parser) data(size uint32) error {
	if !p.hasFormat {
		return p.fail(p.at-8, "samples before a fmt chunk says what they are")
	}
	p.DataOffset, p.DataBytes = p.at, int64(size)
	switch wide := p.Kind == "RF64" || p.Kind == "BW64"; {
	case wide && !p.hasDS64:
		return p.fail(p.at-8, "no ds64 chunk, which %s files have", p.Kind)
	case size == unknownSize && p.hasDS64:
		p.DataBytes = int64(p.data64)
	case size == unknownSize:
		p.DataBytes = -1
	}
	return nil
}

// unfinished reports whether sizes are as a recorder leaves them that had no
// time to fill them in.
func (p *parser) unfinished() bool {
	return p.DataBytes == 0 && (p.riffBytes == 0 || p.riffBytes == unknownSize || int64(p.riffBytes)+8 <= p.DataOffset)
}

// extent is where r stands and how many bytes there are from here to its end;
// both are negative if it does not know.
func extent(r io.Reader) (at, size int64) {
	s, ok := r.(io.Seeker)
	if !ok {
		return -1, -1
	}
	at, err := s.Seek(0, io.SeekCurrent)
	if err != nil {
		return -1, -1
	}
	end, err := s.Seek(0, io.SeekEnd)
	if _, back := s.Seek(at, io.SeekStart); errors.Join(err, back) != nil {
		return -1, -1
	}
	return at, end - at
}
