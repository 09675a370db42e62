package browsertest

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/view"
)

// melody is plucked notes with harmonics, a hiss on every beat, and a tone that
// rises slowly.
func melody(rate float64, seconds int) []float32 {
	r := rand.New(rand.NewPCG(5, 6))
	n := int(rate) * seconds
	x := make([]float64, n)
	notes := []float64{220, 247, 262, 294, 330, 349, 392, 440, 392, 330, 294, 262}
	for k := range seconds * 2 {
		f := notes[k%len(notes)] * float64(1+k/24%2)
		begin, length := int(float64(k)*0.5*rate), int(0.48*rate)
		for i := 0; i < length && begin+i < n; i++ {
			t := float64(i) / rate
			env := 0.2 * math.Exp(-4*t) * min(1, t*200)
			for h := 1.0; h < 18; h++ {
				x[begin+i] += env / h * math.Sin(2*math.Pi*f*h*(t+0.0008*math.Sin(2*math.Pi*5*t)))
			}
		}
	}
	for k := range seconds * 4 {
		before := 0.0
		for i := range int(0.06 * rate) {
			v := r.NormFloat64() * math.Exp(-70*float64(i)/rate)
			if at := int(float64(k)*0.25*rate) + i; at < n {
				x[at] += 0.08 * (v - before)
			}
			before = v
		}
	}
	out := make([]float32, 2*n)
	for i, v := range x {
		t := float64(i) / rate
		v += 0.05 * math.Sin(2*math.Pi*(2000*t+8000/float64(seconds)*t*t))
		out[2*i] = float32(v + 0.003*r.NormFloat64())
		out[2*i+1] = float32(0.7*v + 0.003*r.NormFloat64())
	}
	return out
}

// TestPictures leaves pictures of the page for people to look at. It checks what
// a program can: nothing is wider than the screen, and the console is silent.
func TestPictures(t *testing.T) {
	folder := t.TempDir()
	tune := melody(48000, 16)
	for _, name := range []string{"melody.wav", "melody at night.wav"} {
		if err := wav.WriteFile(filepath.Join(folder, name), pcm.Format{Encoding: pcm.Int16, Channels: 2, Rate: 48000}, tune); err != nil {
			t.Fatal(err)
		}
	}
	one, err := view.Files(audio.Options{}, filepath.Join(folder, "melody.wav"))
	if err != nil {
		t.Fatal(err)
	}
	both, err := view.Files(audio.Options{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		source        view.Source
		state         string
		width, height int
		scheme        string
	}{
		{"light", one, "#select=4,8,0,24000&peaks=1&scale=mel&low=-80&high=-15", 1440, 900, "light"},
		{"dark", one, "#select=6.5,9.5,300,9000&scale=log&t0=4&t1=14&colours=ember&low=-85&high=-15", 1440, 900, "dark"},
		{"narrow", one, "#scale=mel", 390, 844, "light"},
		{"narrow-dark", one, "#scale=mel&tab=engine", 390, 844, "dark"},
		{"engine", one, "#tab=engine&t0=3&t1=9&colours=safe", 1440, 900, "dark"},
		{"two", both, "#scale=mel&harmonics=440&t0=2&t1=12", 1440, 900, "light"},
		{"wide", both, "#scale=mel", 900, 700, "dark"},
	} {
		if os.Getenv("TWIDDLE_SCREENSHOTS") == "" && c.width > 500 {
			continue // what can be checked without eyes is about narrow screens
		}
		b := open(t, c.source, "", c.width, c.height)
		b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.scheme}}),
			chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+c.state), chromedp.WaitReady(".pane .marks"))
		b.sharp()
		time.Sleep(700 * time.Millisecond) // the side panel waits for a pause
		b.picture(c.name)
		if w := eval[int](b, `document.documentElement.scrollWidth`); w > c.width {
			t.Errorf("%s: the page is %d wide on a screen of %d", c.name, w, c.width)
		}
		if c.width < 500 && os.Getenv("TWIDDLE_SCREENSHOTS") != "" {
			b.do(chromedp.Evaluate(`scrollTo(0, 100000)`, nil), chromedp.Sleep(200*time.Millisecond))
			b.picture(c.name + "-bottom")
		}
		b.clean()
	}
}
