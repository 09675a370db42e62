package browsertest

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// report has 'twiddle analyze' write a page about four seconds: 1 kHz all the time, and
// 5 kHz in the second half.
func report(t *testing.T) string {
	t.Helper()
	const rate = 16000
	x := make([]float32, 4*rate)
	for i := range x {
		v := 0.4 * math.Sin(2*math.Pi*1000/rate*float64(i))
		if i > len(x)/2 {
			v += 0.2 * math.Sin(2*math.Pi*5000/rate*float64(i))
		}
		x[i] = float32(v)
	}
	folder := t.TempDir()
	name, page := filepath.Join(folder, "two tones.wav"), filepath.Join(folder, "report.html")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: rate}, x); err != nil {
		t.Fatal(err)
	}
	analyze := exec.CommandContext(t.Context(), "go", "run", "./cmd/twiddle", "analyze", name, "--out", page)
	analyze.Dir = filepath.Join("..", "..")
	if out, err := analyze.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return page
}

// at is the place on the screen of a point of a picture: shares of its width, and of its
// height from below.
func (b *browser) at(kind string, x, y float64) (float64, float64) {
	b.t.Helper()
	p := eval[[2]float64](b, `(() => { const c = document.querySelector('canvas[data-kind=%s]'); c.scrollIntoView({block: 'center'});
		const r = c.getBoundingClientRect(), right = '%[1]s' === 'psd' ? 14 : 62;
		return [r.left + 58 + %g * (r.width - 58 - right), r.top + 8 + (1 - %g) * (r.height - 48)] })()`, kind, x, y)
	return p[0], p[1]
}

// said is what the page says about a point: by the mouse, or by a finger on a phone. A
// busy browser may still be scrolling when the pointer comes, so it comes again where
// the page says nothing.
func (b *browser) said(phone bool, kind string, x, y float64) (text string) {
	b.t.Helper()
	for range 20 {
		px, py := b.at(kind, x, y)
		if phone {
			b.do(input.DispatchTouchEvent(input.TouchStart, []*input.TouchPoint{{X: px, Y: py}}), input.DispatchTouchEvent(input.TouchEnd, []*input.TouchPoint{}))
		} else {
			b.do(input.DispatchMouseEvent(input.MouseMoved, px, py+1), input.DispatchMouseEvent(input.MouseMoved, px, py))
		}
		text = eval[string](b, `new Promise(d => requestAnimationFrame(() => requestAnimationFrame(() => d(document.querySelector('canvas[data-kind=%s] + output').textContent))))`, kind)
		if text != "" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return text
}

var decibels = regexp.MustCompile(`(-?[\d.]+) dB`)

// level is the last number of decibels in what the page says.
func level(t *testing.T, said string) float64 {
	t.Helper()
	m := decibels.FindStringSubmatch(said)
	if m == nil {
		t.Errorf("no level in %q", said)
		return math.NaN()
	}
	v, _ := strconv.ParseFloat(m[1], 64)
	return v
}

// TestReport uses what the page of a recording offers: hovering, logarithmic frequency, the
// player and clicks that move it, on a screen and on a phone.
func TestReport(t *testing.T) {
	page := report(t)
	for _, width := range []int{1280, 390} {
		phone := width < 500
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			b := start(t, width, 844)
			b.do(emulation.SetTouchEmulationEnabled(phone), chromedp.Navigate("file://"+page), chromedp.WaitReady("canvas", chromedp.ByQuery), chromedp.Sleep(time.Second))
			b.picture(fmt.Sprint("report-", width))
			if w := eval[int](b, `document.documentElement.scrollWidth`); w > width {
				t.Errorf("the page is %d wide on a screen of %d", w, width)
			}
			place := func(f float64) float64 { return f / 8000 }
			for _, scale := range []string{"linear", "logarithmic"} {
				if scale == "logarithmic" {
					b.do(chromedp.Click(".choice", chromedp.ByQuery))
					place = func(f float64) float64 { return math.Log(f/20) / math.Log(8000./20) }
				}
				tone, before, beside := b.said(phone, "levels", 0.75, place(5000)), b.said(phone, "levels", 0.25, place(5000)), b.said(phone, "levels", 0.75, place(3000))
				if !strings.Contains(tone, "5000.0 Hz") || level(t, tone) < level(t, before)+30 || level(t, tone) < level(t, beside)+30 {
					t.Errorf("%s: %q at the tone, %q before it, %q beside it", scale, tone, before, beside)
				}
				b.picture(fmt.Sprint("report-", width, "-", scale))
				curve := b.said(phone, "psd", place(1000), 0.5)
				if !strings.Contains(curve, "1000.0 Hz") || level(t, curve) < level(t, b.said(phone, "psd", place(3000), 0.5))+30 {
					t.Errorf("%s: %q at the peak", scale, curve)
				}
				b.picture(fmt.Sprint("report-", width, "-", scale, "-density"))
			}
			if wave := b.said(phone, "wave", 0.75, 0.5); !strings.Contains(wave, "3.0") {
				t.Errorf("%q at the waveform", wave)
			}
			// A click moves the player, which then plays from there.
			x, y := b.at("wave", 0.5, 0.5)
			b.do(chromedp.MouseClickXY(x, y))
			if now := eval[float64](b, `document.querySelector('audio').currentTime`); math.Abs(now-2) > 0.05 {
				t.Errorf("a click in the middle of 4 s moved the player to %g s", now)
			}
			later := eval[float64](b, `(async () => { const a = document.querySelector('audio'); await a.play(); await new Promise(d => setTimeout(d, 600)); a.pause(); return a.currentTime })()`)
			if later < 2.1 || later > 3.9 {
				t.Errorf("after playing, the player is at %g s", later)
			}
			b.picture(fmt.Sprint("report-", width, "-playing"))
			b.clean()
		})
	}
}
