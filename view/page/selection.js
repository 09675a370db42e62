// What is selected: its levels, its spectrum, its peaks; to be played and taken
// along.

import uPlot from './vendor/uplot.js';
import { get } from './link.js';
import { formatDB, formatHz, formatTime } from './scales.js';
import { change, state } from './state.js';

export class SelectionPanel {
  constructor(root, { part, png, play }) {
    this.root = root;
    this.part = part;   // the query of what is selected, or shown if nothing is
    this.png = png;
    this.play = play;
    this.result = null;
    root.innerHTML = `
      <div class="fields"><label>From, s<input type="number" step="any" name="from" aria-label="Beginning of the selection in seconds"></label>
        <label>To, s<input type="number" step="any" name="to" aria-label="End of the selection in seconds"></label></div>
      <p class="note about"></p>
      <div class="chart" role="img" aria-label="Power spectrum"></div>
      <div class="actions"><button class="play">Play</button><button class="peaks" aria-pressed="false">Mark peaks</button><button class="harmonics" aria-pressed="false">Harmonics</button></div>
      <h3>Levels</h3><table class="levels"><thead><tr><th>Channel</th><th>RMS</th><th>Peak</th><th>DC</th></tr></thead><tbody></tbody></table>
      <h3>Peaks</h3><table class="tones"><thead><tr><th>Frequency</th><th>Level</th><th>Prominence</th></tr></thead><tbody></tbody></table>
      <p class="note none"></p>
      <h3>Export</h3>
      <div class="actions"><button data-file="wav">WAV</button><button class="png">PNG</button><button data-file="spectrum.csv">CSV spectrum</button><button data-file="spectrogram.csv">CSV spectrogram</button>
        <button data-text="command">Command</button><button data-text="go">Go program</button></div>
      <pre class="text" hidden tabindex="0"></pre><button class="copy" hidden>Copy</button>`;
    const q = s => root.querySelector(s);
    this.at = { from: q('[name=from]'), to: q('[name=to]'), about: q('.about'), chart: q('.chart'), levels: q('.levels tbody'), tones: q('.tones tbody'), none: q('.none'), text: q('.text'), copy: q('.copy'), play: q('.play'), peaks: q('.peaks'), harmonics: q('.harmonics') };
    for (const name of ['from', 'to']) this.at[name].addEventListener('change', () => this.typed());
    this.at.play.addEventListener('click', () => play());
    this.at.peaks.addEventListener('click', () => change({ peaks: !state.peaks }));
    this.at.harmonics.addEventListener('click', () => this.toggleHarmonics());
    q('.png').addEventListener('click', png);
    for (const b of root.querySelectorAll('[data-file]')) b.addEventListener('click', () => this.download(b.dataset.file, b));
    for (const b of root.querySelectorAll('[data-text]')) b.addEventListener('click', () => this.show(b.dataset.text));
    this.at.copy.addEventListener('click', () => this.copy());
  }

  toggleHarmonics(hz) {
    const strongest = this.result && this.result.peaks.length ? this.result.peaks[0].frequency : 0;
    change({ harmonics: state.harmonics ? 0 : hz || strongest });
  }

  typed() {
    const t0 = +this.at.from.value, t1 = +this.at.to.value;
    if (!(t1 > t0)) return;
    const p = this.part(), s = state.selection || { f0: p.lowest, f1: p.rate / 2 };
    change({ selection: { ...s, t0: Math.max(0, t0), t1 } });
  }

