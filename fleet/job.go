package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// Job computes one row of numbers from the samples of each period of a series.
// Its exported fields are its options: they travel to other machines as JSON.
type Job interface {
	// Prepare fits the job to a series: what a row holds, and the function
	// that computes it. The function is used by one goroutine at a time and
	// may keep tables and scratch.
	Prepare(s *Series) (*Layout, Compute, error)
}

// Compute fills a row from a window of samples. Numbers that it does not set
// are NaN. It is called once for each window of a period, in order of time;
// windows without any samples are left out.
type Compute func(ctx context.Context, w *Window, row Row) error

// Row is the numbers of a period, a slice for each variable of the layout: of
// each channel one after another, and for each channel along the axis.
type Row [][]float32

// Across is a Job whose series has the channels of all stations.
type Across interface {
	Job
	Across() bool
}

// Series is samples of the same kind: what a job is fitted to.
type Series struct {
	Name     string        `json:"name"`
	Rate     float64       `json:"rate"` // samples per second
	Channels []Channel     `json:"channels"`
	Period   time.Duration `json:"period"` // that a row is of
	// Calibrated says that samples are in the unit of the calibration and
	// not parts of full scale.
	Calibrated bool   `json:"calibrated"`
	Unit       string `json:"unit"` // of samples: FS for full scale, or such as uPa
}

// Channel is where the samples of a channel come from.
type Channel struct {
	Station string `json:"station"`
	Index   int    `json:"index"` // in the files of the station
	// Calibration takes samples to their unit.
	Calibration Calibration `json:"calibration"`
}

// Window is the samples of a part of a period.
type Window struct {
	Start  time.Time
	Length time.Duration
	Series *Series
	// Stations are the samples of each station of the series.
	Stations []Samples
	// Last says that the period ends with this window.
	Last bool
	// Stream is where to compute.
	Stream *nd.Stream

	memory *slab // of the samples, used again when the window is done with
}

// Samples are those of a station: stretches without a gap.
type Samples []Stretch

// Stretch is samples without a gap.
type Stretch struct {
	Offset   int // frames from the start of the window
	Frames   int
	Channels int
	Samples  []float32 // of each channel one after another
}

// Array is the samples as an array of shape (channels, frames), on a stream.
func (s Stretch) Array(on *nd.Stream) *nd.Array {
	return nd.From(s.Samples, s.Channels, s.Frames).On(on)
}

// Stretches are those of a series of one station.
func (w *Window) Stretches() []Stretch { return w.Stations[0] }

// Layout is what a row holds.
type Layout struct {
	// Lines are the names along the second dimension of variables, such as
	// pairs; nil is the channels of the series, and the name is "channel".
	Lines     []string   `json:"lines"`
	LinesName string     `json:"lines_name"`
	Variables []Variable `json:"variables"`
	// Window is how much a Compute gets at a time; 0 is the period, of which
	// it has to be a part.
	Window time.Duration `json:"window"`
	// Attributes say more about the whole, for those who read the results.
	Attributes map[string]any `json:"attributes,omitempty"`
}

// Variable is numbers of a row.
type Variable struct {
	Name string `json:"name"`
	Unit string `json:"unit"`
	Long string `json:"long"` // name in words
	Axis *Axis  `json:"axis"` // nil for one number for each line
	// PerRow says that there is one number for all lines.
	PerRow bool `json:"per_row"`
}

// Axis is what the numbers of a variable run along.
type Axis struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Long   string    `json:"long"`
	Values []float64 `json:"values"`
}

// Size is how many numbers a row has of the variable.
func (l *Layout) Size(v *Variable) int {
	n := 1
	if !v.PerRow {
		n = len(l.Lines)
	}
	if v.Axis != nil {
		n *= len(v.Axis.Values)
	}
	return n
}

// effortName is the variable that every layout has: how many seconds of the
// period there were samples of.
const effortName = "effort"

// completed fills in defaults and adds the effort.
func (l *Layout) completed(s *Series) (*Layout, error) {
	c := *l
	if c.Lines == nil {
		c.LinesName = "channel"
		for _, ch := range s.Channels {
			c.Lines = append(c.Lines, fmt.Sprintf("%s:%d", ch.Station, ch.Index))
		}
	}
	if c.Window == 0 {
		c.Window = s.Period
	}
	if c.Window < 0 || s.Period%c.Window != 0 {
		return nil, fmt.Errorf("a window of %v is no part of a period of %v", c.Window, s.Period)
	}
	names := map[string]bool{"time": true, c.LinesName: true, effortName: true}
	for _, v := range c.Variables {
		if names[v.Name] || v.Name == "" || strings.ContainsAny(v.Name, "/.") {
			return nil, fmt.Errorf("a variable cannot be named %q", v.Name)
		}
		names[v.Name] = true
	}
	if len(c.Variables) == 0 || len(c.Lines) == 0 {
		return nil, fmt.Errorf("a layout of %d variables and %d lines", len(c.Variables), len(c.Lines))
	}
	c.Variables = append(slices.Clone(c.Variables), Variable{Name: effortName, Unit: "s", Long: "seconds with samples, mean over stations", PerRow: true})
	return &c, nil
}

var (
	registryMu sync.Mutex
	registry   = map[string]func() Job{}
)

// Register makes a job known by a name. The function gives a new one with
// default options, which JSON is then read into. It is for init functions and
// the start of main; a second job of the same name panics.
func Register(name string, job func() Job) {
	registryMu.Lock()
	defer registryMu.Unlock()
	if registry[name] != nil {
		panic("fleet: register: there is a job " + name + " already")
	}
	registry[name] = job
}

// Jobs lists the names of jobs.
func Jobs() []string {
	registryMu.Lock()
	defer registryMu.Unlock()
	return slices.Sorted(maps.Keys(registry))
}

// NewJob is the job of a name with the given options, which may be empty.
func NewJob(name string, options json.RawMessage) (Job, error) {
	registryMu.Lock()
	make := registry[name]
	registryMu.Unlock()
	if make == nil {
		return nil, fmt.Errorf("fleet: no job is named %q: there are %s", name, strings.Join(Jobs(), ", "))
	}
	job := make()
	if len(options) > 0 {
		d := json.NewDecoder(strings.NewReader(string(options)))
		d.DisallowUnknownFields()
		if err := d.Decode(job); err != nil {
			return nil, fmt.Errorf("fleet: options of %s: %w", name, err)
		}
	}
	return job, nil
}
