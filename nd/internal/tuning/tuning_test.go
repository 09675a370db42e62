package tuning

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
)

var builtIn = device.Figures{CopyBytesPerNs: 1, OpsPerNs: 2, FFTOpsPerNs: 3, GemmOpsPerNs: 4, LaunchNs: 5, SyncNs: 6}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tuning.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOrder(t *testing.T) {
	path := write(t, `{"version": 1, "devices": {"cpu": {"launch_ns": 50, "sync_ns": 60}, "gpu": {"ops_per_ns": 9}}}`)
	t.Setenv(EnvVar("sync_ns"), "600")
	f, values, warnings, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, path)
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	want := builtIn
	want.LaunchNs, want.SyncNs = 50, 600
	if f != want {
		t.Errorf("figures %+v, want %+v", f, want)
	}
	sources := map[string]string{"ops_per_ns": "built in", "launch_ns": "file " + path + ", cpu", "sync_ns": "environment TWIDDLE_SYNC_NS"}
	for _, v := range values {
		if s, ok := sources[v.Key]; ok && v.Source != s {
			t.Errorf("%s from %q, want %q", v.Key, v.Source, s)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\n\"version\": 1,\n\"devices\": {,}}", ":3:"},
		{"{\n\"version\": 2, \"devices\": {}}", ":2: version 2"},
		{"{\"version\": 1,\n\"devices\":\n{\"cpu\": {\"launch_ns\": \"fast\"}}}", ":3:"},
		{"{\"version\": 1,\n\"devices\": {\"cpu\": {\n\"launch_ns\": -1}}}", ":3: launch_ns of cpu is -1"},
		{"{\"version\": 1, \"devices\": {\"cpu\": {\n\n\"qr_block\": 64.5}}}", ":3: qr_block of cpu is 64.5"},
		{"{\"version\": 1,\n\"devices\": {\"gpu\": {\"svd_streams\": 99}}}", ":2: svd_streams of gpu is 99"},
		{"{\"version\": 1, \"devices\": {\"gpu\": {\"launch_ns\": 1},\n\"cpu\": {\"launch_ns\": 0}}}", ":2: launch_ns of cpu is 0"},
		{"{\"version\": 1,\n\"devices\": [1]}", ":2: devices is a list: want an object"},
		{"{\"version\": 1,\n\"devices\": {\"cpu\": {\"launch_ns\": {}}}}", ":2: launch_ns of cpu is an object: want a number"},
		{"{\"version\": 1,\n\"devices\": {\"cpu\": {\"launch_ns\": null}}}", ":2: launch_ns of cpu is null"},
		{"{\"version\": true}", ":1: version is true or false"},
		{"{\"version\": 1,\n\"devices\": {}}\n{}", ":3: something follows"},
		{"{\"version\": 1,\n\"devices\": {", ":2: the file ends early"},
		{"{\"name\": \"twiddle\",\n\"private\": true}", "not a tuning file"},
		{"[1, 2]", "a tuning file is a list"},
		{"", "ends early"},
		{"not json", ":1:"},
	} {
		path := write(t, c.text)
		f, _, _, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, path)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: error %v, want it to name the file and %q", c.text, err, c.want)
		}
		if f != builtIn {
			t.Errorf("%q: figures %+v changed", c.text, f)
		}
	}
	t.Setenv(EnvVar("launch_ns"), "soon")
	if _, _, _, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, ""); err == nil || !strings.Contains(err.Error(), "TWIDDLE_LAUNCH_NS") {
		t.Errorf("bad environment: %v", err)
	}
}