  // refresh asks for what is selected now, after a while without changes.
  refresh(delay = 180) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), delay);
    this.at.peaks.setAttribute('aria-pressed', String(state.peaks));
    this.at.harmonics.setAttribute('aria-pressed', String(state.harmonics > 0));
  }

  async load() {
    const p = this.part();
    if (!p) return;
    const key = JSON.stringify(p.query);
    if (key === this.key) return;
    this.key = key;
    if (this.stop) this.stop.abort();
    this.stop = new AbortController();
    const stop = this.stop;
    this.at.about.textContent = 'computing…';
    try {
      this.result = await get('api/selection', p.query, stop.signal);
      this.fill(p);
    } catch (e) {
      if (stop.signal.aborted) return;
      this.result = null;
      this.at.about.textContent = e.message;
    }
    this.onresult && this.onresult();
  }

  fill(p) {
    const r = this.result;
    this.at.from.value = +(r.from / p.rate).toFixed(6);
    this.at.to.value = +(r.to / p.rate).toFixed(6);
    const what = state.selection ? 'Selected' : 'On the screen';
    this.at.about.textContent = `${what}: ${formatTime(r.seconds, r.seconds < 10 ? 0.001 : 1)} of ${p.name}, ${r.segments === 1 ? '1 segment' : r.segments + ' segments'}. ${r.note || ''}`;
    const rows = (body, list) => body.replaceChildren(...list.map(cells => {
      const tr = document.createElement('tr');
      for (const c of cells) {
        const td = document.createElement('td');
        td.textContent = c;
        tr.append(td);
      }
      return tr;
    }));
    rows(this.at.levels, r.channels.map(c => [p.lowest < 0 ? 'IQ'[c.channel - 1] : String(c.channel), ...[c.rms, c.peak].map(v => v !== null ? formatDB(v) : c.dc === null ? 'no number' : 'silence'), c.dc === null ? 'no number' : (+c.dc.toFixed(4) + 0).toFixed(4)]));
    const s = state.selection;
    r.shown = r.peaks.filter(x => !s || x.frequency >= s.f0 && x.frequency <= s.f1);
    rows(this.at.tones, r.shown.map(x => [formatHz(x.frequency), formatDB(x.level), x.prominence.toFixed(1) + ' dB']));
    this.at.none.textContent = r.shown.length ? '' : 'Nothing stands out of the noise.';
    this.chart(r);
  }

  chart(r) {
    const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const log = state.scale !== 'linear' && r.hz[0] >= 0;
    const from = log ? 1 : 0;
    const data = [r.hz.slice(from), r.level.slice(from)];
    const width = this.at.chart.clientWidth || 300;
    if (this.plot && this.log === log) {
      this.plot.setSize({ width, height: 170 });
      this.plot.setData(data);
      return;
    }
    if (this.plot) this.plot.destroy();
    this.log = log;
    const axis = { stroke: () => css('--quiet'), font: '11px system-ui, sans-serif', grid: { stroke: () => css('--line'), width: 1 }, ticks: { show: false } };
    this.plot = new uPlot({
      width, height: 170, padding: [8, 6, 0, 0],
      cursor: { y: false, points: { size: 5 } },
      legend: { show: true, live: true, markers: { show: false } },
      scales: { x: { time: false, distr: log ? 3 : 1, range: (u, low, high) => [log ? 10 ** Math.floor(Math.log10(low)) : low, high] } },
      axes: [{ ...axis, size: 26, gap: 2, space: 40, values: (u, list) => list.map(v => v === null ? '' : formatHz(v, false)),
        filter: (u, list) => list.map(v => !log || /^1(e|$)/.test(v.toExponential()) ? v : null) }, { ...axis, size: 38, values: (u, list) => list.map(v => v.toFixed(0)) }],
      series: [{ label: 'Frequency', value: (u, v) => v === null ? '–' : formatHz(v) }, { label: 'Level', value: (u, v) => v === null ? '–' : formatDB(v), stroke: () => css('--accent'), width: 1.2, points: { show: false }, spanGaps: false }],
    }, data, this.at.chart);
  }

  redraw() { if (this.plot) this.plot.redraw(false, true); }

  query() { return new URLSearchParams(this.part().query); }

  async download(what, button) {
    button.disabled = true;
    try {
      const r = await fetch(`api/export/${what}?${this.query()}`);
      if (!r.ok) throw new Error((await r.text()).trim());
      const name = /filename="([^"]+)"/.exec(r.headers.get('Content-Disposition') || '');
      save(await r.blob(), name ? name[1] : what);
    } catch (e) {
      this.at.about.textContent = e.message;
    }
    button.disabled = false;
  }

  async show(what) {
    const r = await fetch(`api/export/${what}?${this.query()}`);
    this.at.text.textContent = (await r.text()).trim();
    this.at.text.hidden = this.at.copy.hidden = false;
    this.at.text.focus();
  }

  async copy() {
    await navigator.clipboard.writeText(this.at.text.textContent);
    this.at.copy.textContent = 'Copied';
    setTimeout(() => { this.at.copy.textContent = 'Copy'; }, 1500);
  }
}

// save gives the user a file.
export function save(blob, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}
