package nd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
)

func engineCPU() (device.Device, error) { return tuned(cpu.Open(cpu.Options{Workers: 1})), nil }

func TestTuneOwnChoices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tuning.json")
	t.Setenv("TWIDDLE_TUNING", path)
	d, err := engine.Open(engine.Register("cpu:tuned", engineCPU))
	if err != nil {
		t.Fatal(err)
	}
	dev := deviceOf(d)
	runs := map[float64]int{}
	tile := Tunable{Key: "my_tile", Candidates: []float64{8, 16, 32, 64}, Keep: true, Run: func(_ context.Context, v float64) error {
		runs[v]++
		switch v {
		case 16:
			time.Sleep(time.Millisecond)
			return nil
		case 64:
			return errors.New("too large")
		}
		time.Sleep(10 * time.Millisecond)
		return nil
	}}
	synctest.Test(t, func(t *testing.T) { // where sleep takes as long as it says
		for range 2 { // the second time nothing runs
			if v, err := Tune(t.Context(), dev, tile); err != nil || v != 16 {
				t.Fatalf("%v, %v", v, err)
			}
		}
	})
	if runs[64] != 1 || runs[8] > 3 || runs[16] > tuneTurns+1 {
		t.Errorf("what falls behind runs on: %v", runs)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `"my_tile": 16`) {
		t.Errorf("kept %s, %v", text, err)
	}
	other, err := engine.Open(engine.Register("cpu:tuned", engineCPU)) // another process, as it were
	if err != nil {
		t.Fatal(err)
	}
	if w := deviceOf(other).Tuning(); len(w.Warnings) > 0 || w.Err != nil {
		t.Errorf("%v, %v", w.Warnings, w.Err)
	}
	tile.Run = func(context.Context, float64) error { return errors.New("it ran again") }
	if v, err := Tune(t.Context(), deviceOf(other), tile); err != nil || v != 16 {
		t.Errorf("from the file: %v, %v", v, err)
	}
	found := false
	for _, f := range deviceOf(other).Tuning().Figures {
		found = found || f.Key == "my_tile" && f.Value == 16 && strings.HasPrefix(f.Source, "file "+path)
	}
	if !found {
		t.Error("Tuning does not show it")
	}
	t.Setenv("TWIDDLE_MY_TILE", "5")
	if v, err := Tune(t.Context(), dev, tile); err != nil || v != 5 {
		t.Errorf("from the environment: %v, %v", v, err)
	}
	all := errors.New("none works")
	for name, bad := range map[string]Tunable{
		"a name":        {Key: "My Tile", Candidates: []float64{1}},
		"the engine's":  {Key: "qr_block", Candidates: []float64{1}},
		"no candidates": {Key: "none"},
		"no success":    {Key: "fails", Candidates: []float64{1, 2}, Run: func(context.Context, float64) error { return all }},
	} {
		if v, err := Tune(t.Context(), dev, bad); err == nil {
			t.Errorf("%s: %v", name, v)
		}
	}
	if v, err := Tune(t.Context(), dev, Tunable{Key: "first", Candidates: []float64{3, 4}}); err != nil || v != 3 {
		t.Errorf("without Run: %v, %v", v, err)
	}
	if _, err := Tune(t.Context(), nil, tile); err == nil {
		t.Error("no error for a nil device")
	}
}
