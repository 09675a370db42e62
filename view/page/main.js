// The page: recordings, controls, and what happens between them.

import { EnginePanel } from './engine.js';
import { get, Link } from './link.js';
import { measureLive, measurePan } from './measure.js';
import { Microphone } from './microphone.js';
import { Minimap } from './minimap.js';
import { names as colourNames } from './colours.js';
import { Pane } from './pane.js';
import { Player } from './play.js';
import { formatDB, formatHz, formatTime, halves, hzAt, notANumber, partOf } from './scales.js';
import { save, SelectionPanel } from './selection.js';
import { change, onChange, read, state } from './state.js';

const $ = id => document.getElementById(id);
const windows = ['hann', 'hamming', 'blackman', 'blackmanharris', 'nuttall', 'flattop', 'kaiser:8.6', 'tukey:0.25', 'gaussian:256', 'bartlett', 'parzen', 'cosine', 'boxcar'];
const lengths = [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536];
const maxShown = 8;

const link = new Link();
let items = [];
let panes = [];
let cursor = null;   // {t, part, pane}
let follow = false;  // the newest of a live recording is shown
let playing = null;
let dirty = true, marks = false;
const waiting = [];  // for everything to be sharp

const player = new Player(t => { playing = t; marks = true; $('selection').querySelector('.play').textContent = t === null ? 'Play' : 'Stop'; });
const microphone = new Microphone(link);

function problem(text) {
  $('problem').textContent = text;
  $('problem').hidden = !text;
}

// Views

const total = () => Math.max(0, ...panes.map(p => p.seconds));
const begin = () => panes.length && panes[0].info.live ? (panes[0].info.first || 0) / panes[0].rate : 0;
const liveSpan = 10; // seconds that a live view shows

function view() {
  const end = total();
  if (follow) {
    const now = liveEnd();
    const width = state.t1 > state.t0 ? Math.min(60, state.t1 - state.t0) : liveSpan;
    return { t0: now - width, t1: now };
  }
  if (state.t1 > state.t0) return { t0: state.t0, t1: state.t1 };
  return { t0: begin(), t1: Math.max(end, 1e-6) };
}

// setView keeps to where there is something, and above what can be told apart.
function setView(t0, t1) {
  if (follow) return;
  const end = total(), rate = Math.max(1, ...panes.map(p => p.rate));
  const width = Math.min(Math.max(t1 - t0, 16 / rate), Math.max(end - begin(), 16 / rate));
  const middle = (t0 + t1) / 2;
  t0 = Math.min(Math.max(middle - width / 2, begin()), Math.max(begin(), end - width));
  change({ t0, t1: t0 + width });
}

function zoom(t, f, at) {
  const v = view();
  if (t !== 1) {
    if (follow) return change({ t0: 0, t1: Math.min(60, Math.max(0.5, (v.t1 - v.t0) * t)) });
    const fixed = v.t0 + at.x * (v.t1 - v.t0);
    setView(fixed - (fixed - v.t0) * t, fixed + (v.t1 - fixed) * t);
  }
  if (f !== 1) {
    const fixed = state.f0 + at.y * (state.f1 - state.f0), width = Math.min(1, Math.max(0.002, (state.f1 - state.f0) * f));
    const f0 = Math.min(Math.max(0, fixed - at.y * width), 1 - width);
    change({ f0, f1: f0 + width });
  }
}

function pan(x, y) {
  const v = view(), dt = x * (v.t1 - v.t0), df = Math.max(-state.f0, Math.min(1 - state.f1, y * (state.f1 - state.f0)));
  if (x) setView(v.t0 + dt, v.t1 + dt);
  if (df) change({ f0: state.f0 + df, f1: state.f1 + df });
}

const centre = { x: 0.5, y: 0.5 };

// Selecting

function select(a, b, done, pane) {
  const v = view(), at = p => ({ t: v.t0 + Math.min(1, Math.max(0, p.x)) * (v.t1 - v.t0), part: state.f0 + Math.min(1, Math.max(0, p.y)) * (state.f1 - state.f0) });
  const p = at(a), q = at(b);
  const hz = [p.part, q.part].map(x => hzAt(state.scale, x, pane.rate)).sort((x, y) => x - y);
  // A selection that is nearly as high as the picture is one of times only.
  const whole = Math.abs(a.y - b.y) > 0.9 || Math.abs(a.y - b.y) < 0.02;
  change({ selection: { t0: Math.min(p.t, q.t), t1: Math.max(p.t, q.t), f0: whole ? 0 : hz[0], f1: whole ? pane.rate / 2 : hz[1] } });
}

