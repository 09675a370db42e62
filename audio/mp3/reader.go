package mp3

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/hajimehoshi/go-mp3"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/internal/blocks"
)

func init() {
	err := audio.Register(audio.Format{
		Name: "MP3",
		Match: func(start []byte) bool {
			return bytes.HasPrefix(start, []byte("ID3")) || len(start) > 1 && start[0] == 0xff && start[1]&0xe6 == 0xe2
		},
		Open: func(r io.Reader) (audio.Reader, audio.Info, error) {
			m, err := NewReader(r)
			if err != nil {
				return nil, audio.Info{}, err
			}
			return m, m.Info(), nil
		},
	})
	if err != nil {
		panic(err)
	}
}

// Reader reads the frames of a file, from first to last or from where SeekFrame puts
// it. A frame is one sample of every channel.
type Reader struct {
	blocks.Reader
	source  io.Reader
	decoder *mp3.Decoder
	first   first
	length  int64 // or -1
	left    int64 // frames up to those that the encoder added, if the length is known
}

// NewReader reads the beginning of a file.
func NewReader(r io.Reader) (*Reader, error) {
	if r == nil {
		return nil, errors.New("mp3: header: no file")
	}
	m := &Reader{source: r}
	if err := m.begin(); err != nil {
		return nil, fmt.Errorf("mp3: header: %w", err)
	}
	return m, nil
}

// stereo is how many channels the decoder gives, also of files that have one.
const stereo = 2

// begin starts the decoder at the beginning of the file.
func (m *Reader) begin() error {
	f, start, err := readFirst(m.source)
	if err != nil {
		return err
	}
	m.first, m.length = f, -1
	if f.info && f.frames > 0 {
		m.length = max(int64(f.frames)*int64(f.perFrame)-int64(f.lead)-int64(f.end), 0)
	}
	err = blocks.Guarded(func() (err error) {
		// Without a Seek: the decoder would read all of the file to know its length.
		m.decoder, err = mp3.NewDecoder(struct{ io.Reader }{io.MultiReader(bytes.NewReader(start), m.source)})
		return err
	})
	if err != nil {
		return ended(err)
	}
	channels, block := stereo, make([]byte, 4*1152)
	if f.mono {
		channels = 1
	}
	samples := make([]float32, stereo*1152)
	m.left = m.length
	skip := f.lead
	if f.info {
		skip += f.perFrame // the frame that has the header is silence
	}
	m.Reader = blocks.Reader{Package: "mp3", Channels: channels, Next: func() ([]float32, error) {
		n, err := io.ReadFull(m.decoder, block)
		if n < 4 {
			if err == io.ErrUnexpectedEOF {
				err = io.EOF
			}
			return nil, err
		}
		frames := n / 4
		for i := range frames * channels {
			at := 2 * i * (stereo / channels)
			samples[i] = float32(int16(binary.LittleEndian.Uint16(block[at:]))) / (1 << 15)
		}
		from := min(skip, frames)
		skip -= from
		if m.length >= 0 {
			frames = from + int(min(int64(frames-from), m.left))
			if m.left -= int64(frames - from); m.left == 0 && frames == from && skip == 0 {
				return nil, io.EOF
			}
		}
		return samples[from*channels : frames*channels], nil
	}}
	return nil
}

// Info is what the file says.
func (m *Reader) Info() audio.Info {
	if m.decoder == nil {
		return audio.Info{}
	}
	return audio.Info{Format: "MP3", Encoding: "mp3", Channels: m.Channels, Rate: float64(m.decoder.SampleRate()), Frames: m.length}
}

// Warning is nil: frames that are missing do not show.
func (m *Reader) Warning() error { return nil }

// Close does nothing: the file is the caller's.
func (m *Reader) Close() error { return nil }

// SeekFrame makes a frame the next to be read. It decodes what is before it: frames of
// a file need those before them.
func (m *Reader) SeekFrame(frame int64) error {
	return m.SeekTo(frame, m.length, m.source, m.begin)
}
