package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/view"
)

// viewReport is how fast pages are served.
type viewReport struct {
	Hours           float64  `json:"hours"`
	Channels        int      `json:"channels"`
	Rate            float64  `json:"rate"`
	FirstPictureMs  float64  `json:"first_picture_ms"`
	SharpMs         float64  `json:"sharp_ms"`
	ZoomMs          []zoomed `json:"zoom"`
	ResidentMiB     float64  `json:"resident_mib"`
	LongHours       float64  `json:"long_hours,omitempty"`
	LongFirstMs     float64  `json:"long_first_picture_ms,omitempty"`
	LongSharpMs     float64  `json:"long_sharp_ms,omitempty"`
	LongResidentMiB float64  `json:"long_resident_mib,omitempty"`
	Browser         string   `json:"browser"`
	Paint           string   `json:"paint,omitempty"`           // webgl2, or canvas where there is no GPU
	LiveMs          *float64 `json:"live_latency_ms,omitempty"` // from the arrival of samples to the picture that has them, median
	LiveWorstMs     *float64 `json:"live_worst_ms,omitempty"`   // 95 of 100 are below
	PanFPS          *float64 `json:"pan_fps,omitempty"`         // in the page
	DisplayFPS      *float64 `json:"display_fps,omitempty"`     // of the browser when nothing is drawn
	ScriptMs        *float64 `json:"script_ms,omitempty"`       // of the page's own work for a frame while panning, median
	ScriptWorstMs   *float64 `json:"script_worst_ms,omitempty"` // 95 of 100 are below
	OpenMs          *float64 `json:"open_ms,omitempty"`         // from the page's start to its sharp overview
}

// zoomed is a step of the wheel.
type zoomed struct {
	Level   int     `json:"level"`
	FirstMs float64 `json:"first_ms"`
	SharpMs float64 `json:"sharp_ms"`
}

func newBenchViewCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "view",
		Short: "Measure how soon the pictures of long recordings appear",
		Long: "Measure the pages of 'twiddle view' with a recording of noise and tones: the time to a first\n" +
			"picture of the whole recording, to a sharp picture, of a zoom step, and the memory. With a\n" +
			"Chromium, also measure the page: frames per second while panning, and the time from\n" +
			"incoming samples to their picture.",
	}
	hours := c.Flags().Float64("hours", 1, "length of the recording, 48 kHz stereo")
	long := c.Flags().Float64("long", 10, "length of a second one, for memory; 0 for none")
	folder := c.Flags().String("folder", os.TempDir(), "folder for the recordings, which are deleted afterwards")
	browser := c.Flags().String("browser", "chromium", "the Chromium to measure the page with; empty for none")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if !(*hours > 0) || !(*long >= 0) || *hours > 100 || *long > 100 {
			return usagef("--hours %g and --long %g: want up to 100", *hours, *long)
		}
		r, err := benchView(c.Context(), *hours, *long, *folder, *browser)
		if err != nil {
			return err
		}
		return show(c, *asJSON, r)
	}
	return c
}

func benchView(ctx context.Context, hours, long float64, folder, browser string) (*viewReport, error) {
	r := &viewReport{Hours: hours, Channels: 2, Rate: 48000, LongHours: long}
	debug.SetGCPercent(25) // as twiddle view has it
	name, err := noiseFile(folder, hours)
	if err != nil {
		return nil, err
	}
	defer os.Remove(name)
	err = withViewer(ctx, name, func(page *viewerPage) error {
		var err error
		if r.FirstPictureMs, r.SharpMs, err = page.overview(ctx); err != nil {
			return err
		}
		for level := page.top - 1; level >= 0; level-- {
			first, sharp, err := page.zoom(ctx, level)
			if err != nil {
				return err
			}
			r.ZoomMs = append(r.ZoomMs, zoomed{level, first, sharp})
		}
		r.ResidentMiB = residentMiB()
		return nil
	})
	if err == nil && browser != "" {
		r.inBrowser(ctx, browser, name)
	}
	if err != nil || long == 0 {
		return r, err
	}
	if err := os.Remove(name); err != nil {
		return r, err
	}
	debug.FreeOSMemory()
	longer, err := noiseFile(folder, long)
	if err != nil {
		return r, err
	}
	defer os.Remove(longer)
	return r, withViewer(ctx, longer, func(page *viewerPage) error {
		var err error
		if r.LongFirstMs, r.LongSharpMs, err = page.overview(ctx); err != nil {
			return err
		}
		for level := page.top - 1; level >= 0; level -= 3 {
			if _, _, err := page.zoom(ctx, level); err != nil {
				return err
			}
		}
		r.LongResidentMiB = residentMiB()
		return nil
	})
}

