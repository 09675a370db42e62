package audio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/audio/csv"
	"github.com/twiddle-go/twiddle/audio/flac"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Reader reads the frames of a recording, from first to last.
type Reader interface {
	// Read fills dst with whole frames of interleaved samples, and returns their number. At the
	// end it returns 0 and io.EOF.
	Read(dst []float32) (frames int, err error)
	// Read64 is Read in double precision.
	Read64(dst []float64) (frames int, err error)
	// Warning is a fault that was found so far in a file that can still be read, such as a
	// truncated end, or nil.
	Warning() error
	Close() error
}

// Info is the properties of a recording that are known before it is read.
type Info struct {
	Format   string  `json:"format"`   // RIFF, RIFX, RF64, BW64, FLAC, NPY, NPZ, CSV, raw, or a registered one
	Encoding string  `json:"encoding"` // of a sample, such as int16
	Channels int     `json:"channels"`
	Rate     float64 `json:"rate"`   // frames per second; 0 if nobody says
	Frames   int64   `json:"frames"` // or -1 if that shows at the end only
	Wide     bool    `json:"-"`      // samples have more digits than a float32
	// IQ says that the two channels are the parts of complex samples.
	IQ bool `json:"iq,omitempty"`
	// Recorded is when the first frame was taken; zero if the file does not say.
	Recorded time.Time `json:"recorded,omitzero"`
}

// Bits is how many bits samples were rounded to, with 1 as full scale, or 0 if they
// were not: floats, numbers of arrays, and sound that was compressed with losses.
func (i Info) Bits() int {
	var bits int
	if i.Format == "NPY" || i.Format == "NPZ" {
		return 0
	}
	if _, err := fmt.Sscanf(strings.TrimPrefix(i.Encoding, "u"), "int%d", &bits); err != nil {
		return 0
	}
	return bits
}

// String is what kind of recording it is: RIFF int16, 2 channels of 132300 samples, 44100 Hz.
func (i Info) String() string {
	text := fmt.Sprintf("%s %s, %d channel", i.Format, i.Encoding, i.Channels)
	if i.Channels != 1 {
		text += "s"
	}
	if i.IQ {
		text += " (I and Q)"
	}
	if i.Frames >= 0 {
		text += fmt.Sprintf(" of %s", counted.Of(i.Frames, "sample"))
	}
	if i.Rate > 0 {
		text += ", " + strconv.FormatFloat(i.Rate, 'f', -1, 64) + " Hz"
	}
	return text
}

// File is an open recording.
type File struct {
	Reader
	Info     Info
	name     string
	channels []string // their names
}

// Options has the properties that a file does not tell. The zero value suits files with a
// header.
type Options struct {
	// Raw is the format of a file without a header. If it has an encoding, the
	// file is read in this format, whatever its content.
	Raw pcm.Format
	// Rate replaces the frames per second that a file has, if it is not 0.
	Rate float64
	// Array is the name of the array to read from a .npz file; it may be empty
	// if there is only one.
	Array string
	// Axis is the axis of time of an array, by default the last. The other axis,
	// if there is one, is the channels.
	Axis nd.AxisChoice
	// Columns are the columns of a table to read as channels: names or numbers from 1,
	// separated by commas; by default all columns of numbers.
	Columns string
	// Channel is the channels to read, as numbers from 1 that are separated by commas: "2"
	// or "1,3"; by default all.
	Channel string
	// Mono reads the mean of the channels as one.
	Mono bool
	// IQ says that two channels are the parts of complex samples, I and Q, as radios
	// record them. An array of complex numbers then has these two channels, too.
	IQ bool
	// Time is the time column of a table, by name or number, or "none". By default it
	// is detected by its name, or as a first column that rises by equal steps. If Rate
	// is given, times are not checked.
	Time string

	table bool // the file is named as a table, so that errors are about one
}