const actions = {
  zoom, pan, select,
  redraw: () => { dirty = true; },
  dragMode: () => state.drag,
  hover(at, pane) {
    const v = view();
    cursor = at && { t: v.t0 + at.x * (v.t1 - v.t0), part: state.f0 + at.y * (state.f1 - state.f0), pane };
    marks = true;
  },
  double() {
    const s = state.selection;
    if (s) setView(s.t0 - 0.02 * (s.t1 - s.t0), s.t1 + 0.02 * (s.t1 - s.t0));
  },
};

// lookOf is the look that the controls ask for, for a recording.
function lookOf(pane) {
  const n = state.n || pane.suited.n;
  const hop = state.hop ? Math.min(state.hop, n) : Math.max(1, n / 4);
  const channel = state.channel === null ? pane.suited.channel : Math.min(state.channel, pane.info.channels - 1);
  return { channel, window: state.window, n, hop, mean: state.mean };
}

function part() {
  const pane = panes[0];
  if (!pane || !pane.look) return null;
  const s = state.selection || view();
  const from = Math.max(pane.info.first || 0, Math.floor(s.t0 * pane.rate)), to = Math.min(pane.info.frames, Math.ceil(s.t1 * pane.rate));
  return { name: pane.item.name, rate: pane.rate, level: pane.view ? pane.view.level : 0, query: { item: pane.item.id, from, to, ...pane.look } };
}

const selection = new SelectionPanel($('selection'), { part, png, play });
selection.onresult = () => { marks = true; };
const engine = new EnginePanel($('engine'), { part });

async function play() {
  if (player.playing) return player.stop();
  const p = part();
  if (!p) return;
  try {
    problem(await player.play(p.query, p.rate, p.query.from / p.rate));
  } catch (e) { problem(e.message); }
}

const minimap = new Minimap($('minimap'), {
  move(t0) { const v = view(); setFollow(false); setView(t0, t0 + v.t1 - v.t0); },
  waveform(width) {
    const p = panes[0];
    if (!p || !p.tiles || !p.info.frames) return null;
    return p.tiles.waveform({ from: 0, to: p.info.frames, waveLevel: p.tiles.waveLevelFor(p.info.frames / width) });
  },
});

// Panes

async function showItems() {
  const wanted = state.items.length ? state.items : items.slice(0, items.length <= 4 ? 4 : 1).map(i => i.id);
  const old = panes;
  const next = [];
  for (const id of wanted.slice(0, maxShown)) {
    const kept = old.find(p => p.item.id === id);
    if (kept) { next.push(kept); continue; }
    const item = items.find(i => i.id === id) || { id, name: id };
    try {
      const about = await get('api/info', { item: id });
      next.push(new Pane(item, about.info, about.look, actions, { paint: new URLSearchParams(location.search).get('paint') }));
    } catch (e) {
      next.push(failed(item, e.message));
    }
  }
  for (const p of old) if (!next.includes(p)) p.unmount();
  $('panes').replaceChildren();
  panes = next.filter(p => p instanceof Pane);
  for (const p of next) p instanceof Pane ? (p.wave ? ($('panes').append(p.root), p.resize()) : p.mount($('panes'))) : $('panes').append(p.root);
  const live = panes.some(p => p.info.live);
  $('follow').hidden = !live;
  setFollow(live);
  document.title = panes.length === 1 ? `${panes[0].item.name} – Twiddle` : 'Twiddle view';
  fillChannels();
  seeAll();
}

// failed is a pane of a recording that could not be opened.
function failed(item, message) {
  const root = document.createElement('section');
  root.className = 'pane failed';
  root.innerHTML = '<header><b></b></header><p class="message" role="alert"></p>';
  root.querySelector('b').textContent = item.name;
  root.querySelector('p').textContent = message;
  return { item, root, unmount() { root.remove(); } };
}

function seeAll() {
  for (const p of panes) p.see(lookOf(p), state.scale);
  if (follow) startLive();
  dirty = true;
  selection.refresh();
}

function setFollow(on) {
  on = on && panes.some(p => p.info.live);
  $('follow').setAttribute('aria-pressed', String(on));
  $('follow').lastChild.textContent = on ? 'Live' : 'Paused';
  if (on === follow) return;
  if (!on) {
    const v = view();
    follow = false;
    link.send({ op: 'quiet' });
    setView(v.t0, v.t1);
  } else {
    follow = true;
    startLive();
  }
  dirty = true;
}

