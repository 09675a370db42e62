// The waveform of a recording: the band between the least and the greatest
// sample of each column, by uPlot.

import uPlot from './vendor/uplot.js';
import { trim } from './scales.js';

export class Wave {
  constructor(parent, gutter, range) {
    const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const line = () => ({ stroke: () => css('--wave'), width: 1, points: { show: false }, spanGaps: false });
    this.plot = new uPlot({
      width: 300, height: 80,
      padding: [4, 0, 4, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, range }, y: { range: (u, low, high) => bounds(low, high) } },
      axes: [
        { show: false },
        { size: gutter, stroke: () => css('--quiet'), font: '11px system-ui, sans-serif', gap: 6, space: 26, ticks: { show: false },
          grid: { stroke: () => css('--line'), width: 1 }, splits: (u, axis, low, high) => splits(high / room), values: (u, list) => list.map(v => trim(v, 3)) },
      ],
      series: [{}, line(), line()],
      bands: [{ series: [2, 1], fill: () => css('--wave') + '66' }],
    }, [[], [], []], parent);
    this.plot.root.setAttribute('role', 'img');
    this.plot.root.setAttribute('aria-label', 'Waveform');
  }

  resize(width, height) { this.plot.setSize({ width, height }); }
  draw(data) { this.plot.setData(data); }
  redraw() { this.plot.redraw(false, true); }
  remove() { this.plot.destroy(); }
}

// room is how much higher the picture is than the greatest sample.
const room = 1.05;

// splits is the numbers beside the waveform: zero, and on both sides the greatest of 1, 2
// and 5 times powers of ten that samples reach.
function splits(most) {
  const ten = 10 ** Math.floor(Math.log10(most));
  const top = ten * [5, 2, 1].find(m => m * ten <= most * 1.001);
  return [-top, 0, top];
}

// bounds keeps zero in the middle and silence visible as a line.
function bounds(low, high) {
  const most = Math.max(Math.abs(low || 0), Math.abs(high || 0));
  if (!(most > 0)) return [-1, 1];
  return [-room * most, room * most];
}