// Open opens a recording.
func Open(name string, opt ...Options) (*File, error) {
	var o Options
	if len(opt) > 0 {
		o = opt[0]
	}
	if o.Rate != 0 && (!(o.Rate > 0) || math.IsInf(o.Rate, 0)) {
		return nil, fmt.Errorf("audio: a rate of %g: want a positive number", o.Rate)
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("audio: %w", err)
	}
	o.table = isTable(name)
	f, err := open(in, o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s)", err, name), in.Close())
	}
	err = f.choose(o)
	if err == nil {
		err = o.suits(f.Info)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w (%s)", err, name), f.Close())
	}
	f.Info.IQ = o.IQ
	if o.Rate != 0 {
		f.Info.Rate = o.Rate
	}
	f.name = name
	return f, nil
}

// suits reports options that a format has no use for: who gives them expects another file.
func (o Options) suits(info Info) error {
	switch format := info.Format; {
	case o.IQ && info.Channels != 2:
		return fmt.Errorf("audio: %s: want two, I and Q", counted.Of(info.Channels, "channel"))
	case o.Columns != "" && format != "CSV":
		return fmt.Errorf("audio: columns %q of %s: only tables have columns", o.Columns, format)
	case o.Time != "" && o.Time != "none" && format != "CSV":
		return fmt.Errorf("audio: times in column %q of %s: only tables have columns", o.Time, format)
	case o.Array != "" && format != "NPZ":
		return fmt.Errorf("audio: array %q of %s: only .npz files have arrays with names", o.Array, format)
	case o.Axis != (nd.AxisChoice{}) && format != "NPZ" && format != "NPY":
		return fmt.Errorf("audio: an axis of %s: only arrays have axes", format)
	}
	return nil
}

// Name is the file's.
func (f *File) Name() string { return f.name }

// ChannelNames are those of a table's columns or of channels that were chosen, or nil if
// there are no names.
func (f *File) ChannelNames() []string { return f.channels }

// magicBytes is how many the formats need to be told apart.
const magicBytes = 16

func open(in *os.File, o Options) (*File, error) {
	if o.Raw.Encoding != 0 {
		return openRaw(in, o.Raw)
	}
	magic := make([]byte, magicBytes)
	n, err := io.ReadFull(in, magic)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("audio: %w", err)
	}
	var r io.Reader = in
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		r = io.MultiReader(bytes.NewReader(magic[:n]), in) // a pipe
	}
	is := func(starts ...string) bool {
		for _, s := range starts {
			if bytes.HasPrefix(magic[:n], []byte(s)) {
				return true
			}
		}
		return false
	}
	switch {
	case n == 0:
		return nil, errors.New("audio: an empty file")
	case is("RIFF", "RIFX", "RF64", "BW64"):
		return openWAV(r, in)
	case is("fLaC"):
		return openFLAC(r, in)
	case is("\x93NUMPY"):
		return openNPY(r, in, o)
	case is("PK\x03\x04", "PK\x05\x06"):
		return openNPZ(in, o)
	}
	if is("ID3") {
		var isFLAC bool
		if isFLAC, r = tagged(r, in, magic[:n]); isFLAC {
			return openFLAC(r, in)
		}
	}
	return openRegistered(r, in, magic[:n], o)
}

// openCSV opens a table of numbers.
func openCSV(r io.Reader, c io.Closer, o Options) (*File, error) {
	t, err := csv.NewReader(r, csv.Options{Columns: o.Columns, Time: o.Time, AnyTime: o.Rate != 0})
	if err != nil {
		return nil, err
	}
	f := &File{Reader: forward{t, c}, Info: Info{Format: "CSV", Encoding: "text", Channels: t.Channels(), Rate: t.Rate(), Frames: t.Frames(),
		Wide: true, Recorded: t.Recorded()}, channels: t.Names()}
	if t.Frames() >= 0 { // no pipe
		f.Reader = closing{t, c}
	}
	return f, nil
}

