package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// lines is output that another goroutine reads while it is written.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// startView runs twiddle view and gives the address of its page, and how to
// interrupt it, which gives the exit status.
func startView(t *testing.T, in io.Reader, args ...string) (address string, interrupt func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var out, bad lines
	ended := make(chan int, 1)
	go func() {
		root := newRootCommand()
		root.SetArgs(append([]string{"view", "--no-open"}, args...))
		root.SetIn(in)
		root.SetOut(&out)
		root.SetErr(&bad)
		status := 0
		if err := root.ExecuteContext(ctx); err != nil {
			bad.Write([]byte(err.Error()))
			status = 1
		}
		ended <- status
	}()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if strings.Contains(out.String(), "\n") {
			return strings.TrimSpace(out.String()), func() int {
				cancel()
				select {
				case s := <-ended:
					return s
				case <-time.After(time.Minute):
					t.Error("an interrupt did not end the viewer")
					return -1
				}
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	t.Fatalf("no address: %s", bad.String())
	return "", nil
}

func pageText(t *testing.T, address string) string {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r.Status, err, string(text))
	}
	return string(text)
}

func TestViewServesAndEnds(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}, make([]float32, 9000)); err != nil {
		t.Fatal(err)
	}
	address, interrupt := startView(t, nil, name)
	if !strings.HasPrefix(address, "http://127.0.0.1:") || !strings.Contains(pageText(t, address), "main.js") || !strings.Contains(pageText(t, address+"api/items"), "a.wav") {
		t.Error(address)
	}
	if status := interrupt(); status != 0 {
		t.Errorf("status %d", status)
	}
	if _, err := http.Get(address); err == nil {
		t.Error("it still serves")
	}
}

// TestViewRecords sends samples to standard input, which stays open, and
// interrupts: what arrived is in the file.
func TestViewRecords(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.wav")
	r, w := io.Pipe()
	defer w.Close()
	address, interrupt := startView(t, r, "-", "--raw", "int16", "--fs", "8000", "--record", out)
	if _, err := w.Write(make([]byte, 2*8000)); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		if strings.Contains(pageText(t, address+"api/info?item=standard+input"), `"frames":8000`) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if status := interrupt(); status != 0 {
		t.Errorf("status %d", status)
	}
	f, err := audio.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Info.Frames != 8000 || f.Warning() != nil {
		t.Errorf("%+v, %v", f.Info, f.Warning())
	}
}

func TestViewUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "no recording is named"}, {"nothing.wav", "no such file"}, {"--record x.wav a.wav", "--record is for what arrives live"}, {"--mic a.wav", "--mic and"},
		{"- --raw int17 --fs 1", "--raw"}, {"- --raw int16", "--raw needs --fs"}, {"--device moon a.wav", "--device"}, {"--porch 1 a.wav", "--port"}, {"--port 99999 a.wav", "--port 99999: want a number from 0 to 65535"},
		{"- --raw int16 --fs 8000 --record x.mp3", ".wav"},
	} {
		var out, bad bytes.Buffer
		if status := run(t.Context(), append([]string{"view", "--no-open"}, strings.Fields(c.args)...), &out, &bad); status == 0 || !strings.Contains(bad.String(), c.want) {
			t.Errorf("view %s: status %d: %s", c.args, status, bad.String())
		}
	}
}

// A folder without recordings is served, for some may come, but not in silence.
func TestViewOfAnEmptyFolder(t *testing.T) {
	folder := t.TempDir()
	var bad bytes.Buffer
	c := newViewCommand()
	c.SetErr(&bad)
	if _, err := recordings(c, audio.Options{}, []string{folder}); err != nil || !strings.Contains(bad.String(), folder+": no recordings: their names end in .wav") {
		t.Errorf("%v: %q", err, bad.String())
	}
	bad.Reset()
	toneFile(t, filepath.Join(folder, "a.wav"), 1000)
	if _, err := recordings(c, audio.Options{}, []string{folder}); err != nil || bad.String() != "" {
		t.Errorf("%v: %q", err, bad.String())
	}
}

// TestFramesOfAFile compares a part by --frames with all of a shorter file.
func TestFramesOfAFile(t *testing.T) {
	folder := t.TempDir()
	x := make([]float32, 4000)
	for i := range x {
		x[i] = float32(i%173) / 256
	}
	f := pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000}
	long, short := filepath.Join(folder, "long.wav"), filepath.Join(folder, "short.wav")
	if err := wav.WriteFile(long, f, x); err != nil {
		t.Fatal(err)
	}
	if err := wav.WriteFile(short, f, x[500:3000]); err != nil {
		t.Fatal(err)
	}
	spectrum := func(args ...string) string {
		var out, bad bytes.Buffer
		if status := run(t.Context(), append([]string{"welch", "--json"}, args...), &out, &bad); status != 0 {
			t.Fatal(bad.String())
		}
		return out.String()
	}
	if a, b := spectrum("--in", long, "--frames", "500:3000"), spectrum("--in", short); a != b {
		t.Error("a part has another spectrum than the same samples alone")
	}
	for _, frames := range []string{"1", "5:2", "a:b", "-1:5", "0:4001"} {
		var out, bad bytes.Buffer
		if status := run(t.Context(), []string{"welch", "--json", "--in", long, "--frames", frames}, &out, &bad); status != 2 {
			t.Errorf("--frames %s: status %d: %s", frames, status, bad.String())
		}
	}
}

// TestMicrophoneTriesRecorders: one that is installed but has no server to ask is
// passed over, and if all are, the reasons are told.
func TestMicrophoneTriesRecorders(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("recorders are shell scripts here")
	}
	folder := t.TempDir()
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("pw-record", "echo no server >&2; exit 3")
	t.Setenv("PATH", folder+string(os.PathListSeparator)+"/bin"+string(os.PathListSeparator)+"/usr/bin")
	t.Setenv("PULSE_SERVER", "unix:"+filepath.Join(folder, "none"))
	script("parec", "echo refused >&2; exit 1")
	script("arecord", "exit 1")
	if _, _, err := microphone(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "no server") || !strings.Contains(err.Error(), "refused") {
		t.Fatalf("all recorders fail: %v", err)
	}
	script("parec", "exec cat /dev/zero")
	source, end, err := microphone(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	items, err := source.Items()
	if err != nil || len(items) != 1 || !items[0].Live {
		t.Fatalf("items %v, %v", items, err)
	}
}

// A file that cannot be opened is an error, not a page; of several, the others are shown.
func TestViewBadFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	empty, prose := write("empty.csv", ""), write("prose.csv", "time,ax\n")
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{empty}, "an empty file (" + empty + ")"},
		{[]string{prose}, "no table of numbers: there is only line 1, \"time,ax\" (" + prose + ")\n"},
		{[]string{prose, empty}, "an empty file"},
		{[]string{filepath.Join(dir, "missing.wav")}, "missing.wav"},
	} {
		status, out, bad := twiddle(t, append([]string{"view", "--no-open"}, c.names...)...)
		if status != 1 || out != "" || !strings.Contains(bad, c.want) || strings.Count(bad, "\n") != 1 {
			t.Errorf("view %v: status %d, %q, %q; want %q", c.names, status, out, bad, c.want)
		}
	}
	_, interrupt := startView(t, nil, empty, write("good.csv", "1\n2\n3\n"))
	if status := interrupt(); status != 0 {
		t.Errorf("one of two files is good: status %d", status)
	}
}
