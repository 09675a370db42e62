// The page: its parts, what happens between them, and drawing.

import { Asking } from './asking.js';
import { maxShown } from './chooser.js';
import { fillChannels, fillTools, fitRange, lookOf } from './controls.js';
import { EnginePanel } from './engine.js';
import { listenToKeys } from './keys.js';
import { get, Link } from './link.js';
import { LiveView } from './live.js';
import { measureLive, measurePan } from './measure.js';
import { Minimap } from './minimap.js';
import { Pane } from './pane.js';
import { png } from './picture.js';
import { Player } from './play.js';
import { formatDB, formatHz, formatTime, halves, hzAt, notANumber, partOf } from './scales.js';
import { SelectionPanel } from './selection.js';
import { $, problem, redraw, stage } from './stage.js';
import { change, onChange, read, state } from './state.js';
import { showTab, showTheme } from './tabs.js';
import { begin, pan, setView, total, view, zoom, zoomToSelection } from './times.js';

const link = new Link();
const live = new LiveView(link);
const asking = new Asking(link, settled);
const player = new Player(t => { stage.playing = t; stage.marks = true; $('selection').querySelector('.play').textContent = t === null ? 'Play' : 'Stop'; });
const selection = new SelectionPanel($('selection'), { part, png, play });
selection.onresult = () => { stage.marks = true; };
const engine = new EnginePanel($('engine'), { part });
const minimap = new Minimap($('minimap'), {
  move(t0) { const v = view(); live.follow(false); setView(t0, t0 + v.t1 - v.t0); },
  waveform(width) {
    const p = stage.panes[0];
    if (!p || !p.tiles || !p.info.frames) return null;
    return p.tiles.waveform({ from: 0, to: p.info.frames, waveLevel: p.tiles.waveLevelFor(p.info.frames / width) });
  },
});
listenToKeys({ selection, live, play });

// What panes do

function select(a, b, done, pane) {
  const v = view(), at = p => ({ t: v.t0 + Math.min(1, Math.max(0, p.x)) * (v.t1 - v.t0), part: state.f0 + Math.min(1, Math.max(0, p.y)) * (state.f1 - state.f0) });
  const p = at(a), q = at(b);
  const hz = [p.part, q.part].map(x => hzAt(pane.scale, x, pane.rate)).sort((x, y) => x - y);
  // A selection that is nearly as high as the picture is one of times only.
  const whole = Math.abs(a.y - b.y) > 0.9 || Math.abs(a.y - b.y) < 0.02;
  change({ selection: { t0: Math.min(p.t, q.t), t1: Math.max(p.t, q.t), f0: whole ? pane.lowest : hz[0], f1: whole ? pane.rate / 2 : hz[1] } });
}

const actions = {
  zoom, pan, select, redraw,
  dragMode: () => state.drag,
  hover(at, pane) {
    const v = view();
    stage.cursor = at && { t: v.t0 + at.x * (v.t1 - v.t0), part: state.f0 + at.y * (state.f1 - state.f0), pane };
    stage.marks = true;
  },
  double: zoomToSelection,
};

// part is what is selected, or shown if nothing is, of the first recording.
function part() {
  const pane = stage.panes[0];
  if (!pane || !pane.look) return null;
  const s = state.selection || view();
  const from = Math.max(pane.info.first || 0, Math.floor(s.t0 * pane.rate)), to = Math.min(pane.info.frames, Math.ceil(s.t1 * pane.rate));
  return { name: pane.item.name, rate: pane.rate, lowest: pane.lowest, level: pane.view ? pane.view.level : 0, query: { item: pane.item.id, from, to, ...pane.look } };
}

async function play() {
  if (player.playing) return player.stop();
  const p = part();
  if (!p) return;
  try {
    problem(await player.play(p.query, p.rate, p.query.from / p.rate));
  } catch (e) { problem(e.message); }
}

// Recordings

async function showItems() {
  const { items } = stage;
  const wanted = state.items.length ? state.items : items.slice(0, items.length <= 4 ? 4 : 1).map(i => i.id);
  const old = stage.panes, next = [];
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
  stage.panes = next.filter(p => p instanceof Pane);
  for (const p of next) p instanceof Pane ? (p.wave ? ($('panes').append(p.root), p.resize()) : p.mount($('panes'))) : $('panes').append(p.root);
  const grows = stage.panes.some(p => p.info.live);
  $('follow').hidden = !grows;
  live.follow(grows);
  document.title = stage.panes.length === 1 ? `${stage.panes[0].item.name} – Twiddle` : 'Twiddle view';
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
  for (const p of stage.panes) p.see(lookOf(p));
  if (stage.follow) live.start();
  redraw();
  selection.refresh();
}

// Answers

const byKey = key => stage.panes.filter(p => p.key === key);

