// The controls above the recordings: what the spectrogram is made of and how it
// is coloured.

import { names as colourNames } from './colours.js';
import { halves } from './scales.js';
import { $, stage } from './stage.js';
import { change, state } from './state.js';
import { showAll } from './times.js';

const windows = ['hann', 'hamming', 'blackman', 'blackmanharris', 'nuttall', 'flattop', 'kaiser:8.6', 'tukey:0.25', 'gaussian:256', 'bartlett', 'parzen', 'cosine', 'boxcar'];
const lengths = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
const tools = $('tools');

// lookOf is the look that the controls ask for, for a recording.
export function lookOf(pane) {
  const n = state.n || pane.suited.n;
  const hop = state.hop ? Math.min(state.hop, n) : Math.max(1, n / 4);
  const channel = state.channel === null ? pane.suited.channel : Math.min(state.channel, pane.info.channels - 1);
  return { channel, window: state.window, n, hop, mean: state.mean };
}

function options(select, list) {
  select.replaceChildren(...list.map(([value, text]) => Object.assign(document.createElement('option'), { value, textContent: text })));
}

// fillChannels is for other recordings than before.
export function fillChannels() {
  const most = Math.max(1, ...stage.panes.map(p => p.info.channels));
  options(tools.channel, [...(most > 1 ? [['all', 'all']] : []), ...Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)])]);
  fillTools();
}

// fillTools shows the state.
export function fillTools() {
  const look = stage.panes[0] ? lookOf(stage.panes[0]) : { channel: 0, n: 2048, hop: 512 };
  tools.channel.value = look.channel < 0 ? 'all' : String(look.channel + 1);
  if (![...tools.window.options].some(o => o.value === state.window)) options(tools.window, [...windows, state.window].map(w => [w, w]));
  tools.window.value = state.window;
  options(tools.n, [...new Set([...lengths, look.n])].sort((a, b) => a - b).map(n => [n, String(n)]));
  tools.n.value = String(look.n);
  const hops = [1, 2, 4, 8, 16].map(d => look.n / d).filter(h => h >= 1);
  options(tools.hop, [...new Set([...hops, look.hop])].sort((a, b) => b - a).map(h => [h, h === look.n ? `${h} (none shared)` : String(h)]));
  tools.hop.value = String(look.hop);
  tools.scale.value = state.scale;
  tools.scale.disabled = stage.panes.length > 0 && stage.panes.every(p => p.info.iq); // complex samples have one scale
  tools.mean.value = state.mean ? 'true' : '';
  tools.colours.value = state.colours;
  tools.low.value = state.low;
  tools.high.value = state.high;
  for (const b of tools.querySelectorAll('[data-drag]')) b.setAttribute('aria-checked', String(b.dataset.drag === state.drag));
  for (const p of stage.panes) p.root.classList.toggle('pan', state.drag === 'pan');
}

function taken(name, v) {
  switch (name) {
    case 'channel': return change({ channel: v === 'all' ? -1 : +v - 1 });
    case 'n': return change({ n: +v, hop: 0 });
    case 'hop': return change({ hop: +v });
    case 'mean': return change({ mean: v === 'true' });
    case 'low': return +v < state.high ? change({ low: +v }) : fillTools();
    case 'high': return +v > state.low ? change({ high: +v }) : fillTools();
    default: return change({ [name]: v });
  }
}

// fitRange takes the levels that are on the screen, but for the quietest.
export function fitRange() {
  const all = [];
  for (const p of stage.panes) for (const d of p.tiles.drawn(p.view)) {
    if (d.tile.level !== p.view.level) continue;
    for (let i = 0; i < d.tile.levels.length; i += 37) if ((i & 255) < d.tile.columns) all.push(halves[d.tile.levels[i]]);
  }
  const levels = all.filter(v => v > -199).sort((a, b) => a - b);
  if (!levels.length) return;
  const high = Math.ceil(levels[Math.floor(levels.length * 0.9995)] / 5) * 5, low = Math.floor(levels[Math.floor(levels.length * 0.3)] / 5) * 5;
  change({ low: Math.max(low, high - 120), high: Math.max(high, low + 30) });
}

options(tools.window, windows.map(w => [w, w]));
options(tools.colours, colourNames.map(n => [n, n]));
tools.addEventListener('submit', e => e.preventDefault());
tools.addEventListener('change', e => taken(e.target.name, e.target.value));
for (const b of tools.querySelectorAll('[data-drag]')) b.addEventListener('click', () => change({ drag: b.dataset.drag }));
$('all').addEventListener('click', showAll);
$('fitrange').addEventListener('click', fitRange);
