package tuning

import "testing"

// Figures of a chip that was measured are in force without a file.
func TestShipped(t *testing.T) {
	if _, warnings, err := parse("shipped.json", shippedFile); err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	f, values, _, err := Apply(Chip{Name: "cuda:3", Model: "NVIDIA H200", Family: "sm_90"}, builtIn, "")
	if err != nil {
		t.Fatal(err)
	}
	if want := shipped().Devices["NVIDIA H200"]["launch_ns"]; want == 0 || f.LaunchNs != want {
		t.Errorf("launch_ns of an H200 is %g, shipped %g", f.LaunchNs, want)
	}
	for _, v := range values {
		if v.Key == "launch_ns" && v.Source != "built in, NVIDIA H200" {
			t.Errorf("launch_ns from %q", v.Source)
		}
	}
	if f, _, _, _ := Apply(Chip{Name: "cuda:3", Model: "another"}, builtIn, ""); f != builtIn {
		t.Errorf("another chip has figures %+v", f)
	}
}
