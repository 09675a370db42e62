package view

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Live is a source of one recording whose samples arrive while one looks. It
// keeps the newest of them.
type Live struct {
	name     string
	channels int
	rate     float64
	encoding string
	iq       bool

	mu      sync.Mutex
	ring    []float32 // frames; frame f is at f modulo room
	room    int64     // frames
	end     int64     // frames written so far
	arrived time.Time // when the last were
	more    chan struct{}
	over    error // why there will be no more
}

// NewLive makes a recording of no samples yet, which keeps so many frames.
func NewLive(name string, rate float64, channels, keep int) (*Live, error) {
	if channels < 1 || keep < 1 || !(rate > 0) {
		return nil, fmt.Errorf("view: live: %d channels, %g frames per second, %d of them kept", channels, rate, keep)
	}
	return &Live{name: name, channels: channels, rate: rate, encoding: "float32", ring: make([]float32, keep*channels), room: int64(keep), more: make(chan struct{})}, nil
}

// NewLiveIQ is NewLive of complex samples: two channels, I and Q.
func NewLiveIQ(name string, rate float64, keep int) (*Live, error) {
	l, err := NewLive(name, rate, 2, keep)
	if err == nil {
		l.iq = true
	}
	return l, err
}

// Write appends frames of interleaved samples.
func (l *Live) Write(frames []float32) error {
	if len(frames)%l.channels != 0 {
		return fmt.Errorf("view: live: %d samples of %d channels", len(frames), l.channels)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for n := int64(len(frames) / l.channels); n > 0; {
		at := l.end % l.room
		part := min(n, l.room-at)
		copy(l.ring[at*int64(l.channels):(at+part)*int64(l.channels)], frames)
		frames = frames[part*int64(l.channels):]
		l.end += part
		n -= part
	}
	l.arrived = time.Now()
	close(l.more)
	l.more = make(chan struct{})
	return nil
}

// End says that no more samples will come, and why, if that is an error.
func (l *Live) End(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		err = io.EOF
	}
	l.over = err
	close(l.more)
	l.more = make(chan struct{})
}

// Items is the one recording.
func (l *Live) Items() ([]Item, error) { return []Item{{ID: l.name, Name: l.name, Live: true}}, nil }

// Open gives it.
func (l *Live) Open(id string) (Recording, error) {
	if id != l.name {
		return nil, fmt.Errorf("view: open %q: %w", id, ErrUnknown)
	}
	return liveRecording{l}, nil
}

// liveRecording is what is kept.
type liveRecording struct{ *Live }

func (l liveRecording) Close() error { return nil }

func (l liveRecording) Info() Info {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := Info{Format: "live", Encoding: l.encoding, Channels: l.channels, Rate: l.rate, First: max(0, l.end-l.room), Frames: l.end, Live: true, IQ: l.iq}
	switch {
	case errors.Is(l.over, io.EOF):
		i.Warning = "the stream has ended"
	case l.over != nil:
		i.Warning = "the stream has ended: " + l.over.Error()
	}
	return i
}

func (l liveRecording) ReadFrames(dst []float32, from int64) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := int64(len(dst) / l.channels)
	if from < 0 || from > l.end {
		return 0, fmt.Errorf("view: read: frame %d of %d", from, l.end)
	}
	got := min(n, l.end-from)
	for i := int64(0); i < got; {
		f := from + i
		if f < l.end-l.room { // it is gone: silence
			gone := min(got-i, l.end-l.room-f)
			clear(dst[i*int64(l.channels) : (i+gone)*int64(l.channels)])
			i += gone
			continue
		}
		at := f % l.room
		part := min(got-i, l.room-at)
		copy(dst[i*int64(l.channels):(i+part)*int64(l.channels)], l.ring[at*int64(l.channels):])
		i += part
	}
	if got < n {
		return int(got), io.EOF
	}
	return int(got), nil
}

// arrival is a channel that is closed when more arrives, the end so far, when
// that arrived, and whether there will be more.
func (l *Live) arrival() (more <-chan struct{}, end int64, at time.Time, over bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.more, l.end, l.arrived, l.over != nil
}