func openWAV(r io.Reader, c io.Closer) (*File, error) {
	w, err := wav.NewReader(r)
	if err != nil {
		return nil, err
	}
	h := w.Header()
	return &File{Reader: closing{w, c}, Info: Info{Format: h.Kind, Encoding: h.Encoding.String(), Channels: h.Channels, Rate: h.Rate, Frames: w.Frames(),
		Wide: h.Encoding == pcm.Int32 || h.Encoding == pcm.Float64, Recorded: h.Recorded}}, nil
}

func openFLAC(r io.Reader, c io.Closer) (*File, error) {
	f, err := flac.NewReader(r)
	if err != nil {
		return nil, err
	}
	h := f.Header()
	return &File{Reader: closing{f, c}, Info: Info{Format: "FLAC", Encoding: fmt.Sprintf("int%d", h.Bits), Channels: h.Channels, Rate: h.Rate, Frames: h.Frames,
		Wide: h.Bits > 24}}, nil
}

// closing closes the file along with what reads it.
type closing struct {
	Reader
	file io.Closer
}

// SeekFrame implements FrameSeeker for readers that do.
func (c closing) SeekFrame(frame int64) error { return c.Reader.(FrameSeeker).SeekFrame(frame) }

func (c closing) Close() error { return errors.Join(c.Reader.Close(), c.file.Close()) }

// raw is a file without a header.
type raw struct {
	*pcm.Reader
	file   *os.File
	header string // that it seems to have all the same
}

func (r *raw) Close() error { return r.file.Close() }

// rawFile is one that is no pipe.
type rawFile struct{ *raw }

// SeekFrame implements FrameSeeker.
func (r rawFile) SeekFrame(frame int64) error {
	size, err := r.file.Seek(0, io.SeekEnd)
	if err != nil {
		return fmt.Errorf("audio: seek: %w", err)
	}
	if frames := size / int64(r.Format().FrameBytes()); frame < 0 || frame > frames {
		return fmt.Errorf("audio: seek: frame %d of %d", frame, frames)
	}
	if _, err := r.file.Seek(frame*int64(r.Format().FrameBytes()), io.SeekStart); err != nil {
		return fmt.Errorf("audio: seek: %w", err)
	}
	r.Continue(frame, -1)
	return nil
}

func openRaw(in *os.File, f pcm.Format) (*File, error) {
	r, err := pcm.NewReader(in, f)
	if err != nil {
		return nil, err
	}
	frames := int64(-1)
	opened := &raw{Reader: r, file: in}
	var reader Reader = opened
	if info, err := in.Stat(); err == nil && info.Mode().IsRegular() {
		frames = info.Size() / int64(f.FrameBytes())
		reader = rawFile{opened}
		magic := make([]byte, 6)
		n, _ := in.ReadAt(magic, 0)
		for _, start := range []string{"RIFF", "RIFX", "RF64", "BW64", "fLaC", "OggS", "\x93NUMPY"} {
			if bytes.HasPrefix(magic[:n], []byte(start)) {
				opened.header = start
			}
		}
	}
	return &File{Reader: reader, Info: Info{Format: "raw", Encoding: f.Encoding.String(), Channels: f.Channels, Rate: f.Rate, Frames: frames,
		Wide: f.Encoding == pcm.Int32 || f.Encoding == pcm.Float64}}, nil
}

// Warning tells of a last frame that is not whole, and of a header among the samples.
func (r *raw) Warning() error {
	var found []error
	if r.header != "" {
		found = append(found, fmt.Errorf("audio: offset 0: raw samples that start with %q: is it the header of a format?", r.header))
	}
	if n := r.Torn(); n > 0 {
		found = append(found, fmt.Errorf("audio: offset %d: the last frame has %d of %d bytes", r.Position()*int64(r.Format().FrameBytes()), n, r.Format().FrameBytes()))
	}
	return errors.Join(found...)
}