// Live

let liveAt = { frames: 0, when: 0 };
let liveKey = '';

function startLive() {
  const p = panes.find(x => x.info.live);
  if (!p || !p.key) return;
  const rowLevel = p.area && p.area.height * (window.devicePixelRatio || 1) > 320 ? 1 : 0;
  const key = p.key + rowLevel;
  if (key === liveKey && follow && liveAt.when > performance.now() - 1000) return;
  liveKey = key;
  link.send({ op: 'live', live: { key: p.key, item: p.item.id, look: p.look, scale: state.scale, rowLevel } });
}

// liveEnd runs on between arrivals, so that the picture moves evenly.
function liveEnd() {
  const p = panes.find(x => x.info.live);
  if (!p) return total();
  const since = liveAt.when ? Math.min(0.05, (performance.now() - liveAt.when) / 1000) : 0;
  return Math.max(p.seconds, liveAt.frames / p.rate) + since - 0.02;
}

link.on('live', (head, body) => {
  const p = panes.find(x => x.key === head.key);
  if (!p) return;
  p.tiles.addColumns(head, body);
  p.info.frames = Math.max(p.info.frames, head.end);
  p.tiles.frames = p.info.frames;
  liveAt = { frames: head.end, when: performance.now(), arrived: head.arrived };
  dirty = true;
});

link.on('microphone', head => {
  items = [...items.filter(i => i.id !== head.item), { id: head.item, name: 'Browser microphone', live: true }];
  const pane = new Pane({ id: head.item, name: 'Browser microphone', live: true }, head.info, { channel: 0, window: 'hann', n: 2048, hop: 512, mean: false }, actions);
  for (const p of panes) p.unmount();
  $('panes').replaceChildren();
  panes = [pane];
  pane.mount($('panes'));
  state.items = [head.item];
  $('follow').hidden = false;
  fillChannels();
  pane.see(lookOf(pane), state.scale);
  follow = false;
  setFollow(true);
});

// Answers

const byKey = key => panes.filter(p => p.key === key);

link.on('tile', (head, body) => { for (const p of byKey(head.key)) { p.tiles.add(head, body); dirty = true; } });
link.on('wave', (head, body) => { for (const p of byKey(head.key)) { p.tiles.addWave(head, body); dirty = true; } });
link.on('info', head => {
  for (const p of panes) {
    if (p.item.id !== head.item) continue;
    const all = !follow && state.t1 === 0;
    p.update(head.info);
    if (all || head.info.live) dirty = true;
  }
  dirty = true;
});
link.on('error', head => {
  const list = head.key ? byKey(head.key) : panes.filter(p => !head.item || p.item.id === head.item);
  for (const p of list) p.say(head.error);
  if (!list.length) problem(head.error);
});
link.on('done', () => {
  for (const p of panes) p.busy(false);
  asked = '';
  if (!panes.some(p => p.wanted())) settled();
  else dirty = true;
});
link.on('open', () => { problem(''); asked = ''; dirty = true; liveKey = ''; if (follow) startLive(); });
link.on('closed', head => problem(head && head.reason ? `Not connected: ${head.reason}` : 'Not connected: the server has ended. Start twiddle view again.'));

// Drawing

let asked = '', askedAt = 0, ranged = false;

function frame() {
  requestAnimationFrame(frame);
  if (follow) dirty = true;
  if (!dirty && !marks) return;
  const began = performance.now();
  const v = { ...view(), f0: state.f0, f1: state.f1, scale: state.scale, colours: state.colours, low: state.low, high: state.high,
    selection: state.selection, harmonics: state.harmonics, playing, peaks: state.peaks && selection.result ? selection.result.shown : null };
  const all = dirty;
  dirty = marks = false;
  if (resized) { // here and not in the observer, which it would set off again
    resized = false;
    for (const p of panes) p.resize();
    if (selection.result) selection.chart(selection.result);
  }
  for (const p of panes) {
    p.show({ ...v, cursor: cursor && { ...cursor, here: cursor.pane === p } });
    if (all) p.paint(); else p.mark();
  }
  if (all) {
    minimap.draw(v, begin(), total());
    if (!follow) ask();
    else if (page.onlive && liveAt.arrived) { page.onlive(liveAt.arrived); liveAt.arrived = 0; }
    where(v);
  }
  readout();
  if (page.onframe) page.onframe(performance.now() - began);
}

