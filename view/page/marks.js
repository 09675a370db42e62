// What is drawn over a spectrogram: axes, cursor, selection, peaks, harmonics.

import { formatHz, formatTime, hzTicks, partOf, timeTicks } from './scales.js';

export const axisHeight = 22;

// drawMarks draws on a context in pixels of the page. v is the view, box where
// the spectrogram lies.
export function drawMarks(g, v, box, look) {
  const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const quiet = css('--quiet');
  const x = t => box.left + (t - v.t0) / (v.t1 - v.t0) * box.width;
  const y = part => box.top + (1 - (part - v.f0) / (v.f1 - v.f0)) * box.height;
  const yHz = hz => y(partOf(v.scale, hz, v.rate));
  g.clearRect(0, 0, box.left + box.width + 20, box.top + box.height + axisHeight + 4);
  g.font = '11px system-ui, sans-serif';
  g.fillStyle = quiet;
  g.strokeStyle = quiet;
  g.lineWidth = 1;

  g.textBaseline = 'middle';
  g.textAlign = 'right';
  for (const hz of hzTicks(v.scale, v.f0, v.f1, v.rate, box.height)) {
    const at = Math.round(yHz(hz)) + 0.5;
    g.fillText(v.hasRate ? formatHz(hz, false) : String(+hz.toPrecision(3)), box.left - 8, Math.min(Math.max(at, box.top + 6), box.top + box.height - 5));
    line(g, box.left - 4, at, box.left, at);
  }
  g.textBaseline = 'top';
  g.textAlign = 'center';
  const t = timeTicks(v.t0, v.t1, Math.max(2, box.width / 110));
  for (const at of t.list) {
    const px = Math.round(x(at)) + 0.5;
    line(g, px, box.top + box.height, px, box.top + box.height + 4);
    const text = v.hasRate ? formatTime(at, t.step) : String(at);
    const half = g.measureText(text).width / 2;
    g.fillText(text, Math.min(Math.max(px, box.left + half), box.left + box.width - half), box.top + box.height + 6);
  }

  g.save();
  g.beginPath();
  g.rect(box.left, box.top, box.width, box.height);
  g.clip();
  if (v.selection) {
    const s = v.selection, left = x(s.t0), right = x(s.t1), top = yHz(s.f1), bottom = yHz(s.f0);
    g.fillStyle = 'rgba(0, 0, 0, .35)'; // what is not selected steps back
    g.fillRect(box.left, box.top, left - box.left, box.height);
    g.fillRect(right, box.top, box.left + box.width - right, box.height);
    g.fillRect(left, box.top, right - left, top - box.top);
    g.fillRect(left, bottom, right - left, box.top + box.height - bottom);
    g.strokeStyle = '#fff';
    g.strokeRect(left + 0.5, top + 0.5, right - left - 1, bottom - top - 1);
  }
  const labels = [];
  const tone = (hz, name, colour, from, to) => {
    const at = yHz(hz);
    if (at < box.top || at > box.top + box.height) return;
    g.strokeStyle = colour;
    g.setLineDash([5, 4]);
    line(g, from, Math.round(at) + 0.5, to, Math.round(at) + 0.5);
    g.setLineDash([]);
    if (labels.every(l => Math.abs(l - at) > 12)) {
      labels.push(at);
      tag(g, name, Math.min(to, box.left + box.width) - 4, at, colour);
    }
  };
  if (v.harmonics > 0) for (let k = 1; k <= 40 && k * v.harmonics < v.rate / 2; k++) tone(k * v.harmonics, k === 1 ? formatHz(v.harmonics) : `${k}×`, '#7fe0ff', box.left, box.left + box.width);
  for (const p of v.peaks || []) tone(p.frequency, formatHz(p.frequency), '#fff', v.selection ? x(v.selection.t0) : box.left, v.selection ? x(v.selection.t1) : box.left + box.width);
  if (v.playing !== null && v.playing !== undefined) {
    g.strokeStyle = '#fff';
    line(g, Math.round(x(v.playing)) + 0.5, box.top, Math.round(x(v.playing)) + 0.5, box.top + box.height);
  }
  if (v.cursor) {
    g.strokeStyle = 'rgba(255, 255, 255, .75)';
    const px = Math.round(x(v.cursor.t)) + 0.5, py = Math.round(y(v.cursor.part)) + 0.5;
    line(g, px, box.top, px, box.top + box.height);
    if (v.cursor.here) line(g, box.left, py, box.left + box.width, py);
  }
  if (v.end < v.t1) { // behind the end there is nothing
    g.fillStyle = css('--page');
    g.fillRect(Math.max(box.left, x(v.end)), box.top, box.width + 1, box.height);
  }
  if (v.begin > v.t0) {
    g.fillStyle = css('--page');
    g.fillRect(box.left, box.top, x(v.begin) - box.left, box.height);
  }
  g.restore();
}

function line(g, x0, y0, x1, y1) {
  g.beginPath();
  g.moveTo(x0, y0);
  g.lineTo(x1, y1);
  g.stroke();
}

function tag(g, text, right, middle, colour) {
  g.font = '11px system-ui, sans-serif';
  const width = g.measureText(text).width + 8;
  g.fillStyle = 'rgba(0, 0, 0, .65)';
  g.fillRect(right - width, middle - 8, width, 16);
  g.fillStyle = colour;
  g.textAlign = 'right';
  g.textBaseline = 'middle';
  g.fillText(text, right - 4, middle);
}
