// Package tuning finds what is set per device: the figures that the cost model
// uses, and the choices that code makes by what is fastest. Each comes from the
// environment, else from a tuning file, else from a table that is built in, else
// from a heuristic.
package tuning

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

const (
	// FileVar names the tuning file; empty is the default place.
	FileVar = "TWIDDLE_TUNING"
	// Version is that of the file's schema.
	Version = 1
	// mostBytes bounds a tuning file; real ones have a few hundred.
	mostBytes = 1 << 20
)

// Value is a figure, or a choice, in force.
type Value struct {
	Key    string  `json:"key"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Source string  `json:"source"` // "environment NAME", "file PATH", "built in" or "heuristic"
}

type figure struct {
	name, unit string
	field      func(*device.Figures) *float64
}

// keys are the figures, in the order they are shown.
var keys = []figure{
	{"copy_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.CopyBytesPerNs }},
	{"ops_per_ns", "ops/ns", func(f *device.Figures) *float64 { return &f.OpsPerNs }},
	{"fft_ops_per_ns", "ops/ns", func(f *device.Figures) *float64 { return &f.FFTOpsPerNs }},
	{"fft_long_ops_per_ns", "ops/ns", func(f *device.Figures) *float64 { return &f.LongFFTOpsPerNs }},
	{"sorts_per_ns", "compares/ns", func(f *device.Figures) *float64 { return &f.SortsPerNs }},
	{"line_sorts_per_ns", "compares/ns", func(f *device.Figures) *float64 { return &f.LineSortsPerNs }},
	{"gemm_ops_per_ns", "ops/ns", func(f *device.Figures) *float64 { return &f.GemmOpsPerNs }},
	{"launch_ns", "ns", func(f *device.Figures) *float64 { return &f.LaunchNs }},
	{"sync_ns", "ns", func(f *device.Figures) *float64 { return &f.SyncNs }},
	{"function_ops", "ops", func(f *device.Figures) *float64 { return &f.FunctionOps }},
	{"core_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.CoreBytesPerNs }},
	{"cache_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.CacheBytesPerNs }},
	{"spread_ns", "ns", func(f *device.Figures) *float64 { return &f.SpreadNs }},
	{"link_ns", "ns", func(f *device.Figures) *float64 { return &f.Link.FixedNs }},
	{"link_core_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.Link.CoreBytesPerNs }},
	{"link_start_ns", "ns", func(f *device.Figures) *float64 { return &f.Link.StartNs }},
	{"link_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.Link.ThereBytesPerNs }},
	{"link_back_bytes_per_ns", "bytes/ns", func(f *device.Figures) *float64 { return &f.Link.BackBytesPerNs }},
}

// EnvVar is the environment variable of a figure: TWIDDLE_LAUNCH_NS and so on.
func EnvVar(key string) string { return "TWIDDLE_" + strings.ToUpper(key) }

// File is the content of a tuning file.
type File struct {
	Version int                           `json:"version"`
	Devices map[string]map[string]float64 `json:"devices"` // model, family or name -> figure -> value
	// Own is the choices of programs, apart so that a name that means nothing is
	// still found in Devices.
	Own map[string]map[string]float64 `json:"own,omitempty"`
}

func newFile() *File {
	return &File{Version: Version, Devices: map[string]map[string]float64{}, Own: map[string]map[string]float64{}}
}

// Path is the tuning file in force, whether it is there or not.
func Path() string {
	if p := os.Getenv(FileVar); p != "" {
		return p
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "twiddle", "tuning.json")
}

// Chip is a device as tuning knows it: what it is called here, and what it is. A
// file says it of any of the three; the model goes before the family, and that
// before the name.
type Chip struct {
	Name, Model, Family string
	Workers             int
}

// ChipOf is the chip of a device.
func ChipOf(d device.Info) Chip { return Chip{d.Name, d.Model, d.Family, d.Workers} }

// ids are the keys of a file that are about the chip, the most specific first.
func (c Chip) ids() []string {
	return slices.DeleteFunc([]string{c.Model, c.Family, c.Name}, func(s string) bool { return s == "" })
}

// Apply gives the figures of a device with what the environment and the file
// at path say, where each of them and of the choices came from, and warnings.
// An error leaves them as far as they were found.
func Apply(chip Chip, f device.Figures, path string) (device.Figures, []Value, []string, error) {
	values := lists.Map(keys, func(k figure) Value { return Value{Key: k.name, Unit: k.unit, Source: "built in", Value: *k.field(&f)} })
	for i := range Choices {
		v, source := Choices[i].start(chip.Name, chip.Workers)
		values = append(values, Value{Key: Choices[i].Name, Unit: Choices[i].Unit, Source: source, Value: v})
	}
	from := func(f *File, source string) {
		for i := range values {
			for _, id := range chip.ids() {
				if v, ok := f.Devices[id][values[i].Key]; ok {
					values[i].Value, values[i].Source = v, source+", "+id
					break
				}
			}
		}
	}
	from(shipped(), "built in")
	file, warnings, err := Read(path)
	if file == nil && err == nil && path != "" && path == os.Getenv(FileVar) {
		warnings = append(warnings, fmt.Sprintf("%s names %s, which is not there", FileVar, path))
	}
	if file != nil {
		from(file, "file "+path)
	}
	for i := range values {
		env := EnvVar(values[i].Key)
		text := os.Getenv(env)
		if text == "" {
			continue
		}
		v, fault := strconv.ParseFloat(text, 64)
		if fault != nil {
			fault = errors.New("want a number")
		} else {
			fault = Check(values[i].Key, v)
		}
		if fault != nil {
			err = errors.Join(err, fmt.Errorf("tuning: %s=%q: %w", env, text, fault))
			continue
		}
		values[i].Value, values[i].Source = v, "environment "+env
	}
	for i, k := range keys {
		*k.field(&f) = values[i].Value
	}
	return f, values, warnings, err
}

func indexOf(key string) int {
	return slices.IndexFunc(keys, func(k figure) bool { return k.name == key })
}

// Read reads a tuning file. A file that is not there is no file, not an error.
func Read(path string) (*File, []string, error) {
	if path == "" {
		return nil, nil, nil
	}
	data, err := hostmem.ReadFile(path, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("tuning: %w", err)
	}
	return parse(path, data)
}

// Write puts the figures of a chip into the file at path, under its model where
// that is known, beside what it says of others. It writes a temporary file and renames it.
func Write(path string, chip Chip, figures map[string]float64) error {
	return change(path, func(f *File) { f.Devices[chip.ids()[0]] = figures })
}

// change rewrites the file at path, which need not be there.
func change(path string, edit func(*File)) error {
	file, _, err := Read(path)
	if err != nil {
		return err
	}
	if file == nil {
		file = newFile()
	}
	edit(file)
	data, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("tuning: %w", err)
	}
	// Nobody else is to say how this user's programs run.
	if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
		err = replace.Bytes(path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("tuning: %w", err)
	}
	return nil
}
