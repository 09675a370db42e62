package signal_test

import (
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// TestArguments: what a call that is wrong says about it. An error of several arrays is that of
// the first.
func TestArguments(t *testing.T) {
	x, s := nd.Ones(nd.Float32, 64), nd.Ones(nd.Float32, 33, 5)
	for _, c := range []struct {
		err  error
		want string
	}{
		{signal.Centroid(s, nil).Err(), "signal: centroid: 0 frequencies for 33 bins"},
		{signal.Bandwidth(s, nil, 0).Err(), "signal: bandwidth: 0 frequencies for 33 bins"},
		{signal.Rolloff(s, nil, 0).Err(), "signal: rolloff: 0 frequencies for 33 bins"},
		{signal.Contrast{}.Apply(s, nil).Err(), "signal: contrast: 0 frequencies for 33 bins"},
		{signal.UpFirDn{Taps: []float64{1}, Up: 1 << 50}.Apply(x).Err(), "signal: upfirdn: Up by Down"},
		{signal.UpFirDn{Taps: []float64{1}, Up: 1 << 29}.Apply(nd.Ones(nd.Float32, 1).BroadcastTo(1 << 40)).Err(), "1099511627776 samples by Up 536870912: too many"},
		{signal.ResamplePoly{Up: 1 << 29, Down: 1}.Apply(nd.Ones(nd.Float32, 1).BroadcastTo(1 << 40)).Err(), "1099511627776 samples by Up 536870912: too many"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v, want %q", c.err, c.want)
		}
	}
}