// ask wants what is missing, not more often than the server can take.
function ask() {
  const wanted = panes.map(p => p.wanted());
  const overview = panes[0] && panes[0].tiles && panes[0].info.frames ? overviewWaves(panes[0]) : [];
  if (overview.length) {
    const first = wanted[0] || { key: panes[0].key, item: panes[0].item.id, look: panes[0].look, scale: state.scale, rowLevel: 0, rows: [], blocks: [], waves: [] };
    wanted[0] = { ...first, waves: [...first.waves, ...overview] };
  }
  const list = wanted.filter(Boolean);
  panes.forEach((p, i) => p.busy(!!wanted[i]));
  const text = JSON.stringify(list.map(w => [w.key, w.rowLevel, w.rows, w.blocks.map(b => [b.level, b.index]), w.waves.map(b => [b.level, b.index])]));
  if (text === asked) return;
  if (!list.length) { asked = ''; return settled(); }
  const now = performance.now();
  if (now - askedAt < 40) { dirty = true; return; }
  asked = text;
  askedAt = now;
  link.want(list);
}

// settled is called when nothing is missing. The first picture sets the range,
// unless the address did.
function settled() {
  if (!ranged && panes.length && panes.some(p => p.info.frames)) {
    ranged = true;
    fitRange();
  }
  for (const f of waiting.splice(0)) f();
}

// overviewWaves is what the minimap lacks.
function overviewWaves(p) {
  const level = p.tiles.waveLevelFor(p.info.frames / Math.max(1, $('minimap').clientWidth));
  return p.tiles.missingWaves({ from: 0, to: p.info.frames, waveLevel: level });
}

function where(v) {
  const digits = (v.t1 - v.t0) / 500;
  $('where').textContent = panes.length ? `${formatTime(Math.max(0, v.t0), digits)} to ${formatTime(v.t1, digits)}` : '';
}

function readout() {
  if (!cursor || !cursor.pane.view) { $('readout').textContent = '\u00a0'; return; }
  const p = cursor.pane, v = p.view, level = p.tiles.levelAt(v, cursor.t * p.rate, cursor.part);
  const value = level === null ? '' : halves[level] < notANumber ? 'no number' : formatDB(halves[level]);
  const hz = hzAt(state.scale, cursor.part, p.rate);
  const bin = p.rate / p.look.n;
  $('readout').textContent = `${p.info.rate ? formatTime(cursor.t, (v.t1 - v.t0) / 2000) : 'sample ' + Math.round(cursor.t)}   ${p.info.rate ? formatHz(hz) : hz.toPrecision(4) + ' cycles per sample'}   ${value}   bins of ${p.info.rate ? formatHz(bin) : bin.toPrecision(3)}, columns of ${(p.tiles.span(v.level) / p.rate).toPrecision(3)} s`;
}

// Controls

const tools = $('tools');

function options(select, list) {
  select.replaceChildren(...list.map(([value, text]) => Object.assign(document.createElement('option'), { value, textContent: text })));
}

function fillChannels() {
  const most = Math.max(1, ...panes.map(p => p.info.channels));
  options(tools.channel, [...(most > 1 ? [['all', 'all']] : []), ...Array.from({ length: most }, (_, i) => [String(i + 1), String(i + 1)])]);
  fillTools();
}

function fillTools() {
  const look = panes[0] ? lookOf(panes[0]) : { channel: 0, n: 2048, hop: 512 };
  tools.channel.value = look.channel < 0 ? 'all' : String(look.channel + 1);
  if (![...tools.window.options].some(o => o.value === state.window)) options(tools.window, [...windows, state.window].map(w => [w, w]));
  tools.window.value = state.window;
  options(tools.n, [...new Set([...lengths, look.n])].sort((a, b) => a - b).map(n => [n, String(n)]));
  tools.n.value = String(look.n);
  const hops = [1, 2, 4, 8, 16].map(d => look.n / d).filter(h => h >= 1);
  options(tools.hop, [...new Set([...hops, look.hop])].sort((a, b) => b - a).map(h => [h, h === look.n ? `${h} (none shared)` : String(h)]));
  tools.hop.value = String(look.hop);
  tools.scale.value = state.scale;
  tools.mean.value = state.mean ? 'true' : '';
  tools.colours.value = state.colours;
  tools.low.value = state.low;
  tools.high.value = state.high;
  for (const b of tools.querySelectorAll('[data-drag]')) b.setAttribute('aria-checked', String(b.dataset.drag === state.drag));
  for (const p of panes) p.root.classList.toggle('pan', state.drag === 'pan');
}

