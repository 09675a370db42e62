package vorbis

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/jfreymuth/oggvorbis"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/internal/blocks"
)

func init() {
	err := audio.Register(audio.Format{
		Name:  "OGG",
		Match: func(start []byte) bool { return bytes.HasPrefix(start, []byte("OggS")) },
		Open: func(r io.Reader) (audio.Reader, audio.Info, error) {
			v, err := NewReader(r)
			if err != nil {
				return nil, audio.Info{}, err
			}
			return v, v.Info(), nil
		},
	})
	if err != nil {
		panic(err)
	}
}

// Reader reads the frames of a file, from first to last or from where SeekFrame puts
// it.
type Reader struct {
	blocks.Reader
	source  io.Reader
	decoder *oggvorbis.Reader
	length  int64 // or -1
	cut     error
}

// NewReader reads the headers.
func NewReader(r io.Reader) (*Reader, error) {
	if r == nil {
		return nil, errors.New("vorbis: header: no file")
	}
	v := &Reader{source: r, length: -1}
	if s, ok := r.(io.ReadSeeker); ok {
		v.length = lengthOf(s)
	}
	if err := v.begin(); err != nil {
		return nil, fmt.Errorf("vorbis: header: %w", err)
	}
	return v, nil
}

// begin starts the decoder at the beginning of the file.
func (v *Reader) begin() error {
	start, err := checked(v.source)
	if err != nil {
		return err
	}
	// pages has no Seek: the decoder would look for the end by itself, and believe it.
	rest := &pages{r: io.MultiReader(bytes.NewReader(start), v.source)}
	err = blocks.Guarded(func() (err error) {
		v.decoder, err = oggvorbis.NewReader(rest)
		return err
	})
	if err != nil {
		return err
	}
	if v.decoder.Channels() < 1 || v.decoder.SampleRate() < 1 {
		return fmt.Errorf("%d channels at a rate of %d", v.decoder.Channels(), v.decoder.SampleRate())
	}
	// Rooms of the longest block: less, and the decoder calls itself for every empty
	// packet, of which a broken file can have millions.
	room := make([]float32, longestBlock*v.decoder.Channels())
	v.Reader = blocks.Reader{Package: "vorbis", Channels: v.decoder.Channels(), Next: func() ([]float32, error) {
		n, err := v.decoder.Read(room)
		if n > 0 && err != nil {
			err = nil // it comes again
		}
		if err != nil && errors.Is(err, io.ErrUnexpectedEOF) {
			v.cut = errors.New("vorbis: the file ends within a page")
			err = io.EOF
		}
		return room[:n], err
	}}
	return nil
}

// Info is what the file says.
func (v *Reader) Info() audio.Info {
	if v.decoder == nil {
		return audio.Info{}
	}
	return audio.Info{Format: "OGG", Encoding: "vorbis", Channels: v.decoder.Channels(), Rate: float64(v.decoder.SampleRate()), Frames: v.length}
}

// Warning says that the file is cut short, if that has been seen.
func (v *Reader) Warning() error { return v.cut }

// Close does nothing: the file is the caller's.
func (v *Reader) Close() error { return nil }

// SeekFrame makes a frame the next to be read. It decodes what is before it: packets
// of a file have no places.
func (v *Reader) SeekFrame(frame int64) error {
	return v.SeekTo(frame, v.length, v.source, v.begin)
}
