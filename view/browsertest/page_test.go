package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/view"
)

// browser is a page that is open, and what it complained about.
type browser struct {
	context.Context
	t      *testing.T
	server *view.Server
	url    string

	mu       sync.Mutex
	problems []string
}

// open shows a source, with a state in the address.
func open(t *testing.T, source view.Source, state string, width, height int) *browser {
	t.Helper()
	b := start(t, width, height)
	h, err := view.Handler(source, view.Options{Token: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		h.Close()
		server.Close()
	})
	b.server, b.url = h, server.URL+"/secret/"
	b.do(chromedp.Navigate(b.url+state), chromedp.WaitReady(".pane"))
	return b
}

// start is a browser of a size, which listens to its console. Narrow is a phone.
func start(t *testing.T, width, height int) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium: apt-get install chromium")
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(width, height), chromedp.WSURLReadTimeout(2*time.Minute),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("use-fake-ui-for-media-stream", true), chromedp.Flag("use-fake-device-for-media-stream", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 6*time.Minute)
	t.Cleanup(cancel)
	b := &browser{Context: ctx, t: t}
	chromedp.ListenTarget(ctx, func(e any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := e.(type) {
		case *runtime.EventExceptionThrown:
			b.problems = append(b.problems, e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
				for _, a := range e.Args {
					b.problems = append(b.problems, string(a.Value)+a.Description)
				}
			}
		}
	})
	b.do(emulation.SetDeviceMetricsOverride(int64(width), int64(height), 1, width < 500))
	return b
}

func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b, actions...); err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.t.Fatalf("%v; console: %q", err, b.problems)
	}
}

// eval runs a script, which may be a promise, and gives its result.
func eval[T any](b *browser, script string, args ...any) T {
	b.t.Helper()
	var out T
	b.do(chromedp.Evaluate(fmt.Sprintf(script, args...), &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return out
}

// sharp waits until nothing is missing.
func (b *browser) sharp() {
	b.t.Helper()
	eval[bool](b, `(async () => { while (!globalThis.twiddle || !twiddle.panes().length) await new Promise(d => setTimeout(d, 20)); await twiddle.sharp(); await new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d))); return true })()`)
}

// clean fails on anything that the console has shown.
func (b *browser) clean() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.problems {
		b.t.Errorf("console: %s", p)
	}
}

// picture leaves a screenshot, if somebody wants to look at it.
func (b *browser) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("TWIDDLE_SCREENSHOTS")
	if folder == "" {
		return
	}
	var png []byte
	b.do(chromedp.CaptureScreenshot(&png))
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// file writes a recording and gives a source of it.
func file(t *testing.T, rate float64, channels int, samples []float32) (view.Source, string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "tone.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: channels, Rate: rate}, samples); err != nil {
		t.Fatal(err)
	}
	s, err := view.Files(audio.Options{}, name)
	if err != nil {
		t.Fatal(err)
	}
	return s, name
}

// tones is noise with a tone of 3 kHz in its second half.
func tones(rate, seconds float64, channels int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	n := int(rate * seconds)
	x := make([]float32, n*channels)
	for i := range n {
		v := 0.001 * r.NormFloat64()
		if i > n/2 {
			v += 0.5 * math.Sin(2*math.Pi*3000/rate*float64(i))
		}
		for c := range channels {
			x[i*channels+c] = float32(v)
		}
	}
	return x
}

// brightness is the mean of the colours at a time and a frequency, read from the
// pixels on the screen.
func (b *browser) brightness(t, hz float64) float64 {
	b.t.Helper()
	return eval[float64](b, `(() => {
		const p = twiddle.panes()[0], v = twiddle.view(), s = twiddle.state;
		p.paint(false);
		const c = document.createElement('canvas'); c.width = p.pixels.width; c.height = p.pixels.height;
		const g = c.getContext('2d'); g.drawImage(p.pixels, 0, 0);
		const x = Math.round((%g - v.t0) / (v.t1 - v.t0) * c.width), part = twiddle.partOf(s.scale, %g, p.rate);
		const y = Math.round((1 - (part - s.f0) / (s.f1 - s.f0)) * c.height);
		const d = g.getImageData(x - 1, y - 1, 3, 3).data;
		let most = 0;
		for (let i = 0; i < d.length; i += 4) most = Math.max(most, (d[i] + d[i + 1] + d[i + 2]) / 3);
		return most;
	})()`, t, hz)
}

