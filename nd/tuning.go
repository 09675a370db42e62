package nd

import (
	"fmt"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/tuning"
)

// Tuning is the values that the engine uses for a device, and their sources: figures, which
// the cost model predicts with, and choices, such as the size of a tile. Each comes from the
// environment (TWIDDLE_LAUNCH_NS and so on), else from the tuning file, else from what is
// built in for the device, else from a heuristic. They steer how things are computed, never
// what.
type Tuning struct {
	Device   string         `json:"device"`
	File     string         `json:"file"` // the tuning file, whether it is there or not
	Figures  []TuningFigure `json:"figures"`
	Warnings []string       `json:"warnings,omitempty"`
	Err      error          `json:"-"` // a file or variable that could not be used
}

// TuningFigure is one figure, or choice, in force. Its fields are
//
//	Key    string
//	Value  float64
//	Unit   string
//	Source string // "environment NAME", "file PATH", "built in" or "heuristic"
type TuningFigure = tuning.Value

// tunedDevice is a device with figures that are not its own.
type tunedDevice struct {
	device.Device
	info   device.Info
	mu     sync.RWMutex
	tuning Tuning                  // guarded by mu: Tune changes choices
	own    map[string]TuningFigure // choices of programs, by name; guarded by mu
}

// chooser is a device with choices of its own.
type chooser interface{ Choose(key string, value int) }

// tuned looks up the figures of a device. A file that cannot be used must not
// keep a program from running: it is reported by Tuning.
func tuned(d device.Device) device.Device {
	t := &tunedDevice{Device: d, info: d.Info()}
	t.tuning = Tuning{Device: t.info.Name, File: tuning.Path()}
	t.info.Figures, t.tuning.Figures, t.tuning.Warnings, t.tuning.Err = tuning.Apply(tuning.ChipOf(t.info), t.info.Figures, t.tuning.File)
	for _, f := range t.tuning.Figures {
		t.choose(f)
	}
	return t
}

// choose passes a choice on to the device.
func (t *tunedDevice) choose(f TuningFigure) {
	if c, ok := device.As[chooser](t.Device); ok {
		c.Choose(f.Key, int(f.Value))
	}
}

func (t *tunedDevice) Info() device.Info { return t.info }

// Unwrap is the device itself, which has the optional interfaces.
func (t *tunedDevice) Unwrap() device.Device { return t.Device }

// Tuning tells the figures and choices in force for the device and where each
// came from.
func (d *Device) Tuning() Tuning {
	t, ok := d.d.Driver().(*tunedDevice)
	if !ok {
		return Tuning{Device: d.Name()}
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	out := t.tuning
	out.Figures = append(slices.Clone(out.Figures), t.owns()...)
	return out
}

// Tuned is one figure or choice in force; 0 if the device does not have it.
func (d *Device) Tuned(key string) float64 {
	if t, ok := d.d.Driver().(*tunedDevice); ok {
		t.mu.RLock()
		defer t.mu.RUnlock()
		for _, f := range t.tuning.Figures {
			if f.Key == key {
				return f.Value
			}
		}
	}
	return 0
}

// Tune makes a choice for the device until it is closed, to try it out. Figures
// cannot be changed while plans that were made with them are around.
func (d *Device) Tune(key string, value float64) error {
	t, ok := d.d.Driver().(*tunedDevice)
	if !ok {
		return fmt.Errorf("nd: tune: %s has no choices", d.Name())
	}
	if !tuning.IsChoice(key) {
		return fmt.Errorf("nd: tune: there is no choice %q", key)
	}
	if err := tuning.Check(key, value); err != nil {
		return fmt.Errorf("nd: tune: %s is %g: %w", key, value, err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.tuning.Figures {
		if f := &t.tuning.Figures[i]; f.Key == key {
			f.Value, f.Source = value, "set by the program"
			t.choose(*f)
		}
	}
	return nil
}

// WriteTuning writes measured figures and choices of the device to a tuning file, and keeps
// the entries of other devices. An empty path is the file that programs read. Devices opened
// later use it.
func (d *Device) WriteTuning(path string, figures map[string]float64) error {
	if path == "" {
		path = tuning.Path()
	}
	if err := tuning.Write(path, tuning.ChipOf(d.d.Info()), figures); err != nil {
		return fmt.Errorf("nd: %w", err)
	}
	return nil
}
