package fleet_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/fleet/internal/testarchive"
	_ "github.com/twiddle-go/twiddle/fleet/jobs"
	"github.com/twiddle-go/twiddle/fleet/zarr"
)

// config is a run of psd over an archive.
func config(in, out string) fleet.Config {
	return fleet.Config{In: []string{in}, Out: out, Job: "psd", Pattern: testarchive.Pattern, Zarr: true, Parquet: true, Workers: 2,
		Options: json.RawMessage(`{"nfft":100,"percentiles":[50]}`)}
}

func open(t *testing.T, c fleet.Config) *fleet.Run {
	t.Helper()
	r, err := fleet.Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func local(t *testing.T, c fleet.Config) {
	t.Helper()
	if err := open(t, c).Local(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// One process, shards in any number, and units of another length give the same
// bytes.
func TestShardsGiveTheSameBytes(t *testing.T) {
	ctx := context.Background()
	in, one := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	local(t, config(in, one))
	for _, of := range []int{1, 3} {
		out := t.TempDir()
		for shard := of - 1; shard >= 0; shard-- {
			r := open(t, config(in, out))
			if err := r.Shard(ctx, shard, of); err != nil {
				t.Fatal(err)
			}
			var missing *fleet.MissingError
			if err := r.Merge(ctx); shard > 0 && !errors.As(err, &missing) {
				t.Fatalf("merge before shard %d: %v", shard, err)
			}
		}
		testarchive.Compare(t, one, out)
	}
}

// psdAt is the mean density of a store at a time.
func psdAt(t *testing.T, store string, at time.Time) []float32 {
	t.Helper()
	s, err := zarr.Open(store)
	if err != nil {
		t.Fatal(err)
	}
	times, err := zarr.Line[int64](s, "time")
	if err != nil {
		t.Fatal(err)
	}
	a := s.Arrays["psd"]
	row := int(at.Unix()-times[0]) / 60
	if times[row] != at.Unix() {
		t.Fatalf("row %d is at %d, want %d", row, times[row], at.Unix())
	}
	chunk, err := zarr.Chunk[float32](s, "psd", row/a.Chunks[0], 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if chunk == nil {
		return nil
	}
	return chunk[row%a.Chunks[0]*a.Chunks[2]:][:a.Chunks[2]]
}

// Files that follow one another are one recording, also in a minute that one
// begins and another ends; a minute that is not there is NaN.
func TestPeriodsAcrossFiles(t *testing.T) {
	in, whole, out := t.TempDir(), t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	local(t, config(in, out))
	long := t.TempDir()
	testarchive.Write(t, long, 0, testarchive.Start, 2*time.Hour)
	local(t, config(long, whole))
	// The second file begins at 23:20:47.
	for _, at := range []string{"2024-02-28T22:50:00Z", "2024-02-28T23:19:00Z", "2024-02-28T23:20:00Z", "2024-02-29T00:01:00Z", "2024-02-29T00:02:00Z"} {
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		a, b := psdAt(t, filepath.Join(out, "s0.zarr"), when), psdAt(t, filepath.Join(whole, "s0.zarr"), when)
		for k := range a {
			if a[k] != b[k] || math.IsNaN(float64(a[k])) {
				t.Fatalf("%s: bin %d: %g in pieces, %g whole", at, k, a[k], b[k])
			}
		}
	}
	gap := psdAt(t, filepath.Join(out, "s0.zarr"), time.Date(2024, 2, 29, 2, 0, 0, 0, time.UTC))
	if gap == nil || !math.IsNaN(float64(gap[5])) {
		t.Errorf("a minute without samples is %v", gap[:3])
	}
}

func TestProblemsAreReported(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	local(t, config(in, out))
	b, err := os.ReadFile(filepath.Join(out, fleet.ProblemsName))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) != 5 {
		t.Fatalf("problems:\n%s", b)
	}
	for i, want := range []string{"path,kind,reason", "notes.wav,no time,", "rec_20240229T025017.wav,truncated,", "rec_20240229T050000.wav,empty,", "rec_20240229T060000.wav,"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s: want %s", i, lines[i], want)
		}
	}
}

// counting counts the windows that it is asked for.
type counting struct{}

var counted atomic.Int64

func (counting) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	l := &fleet.Layout{Variables: []fleet.Variable{{Name: "frames", Unit: "1"}}}
	return l, func(_ context.Context, w *fleet.Window, row fleet.Row) error {
		counted.Add(1)
		row[0][0] = 0
		for _, s := range w.Stretches() {
			row[0][0] += float32(s.Frames)
		}
		return nil
	}, nil
}

func init() { fleet.Register("counting", func() fleet.Job { return counting{} }) }

// What is there is not computed again; what is lost or has changed is.
func TestRunAgainDoesWhatIsMissing(t *testing.T) {
	ctx := context.Background()
	in, out, whole := t.TempDir(), t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	c := config(in, out)
	c.Job, c.Options = "counting", nil
	windows := func(f func()) int64 {
		counted.Store(0)
		f()
		return counted.Load()
	}
	again := func() { local(t, c) }
	all := windows(again)
	if all < 200 {
		t.Fatalf("%d windows", all)
	}
	if n := windows(again); n != 0 {
		t.Errorf("a finished run computes %d windows again", n)
	}
	// A new file: only its day is computed.
	testarchive.Write(t, in, 1, time.Date(2024, 3, 2, 7, 30, 30, 0, time.UTC), 5*time.Minute)
	if n := windows(again); n != 6 {
		t.Errorf("a new file of five minutes takes %d windows", n)
	}
	// A crash: some parts are there, one half written under another name.
	crashed := t.TempDir()
	c.Out = crashed
	r := open(t, c)
	if err := r.Shard(ctx, 0, 2); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(crashed, ".fleet", "tmp", "x.part-123"), []byte("half"), 0o666); err != nil {
		t.Fatal(err)
	}
	done := counted.Load()
	if n := windows(again); n == 0 || n >= all+6 {
		t.Errorf("after a crash %d of %d windows are computed, %d were there", n, all, done)
	}
	c.Out = whole
	again()
	testarchive.Compare(t, whole, crashed)
	testarchive.Compare(t, whole, out)
}