link.on('tile', (head, body) => { for (const p of byKey(head.key)) { p.tiles.add(head, body); redraw(); } });
link.on('wave', (head, body) => { for (const p of byKey(head.key)) { p.tiles.addWave(head, body); redraw(); } });
link.on('info', head => {
  for (const p of stage.panes) if (p.item.id === head.item) p.update(head.info);
  redraw();
});
link.on('error', head => {
  const list = head.key ? byKey(head.key) : stage.panes.filter(p => !head.item || p.item.id === head.item);
  for (const p of list) p.say(head.error);
  if (!list.length) problem(head.error);
});
link.on('microphone', head => {
  const item = { id: head.item, name: 'Browser microphone', live: true };
  stage.items = [...stage.items.filter(i => i.id !== head.item), item];
  const pane = new Pane(item, head.info, { channel: 0, window: 'hann', n: 2048, hop: 512, mean: false }, actions);
  for (const p of stage.panes) p.unmount();
  $('panes').replaceChildren();
  stage.panes = [pane];
  pane.mount($('panes'));
  state.items = [head.item];
  $('follow').hidden = false;
  fillChannels();
  pane.see(lookOf(pane));
  stage.follow = false;
  live.follow(true);
});
link.on('open', () => { problem(''); asking.again(); live.again(); });
link.on('closed', head => problem(head && head.reason ? `Not connected: ${head.reason}` : 'Not connected: the server has ended. Start twiddle view again.'));

// Drawing

const waiting = []; // for everything to be sharp
let ranged = false, resized = false;

function frame() {
  requestAnimationFrame(frame);
  if (stage.follow) redraw();
  if (!stage.dirty && !stage.marks) return;
  const began = performance.now(), { cursor, panes, arrival } = stage;
  const v = { ...view(), f0: state.f0, f1: state.f1, colours: state.colours, low: state.low, high: state.high,
    selection: state.selection, harmonics: state.harmonics, playing: stage.playing, peaks: state.peaks && selection.result ? selection.result.shown : null };
  const all = stage.dirty;
  stage.dirty = stage.marks = false;
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
    if (!stage.follow) asking.ask();
    else if (page.onlive && arrival.arrived) { page.onlive(arrival.arrived); arrival.arrived = 0; }
    where(v);
  }
  readout();
  if (page.onframe) page.onframe(performance.now() - began);
}

// settled is called when nothing is missing. The first picture sets the range,
// unless the address did.
function settled() {
  if (!ranged && stage.panes.some(p => p.info.frames)) {
    ranged = true;
    fitRange();
  }
  for (const f of waiting.splice(0)) f();
}

function where(v) {
  const digits = (v.t1 - v.t0) / 500;
  $('where').textContent = stage.panes.length ? `${formatTime(Math.max(0, v.t0), digits)} to ${formatTime(v.t1, digits)}` : '';
}

function readout() {
  const { cursor } = stage;
  if (!cursor || !cursor.pane.view) { $('readout').textContent = '\u00a0'; return; }
  const p = cursor.pane, v = p.view, level = p.tiles.levelAt(v, cursor.t * p.rate, cursor.part);
  const value = level === null ? '' : halves[level] < notANumber ? 'no number' : formatDB(halves[level]);
  const hz = hzAt(p.scale, cursor.part, p.rate);
  const bin = p.rate / p.look.n;
  $('readout').textContent = `${p.info.rate ? formatTime(cursor.t, (v.t1 - v.t0) / 2000) : 'sample ' + Math.round(cursor.t)}   ${p.info.rate ? formatHz(hz) : hz.toPrecision(4) + ' cycles per sample'}   ${value}   bins of ${p.info.rate ? formatHz(bin) : bin.toPrecision(3)}, columns of ${(p.tiles.span(v.level) / p.rate).toPrecision(3)} s`;
}

// Beginning

onChange(changed => {
  const has = (...names) => names.some(n => changed.has(n));
  redraw();
  if (has('items')) return void showItems();
  if (has('channel', 'window', 'n', 'hop', 'mean', 'scale')) seeAll();
  if (has('t0', 't1') && !state.selection || has('selection', 'scale', 'peaks', 'harmonics')) selection.refresh(has('selection') ? 120 : 350);
  if (has('tab')) showTab(engine);
  if (has('theme')) showTheme(selection);
  fillTools();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => showTheme(selection));
new ResizeObserver(() => { resized = true; redraw(); }).observe($('panes'));

// page is what tests and measurements use of it.
const page = {
  state, change, pan, view, panes: () => stage.panes, partOf,
  zoomTo(width) { const t = total(); setView(t / 2 - t * width / 2, t / 2 + t * width / 2); },
  sharp: () => new Promise(done => { waiting.push(done); asking.again(); }),
  onlive: null, onframe: null,
};
globalThis.twiddle = page;

async function start() {
  const given = read();
  Object.assign(state, given);
  ranged = 'low' in given || 'high' in given;
  showTheme(selection);
  showTab(engine);
  try {
    const about = await get('api/items');
    stage.items = about.items;
    if (!stage.items.length) problem('There are no recordings here.');
    $('files').hidden = stage.items.length < 2;
    await showItems();
    requestAnimationFrame(frame);
    if (about.report && state.measure === 'pan') await measurePan(page);
    if (about.report && state.measure === 'live') await measureLive(page);
  } catch (e) { problem(e.message); }
}
start();
