package browsertest

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/view"
)

// TestLive shows a tone as it arrives, pauses, and looks back at it.
func TestLive(t *testing.T) {
	live, err := view.NewLive("tone", 16000, 1, 16000*20)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go func() {
		frames := make([]float32, 160)
		for at, begin := 0, time.Now(); ctx.Err() == nil; time.Sleep(5 * time.Millisecond) {
			for ; at < int(time.Since(begin).Seconds()*16000); at += len(frames) {
				for i := range frames {
					frames[i] = float32(0.5 * math.Sin(2*math.Pi*2000/16000*float64(at+i)))
				}
				live.Write(frames)
			}
		}
	}()
	b := open(t, live, "", 1000, 700)
	for range 200 {
		if eval[float64](b, `twiddle.panes().length ? twiddle.panes()[0].info.frames / 16000 : 0`) > 3 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	b.picture("live")
	// A busy machine draws late: the tone has half a minute to show.
	var v struct{ T0, T1 float64 }
	var tone, beside float64
	for range 150 {
		v = eval[struct{ T0, T1 float64 }](b, `twiddle.view()`)
		if tone, beside = b.brightness(v.T1-1, 2000), b.brightness(v.T1-1, 5000); tone >= 150 && beside <= 100 {
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	if tone < 150 || beside > 100 {
		t.Errorf("live: brightness %.0f at the tone, %.0f beside it, view %v", tone, beside, v)
	}
	b.do(chromedp.Click("#follow"))
	b.sharp()
	v = eval[struct{ T0, T1 float64 }](b, `twiddle.view()`)
	if tone, beside := b.brightness(v.T1-0.5, 2000), b.brightness(v.T1-0.5, 5000); tone < 150 || beside > 100 {
		t.Errorf("paused: brightness %.0f at the tone, %.0f beside it, view %v", tone, beside, v)
	}
	b.clean()
}

// TestMicrophone uses the browser's own, which in tests beeps.
func TestMicrophone(t *testing.T) {
	s, err := view.Samples("silence", 8000, 1, make([]float32, 8000))
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, s, "", 1000, 700)
	b.do(chromedp.Click("#mic"))
	for range 600 {
		if eval[bool](b, `twiddle.panes().length > 0 && twiddle.panes()[0].item.name === 'Browser microphone' && twiddle.panes()[0].info.frames > 20000`) {
			b.clean()
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("no samples: %s", eval[string](b, `document.getElementById('problem').textContent + JSON.stringify(twiddle.panes().map(p => p.info))`))
}

// TestMessages opens what cannot be shown: the page says why.
func TestMessages(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"text.wav": "hello, world", "empty.wav": "", "cut.wav": "RIFF\x24\x00\x00\x00WAVE"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := view.Files(audio.Options{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	nan := make([]float32, 8000)
	nan[4000] = float32(math.NaN())
	broken, err := view.Samples("broken", 8000, 1, nan)
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, view.Join(source, broken), "", 1000, 900)
	b.sharp()
	text := eval[string](b, `[...document.querySelectorAll('.message')].map(m => m.textContent).join(' | ')`)
	for _, want := range []string{"neither WAV, FLAC", "an empty file", "wav: header"} {
		if !strings.Contains(text, want) {
			t.Errorf("messages %q, want %q", text, want)
		}
	}
	about := ""
	for end := time.Now().Add(time.Minute); !strings.Contains(about, "no numbers") && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		about = eval[string](b, `document.querySelector('.about').textContent`)
	}
	if !strings.Contains(about, "no numbers") {
		t.Errorf("about NaN: %q", about)
	}
	b.picture("messages")
	b.clean()
}
