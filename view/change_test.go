package view

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// TestFileThatChanges lets a file grow, vanish and come back while a page shows
// it.
func TestFileThatChanges(t *testing.T) {
	name := filepath.Join(t.TempDir(), "growing.wav")
	f := pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}
	x := noise(40000, 1)
	if err := wav.WriteFile(name, f, x[:20000]); err != nil {
		t.Fatal(err)
	}
	source, err := Files(audio.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, source, Options{})
	p := connect(t, base)
	l := look{Window: "hann", N: 256, Hop: 64}
	ask := pane{Key: "k", Item: name, Look: l, Scale: linear, Rows: []int{0}, Blocks: []wanted{{Level: 1, Index: 0}, {Level: 1, Index: 1}}, Waves: []wanted{{Level: 6}}}
	tiles, _ := p.answers(ask)
	before := tiles[wanted{Level: 1}]
	if before == nil || len(tiles) != 2 {
		t.Fatalf("%d tiles", len(tiles))
	}
	told := func(want func(Info) bool) {
		t.Helper()
		for {
			if h, _ := p.read(); h.Op == "info" && h.Item == name && want(*h.Info) {
				return
			}
		}
	}
	if err := wav.WriteFile(name, f, x); err != nil {
		t.Fatal(err)
	}
	told(func(i Info) bool { return i.Frames == 40000 })
	grown, heads := p.answers(ask)
	after := grown[wanted{Level: 1}]
	if after == nil {
		t.Fatalf("no tile of the longer file: %+v", heads)
	}
	// Columns that were complete stay; what was behind the end has a level now.
	for c := range 140 {
		if after[100*blockColumns+c] != before[100*blockColumns+c] {
			t.Fatalf("column %d changed", c)
		}
	}
	if silent := toHalf(decibelFloor); before[100*blockColumns+200] != silent || after[100*blockColumns+200] == silent {
		t.Errorf("column 200 was %v and is %v", fromHalf(before[100*blockColumns+200]), fromHalf(after[100*blockColumns+200]))
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	told(func(i Info) bool { return strings.Contains(i.Warning, "gone") })
	if err := os.WriteFile(name, []byte("no recording any more"), 0o600); err != nil {
		t.Fatal(err)
	}
	told(func(i Info) bool { return strings.Contains(i.Warning, "changed") })
}

// slow is a recording that takes its time, and counts.
type slow struct {
	Source
	Recording
	reads chan struct{}
}

func (s *slow) Open(id string) (Recording, error) {
	r, err := s.Source.Open(id)
	return &slow{Recording: r, reads: s.reads}, err
}

func (s *slow) ReadFrames(dst []float32, from int64) (int, error) {
	select {
	case s.reads <- struct{}{}:
	default:
	}
	time.Sleep(5 * time.Millisecond)
	return s.Recording.ReadFrames(dst, from)
}

// TestClosingStopsWork closes a page in the middle of an overview: nothing is
// read any more soon after, and the goroutines are gone.
func TestClosingStopsWork(t *testing.T) {
	s := &slow{Source: memory(t, 8000, 1, make([]float32, 50<<20)), reads: make(chan struct{}, 1)}
	base, _ := serve(t, s, Options{})
	idle := runtime.NumGoroutine()
	p := connect(t, base)
	p.send(request{Op: "want", Panes: []pane{{Key: "k", Item: "memory", Look: look{Window: "hann", N: 256, Hop: 64}, Scale: linear, Rows: []int{0}, Blocks: []wanted{{Level: 12}}}}})
	<-s.reads
	p.conn.CloseNow()
	deadline := time.Now().Add(time.Minute)
	for quiet := 0; quiet < 5; {
		select {
		case <-s.reads:
			quiet = 0
		case <-time.After(100 * time.Millisecond):
			quiet++
		}
		if time.Now().After(deadline) {
			t.Fatal("work goes on after the page was closed")
		}
	}
	for runtime.NumGoroutine() > idle+3 {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), idle)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestBounded asks for more blocks than are kept.
func TestBounded(t *testing.T) {
	const limit = 4 << 20
	base, h := serve(t, memory(t, 48000, 1, noise(6<<20, 1)), Options{CacheBytes: limit})
	p := connect(t, base)
	l := look{Window: "hann", N: 1024, Hop: 16}
	for i := range int64(24) {
		p.answers(pane{Key: "k", Item: "memory", Look: l, Scale: linear, Rows: []int{0}, Blocks: []wanted{{Level: 0, Index: 20 * i}}})
		h.hub.blocks.mu.Lock()
		n := h.hub.blocks.bytes
		h.hub.blocks.mu.Unlock()
		if n > limit {
			t.Fatalf("%d bytes are kept, of %d", n, limit)
		}
	}
}

// TestLive sends samples and waits for their columns.
func TestLive(t *testing.T) {
	live, err := NewLive("live", 8000, 2, 20000)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, live, Options{})
	p := connect(t, base)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		for x := noise(80, 2); ctx.Err() == nil; time.Sleep(2 * time.Millisecond) {
			live.Write(x)
		}
		live.End(nil)
	}()
	l := look{Channel: allChannels, Window: "hann", N: 256, Hop: 64}
	p.send(request{Op: "live", Live: &pane{Key: "k", Item: "live", Look: l, Scale: mel}})
	next := int64(-1)
	for n := 0; n < 50; {
		h, body := p.read()
		if h.Op != "live" {
			continue
		}
		if next >= 0 && h.Index != next || h.Rows != tileRows || len(body) != h.Columns*(2*tileRows+8) {
			t.Fatalf("%+v with %d bytes after column %d", h, len(body), next)
		}
		if level := fromHalf(binary.LittleEndian.Uint16(body[200:])); level < -80 || level > 0 {
			t.Fatalf("noise at %v dB", level)
		}
		next = h.Index + int64(h.Columns)
		n += h.Columns
	}
	stop()
	// What is kept can be looked at.
	p.send(request{Op: "quiet"})
	rec, err := live.Open("live")
	if err != nil {
		t.Fatal(err)
	}
	info := rec.Info()
	tiles, heads := p.answers(pane{Key: "k", Item: "live", Look: l, Scale: mel, Rows: []int{0}, Blocks: []wanted{{Level: 0, Index: info.Frames / 64 / 256}}})
	if len(tiles) != 1 {
		t.Errorf("%+v", heads)
	}
}
