'use strict';
// Draws the pictures of a report where they are shown: text has the size of the page's,
// times of the waveform and the spectrogram lie below one another, and the place under
// the pointer is read out. Time and frequency are in samples if there is no rate.
(() => {
  const left = 58, right = 62, top = 8, bottom = 40; // around a picture, in CSS pixels

  const bytes = s => Uint8Array.from(atob(s), c => c.charCodeAt(0));
  const floats = s => new Float32Array(bytes(s).buffer);
  const clamp = (v, lo, hi) => Math.min(Math.max(v, lo), hi);

  // Round numbers between two others, about so many.
  function ticks(lo, hi, about) {
    const raw = (hi - lo) / Math.max(about, 1), ten = 10 ** Math.floor(Math.log10(raw));
    const step = ten * [1, 2, 5, 10].find(m => m * ten >= raw * 0.999);
    const out = [];
    for (let k = Math.ceil(lo / step - 1e-9); k * step <= hi + step * 1e-9; k++) out.push(k * step);
    // One number is no scale.
    return out.length > 1 || about > 20 ? out : ticks(lo, hi, 1.5 * about);
  }
  // 1, 2 and 5 times powers of ten; the powers only where there is no room for more.
  function logTicks(lo, hi, about) {
    let out = [];
    for (const set of [[1, 2, 5], [1]]) {
      out = [];
      for (let ten = 10 ** Math.floor(Math.log10(lo)); ten <= hi; ten *= 10)
        for (const m of set) if (m * ten >= lo * 0.999 && m * ten <= hi * 1.001) out.push(m * ten);
      if (out.length <= about) return out;
    }
    return out;
  }
  const plain = v => String(+v.toPrecision(6));

  function timeUnit(d) {
    if (!d.sampled) return [1, 'time in samples', ''];
    if (d.seconds < 1) return [1e-3, 'time in ms', 'ms'];
    if (d.seconds >= 7200) return [3600, 'time in hours', 'h'];
    if (d.seconds >= 300) return [60, 'time in minutes', 'min'];
    return [1, 'time in s', 's'];
  }
  function frequencyUnit(d) {
    if (!d.sampled) return [1, 'cycles per sample', ''];
    return d.top >= 4000 ? [1000, 'frequency in kHz', 'kHz'] : [1, 'frequency in Hz', 'Hz'];
  }
  function frequencyText(d, f) {
    if (!d.sampled) return f.toFixed(4);
    const a = Math.abs(f);
    if (a >= 1e6) return (f / 1e6).toFixed(4) + ' MHz';
    return a >= 10000 ? (f / 1000).toFixed(2) + ' kHz' : f.toFixed(a < 100 ? 2 : 1) + ' Hz';
  }

  class Report {
    constructor(section) {
      this.section = section;
      const d = this.d = JSON.parse(section.querySelector('script.data').textContent);
      d.wave = floats(d.wave);
      d.curves = d.curves.map(floats);
      this.log = section.querySelector('.log');
      this.audio = section.querySelector('audio');
      this.views = [...section.querySelectorAll('canvas')].map(c => ({canvas: c, kind: c.dataset.kind, said: c.nextElementSibling}));
      this.log.addEventListener('change', () => this.draw());
      for (const v of this.views) {
        v.canvas.addEventListener('pointermove', e => this.hover(v, e));
        v.canvas.addEventListener('pointerdown', e => this.hover(v, e));
        // A finger that scrolls the page makes no click, so it does not move the player.
        v.canvas.addEventListener('click', e => { this.hover(v, e); this.seek(v); });
        // What a finger has asked for stays to be read when it is lifted.
        v.canvas.addEventListener('pointerleave', e => { if (e.pointerType !== 'touch') { this.forget(); this.draw(); } });
      }
      if (this.audio) {
        this.audio.addEventListener('timeupdate', () => this.draw());
        this.audio.addEventListener('play', () => { const turn = () => { this.draw(); if (!this.audio.paused) requestAnimationFrame(turn); }; turn(); });
      }
      new ResizeObserver(() => this.draw()).observe(section);
      const img = new Image();
      img.onload = () => { this.readLevels(img); this.draw(); };
      img.src = d.levels;
    }

    readLevels(img) {
      const c = document.createElement('canvas');
      c.width = img.width; c.height = img.height;
      const g = c.getContext('2d', {willReadFrequently: true});
      g.drawImage(img, 0, 0);
      const rgba = g.getImageData(0, 0, img.width, img.height).data;
      this.grey = {width: img.width, height: img.height, at: (x, row) => rgba[4 * (row * img.width + x)]};
      this.heat = this.d.heat.map(h => [1, 3, 5].map(i => parseInt(h.slice(i, i + 2), 16)));
    }

    // The lowest frequency of a logarithmic axis.
    floor() { return Math.max(this.d.sampled ? 20 : 0, this.d.top / 1000); }
    // A frequency as a share of the spectrogram's height; complex samples have frequencies below 0.
    share(f) { return (f - this.d.bottom) / (this.d.top - this.d.bottom); }
    // Where a frequency is between 0 and 1, and back.
    place(f) {
      if (!this.log.checked) return this.share(f);
      return Math.log(Math.max(f, 1e-12) / this.floor()) / Math.log(this.d.top / this.floor());
    }
    frequency(p) { return this.log.checked ? this.floor() * (this.d.top / this.floor()) ** p : this.d.bottom + p * (this.d.top - this.d.bottom); }
    frequencyTicks(about) {
      const [unit] = frequencyUnit(this.d);
      const list = this.log.checked ? logTicks(this.floor(), this.d.top, about) : ticks(this.d.bottom / unit, this.d.top / unit, about).map(v => v * unit);
      return list.map(f => [this.place(f), plain(f / unit)]);
    }
    timeTicks(about) {
      const [unit] = timeUnit(this.d);
      return ticks(0, this.d.seconds / unit, about).map(v => [v * unit / this.d.seconds, plain(v)]);
    }

    draw() {
      if (this.waiting) return;
      this.waiting = true;
      requestAnimationFrame(() => { this.waiting = false; this.views.forEach(v => this.drawView(v)); });
    }

    drawView(v) {
      const c = v.canvas, scale = window.devicePixelRatio || 1, width = c.clientWidth, height = c.clientHeight;
      if (!width) return;
      if (c.width !== Math.round(width * scale) || c.height !== Math.round(height * scale)) {
        c.width = Math.round(width * scale);
        c.height = Math.round(height * scale);
      }
      const g = c.getContext('2d'), style = getComputedStyle(this.section);
      g.setTransform(scale, 0, 0, scale, 0, 0);
      g.clearRect(0, 0, width, height);
      v.box = {x: left, y: top, w: width - left - right, h: height - top - bottom};
      if (v.kind === 'psd') v.box.w = width - left - 14;
      this.ink = style.getPropertyValue('--soft');
      this.rule = style.getPropertyValue('--line');
      g.font = '12px system-ui, sans-serif';
      ({wave: () => this.drawWave(g, v), levels: () => this.drawLevels(g, v), psd: () => this.drawDensity(g, v)})[v.kind]();
      this.drawCursors(g, v);
    }

    axes(g, b, x, xName, y, yName) {
      g.strokeStyle = this.rule; g.fillStyle = this.ink; g.lineWidth = 1;
      g.textAlign = 'center'; g.textBaseline = 'top';
      for (const [p, text] of x) {
        const at = b.x + p * b.w;
        g.beginPath(); g.moveTo(at, b.y + b.h); g.lineTo(at, b.y + b.h + 4); g.stroke();
        const half = g.measureText(text).width / 2;
        g.fillText(text, clamp(at, half, b.x + b.w + 14 - half), b.y + b.h + 6);
      }
      g.fillText(xName, b.x + b.w / 2, b.y + b.h + 22);
      g.textAlign = 'right'; g.textBaseline = 'middle';
      for (const [p, text] of y) {
        const at = b.y + (1 - p) * b.h;
        g.beginPath(); g.moveTo(b.x - 4, at); g.lineTo(b.x, at); g.stroke();
        g.fillText(text, b.x - 7, clamp(at, 6, b.y + b.h + 2));
      }
      g.save(); g.translate(10, b.y + b.h / 2); g.rotate(-Math.PI / 2);
      g.textAlign = 'center'; g.fillText(yName, 0, 0); g.restore();
      g.strokeRect(b.x, b.y, b.w, b.h);
    }

    drawWave(g, v) {
      const d = this.d, b = v.box, n = d.wave.length / 2;
      let most = 0;
      for (const s of d.wave) most = Math.max(most, Math.abs(s));
      v.most = most = (most || 1) * 1.05;
      const y = s => b.y + (1 - s / most) / 2 * b.h;
      g.fillStyle = d.colours[0] || '#3070c0';
      for (let px = 0; px < b.w; px++) {
        const from = Math.floor(px / b.w * d.seconds / d.waveSeconds * n), to = Math.max(from + 1, Math.floor((px + 1) / b.w * d.seconds / d.waveSeconds * n));
        let lo = Infinity, hi = -Infinity;
        for (let i = from; i < Math.min(to, n); i++) { lo = Math.min(lo, d.wave[2 * i]); hi = Math.max(hi, d.wave[2 * i + 1]); }
        if (hi >= lo) g.fillRect(b.x + px, y(hi) - 0.5, 1, Math.max(y(lo) - y(hi), 0) + 1);
      }
      this.axes(g, b, this.timeTicks(b.w / 70), timeUnit(d)[1], ticks(-most, most, b.h / 24).map(s => [(s / most + 1) / 2, plain(s)]), 'amplitude');
    }

    drawLevels(g, v) {
      const d = this.d, b = v.box, grey = this.grey;
      if (!grey) return;
      const w = Math.max(1, Math.round(b.w)), h = Math.max(1, Math.round(b.h));
      const key = [w, h, this.log.checked].join();
      if (v.key !== key) { // colours anew only if something has changed
        const img = new ImageData(w, h), out = img.data;
        for (let py = 0; py < h; py++) {
          for (let px = 0; px < w; px++) {
            const {level} = this.loudest(px / w, (px + 1) / w, py / h, (py + 1) / h);
            const c = this.heat[Math.round(level / 255 * (this.heat.length - 1))];
            out.set([c[0], c[1], c[2], 255], 4 * (py * w + px));
          }
        }
        v.picture = document.createElement('canvas');
        v.picture.width = w; v.picture.height = h;
        v.picture.getContext('2d').putImageData(img, 0, 0);
        v.key = key;
      }
      g.drawImage(v.picture, b.x, b.y, b.w, b.h);
      const bar = b.x + b.w + 10, n = this.heat.length;
      for (let i = 0; i < n; i++) { g.fillStyle = d.heat[i]; g.fillRect(bar, b.y + (1 - (i + 1) / n) * b.h, 10, b.h / n + 1); }
      g.fillStyle = this.ink; g.textAlign = 'left'; g.textBaseline = 'middle';
      for (const t of ticks(d.low, d.high, b.h / 40)) g.fillText(plain(t), bar + 14, clamp(b.y + (1 - (t - d.low) / (d.high - d.low)) * b.h, 8, b.y + b.h));
      g.fillText('dB', bar + 14, b.y + b.h + 12);
      this.axes(g, b, this.timeTicks(b.w / 70), timeUnit(d)[1], this.frequencyTicks(b.h / 28), frequencyUnit(d)[1]);
    }

    // The loudest cell of the spectrogram that lies in a rectangle: shares of its width and, from
    // above, of its height.
    loudest(x0, x1, y0, y1) {
      const d = this.d, q = this.grey, best = {level: -1, row: 0};
      const cells = (lo, hi, n) => { const from = clamp(Math.floor(lo * n), 0, n - 1); return [from, clamp(Math.ceil(hi * n) - 1, from, n - 1)]; };
      const [from, to] = cells(x0 * d.seconds / d.levelSeconds, x1 * d.seconds / d.levelSeconds, q.width);
      const [first, last] = cells(this.share(this.frequency(1 - y1)), this.share(this.frequency(1 - y0)), q.height);
      for (let x = from; x <= to; x++)
        for (let row = first; row <= last; row++) {
          const level = q.at(x, q.height - 1 - row);
          if (level > best.level) { best.level = level; best.row = row; }
        }
      best.inside = best.row > first && best.row < last;
      return best;
    }

    drawDensity(g, v) {
      const d = this.d, b = v.box;
      let lo = Infinity, hi = -Infinity;
      for (const c of d.curves) for (let i = 1; i < c.length; i += 2) { lo = Math.min(lo, c[i]); hi = Math.max(hi, c[i]); }
      if (!(hi > -250)) { lo = -140; hi = 0; }
      lo = Math.max(lo, hi - 140);
      const room = Math.max(hi - lo, 10);
      v.range = [lo - 0.04 * room, hi + 0.12 * room];
      const y = db => b.y + (v.range[1] - db) / (v.range[1] - v.range[0]) * b.h;
      const yTicks = ticks(v.range[0], v.range[1], b.h / 30).map(t => [(t - v.range[0]) / (v.range[1] - v.range[0]), plain(t)]);
      const xTicks = this.frequencyTicks(b.w / 55);
      g.strokeStyle = this.rule;
      for (const [p] of xTicks) { g.beginPath(); g.moveTo(b.x + p * b.w, b.y); g.lineTo(b.x + p * b.w, b.y + b.h); g.stroke(); }
      for (const [p] of yTicks) { g.beginPath(); g.moveTo(b.x, b.y + (1 - p) * b.h); g.lineTo(b.x + b.w, b.y + (1 - p) * b.h); g.stroke(); }
      g.save(); g.beginPath(); g.rect(b.x, b.y, b.w, b.h); g.clip();
      d.curves.map((c, i) => [c, i]).reverse().forEach(([c, i]) => {
        g.strokeStyle = d.colours[i]; g.lineWidth = 1.2; g.beginPath();
        for (let k = 0; k < c.length; k += 2) g.lineTo(b.x + this.place(c[k]) * b.w, y(c[k + 1]));
        g.stroke();
      });
      // Names of the first peaks that have room.
      g.fillStyle = getComputedStyle(this.section).getPropertyValue('--ink'); g.textBaseline = 'bottom'; g.textAlign = 'center';
      const taken = [];
      for (const p of d.peaks) {
        const at = b.x + this.place(p.f) * b.w, db = Math.max(...p.curves.map(i => this.highest(d.curves[i], p.f, p.f).db));
        if (at < b.x || !isFinite(db)) continue;
        g.beginPath(); g.arc(at, y(db), 2.5, 0, 7); g.fill();
        const half = g.measureText(p.label).width / 2, middle = clamp(at, b.x + half + 2, b.x + b.w - half - 2);
        if (taken.some(t => Math.abs(t[0] - middle) < t[1] + half + 6)) continue;
        taken.push([middle, half]);
        g.fillText(p.label, middle, y(db) - 5);
      }
      g.restore();
      if (d.curves.length > 1) {
        g.textAlign = 'right'; g.textBaseline = 'top';
        d.colours.forEach((c, i) => { g.fillStyle = c; g.fillText(d.names[i], b.x + b.w - 6, b.y + 5 + 15 * i); });
      }
      this.axes(g, b, xTicks, frequencyUnit(d)[1], yTicks, 'density in ' + d.unit);
    }

    // The highest point of a curve between two frequencies, or the point nearest to them.
    highest(c, f0, f1) {
      const n = c.length / 2;
      let lo = 0, hi = n - 1; // finds the first point from f0 on
      while (lo < hi) { const m = (lo + hi) >> 1; if (c[2 * m] < f0) lo = m + 1; else hi = m; }
      let best = lo > 0 && f0 - c[2 * lo - 2] < c[2 * lo] - f1 ? lo - 1 : lo, last = best;
      for (let i = lo; i < n && c[2 * i] <= f1; last = i++) if (c[2 * i + 1] > c[2 * best + 1]) best = i;
      return {f: c[2 * best], db: c[2 * best + 1], inside: best > lo && best < last};
    }

    drawCursors(g, v) {
      const b = v.box, line = (x0, y0, x1, y1) => { g.beginPath(); g.moveTo(x0, y0); g.lineTo(x1, y1); g.stroke(); };
      g.lineWidth = 1;
      if (v.kind !== 'psd' && this.audio && this.audio.currentTime > 0) {
        const x = b.x + clamp(this.audio.currentTime / this.d.seconds, 0, 1) * b.w;
        g.strokeStyle = '#e5484d'; line(x, b.y, x, b.y + b.h);
      }
      if (!this.at) return;
      g.strokeStyle = 'rgba(128,128,128,.9)';
      if ((v.kind === 'psd') === (this.at.kind === 'psd')) line(b.x + this.at.x * b.w, b.y, b.x + this.at.x * b.w, b.y + b.h);
      if (v.kind === this.at.kind) line(b.x, b.y + this.at.y * b.h, b.x + b.w, b.y + this.at.y * b.h);
    }

    forget() {
      this.at = null;
      this.views.forEach(v => { v.said.textContent = ''; });
    }

    hover(v, e) {
      const r = v.canvas.getBoundingClientRect(), b = v.box;
      if (!b) return;
      const x = (e.clientX - r.left - b.x) / b.w, y = (e.clientY - r.top - b.y) / b.h;
      // A peak within reach is read out: a tone may be narrower than a pixel, and a finger is wide.
      const reach = e.pointerType === 'touch' ? 8 : 1, rx = reach / b.w, ry = reach / b.h;
      this.forget();
      if (x < 0 || x > 1 || y < 0 || y > 1) { this.draw(); return; }
      this.at = {kind: v.kind, x, y};
      const d = this.d, t = x * d.seconds, [unit, , name] = timeUnit(d);
      const time = d.sampled ? (t / unit).toFixed(unit === 1e-3 ? 2 : 3) + ' ' + name : 'sample ' + Math.floor(t);
      if (v.kind === 'wave') {
        const i = clamp(Math.floor(t / d.waveSeconds * d.wave.length / 2), 0, d.wave.length / 2 - 1);
        v.said.textContent = `${time}   ${d.wave[2 * i].toPrecision(3)} to ${d.wave[2 * i + 1].toPrecision(3)}`;
      } else if (v.kind === 'levels' && this.grey) {
        const near = this.loudest(x - rx, x + rx, y - ry, y + ry), {level, row} = near.inside ? near : this.loudest(x, x, y, y);
        const hz = row => d.bottom + row / this.grey.height * (d.top - d.bottom);
        const f = level > 0 ? hz(row) : this.frequency(1 - y); // in silence, of the pointer
        if (near.inside) this.at.y = 1 - this.place(hz(row + 0.5));
        v.said.textContent = `${time}   ${frequencyText(d, f)}   ${level > 0 ? (d.low + level / 255 * (d.high - d.low)).toFixed(1) : 'below ' + d.low} dB`;
      } else if (v.kind === 'psd') {
        let {f} = this.highest(d.curves[0], this.frequency(x), this.frequency(x));
        const top = d.curves.map(c => this.highest(c, this.frequency(x - rx), this.frequency(x + rx))).filter(p => p.inside).sort((a, b) => b.db - a.db)[0];
        if (top) { f = top.f; this.at.x = this.place(f); }
        v.said.textContent = frequencyText(d, f) + '   ' + d.curves.map(c => this.highest(c, f, f).db.toFixed(1)).join(', ') + ' ' + d.unit;
      }
      this.draw();
    }

    seek(v) {
      if (!this.audio || v.kind === 'psd' || !this.at) return;
      this.audio.currentTime = this.at.x * this.d.seconds;
      this.draw();
    }
  }

  // Sections are made when they come into sight: a page can have hundreds.
  const seen = new IntersectionObserver(list => {
    for (const e of list) if (e.isIntersecting) { seen.unobserve(e.target); new Report(e.target); }
  }, {rootMargin: '400px'});
  document.querySelectorAll('section.live').forEach(s => seen.observe(s));
})();
