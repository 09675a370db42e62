package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/internal/testarchive"
	_ "github.com/twiddle-go/twiddle/fleet/jobs"
	"github.com/twiddle-go/twiddle/fleet/zarr"
)

func TestJobOptions(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"nfft=512,window=kaiser:8.6":       `{"nfft":512,"window":"kaiser:8.6"}`,
		"percentiles=5;50;95,linear=true":  `{"linear":true,"percentiles":[5,50,95]}`,
		"percentiles=50":                   `{"percentiles":[50]}`,
		` {"nfft": 512, "window": "hann"}`: `{"nfft":512,"window":"hann"}`,
	} {
		got, err := jobOptions(text)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, bad := range []string{"nfft", "=3", "{nfft}", "a=1,b"} {
		if _, err := jobOptions(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestShardOf(t *testing.T) {
	if s, of, err := shardOf("3/40"); s != 2 || of != 40 || err != nil {
		t.Error(s, of, err)
	}
	for _, bad := range []string{"", "3", "0/4", "5/4", "a/b", "3/-4"} {
		if _, _, err := shardOf(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Pairs of stations have a picture of their own: a row for each, with its peak
// where the second station is later.
func TestPictureOfPairs(t *testing.T) {
	ctx := context.Background()
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	r, err := fleet.Open(ctx, fleet.Config{In: []string{in}, Out: out, Job: "correlate", Pattern: testarchive.Pattern, Period: time.Hour,
		Options: json.RawMessage(`{"window":60,"max_lag":2,"auto":true}`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Local(ctx); err != nil {
		t.Fatal(err)
	}
	s, err := zarr.Open(filepath.Join(out, "all.zarr"))
	if err != nil {
		t.Fatal(err)
	}
	pairs, err := gatherPairs(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(pairs.pairs) != 3 || len(pairs.lags) != 401 || pairs.mean[0][200] != 1 || pairs.mean[2][200] != 1 {
		t.Errorf("pairs %v of %d lags; at lag 0 a channel and itself are %g and %g", pairs.pairs, len(pairs.lags), pairs.mean[0][200], pairs.mean[2][200])
	}
	if err := dispatch(ctx, []string{"picture", out}, &bytes.Buffer{}); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(out, "all.png")); err != nil || !bytes.HasPrefix(b, []byte("\x89PNG")) {
		t.Errorf("all.png: %d bytes, %v", len(b), err)
	}
}

// A new user's way: a run without Beam in shards, merged, and a picture of it.
func TestPictureOfResults(t *testing.T) {
	ctx := context.Background()
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	r, err := fleet.Open(ctx, fleet.Config{In: []string{in}, Out: out, Job: "psd", Pattern: testarchive.Pattern, Options: json.RawMessage(`{"nfft":100}`)})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Shard(ctx, 0, 1); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := dispatch(ctx, []string{"merge", out}, &text); err != nil || !strings.Contains(text.String(), "4 problems") {
		t.Fatalf("merge: %v: %s", err, &text)
	}
	text.Reset()
	if err := dispatch(ctx, []string{"picture", out, "--fmax", "40"}, &text); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"s0.png", "s1.png"} {
		b, err := os.ReadFile(filepath.Join(out, name))
		if err != nil || !bytes.HasPrefix(b, []byte("\x89PNG")) {
			t.Errorf("%s: %d bytes, %v", name, len(b), err)
		}
	}
	text.Reset()
	if err := dispatch(ctx, []string{"problems", out}, &text); err != nil || strings.Count(text.String(), "\n") != 4 {
		t.Errorf("problems: %v: %s", err, &text)
	}
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{"frob"}, {"merge"}, {"picture"}, {"picture", "a", "b"}, {"jobs", "psd"}, {"prism", "--prot", "1"}} {
		var mistake usageError
		if err := dispatch(context.Background(), args, &bytes.Buffer{}); !errors.As(err, &mistake) {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, f := range []runFlags{{job: "psd"}, {in: texts{"a"}}, {in: texts{"a"}, job: "pds"}, {in: texts{"a"}, job: "psd"}, {in: texts{"a"}, job: "psd", out: "b", runner: "primes"}} {
		var mistake usageError
		if _, err := f.config(); !errors.As(err, &mistake) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if err := dispatch(context.Background(), []string{"merge", t.TempDir()}, &bytes.Buffer{}); err == nil {
		t.Error("a folder without results is merged")
	}
}
