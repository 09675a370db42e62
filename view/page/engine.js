// What the engine does: the plan of the spectrogram that is shown, as a graph
// with costs, and when its launches ran.

import { get } from './link.js';

const us = v => v >= 1e6 ? (v / 1e6).toFixed(2) + ' s' : v >= 1e3 ? (v / 1e3).toFixed(1) + ' ms' : v.toFixed(0) + ' µs';
const bytes = n => n >= 2 ** 30 ? (n / 2 ** 30).toFixed(1) + ' GiB' : n >= 2 ** 20 ? (n / 2 ** 20).toFixed(1) + ' MiB' : n >= 1024 ? (n / 1024).toFixed(1) + ' KiB' : n + ' B';

// svg makes an element with attributes, and children or text.
function svg(name, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
  e.append(...children);
  return e;
}

export class EnginePanel {
  constructor(root, { part }) {
    this.root = root;
    this.part = part;
    this.spans = [];
    root.innerHTML = `<p class="note about">The plan of what is on the screen, and when it ran.</p><h3>Plan</h3><div class="graph"></div>
      <h3>Timeline</h3><div class="line"></div><p class="note key">Filled: measured. Dashed: predicted.</p>
      <h3>As text</h3><pre tabindex="0"></pre>`;
    [this.about, this.graph, this.line, this.text] = ['.about', '.graph', '.line', 'pre'].map(s => root.querySelector(s));
  }

  show(on) {
    clearInterval(this.timer);
    if (!on) return;
    this.timer = setInterval(() => this.load(), 1000);
    this.load();
  }

  async load() {
    const p = this.part();
    if (!p) return;
    try {
      const r = await get('api/engine', { ...p.query, level: p.level });
      this.spans = r.spans;
      this.about.textContent = `${r.device.name}: ${r.device.description}. ${r.plan.reason}.`;
      this.text.textContent = r.text.trim();
      this.drawPlan(r.plan);
      this.drawTimeline();
    } catch (e) {
      this.about.textContent = e.message;
    }
  }

  // measured is the median time of launches with a step's name.
  measured(step) {
    const took = this.spans.filter(s => s.label === step.label && s.program === step.program && String(s.dims) === String(step.dims)).map(s => s.took_us).sort((a, b) => a - b);
    return took.length ? took[took.length >> 1] : null;
  }

  drawPlan(plan) {
    const width = 300, out = svg('svg', { viewBox: `0 0 ${width} 10`, role: 'img', 'aria-label': `Plan of ${plan.steps.length} steps` });
    out.append(svg('defs', {}, svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 6, markerHeight: 6, orient: 'auto' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'faint' }))));
    const most = Math.max(...plan.steps.map(s => Math.max(s.predicted_ns / 1e3, this.measured(s) || 0)), 1);
    const places = new Map();
    let y = 4;
    const bufferRow = names => {
      names.forEach((n, i) => {
        const x = width * (i + 1) / (names.length + 1);
        places.set(n, { x, y: y + 10 });
        out.append(svg('rect', { x: x - 22, y, width: 44, height: 20, rx: 10, class: 'buffer' }), svg('text', { x, y: y + 14, 'text-anchor': 'middle' }, n));
      });
      y += 20;
    };
    const fresh = names => [...new Set(names)].filter(n => !places.has(n));
    plan.steps.forEach((s, i) => {
      if (fresh(s.reads).length) bufferRow(fresh(s.reads));
      const top = y + 22, lines = [...(s.stages || [])];
      const height = 56 + 13 * lines.length;
      for (const r of new Set(s.reads)) {
        const p = places.get(r);
        out.append(svg('path', { class: 'edge', d: `M${p.x} ${p.y + 10}C${p.x} ${top - 8} ${width / 2} ${top - 14} ${width / 2} ${top - 1}` }));
      }
      out.append(svg('rect', { x: 1, y: top, width: width - 2, height, rx: 6, class: 'step' }));
      const name = s.label.length > 44 ? s.label.slice(0, 43) + '…' : s.label;
      const took = this.measured(s);
      out.append(svg('text', { x: 10, y: top + 16, 'font-weight': 600 }, `${i} ${s.program} [${s.dims.join(' ')}]`),
        svg('text', { x: 10, y: top + 30 }, name, svg('title', {}, s.label)),
        ...lines.map((l, k) => svg('text', { x: 18, y: top + 44 + 13 * k, class: 'faint' }, l.length > 46 ? l.slice(0, 45) + '…' : l, svg('title', {}, l))),
        svg('text', { x: 10, y: top + height - 10, class: 'faint' }, `${bytes(s.bytes)} · ${us(s.predicted_ns / 1e3)} predicted${took === null ? '' : ` · ${us(took)} measured`}`));
      const scale = 96 / most, bar = top + 8;
      if (took !== null) out.append(svg('rect', { x: width - 106, y: bar, width: Math.max(1, took * scale), height: 7, class: 'cost' }));
      out.append(svg('rect', { x: width - 106, y: bar, width: Math.max(1, s.predicted_ns / 1e3 * scale), height: 7, class: 'wish' }));
      y = top + height + 16;
      const written = fresh(s.writes);
      if (written.length) {
        bufferRow(written);
        for (const n of written) out.append(svg('path', { class: 'edge', d: `M${width / 2} ${top + height}L${places.get(n).x} ${places.get(n).y - 11}` }));
      }
    });
    out.setAttribute('viewBox', `0 0 ${width} ${y + 4}`);
    this.graph.replaceChildren(out);
  }

  drawTimeline() {
    const launches = this.spans.slice(-120);
    if (!launches.length) {
      this.line.innerHTML = '<p class="note">Nothing ran since this was opened: pan or zoom.</p>';
      return;
    }
    const names = [...new Set(launches.map(s => s.device === 'host' ? 'host: plans' : `${s.device}, stream ${s.stream}`))];
    const end = Math.max(...launches.map(s => s.begin_us + s.took_us)), window = Math.min(end - launches[0].begin_us, 4e5), from = end - window;
    const width = 300, row = 40, height = names.length * row + 18;
    const out = svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Timeline of launches' });
    const x = t => (t - from) / Math.max(1, window) * width;
    names.forEach((n, i) => out.append(svg('text', { x: 0, y: i * row + 11, class: 'faint' }, n)));
    for (const s of launches) {
      if (s.begin_us + s.took_us < from) continue;
      const y = names.indexOf(s.device === 'host' ? 'host: plans' : `${s.device}, stream ${s.stream}`) * row;
      const title = `${s.label}\n${s.program} [${(s.dims || []).join(' ')}]\n${us(s.took_us)} measured${s.predicted_us ? `, ${us(s.predicted_us)} predicted` : ''}`;
      out.append(svg('rect', { x: x(s.begin_us), y: y + 15, width: Math.max(0.7, x(s.begin_us + s.took_us) - x(s.begin_us)), height: 14, class: 'cost' }, svg('title', {}, title)));
      if (s.predicted_us) out.append(svg('rect', { x: x(s.begin_us), y: y + 31, width: Math.max(0.7, s.predicted_us / Math.max(1, window) * width), height: 4, class: 'wish' }, svg('title', {}, title)));
    }
    out.append(svg('text', { x: 0, y: height - 4, class: 'faint' }, `-${us(window)}`), svg('text', { x: width, y: height - 4, 'text-anchor': 'end', class: 'faint' }, `${launches.length} launches`));
    this.line.replaceChildren(out);
  }
}