options(tools.window, windows.map(w => [w, w]));
options(tools.colours, colourNames.map(n => [n, n]));
tools.addEventListener('submit', e => e.preventDefault());
tools.addEventListener('change', e => {
  const v = e.target.value;
  switch (e.target.name) {
    case 'channel': return change({ channel: v === 'all' ? -1 : +v - 1 });
    case 'n': return change({ n: +v, hop: 0 });
    case 'hop': return change({ hop: +v });
    case 'mean': return change({ mean: v === 'true' });
    case 'low': return +v < state.high ? change({ low: +v }) : fillTools();
    case 'high': return +v > state.low ? change({ high: +v }) : fillTools();
    default: return change({ [e.target.name]: v });
  }
});
for (const b of tools.querySelectorAll('[data-drag]')) b.addEventListener('click', () => change({ drag: b.dataset.drag }));
$('all').addEventListener('click', () => change({ t0: 0, t1: 0, f0: 0, f1: 1 }));
$('fitrange').addEventListener('click', fitRange);
$('follow').addEventListener('click', () => setFollow(!follow));
$('help').addEventListener('click', () => $('keys').showModal());
$('mic').addEventListener('click', async () => {
  if (microphone.stream) { microphone.stop(); $('mic').removeAttribute('aria-pressed'); return; }
  try {
    await microphone.start();
    $('mic').setAttribute('aria-pressed', 'true');
  } catch (e) { problem(`No microphone: ${e.message}`); }
});

// fitRange takes the levels that are on the screen, but for the quietest.
function fitRange() {
  const all = [];
  for (const p of panes) for (const d of p.tiles.drawn(p.view)) {
    if (d.tile.level !== p.view.level) continue;
    for (let i = 0; i < d.tile.levels.length; i += 37) if ((i & 255) < d.tile.columns) all.push(halves[d.tile.levels[i]]);
  }
  const levels = all.filter(v => v > -199).sort((a, b) => a - b);
  if (!levels.length) return;
  const high = Math.ceil(levels[Math.floor(levels.length * 0.9995)] / 5) * 5, low = Math.floor(levels[Math.floor(levels.length * 0.3)] / 5) * 5;
  change({ low: Math.max(low, high - 120), high: Math.max(high, low + 30) });
}

// The list of recordings

$('files').addEventListener('click', () => { listItems(); $('chooser').showModal(); $('files').setAttribute('aria-expanded', 'true'); });
$('chooser').addEventListener('close', () => $('files').setAttribute('aria-expanded', 'false'));
$('filter').addEventListener('input', listItems);

function listItems() {
  const text = $('filter').value.toLowerCase(), shown = panes.map(p => p.item.id);
  const found = items.filter(i => i.name.toLowerCase().includes(text));
  $('items').replaceChildren(...found.slice(0, 500).map(item => {
    const li = document.createElement('li'), label = document.createElement('label'), box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = shown.includes(item.id);
    box.addEventListener('change', () => {
      const now = new Set(state.items.length ? state.items : shown);
      box.checked ? now.add(item.id) : now.delete(item.id);
      if (now.size > maxShown) { box.checked = false; now.delete(item.id); problem(`At most ${maxShown} recordings side by side.`); }
      change({ items: [...now] });
    });
    label.append(box, document.createTextNode(item.name));
    li.append(label);
    return li;
  }));
  if (!found.length) $('items').textContent = items.length ? 'No name has that.' : 'There are no recordings here.';
}

// Tabs and theme

const tabs = ['selection', 'engine'];
for (const name of tabs) $('tab-' + name).addEventListener('click', () => change({ tab: name }));
document.querySelector('.tabs').addEventListener('keydown', e => {
  if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return;
  change({ tab: state.tab === 'selection' ? 'engine' : 'selection' });
  $('tab-' + state.tab).focus();
  e.stopPropagation();
});

function showTab() {
  for (const name of tabs) {
    const on = name === state.tab;
    $('tab-' + name).setAttribute('aria-selected', String(on));
    $('tab-' + name).tabIndex = on ? 0 : -1;
    $(name).hidden = !on;
  }
  engine.show(state.tab === 'engine');
}

$('theme').addEventListener('click', () => change({ theme: { auto: 'light', light: 'dark', dark: 'auto' }[state.theme] || 'auto' }));

