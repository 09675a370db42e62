package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/tuning"
)

// Tuning is what the cost model believes about a device, and why. Each figure
// comes from the environment (TWIDDLE_LAUNCH_NS and so on), else from the
// tuning file, else it is built in. Figures steer decisions such as whether to
// fuse; they never change results.
type Tuning struct {
	Device   string         `json:"device"`
	File     string         `json:"file"` // the tuning file, whether it is there or not
	Figures  []TuningFigure `json:"figures"`
	Warnings []string       `json:"warnings,omitempty"`
	Err      error          `json:"-"` // a file or variable that could not be used
}

// TuningFigure is one figure in force.
type TuningFigure = tuning.Value

// tunedDevice is a device with figures that are not its own.
type tunedDevice struct {
	device.Device
	info   device.Info
	tuning Tuning
}

// tuned looks up the figures of a device. A file that cannot be used must not
// keep a program from running: it is reported by Tuning.
func tuned(d device.Device) device.Device {
	t := &tunedDevice{Device: d, info: d.Info()}
	t.tuning = Tuning{Device: t.info.Name, File: tuning.Path()}
	t.info.Figures, t.tuning.Figures, t.tuning.Warnings, t.tuning.Err = tuning.Apply(t.info.Name, t.info.Figures, t.tuning.File)
	return t
}

func (t *tunedDevice) Info() device.Info { return t.info }

// Notes are those of the device itself.
func (t *tunedDevice) Notes() []string {
	if n, ok := t.Device.(interface{ Notes() []string }); ok {
		return n.Notes()
	}
	return nil
}

// Tuning tells the figures in force for the device and where each came from.
func (d *Device) Tuning() Tuning {
	if t, ok := d.d.Driver().(*tunedDevice); ok {
		return t.tuning
	}
	return Tuning{Device: d.Name()}
}

// WriteTuning puts measured figures of the device into a tuning file, beside
// what it says of other devices. An empty path is the file in force. Devices
// opened later use it.
func (d *Device) WriteTuning(path string, figures map[string]float64) error {
	if path == "" {
		path = tuning.Path()
	}
	if err := tuning.Write(path, d.Name(), figures); err != nil {
		return fmt.Errorf("nd: %w", err)
	}
	return nil
}