// noiseFile writes hours of noise with tones. A minute of it is repeated.
func noiseFile(folder string, hours float64) (string, error) {
	const rate, channels = 48000, 2
	name := filepath.Join(folder, fmt.Sprintf("twiddle-bench-view-%d-%g.wav", os.Getpid(), hours))
	w, err := wav.Create(name, pcm.Format{Encoding: pcm.Int16, Channels: channels, Rate: rate})
	if err != nil {
		return "", err
	}
	r := rand.New(rand.NewPCG(1, 2))
	minute := make([]float32, 60*rate*channels)
	for i := range 60 * rate {
		t := float64(i) / rate
		tone := 0.1 * math.Sin(2*math.Pi*(1000*t+20*t*t))
		for c := range channels {
			minute[i*channels+c] = float32(tone + 0.02*r.NormFloat64())
		}
	}
	for left := int(hours * 3600 * rate); left > 0 && err == nil; left -= 60 * rate {
		err = w.Write(minute[:min(left, 60*rate)*channels])
	}
	return name, errors.Join(err, w.Close())
}

// viewerPage asks a viewer as the page does.
type viewerPage struct {
	conn   *websocket.Conn
	item   string
	look   map[string]any
	hop    int64
	frames int64
	top    int // level at which all of it is on the screen
}

// screen is as many pixels as a page has for a spectrogram.
const screenWidth, screenRowLevel = 1400, 1

func withViewer(ctx context.Context, name string, f func(*viewerPage) error) error {
	source, err := view.Files(audio.Options{}, name)
	if err != nil {
		return err
	}
	h, err := view.Handler(source, view.Options{})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- serveView(ctx, ln, h) }()
	defer func() {
		cancel()
		<-served
	}()
	base := "http://" + ln.Addr().String()
	resp, err := http.Get(base + "/api/info?item=" + url.QueryEscape(name))
	if err != nil {
		return err
	}
	var about struct {
		Info struct{ Frames int64 }
		Look map[string]any
	}
	err = json.NewDecoder(resp.Body).Decode(&about)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	conn, _, err := websocket.Dial(ctx, base+"/api/socket", nil)
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 24)
	p := &viewerPage{conn: conn, item: name, look: about.Look, hop: int64(about.Look["hop"].(float64)), frames: about.Info.Frames}
	for p.frames>>p.top > p.hop*screenWidth {
		p.top++
	}
	return f(p)
}

// overview asks for all of the recording.
func (p *viewerPage) overview(ctx context.Context) (firstMs, sharpMs float64, err error) {
	return p.ask(ctx, p.top, 0, p.frames)
}

// zoom asks for the middle of the recording at a level.
func (p *viewerPage) zoom(ctx context.Context, level int) (firstMs, sharpMs float64, err error) {
	half := int64(screenWidth) * p.hop << level / 2
	return p.ask(ctx, level, max(0, p.frames/2-half), min(p.frames, p.frames/2+half))
}

// ask sends a request and waits until every tile is there, as a first impression
// and then sharp.
func (p *viewerPage) ask(ctx context.Context, level int, from, to int64) (firstMs, sharpMs float64, err error) {
	const columns = 256
	var blocks []map[string]any
	first, last := from/(p.hop<<level)/columns, (to-1)/(p.hop<<level)/columns
	for i := first; i <= last; i++ {
		blocks = append(blocks, map[string]any{"level": level, "index": i})
	}
	request, err := json.Marshal(map[string]any{"op": "want", "panes": []any{map[string]any{"key": "a", "item": p.item, "look": p.look, "scale": "linear",
		"rowLevel": screenRowLevel, "rows": []int{0, 1}, "blocks": blocks}}})
	if err != nil {
		return 0, 0, err
	}
	want := len(blocks) * 2
	seen, sharp := map[[2]int64]bool{}, map[[2]int64]bool{}
	start := time.Now()
	if err := p.conn.Write(ctx, websocket.MessageText, request); err != nil {
		return 0, 0, err
	}
	for len(sharp) < want {
		_, data, err := p.conn.Read(ctx)
		if err != nil {
			return 0, 0, err
		}
		var h struct {
			Op, Error  string
			Level, Row int
			Index      int64
			Coarse     bool
		}
		if err := json.Unmarshal(data[4:4+binary.LittleEndian.Uint32(data)], &h); err != nil {
			return 0, 0, err
		}
		switch {
		case h.Op == "error":
			return 0, 0, errors.New(h.Error)
		case h.Op != "tile" || h.Level != level:
			continue
		}
		key := [2]int64{h.Index, int64(h.Row)}
		if seen[key] = true; len(seen) == want && firstMs == 0 {
			firstMs = float64(time.Since(start).Microseconds()) / 1e3
		}
		if !h.Coarse {
			sharp[key] = true
		}
	}
	return firstMs, float64(time.Since(start).Microseconds()) / 1e3, nil
}

// residentMiB is the memory of this process that is in use, as Linux counts it;
// NaN elsewhere.
func residentMiB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return math.NaN()
	}
	for line := range strings.Lines(string(text)) {
		var kib float64
		if n, err := fmt.Sscanf(line, "VmRSS: %f kB", &kib); n == 1 && err == nil {
			return kib / 1024
		}
	}
	return math.NaN()
}

// pageReport is what a page says of itself.
type pageReport struct {
	Paint                                                   string
	FPS, Display, Open, Script, ScriptWorst, Latency, Worst *float64
}