func TestChoices(t *testing.T) {
	path := write(t, `{"version": 1, "devices": {"cuda:0": {"svd_band": 32, "qr_block": 32}}}`)
	t.Setenv(EnvVar("qr_block"), "96")
	for device, want := range map[string]map[string][2]any{
		"cuda:0": {"svd_band": {32.0, "file " + path + ", cuda:0"}, "qr_block": {96.0, "environment TWIDDLE_QR_BLOCK"}, "svd_streams": {1.0, "heuristic"}},
		"cuda:1": {"svd_band": {4096.0, "built in"}},
		"cpu":    {"gemm_task_columns": {512.0, "built in"}},
		"other":  {"gemm_task_columns": {512.0, "heuristic"}},
	} {
		_, values, _, err := Apply(Chip{Name: device, Workers: 2}, builtIn, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			if w, ok := want[v.Key]; ok && (v.Value != w[0] || v.Source != w[1]) {
				t.Errorf("%s of %s: %g from %q, want %v", v.Key, device, v.Value, v.Source, w)
			}
		}
	}
	t.Setenv(EnvVar("svd_streams"), "1.5")
	if _, _, _, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, ""); err == nil || !strings.Contains(err.Error(), "TWIDDLE_SVD_STREAMS") {
		t.Errorf("half a stream: %v", err)
	}
}

func TestUnknownKeyWarns(t *testing.T) {
	path := write(t, "{\"version\": 1, \"devices\": {\"cpu\": {\n\"warp_speed\": 9}}}")
	f, _, warnings, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, path)
	if err != nil || f != builtIn || len(warnings) != 1 || !strings.Contains(warnings[0], ":2:") || !strings.Contains(warnings[0], "warp_speed") {
		t.Errorf("%+v, %q, %v", f, warnings, err)
	}
}

func TestWarnings(t *testing.T) {
	path := write(t, "{\"version\": 1,\n\"comment\": [\"measured\", {\"by\": 3}], \"devices\": {\"cpu\": {\"launch_ns\": 50}}}")
	f, _, warnings, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, path)
	if err != nil || f.LaunchNs != 50 || len(warnings) != 1 || !strings.Contains(warnings[0], ":2: there is no key \"comment\"") {
		t.Errorf("a key of its own: %+v, %q, %v", f, warnings, err)
	}
	missing := filepath.Join(t.TempDir(), "tuning.json")
	if _, _, warnings, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, missing); err != nil || len(warnings) != 0 {
		t.Errorf("no file in the default place: %q, %v", warnings, err)
	}
	t.Setenv(FileVar, missing)
	if _, _, warnings, err := Apply(Chip{Name: "cpu", Workers: 2}, builtIn, missing); err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], missing) {
		t.Errorf("a file that was asked for: %q, %v", warnings, err)
	}
}

func TestWriteKeepsOtherDevices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "tuning.json")
	for _, dev := range []string{"cpu", "gpu", "cpu"} {
		if err := Write(path, Chip{Name: dev}, map[string]float64{"launch_ns": 7}); err != nil {
			t.Fatal(err)
		}
	}
	file, _, err := Read(path)
	if err != nil || len(file.Devices) != 2 || file.Devices["gpu"]["launch_ns"] != 7 {
		t.Errorf("%+v, %v", file, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"version": 1, "devices": {"cpu": {"launch_ns": 50}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, _, err := parse("file", data); err == nil && file.Version != Version {
			t.Errorf("accepted %q", data)
		}
	})
}

// A model goes before its family, and that before the name of a slot.
func TestByChip(t *testing.T) {
	path := write(t, `{"version": 1, "devices": {"cuda:0": {"launch_ns": 1, "sync_ns": 2, "ops_per_ns": 3},
		"sm_90": {"launch_ns": 10, "sync_ns": 20}, "NVIDIA H200": {"launch_ns": 100}, "NVIDIA H100": {"launch_ns": 7}}}`)
	chip := Chip{Name: "cuda:0", Model: "NVIDIA H200", Family: "sm_90", Workers: 132}
	f, values, warnings, err := Apply(chip, builtIn, path)
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	if f.LaunchNs != 100 || f.SyncNs != 20 || f.OpsPerNs != 3 {
		t.Errorf("%+v", f)
	}
	for _, v := range values {
		if v.Key == "sync_ns" && v.Source != "file "+path+", sm_90" {
			t.Errorf("source %q", v.Source)
		}
	}
	chip.Name = "cuda:3" // the same chip in another slot
	if err := Write(path, chip, map[string]float64{"launch_ns": 101}); err != nil {
		t.Fatal(err)
	}
	file, _, err := Read(path)
	if err != nil || file.Devices["NVIDIA H200"]["launch_ns"] != 101 || len(file.Devices) != 4 {
		t.Errorf("%+v, %v", file, err)
	}
}
