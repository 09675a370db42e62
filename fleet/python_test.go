package fleet_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet/internal/testarchive"
)

// Results are opened by xarray, zarr and pyarrow, with the numbers that were
// written.
func TestPythonOpensResults(t *testing.T) {
	python := os.Getenv("TWIDDLE_FLEET_PYTHON")
	if python == "" {
		t.Skip("TWIDDLE_FLEET_PYTHON is not set to a Python that has xarray, zarr and pyarrow")
	}
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	local(t, config(in, out))
	b, err := exec.Command(python, "testdata/open_results.py", out, "s0").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Fatalf("%v: %s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	var got struct {
		Dims       map[string]int `json:"dims"`
		Units      string         `json:"units"`
		Rows       int            `json:"rows"`
		First      string         `json:"first"`
		PSD        []float32      `json:"psd"`
		Frequency  float64        `json:"frequency"`
		Same       bool           `json:"same"`
		TableRows  int            `json:"table_rows"`
		TableFirst string         `json:"table_first"`
		TablePSD   []float32      `json:"table_psd"`
		Effort     float64        `json:"effort"`
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	want := psdAt(t, filepath.Join(out, "s0.zarr"), time.Date(2024, 2, 28, 22, 50, 0, 0, time.UTC))
	switch {
	case got.Dims["time"] != 2*1440 || got.Dims["channel"] != 1 || got.Dims["frequency"] != 51:
		t.Errorf("dimensions %v", got.Dims)
	case got.Units != "dB re 1 FS^2/Hz" || got.First != "2024-02-28T22:50:00" || got.Frequency != 50:
		t.Errorf("%q, from %s, to %g Hz", got.Units, got.First, got.Frequency)
	case !slices.Equal(got.PSD, want) || !got.Same:
		t.Errorf("xarray has %v, zarr the same: %v, want %v", got.PSD[:3], got.Same, want[:3])
	case got.TableRows != got.Rows || got.TableFirst[:19] != got.First || !slices.Equal(got.TablePSD, want):
		t.Errorf("the table has %d rows from %s, the store %d from %s; %v", got.TableRows, got.TableFirst, got.Rows, got.First, got.TablePSD[:3])
	case got.Effort != 60:
		t.Errorf("the second minute has %g s", got.Effort)
	}
}
