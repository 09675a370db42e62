// A recording on the page: its name, waveform, spectrogram and what is marked
// there.

import { CanvasPainter } from './paint_canvas.js';
import { GLPainter } from './paint_gl.js';
import { Tiles } from './tiles.js';
import { Wave } from './wave.js';
import { axisHeight, drawMarks } from './marks.js';
import { gestures } from './gestures.js';
import { formatHz, formatTime } from './scales.js';
import { state } from './state.js';

export class Pane {
  constructor(item, info, look, actions, { paint = null } = {}) {
    this.item = item;
    this.info = info;
    this.suited = look;    // what suits the recording
    this.actions = actions;
    this.root = document.createElement('section');
    this.root.className = 'pane';
    this.root.setAttribute('aria-label', item.name);
    this.root.innerHTML = `<header><b></b><span></span><span class="busy" role="status">computing…</span></header>
      <div class="wave"></div>
      <div class="spectrum"><canvas class="pixels"></canvas><canvas class="marks" tabindex="0" role="img"></canvas></div>
      <p class="message" role="alert" hidden></p>`;
    const part = selector => this.root.querySelector(selector);
    [this.waveBox, this.box, this.pixels, this.canvas, this.message] = ['.wave', '.spectrum', '.pixels', '.marks', '.message'].map(part);
    part('b').textContent = item.name;
    this.canvas.setAttribute('aria-label', `Spectrogram of ${item.name}. Arrow keys pan, plus and minus zoom, S selects.`);
    this.painter = (paint !== 'canvas' && GLPainter.make(this.pixels, { anyway: paint === 'webgl2' })) || new CanvasPainter(this.pixels);
    this.painter.onrestore = () => actions.redraw();
    this.tiles = null;
    this.view = null;
    this.describe();
    gestures(this.canvas, {
      place: e => this.place(e),
      zoom: (t, f, at) => actions.zoom(t, f, at, this),
      pan: (x, y) => actions.pan(x, y),
      hover: at => actions.hover(at && this.inside(at) ? at : null, this),
      select: (a, b, done) => actions.select(a, b, done, this),
      dragMode: actions.dragMode,
      double: at => actions.double(at, this),
    });
  }

  mount(parent) {
    parent.append(this.root);
    this.gutter = parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--gutter'));
    this.wave = new Wave(this.waveBox, this.gutter, () => [this.view ? this.view.t0 : 0, this.view ? this.view.t1 : 1]);
    this.resize();
  }

  unmount() {
    if (this.tiles) this.tiles.clear();
    this.wave.remove();
    this.root.remove();
  }

  get rate() { return this.info.rate || 1; }
  get scale() { return this.info.iq ? 'iq' : state.scale; }
  get lowest() { return this.info.iq ? -this.rate / 2 : 0; } // frequency
  get seconds() { return this.info.frames / this.rate; }

  describe() {
    const i = this.info;
    const words = [i.format, i.encoding, i.iq ? 'I and Q' : i.channels === 1 ? '1 channel' : `${i.channels} channels`, i.rate ? formatHz(i.rate) : 'no rate: times are in samples'];
    if (!i.live) words.push(i.rate ? formatTime(i.frames / i.rate, i.frames / i.rate < 60 ? 0.01 : 1) : `${i.frames} samples`);
    this.root.querySelector('header span').textContent = words.join(' · ');
    this.say(i.frames === 0 && !i.live ? 'This recording has no samples.' : i.warning || '', true);
  }

  update(info) {
    this.info = info;
    if (this.tiles) this.tiles.grow(info.frames);
    this.describe();
  }

  say(text, note = false) {
    this.message.hidden = !text;
    this.message.textContent = text;
    this.message.classList.toggle('note', note);
  }

  // see takes a look at the recording; another look has other tiles.
  see(look) {
    const key = JSON.stringify([this.item.id, look, this.scale]);
    if (key === this.key) return;
    if (this.tiles) this.tiles.clear();
    this.key = key;
    this.look = look;
    this.tiles = new Tiles(this.painter, look.hop, this.rate);
    this.tiles.grow(this.info.frames);
    this.say(this.info.warning || '', true);
  }

  resize() {
    const dpr = window.devicePixelRatio || 1, width = this.box.clientWidth, height = this.box.clientHeight;
    const key = [dpr, width, height, this.waveBox.clientWidth, this.waveBox.clientHeight].join();
    if (key === this.size) return;
    this.size = key;
    this.area = { left: this.gutter, top: 0, width: Math.max(10, width - this.gutter), height: Math.max(10, height - axisHeight) };
    const size = (canvas, w, h) => {
      canvas.width = Math.round(w * dpr);
      canvas.height = Math.round(h * dpr);
      canvas.style.width = w + 'px';
      canvas.style.height = h + 'px';
    };
    size(this.pixels, this.area.width, this.area.height);
    size(this.canvas, width, height);
    this.wave.resize(this.waveBox.clientWidth - 12, this.waveBox.clientHeight);
  }

  place(e) {
    const r = this.canvas.getBoundingClientRect();
    return { x: (e.clientX - r.left - this.area.left) / this.area.width, y: 1 - (e.clientY - r.top) / this.area.height };
  }

  inside(at) { return at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1; }

  // show is the view of the page, for this recording.
  show(v) {
    const dpr = window.devicePixelRatio || 1;
    const from = v.t0 * this.rate, to = v.t1 * this.rate, perPixel = (to - from) / (this.area.width * dpr);
    this.view = { ...v, scale: this.scale, rate: this.rate, hasRate: this.info.rate > 0, from, to, begin: (this.info.first || 0) / this.rate, end: this.seconds,
      level: this.tiles.levelFor(perPixel), waveLevel: this.tiles.waveLevelFor((to - from) / this.area.width),
      rowLevel: this.tiles.rowLevelFor(this.area.height * dpr, v.f0, v.f1, this.info.iq ? this.look.n : this.look.n / 2 + 1) };
  }

  // wanted is what the server is to be asked for.
  wanted() {
    if (!this.tiles || !this.view || !this.info.frames) return null;
    const m = this.tiles.missing(this.view);
    if (!m.blocks.length && !m.waves.length) return null;
    return { key: this.key, item: this.item.id, look: this.look, scale: this.view.scale, rowLevel: this.view.rowLevel, rows: m.rows.slice(0, 64),
      blocks: m.blocks.slice(0, 64), waves: m.waves.slice(0, 64) };
  }

  busy(on) { this.root.classList.toggle('working', on); }

  paint(wave = true) {
    if (!this.tiles || !this.view) return;
    const v = this.view;
    this.painter.paint(this.tiles.drawn(v), f => (f - v.from) / (v.to - v.from), p => (p - v.f0) / (v.f1 - v.f0), v);
    if (wave) this.wave.draw(this.tiles.waveform(v));
    this.mark();
    this.painted = performance.now();
  }

  mark() {
    const dpr = window.devicePixelRatio || 1, g = this.canvas.getContext('2d');
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    drawMarks(g, this.view, this.area, this.look);
  }
}