func TestAnotherConfigurationIsRefused(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	c := config(in, out)
	local(t, c)
	c.Options = json.RawMessage(`{"nfft":50}`)
	_, err := fleet.Open(context.Background(), c)
	var other *fleet.ConfigError
	if !errors.As(err, &other) || other.Field != "Options" {
		t.Errorf("%v", err)
	}
}

func TestFromAndTo(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	c := config(in, out)
	c.Job, c.Options = "counting", nil
	c.From, c.To = time.Date(2024, 2, 28, 23, 10, 0, 0, time.UTC), time.Date(2024, 2, 28, 23, 15, 0, 0, time.UTC)
	counted.Store(0)
	local(t, c)
	if n := counted.Load(); n != 10 {
		t.Errorf("five minutes of two stations take %d windows", n)
	}
}

// A file that breaks off where its header does not say so is used as far as it
// goes, and reported.
func TestFloatsThatAreNotNumbers(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	name := filepath.Join(in, "20240301T000000.npy")
	data := []byte("\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (12000,), }")
	for len(data) < 127 {
		data = append(data, ' ')
	}
	data = append(data, '\n')
	samples := make([]byte, 4*12000)
	copy(samples[4*7000:], []byte{0, 0, 0xc0, 0x7f})
	if err := os.WriteFile(name, append(data, samples...), 0o666); err != nil {
		t.Fatal(err)
	}
	c := fleet.Config{In: []string{in}, Out: out, Job: "counting", Rate: 100}
	local(t, c)
	b, err := os.ReadFile(filepath.Join(out, fleet.ProblemsName))
	if err != nil || !strings.Contains(string(b), "frame 7000: a sample is not a finite number") {
		t.Errorf("%s %v", b, err)
	}
}

// Two stations that nobody tells apart have the same time twice: that is said.
func TestOverlapsAreReported(t *testing.T) {
	in := t.TempDir()
	at := testarchive.Start
	testarchive.Write(t, in, 0, at, 20*time.Minute)
	testarchive.Write(t, in, 0, at.Add(20*time.Minute-time.Second), 10*time.Minute) // a clock
	other := testarchive.Write(t, in, 1, at.Add(5*time.Minute), 10*time.Minute)
	c := config(in, t.TempDir())
	for _, pattern := range []string{c.Pattern, ""} {
		c.Pattern = pattern
		p, err := fleet.Look(context.Background(), c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if pattern != "" && len(p.Problems) != 0 {
			t.Errorf("with %s: %v", pattern, p.Problems)
		}
		if pattern == "" && (len(p.Problems) != 1 || p.Problems[0].Path != other || p.Problems[0].Kind != archive.Overlap || !strings.HasPrefix(p.Problems[0].Reason, "10m0s of it")) {
			t.Errorf("without a pattern: %v", p.Problems)
		}
	}
}
