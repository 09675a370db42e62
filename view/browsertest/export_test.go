package browsertest

import (
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// drag moves the mouse with its button down.
func drag(b *browser, x0, y0, x1, y1 float64) {
	b.t.Helper()
	mouse := func(kind input.MouseType, x, y float64) chromedp.Action {
		p := input.DispatchMouseEvent(kind, x, y).WithButton(input.Left)
		if kind != input.MouseMoved {
			p = p.WithClickCount(1)
		}
		return p.WithButtons(1)
	}
	b.do(mouse(input.MousePressed, x0, y0), mouse(input.MouseMoved, (x0+x1)/2, (y0+y1)/2), mouse(input.MouseMoved, x1, y1), mouse(input.MouseReleased, x1, y1))
}

// exports takes along what the panel offers, as its buttons do.
func (b *browser) exports(name string) {
	b.t.Helper()
	files := eval[map[string]string](b, `(async () => {
		const out = {}, made = [], create = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
		URL.createObjectURL = blob => { made.push(blob); return create(blob) };
		HTMLAnchorElement.prototype.click = function () { this.dataset.saved = '1'; out.last = this.download };
		for (const button of document.querySelectorAll('[data-file], .png')) {
			const n = made.length;
			button.click();
			for (let i = 0; i < 400 && made.length === n; i++) await new Promise(d => setTimeout(d, 20));
			if (made.length === n) { out[button.textContent] = 'nothing: ' + document.querySelector('.about').textContent; continue }
			out[button.textContent] = out.last + ' ' + (await made[n].slice(0, 60).text());
		}
		URL.createObjectURL = create; HTMLAnchorElement.prototype.click = click;
		for (const button of document.querySelectorAll('[data-text]')) {
			document.querySelector('.text').textContent = '';
			button.click();
			for (let i = 0; i < 200 && !document.querySelector('.text').textContent; i++) await new Promise(d => setTimeout(d, 20));
			out[button.textContent] = document.querySelector('.text').textContent;
		}
		return out })()`)
	for what, want := range map[string][]string{
		"WAV": {"tone-", ".wav RIFF", "WAVE"}, "PNG": {"tone.png", "PNG"}, "CSV spectrum": {"-spectrum.csv frequency,density_1,density_2\n0,"},
		"CSV spectrogram": {"-spectrogram.csv time,0,"}, "Command": {"twiddle welch --in " + name + " --frames "}, "Go program": {"package main", "signal.Welch", name},
	} {
		for _, w := range want {
			if !strings.Contains(files[what], w) {
				b.t.Errorf("%s: %q, want %q", what, files[what], w)
			}
		}
	}
}