function showTheme() {
  if (state.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
  $('theme').textContent = { auto: '◐', light: '☀', dark: '☾' }[state.theme] || '◐';
  $('theme').title = `Colours of the page: ${state.theme}`;
  for (const p of panes) if (p.wave) p.wave.redraw();
  selection.redraw();
  dirty = true;
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);

// Keys

addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || document.querySelector('dialog[open]')) return;
  const step = 0.12;
  const keys = {
    ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0),
    ArrowUp: () => e.shiftKey ? zoom(1, 0.8, centre) : pan(0, step), ArrowDown: () => e.shiftKey ? zoom(1, 1.25, centre) : pan(0, -step),
    '+': () => zoom(0.7, 1, centre), '=': () => zoom(0.7, 1, centre), '-': () => zoom(1 / 0.7, 1, centre),
    0: () => change({ t0: 0, t1: 0, f0: 0, f1: 1 }),
    Home: () => { const v = view(); setView(begin(), begin() + v.t1 - v.t0); },
    End: () => { const v = view(); setView(total() - v.t1 + v.t0, total()); },
    Escape: () => change({ selection: null, harmonics: 0 }),
    s: () => { const v = view(), p = panes[0]; if (p) change({ selection: { t0: v.t0, t1: v.t1, f0: hzAt(state.scale, state.f0, p.rate), f1: hzAt(state.scale, state.f1, p.rate) } }); },
    z: () => actions.double(), p: () => change({ peaks: !state.peaks }),
    h: () => selection.toggleHarmonics(cursor ? hzAt(state.scale, cursor.part, cursor.pane.rate) : 0),
    l: () => setFollow(!follow),
    ' ': () => { if (e.target.tagName !== 'BUTTON') play(); },
    '?': () => $('keys').showModal(),
  };
  const f = keys[e.key] || keys[e.key.toLowerCase()];
  if (!f || e.key === ' ' && e.target.tagName === 'BUTTON') return;
  e.preventDefault();
  f();
});

// png saves what is shown as a picture.
function png() {
  const p = panes[0];
  if (!p) return;
  const dpr = window.devicePixelRatio || 1, out = document.createElement('canvas'), top = Math.round(28 * dpr);
  out.width = p.canvas.width;
  out.height = p.canvas.height + top;
  const g = out.getContext('2d'), css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  g.fillStyle = css('--page');
  g.fillRect(0, 0, out.width, out.height);
  g.fillStyle = css('--text');
  g.font = `${13 * dpr}px system-ui, sans-serif`;
  g.fillText(`${p.item.name}   ${state.window} ${p.look.n}, ${state.low} to ${state.high} dB`, p.area.left * dpr, 18 * dpr);
  p.paint(false); // what a GPU has drawn can be read in the same turn only
  g.drawImage(p.pixels, p.area.left * dpr, top);
  g.drawImage(p.canvas, 0, top);
  out.toBlob(b => save(b, `${p.item.name.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '_')}.png`));
}

// Beginning

onChange(changed => {
  const has = (...names) => names.some(n => changed.has(n));
  dirty = true;
  if (has('items')) return void showItems();
  if (has('channel', 'window', 'n', 'hop', 'mean', 'scale')) seeAll();
  if (has('t0', 't1') && !state.selection || has('selection', 'scale', 'peaks', 'harmonics')) selection.refresh(has('selection') ? 120 : 350);
  if (has('tab')) showTab();
  if (has('theme')) showTheme();
  fillTools();
});

let resized = false;
new ResizeObserver(() => { resized = dirty = true; }).observe($('panes'));

// page is what tests and measurements use of it.
const page = {
  state, change, pan, view, panes: () => panes, partOf,
  zoomTo(width) { const t = total(); setView(t / 2 - t * width / 2, t / 2 + t * width / 2); },
  sharp: () => new Promise(done => { waiting.push(done); asked = ''; dirty = true; }),
  onlive: null, onframe: null,
};
globalThis.twiddle = page;

async function start() {
  const given = read();
  Object.assign(state, given);
  ranged = 'low' in given || 'high' in given;
  showTheme();
  showTab();
  try {
    const about = await get('api/items');
    items = about.items;
    if (!items.length) problem('There are no recordings here.');
    $('files').hidden = items.length < 2;
    await showItems();
    requestAnimationFrame(frame);
    if (about.report && state.measure === 'pan') await measurePan(page);
    if (about.report && state.measure === 'live') await measureLive(page);
  } catch (e) { problem(e.message); }
}
start();
