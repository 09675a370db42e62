package view

import (
	"errors"
	"fmt"
	"io"
	"slices"
)

// Source is the recordings that a page can show.
type Source interface {
	// Items lists the recordings. It is called whenever a page loads.
	Items() ([]Item, error)
	// Open gives an item of the list to read from. Every call returns a new Recording.
	Open(id string) (Recording, error)
}

// Item is a recording that can be opened.
type Item struct {
	ID   string `json:"id"`
	Name string `json:"name"` // for people
	Live bool   `json:"live"` // samples arrive while one looks
}

// Info is what is known of a recording, now: it may grow.
type Info struct {
	Format   string  `json:"format"`
	Encoding string  `json:"encoding"`
	Channels int     `json:"channels"`
	Rate     float64 `json:"rate"`   // frames per second; 0 if nobody says
	First    int64   `json:"first"`  // the first frame that can still be read
	Frames   int64   `json:"frames"` // the end
	Live     bool    `json:"live"`
	IQ       bool    `json:"iq,omitempty"` // the two channels are the parts of complex samples
	Warning  string  `json:"warning,omitempty"`
}

// rate is the frames per second, or 1: then times are in samples.
func (i Info) rate() float64 {
	if i.Rate > 0 {
		return i.Rate
	}
	return 1
}

// Recording is the samples of one item. All methods are safe for concurrent use.
type Recording interface {
	Info() Info
	// ReadFrames fills dst with whole frames from a frame on, interleaved, and returns their
	// number; at the end fewer than fit, with io.EOF.
	ReadFrames(dst []float32, from int64) (int, error)
	Close() error
}

// Precise is a Recording that also gives its samples as float64. As float32,
// those of 32-bit integers and of float64 would lose digits. Exported files and
// the numbers of a selection are made of these.
type Precise interface {
	Recording
	// ReadFrames64 is ReadFrames with more digits.
	ReadFrames64(dst []float64, from int64) (int, error)
}

// sample is what frames are read as.
type sample interface{ float32 | float64 }

// readFrames reads frames of either type, as precise as the recording has them.
func readFrames[T sample](rec Recording, dst []T, from int64) (int, error) {
	switch dst := any(dst).(type) {
	case []float32:
		return rec.ReadFrames(dst, from)
	case []float64:
		if p, ok := rec.(Precise); ok {
			return p.ReadFrames64(dst, from)
		}
	}
	narrow := make([]float32, len(dst))
	n, err := rec.ReadFrames(narrow, from)
	for i, v := range narrow[:n*rec.Info().Channels] {
		dst[i] = T(v)
	}
	return n, err
}

// ErrUnknown is wrapped by the errors of items that a source does not have.
var ErrUnknown = errors.New("no such recording")

// samples is a source of one recording in memory.
type samples struct {
	name string
	info Info
	data []float32
}

// Samples is a source of one recording that is in memory already: frames of so many
// channels, interleaved.
func Samples(name string, rate float64, channels int, data []float32) (Source, error) {
	if channels < 1 || len(data)%channels != 0 || !(rate >= 0) {
		return nil, fmt.Errorf("view: samples: %d samples of %d channels, %g frames per second", len(data), channels, rate)
	}
	return &samples{name, Info{Format: "memory", Encoding: "float32", Channels: channels, Rate: rate, Frames: int64(len(data) / channels)}, data}, nil
}

func (s *samples) Items() ([]Item, error) { return []Item{{ID: s.name, Name: s.name}}, nil }

func (s *samples) Open(id string) (Recording, error) {
	if id != s.name {
		return nil, fmt.Errorf("view: open %q: %w", id, ErrUnknown)
	}
	return s, nil
}

func (s *samples) Info() Info   { return s.info }
func (s *samples) Close() error { return nil }

func (s *samples) ReadFrames(dst []float32, from int64) (int, error) {
	if from < 0 || from > s.info.Frames {
		return 0, fmt.Errorf("view: read: frame %d of %d", from, s.info.Frames)
	}
	n := copy(dst[:len(dst)/s.info.Channels*s.info.Channels], s.data[from*int64(s.info.Channels):]) / s.info.Channels
	if n < len(dst)/s.info.Channels {
		return n, io.EOF
	}
	return n, nil
}

// joined is several sources one after another.
type joined []Source

// Join is the items of several sources.
func Join(sources ...Source) Source { return joined(slices.Clone(sources)) }

func (j joined) Items() ([]Item, error) {
	var all []Item
	for _, s := range j {
		items, err := s.Items()
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

func (j joined) Open(id string) (Recording, error) {
	for _, s := range j {
		r, err := s.Open(id)
		if !errors.Is(err, ErrUnknown) {
			return r, err
		}
	}
	return nil, fmt.Errorf("view: open %q: %w", id, ErrUnknown)
}