func TestToneIsBright(t *testing.T) {
	for _, paint := range []string{"webgl2", "canvas"} {
		source, _ := file(t, 48000, 2, tones(48000, 20, 2))
		b := open(t, source, "?paint="+paint, 1200, 800)
		b.sharp()
		if kind := eval[string](b, `twiddle.panes()[0].painter.kind`); kind != paint {
			t.Errorf("painted by %s, want %s", kind, paint)
		}
		for _, scale := range []string{"linear", "log", "mel"} {
			eval[bool](b, `(twiddle.change({scale: '%s'}), true)`, scale)
			b.sharp()
			tone, before, beside := b.brightness(15, 3000), b.brightness(5, 3000), b.brightness(15, 6000)
			if tone < 150 || before > 80 || beside > 80 {
				t.Errorf("%s, %s: brightness %.0f at the tone, %.0f before it, %.0f beside it", paint, scale, tone, before, beside)
			}
		}
		// Zoomed in until columns are wider than pixels.
		eval[bool](b, `(twiddle.change({scale: 'linear', t0: 9.9, t1: 10.1, f0: 0.1, f1: 0.15}), true)`)
		b.sharp()
		if tone, before := b.brightness(10.09, 3000), b.brightness(9.91, 3000); tone < 150 || before > 80 {
			t.Errorf("%s, zoomed: brightness %.0f at the tone, %.0f before it", paint, tone, before)
		}
		b.clean()
	}
}

func TestZoomSelectExport(t *testing.T) {
	source, name := file(t, 48000, 2, tones(48000, 20, 2))
	b := open(t, source, "", 1200, 800)
	b.sharp()
	type span struct{ T0, T1 float64 }
	whole := eval[span](b, `twiddle.view()`)
	// The wheel over the middle.
	eval[bool](b, `(() => { const c = document.querySelector('.marks'), r = c.getBoundingClientRect();
		for (let i = 0; i < 5; i++) c.dispatchEvent(new WheelEvent('wheel', {deltaY: -200, clientX: r.left + r.width / 2, clientY: r.top + 80, bubbles: true, cancelable: true}));
		return true })()`)
	b.sharp()
	if v := eval[span](b, `twiddle.view()`); v.T1-v.T0 > 0.3*(whole.T1-whole.T0) || v.T0 < 5 || v.T1 > 15 {
		t.Errorf("zoomed from %v to %v", whole, v)
	}
	// Keys: everything, then a selection by dragging with the mouse.
	b.do(chromedp.Focus(".marks"), chromedp.KeyEvent("0"))
	b.sharp()
	if v := eval[span](b, `twiddle.view()`); v != whole {
		t.Errorf("after 0: %v, want %v", v, whole)
	}
	box := eval[struct{ Left, Top, Width, Height float64 }](b, `(() => { const r = document.querySelector('.pixels').getBoundingClientRect(); return {Left: r.left, Top: r.top, Width: r.width, Height: r.height} })()`)
	eval[bool](b, `(twiddle.change({drag: 'select'}), true)`)
	drag(b, box.Left+0.6*box.Width, box.Top+0.2*box.Height, box.Left+0.8*box.Width, box.Top+0.95*box.Height)
	s := eval[struct{ T0, T1, F0, F1 float64 }](b, `twiddle.state.selection`)
	if math.Abs(s.T0-12) > 0.2 || math.Abs(s.T1-16) > 0.2 || s.F0 > 2000 || s.F1 < 18000 {
		t.Errorf("selected %+v", s)
	}
	b.do(chromedp.WaitVisible(".tones tbody tr"))
	if peak := eval[string](b, `document.querySelector('.tones tbody td').textContent`); peak != "3 kHz" {
		t.Errorf("the peak is %q", peak)
	}
	if hash := eval[string](b, `new Promise(d => setTimeout(() => d(location.hash), 400))`); !strings.Contains(hash, "select=") {
		t.Errorf("the address has no selection: %s", hash)
	}
	b.exports(name)
	b.picture("selected")
	// The same address shows the same.
	state := eval[json.RawMessage](b, `({v: twiddle.view(), s: twiddle.state.selection})`)
	hash := eval[string](b, `location.hash`)
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+hash), chromedp.WaitVisible(".pane .marks"))
	b.sharp()
	if again := eval[json.RawMessage](b, `({v: twiddle.view(), s: twiddle.state.selection})`); string(again) != string(state) {
		t.Errorf("reloaded: %s, was %s", again, state)
	}
	b.clean()
}
