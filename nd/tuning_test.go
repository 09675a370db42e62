package nd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleDevice_Tuned() {
	fmt.Println(nd.CPU().Tuned("launch_ns") > 0, nd.CPU().Tuned("no such thing"))
	// Output: true 0
}

func TestTune(t *testing.T) {
	d := nd.CPU()
	was := d.Tuned("gemm_task_columns")
	defer func() {
		if err := d.Tune("gemm_task_columns", was); err != nil {
			t.Error(err)
		}
	}()
	if err := d.Tune("gemm_task_columns", 256); err != nil || d.Tuned("gemm_task_columns") != 256 {
		t.Errorf("%v, %g", err, d.Tuned("gemm_task_columns"))
	}
	for _, f := range d.Tuning().Figures {
		if f.Key == "gemm_task_columns" && f.Source != "set by the program" {
			t.Errorf("source %q", f.Source)
		}
	}
	for key, v := range map[string]float64{"launch_ns": 5, "warp": 1, "gemm_task_columns": 1e9, "qr_block": 64.5} {
		if err := d.Tune(key, v); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s = %g: %v", key, v, err)
		}
	}
}