// inBrowser lets a browser show the page, which measures itself.
func (r *viewReport) inBrowser(ctx context.Context, browser, name string) {
	path, err := exec.LookPath(browser)
	if err != nil {
		r.Browser = "none: " + err.Error()
		return
	}
	r.Browser = filepath.Base(path)
	var measured pageReport
	for _, what := range []string{"pan", "live"} {
		if err := r.measurePage(ctx, path, name, what, &measured); err != nil {
			r.Browser += ": " + err.Error()
			return
		}
	}
	r.Paint, r.ScriptMs, r.ScriptWorstMs = measured.Paint, measured.Script, measured.ScriptWorst
	r.PanFPS, r.DisplayFPS, r.OpenMs, r.LiveMs, r.LiveWorstMs = measured.FPS, measured.Display, measured.Open, measured.Latency, measured.Worst
}

// measurePage opens the page with a task in its address and waits for its report.
func (r *viewReport) measurePage(ctx context.Context, browser, name, task string, into *pageReport) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	var source view.Source
	var err error
	if task == "live" {
		live, err := view.NewLive("live", 48000, 1, 60*48000)
		if err != nil {
			return err
		}
		go feedNoise(ctx, live)
		source = live
	} else if source, err = view.Files(audio.Options{}, name); err != nil {
		return err
	}
	reports := make(chan json.RawMessage, 1)
	h, err := view.Handler(source, view.Options{Report: func(m json.RawMessage) {
		select {
		case reports <- m:
		default:
		}
	}})
	if err != nil {
		return err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go serveView(ctx, ln, h)
	profile, err := os.MkdirTemp("", "twiddle-browser-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)
	p := exec.CommandContext(ctx, browser, "--headless=new", "--no-sandbox", "--disable-background-networking", "--no-first-run",
		"--window-size=1440,900", "--user-data-dir="+profile, fmt.Sprintf("http://%s/#measure=%s", ln.Addr(), task))
	p.Stdout, p.Stderr = io.Discard, io.Discard
	if err := p.Start(); err != nil {
		return err
	}
	defer func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	}()
	select {
	case m := <-reports:
		return json.Unmarshal(m, into)
	case <-ctx.Done():
		return fmt.Errorf("the page reported nothing: %w", context.Cause(ctx))
	}
}

// feedNoise writes noise as a microphone would.
func feedNoise(ctx context.Context, live *view.Live) {
	r := rand.New(rand.NewPCG(3, 4))
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	frames := make([]float32, 480)
	for ctx.Err() == nil {
		<-tick.C
		for i := range frames {
			frames[i] = float32(0.1 * r.NormFloat64())
		}
		_ = live.Write(frames)
	}
}

func (r *viewReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%g h of %g Hz, %d channels\n", r.Hours, r.Rate, r.Channels)
	fmt.Fprintf(&b, "  first picture of all of it   %8.0f ms   (at most 500)\n", r.FirstPictureMs)
	fmt.Fprintf(&b, "  all of it sharp              %8.0f ms   (at most 4000)\n", r.SharpMs)
	worst := zoomed{}
	for _, z := range r.ZoomMs {
		fmt.Fprintf(&b, "  zoom step to level %2d        %8.1f ms, sharp %.1f ms\n", z.Level, z.FirstMs, z.SharpMs)
		worst.FirstMs, worst.SharpMs = max(worst.FirstMs, z.FirstMs), max(worst.SharpMs, z.SharpMs)
	}
	fmt.Fprintf(&b, "  slowest zoom step            %8.1f ms, sharp %.1f ms   (at most 50)\n", worst.FirstMs, worst.SharpMs)
	fmt.Fprintf(&b, "  resident                     %8.0f MiB\n", r.ResidentMiB)
	if r.LongHours > 0 {
		fmt.Fprintf(&b, "%g h: first picture %.0f ms, sharp %.0f ms, resident %.0f MiB (at most 300)\n", r.LongHours, r.LongFirstMs, r.LongSharpMs, r.LongResidentMiB)
	}
	fmt.Fprintf(&b, "browser: %s\n", r.Browser)
	line := func(what string, v *float64, unit string) {
		if v != nil {
			fmt.Fprintf(&b, "  %-28s %8.1f %s\n", what, *v, unit)
		}
	}
	if r.Paint != "" {
		fmt.Fprintf(&b, "  painted by %s\n", r.Paint)
	}
	line("page opened to all sharp", r.OpenMs, "ms")
	line("panning", r.PanFPS, "frames a second (60 is asked for)")
	line("the page's work for a frame", r.ScriptMs, "ms, median (16.7 is a frame)")
	line("the page's work, 95 %", r.ScriptWorstMs, "ms")
	line("nothing to draw", r.DisplayFPS, "frames a second")
	line("samples to pixels, median", r.LiveMs, "ms (at most 60)")
	line("samples to pixels, 95 %", r.LiveWorstMs, "ms")
	_, err := io.WriteString(w, b.String())
	return err
}
