package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/audio"
)

// Recording is a file that can be used.
type Recording struct {
	Path     string    `json:"path"`
	Station  string    `json:"station"`
	Start    time.Time `json:"start"` // of the first frame
	Rate     float64   `json:"rate"`
	Channels int       `json:"channels"`
	Frames   int64     `json:"frames"`
	Bytes    int64     `json:"bytes"`
	Changed  time.Time `json:"changed"` // when the file was written
}

// End is the time behind the last frame.
func (r *Recording) End() time.Time { return r.At(r.Frames) }

// At is the time of a frame.
func (r *Recording) At(frame int64) time.Time {
	whole := int64(float64(frame) / r.Rate)
	rest := float64(frame) - float64(whole)*r.Rate
	return r.Start.Add(time.Duration(whole)*time.Second + time.Duration(rest/r.Rate*1e9+0.5))
}

// FrameAt is the first frame that belongs to the time range that begins at t:
// the one nearest to t, so that ranges that meet share no frame and lose none.
// It is within 0 and Frames.
func (r *Recording) FrameAt(t time.Time) int64 {
	d := t.Sub(r.Start)
	if d <= 0 {
		return 0
	}
	whole, rest := int64(d/time.Second), d%time.Second
	f := float64(whole)*r.Rate + rest.Seconds()*r.Rate
	if f >= float64(r.Frames) {
		return r.Frames
	}
	return min(r.Frames, int64(f+0.5))
}

// Kind is what is wrong with a file.
type Kind string

const (
	Empty     Kind = "empty"     // there is nothing in it
	Corrupt   Kind = "corrupt"   // it cannot be read, or not to its end
	Truncated Kind = "truncated" // it ends early; what is there is used
	Timeless  Kind = "no time"   // nobody says when it was recorded
	Unusable  Kind = "unusable"  // it has no rate, or a job cannot use it
	Overlap   Kind = "overlap"   // another file of its station has the same time; both are used
)

// Problem is a file that is not used, or not all of it, and why.
type Problem struct {
	Path   string `json:"path"`
	Kind   Kind   `json:"kind"`
	Reason string `json:"reason"`
}

// Options is how to scan. The zero value takes times from names as recorders
// usually write them or else from headers, and all files as of one station.
type Options struct {
	Pattern *Pattern
	Station string  // of files whose pattern does not say; empty is "station"
	Rate    float64 // replaces what headers say, if it is not 0
	// Known gives a recording that was scanned before, if the file has not
	// changed since; nil knows none.
	Known func(path string, bytes int64, changed time.Time) (Recording, bool)
	// Progress, if there is one, is told how many files have been looked at.
	Progress func(files int)
}

// Found is what a scan gives: recordings in the order of station, start and
// path, and problems in the order of paths.
type Found struct {
	Recordings []Recording
	Problems   []Problem
}

// atOnce is how many files are opened at a time: headers wait for disks and
// networks more than for processors.
const atOnce = 16

// Scan looks at the header of every file.
func Scan(ctx context.Context, names []string, o Options) (*Found, error) {
	if o.Station == "" {
		o.Station = "station"
	}
	found := &Found{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	queue := make(chan string)
	done := 0
	for range min(atOnce, len(names)) {
		wait.Go(func() {
			for name := range queue {
				r, problems := probe(name, o)
				mu.Lock()
				if r != nil {
					found.Recordings = append(found.Recordings, *r)
				}
				found.Problems = append(found.Problems, problems...)
				done++
				if o.Progress != nil {
					o.Progress(done)
				}
				mu.Unlock()
			}
		})
	}
	for _, name := range names {
		if ctx.Err() != nil {
			break
		}
		queue <- name
	}
	close(queue)
	wait.Wait()
	slices.SortFunc(found.Recordings, func(a, b Recording) int {
		if c := strings.Compare(a.Station, b.Station); c != 0 {
			return c
		}
		if c := a.Start.Compare(b.Start); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	SortProblems(found.Problems)
	return found, ctx.Err()
}

// SortProblems puts problems in the order of their paths.
func SortProblems(p []Problem) {
	slices.SortFunc(p, func(a, b Problem) int {
		return strings.Compare(a.Path+"\x00"+string(a.Kind)+a.Reason, b.Path+"\x00"+string(b.Kind)+b.Reason)
	})
}

// probe looks at one file.
func probe(name string, o Options) (*Recording, []Problem) {
	bad := func(kind Kind, format string, args ...any) (*Recording, []Problem) {
		return nil, []Problem{{name, kind, fmt.Sprintf(format, args...)}}
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return bad(Corrupt, "%v", err)
	case info.Size() == 0:
		return bad(Empty, "the file has no bytes")
	}
	if o.Known != nil {
		if r, ok := o.Known(name, info.Size(), info.ModTime()); ok {
			return &r, nil
		}
	}
	r := &Recording{Path: name, Station: o.Station, Bytes: info.Size(), Changed: info.ModTime().UTC()}
	if o.Pattern != nil {
		station, at, err := o.Pattern.Match(name)
		if err != nil {
			return bad(Timeless, "%v", err)
		}
		if station != "" {
			r.Station = station
		}
		r.Start = at
	} else {
		r.Start = timeOf(name)
	}
	f, err := audio.Open(name, audio.Options{Rate: o.Rate})
	if err != nil {
		reason := strings.TrimSuffix(err.Error(), " ("+name+")")
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return bad(Truncated, "%s", reason)
		}
		return bad(Corrupt, "%s", reason)
	}
	defer f.Close()
	if r.Start.IsZero() {
		r.Start = f.Info.Recorded
	}
	r.Rate, r.Channels, r.Frames = f.Info.Rate, f.Info.Channels, f.Info.Frames
	switch {
	case r.Start.IsZero():
		return bad(Timeless, "neither the name nor the header says when it was recorded")
	case r.Rate == 0:
		return bad(Unusable, "the file does not say how many frames make a second")
	case r.Frames < 0:
		return bad(Unusable, "the header does not say how long the recording is")
	case r.Frames == 0:
		return bad(Empty, "there are no samples behind the header")
	}
	if w := f.Warning(); w != nil {
		return r, []Problem{{name, Truncated, w.Error()}}
	}
	return r, nil
}
