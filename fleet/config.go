package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"
)

// Config is what to compute, of which files, and where results go. It is kept
// in the output folder, so that merging and running again need not be told.
type Config struct {
	In      []string        `json:"in"`                // patterns of files, as archive.Find takes
	Job     string          `json:"job"`               // name of a registered job
	Options json.RawMessage `json:"options,omitempty"` // of the job
	Period  time.Duration   `json:"period"`            // of a row; 0 is a minute, or what the job prefers
	Unit    time.Duration   `json:"unit"`              // of time that a unit of work is; 0 is an hour
	From    time.Time       `json:"from,omitzero"`     // leave out what is before; the first day of the output
	To      time.Time       `json:"to,omitzero"`       // leave out what is from here on
	Pattern string          `json:"pattern,omitempty"` // of names: archive.ParsePattern
	Station string          `json:"station,omitempty"` // of files whose names do not say
	Rate    float64         `json:"rate,omitempty"`    // replaces what headers say
	// Calibration is the name of a file: see ReadCalibration.
	Calibration string `json:"calibration,omitempty"`
	Zarr        bool   `json:"zarr"`    // write a Zarr store for each series
	Parquet     bool   `json:"parquet"` // write a Parquet file for each day
	// Out is the folder of results.
	Out string `json:"-"`
	// Device is where to compute, as nd.Open takes it; empty is the CPU. Workers
	// take several, with commas between them, by turns.
	Device string `json:"-"`
	// Workers is how many units are computed at a time; 0 is one for each
	// processor.
	Workers int `json:"-"`
}

const (
	day           = 24 * time.Hour
	defaultPeriod = time.Minute
	defaultUnit   = time.Hour
)

// Preferring is a Job that prefers another period than a minute.
type Preferring interface {
	Job
	PreferredPeriod() time.Duration
}

func (c Config) filled() (Config, error) {
	job, err := NewJob(c.Job, c.Options)
	if err != nil {
		return c, err
	}
	if c.Period == 0 {
		c.Period = defaultPeriod
		if p, ok := job.(Preferring); ok {
			c.Period = p.PreferredPeriod()
		}
	}
	if c.Period < time.Millisecond || day%c.Period != 0 {
		return c, fmt.Errorf("fleet: a period of %v: a day has to be a whole number of them", c.Period)
	}
	if c.Unit == 0 {
		c.Unit = max(defaultUnit, c.Period)
	}
	if c.Unit < c.Period || day%c.Unit != 0 || c.Unit%c.Period != 0 {
		return c, fmt.Errorf("fleet: units of %v: want a whole number of periods of %v that is a part of a day", c.Unit, c.Period)
	}
	if !c.From.IsZero() && !c.To.IsZero() && !c.From.Before(c.To) {
		return c, fmt.Errorf("fleet: from %v to %v is no time", c.From, c.To)
	}
	if !c.Zarr && !c.Parquet {
		c.Zarr = true
	}
	if c.Out == "" {
		return c, errors.New("fleet: no folder for results")
	}
	return c, nil
}

// hidden is the folder in the output that is not results.
const hidden = ".fleet"

const configName = "fleet.json"

// ConfigError says that the output folder has results of something else.
type ConfigError struct {
	Out   string
	Field string // the first that is different
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("fleet: %s has results of a run with another %s: use another folder, or remove this one", e.Out, e.Field)
}

// ReadConfig is what a folder of results was made with.
func ReadConfig(out string) (Config, error) {
	b, err := os.ReadFile(filepath.Join(out, configName))
	if err != nil {
		return Config{}, fmt.Errorf("fleet: %s is no folder of results: %w", out, err)
	}
	c := Config{Out: out}
	if err := json.Unmarshal(b, &c); err != nil {
		return c, fmt.Errorf("fleet: %s: %w", filepath.Join(out, configName), err)
	}
	return c, nil
}

// keep writes the configuration, or compares it with what is there.
func (c Config) keep() error {
	old, err := ReadConfig(c.Out)
	if errors.Is(err, os.ErrNotExist) {
		b, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return fmt.Errorf("fleet: %w", err)
		}
		return writeFile(c.Out, configName, append(b, '\n'))
	}
	if err != nil {
		return err
	}
	a, b := reflect.ValueOf(c.plain()), reflect.ValueOf(old.plain())
	for i := range a.NumField() {
		f := a.Type().Field(i)
		if f.Tag.Get("json") != "-" && !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			return &ConfigError{c.Out, f.Name}
		}
	}
	return nil
}

// plain is the configuration in the form that JSON gives it back in.
func (c Config) plain() Config {
	if b, err := json.Marshal(c); err == nil {
		p := Config{}
		if json.Unmarshal(b, &p) == nil {
			return p
		}
	}
	return c
}
