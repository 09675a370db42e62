package view

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/twiddle-go/twiddle/signal"
)

// look is what determines the numbers of a spectrogram. It is comparable.
type look struct {
	Channel int    `json:"channel"` // or allChannels
	Window  string `json:"window"`
	N       int    `json:"n"`   // samples of a segment, a power of two
	Hop     int    `json:"hop"` // frames from column to column, at level 0
	// Mean says that columns that stand for several segments show their mean
	// power, instead of the greatest.
	Mean bool `json:"mean"`
	// IQ is as the recording is: bins are those of complex samples, from the lowest
	// frequency to the highest, whatever the channel of the waveform.
	IQ bool `json:"-"`
}

// allChannels is the mean power of all channels, and the envelope of their
// waveforms.
const allChannels = -1

// Bounds of a segment: below, a spectrum has no shape; above, a block of
// columns no longer fits the memory that there is for all of them.
const (
	minSegment = 16
	maxSegment = 1 << 16
)

// check says what is wrong with a look for a recording.
func (l look) check(info Info) error {
	switch {
	case l.N < minSegment || l.N > maxSegment || bits.OnesCount(uint(l.N)) != 1:
		return fmt.Errorf("view: a window of %d samples: want a power of two from %d to %d", l.N, minSegment, maxSegment)
	case l.Hop < 1 || l.Hop > l.N:
		return fmt.Errorf("view: a hop of %d samples: want 1 to %d", l.Hop, l.N)
	case l.Channel < allChannels || l.Channel >= info.Channels:
		return fmt.Errorf("view: channel %d of %d", l.Channel+1, info.Channels)
	}
	if _, err := signal.ParseWindow(l.Window); err != nil {
		return err
	}
	return nil
}

// window is the window as package signal takes it.
func (l look) window() signal.Window {
	w, err := signal.ParseWindow(l.Window)
	if err != nil {
		return signal.Window{} // check has refused it
	}
	return w
}

func (l look) bins() int {
	if l.IQ {
		return l.N
	}
	return l.N/2 + 1
}

// span is the frames that a column of a level stands for.
func (l look) span(level int) int64 { return int64(l.Hop) << level }

// segments is how many are taken for a column of a level: neighbours overlap by
// at least half, so that nothing falls between them.
func (l look) segments(level int) int {
	k := 1
	for m := 0; m < level && l.span(level)/int64(k) > int64(l.N/2); m++ {
		k *= 2
	}
	return k
}

// defaultLook is what a page begins with: segments of about a twentieth of a
// second, which speech, music and machines can be seen by.
func defaultLook(info Info) look {
	n := 1024
	if info.Rate > 0 {
		n = 1 << int(min(max(math.Round(math.Log2(info.Rate/22)), 8), 14))
	}
	for n > minSegment && int64(n) > info.Frames/4 && info.Frames > 0 {
		n /= 2
	}
	l := look{Channel: allChannels, Window: "hann", N: n, Hop: n / 4, IQ: info.IQ}
	if info.Channels == 1 {
		l.Channel = 0
	}
	return l
}
