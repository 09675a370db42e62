package fleet

import (
	"strings"
	"testing"
)

// Workers take the devices by turns.
func TestDevicesOfWorkers(t *testing.T) {
	r := &Run{Plan: &Plan{Config: Config{Device: "cpu, null", Workers: 3}}}
	w, err := r.NewWorkers()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for range cap(w.streams) {
		s := <-w.streams
		names = append(names, s.Device().Name())
		w.streams <- s
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if len(names) != 3 || names[0] == names[1] || names[0] != names[2] {
		t.Errorf("workers compute on %q", names)
	}
	r.Plan.Config.Device = "cpu,abacus"
	if _, err := r.NewWorkers(); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("a device that is not there: %v", err)
	}
}
