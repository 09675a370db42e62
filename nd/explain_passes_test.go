package nd_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func ExampleExplainPasses() {
	x := nd.Ones(nd.Float32, 64, 1024)
	passes, err := nd.ExplainPasses(x.Add(x).RFFT().AbsSquared())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range passes {
		fmt.Println(p.Name, p.Launches)
	}
	// Output:
	// emit 3
	// dead 3
	// merge 3
	// lines 1
	// remake 1
	// pairs 1
	// filters 1
	// simplify 1
	// choose 1
	// batch 1
}

func TestExplainPassesOfNothing(t *testing.T) {
	if _, err := nd.ExplainPasses(); err == nil || !strings.Contains(err.Error(), "no arrays") {
		t.Errorf("no arrays: %v", err)
	}
	bad := nd.Ones(nd.Float32, 2).Add(nd.Ones(nd.Float32, 3))
	if _, err := nd.ExplainPasses(bad); err == nil {
		t.Error("an array with an error was planned")
	}
}

// What a pass saves is said, whichever way it goes.
func TestPlanPassSaved(t *testing.T) {
	before := nd.PlanPass{Profile: nd.Profile{Launches: 3, DeviceTrafficBytes: 4096, PredictedNs: 2000}}
	after := nd.PlanPass{Profile: nd.Profile{Launches: 2, DeviceTrafficBytes: 8192, PredictedNs: 2000}}
	if got := after.Saved(before); !strings.HasPrefix(got, "1 launch less, ") || !strings.HasSuffix(got, "of traffic more") {
		t.Error(got)
	}
	if got := before.Saved(before); got != "saves nothing here" {
		t.Error(got)
	}
}
