// Everything that a page shows, in one object that is written to the address:
// whoever gets the address sees the same.

export const state = {
  items: [],            // recordings that are shown
  t0: 0, t1: 0,         // seconds; both 0 is all
  f0: 0, f1: 1,         // parts of the scale
  channel: null, window: 'hann', n: 0, hop: 0, mean: false, // 0 and null: as suits the recording
  scale: 'linear', colours: 'ember', low: -110, high: -10,
  selection: null,      // {t0, t1, f0, f1}: frequencies in Hz
  peaks: false, harmonics: 0, tab: 'selection', drag: 'pan', theme: 'auto', measure: '',
};

const listeners = new Set();

// onChange calls f after every change, with the names of what changed.
export function onChange(f) { listeners.add(f); }

// change sets some of the state.
export function change(parts) {
  const changed = Object.keys(parts).filter(k => JSON.stringify(state[k]) !== JSON.stringify(parts[k]));
  if (!changed.length) return;
  Object.assign(state, parts);
  for (const f of listeners) f(new Set(changed));
  remember();
}

const numbers = ['t0', 't1', 'f0', 'f1', 'n', 'hop', 'low', 'high', 'harmonics'];
const texts = ['window', 'scale', 'colours', 'tab', 'drag', 'theme', 'measure'];

// read takes the state from the address.
export function read(hash = location.hash) {
  const q = new URLSearchParams(hash.replace(/^#/, ''));
  const parts = {};
  for (const k of numbers) if (q.has(k) && Number.isFinite(+q.get(k))) parts[k] = +q.get(k);
  for (const k of texts) if (q.has(k)) parts[k] = q.get(k);
  if (q.has('channel')) parts.channel = q.get('channel') === 'all' ? -1 : Math.max(0, Math.trunc(+q.get('channel') - 1) || 0);
  if (q.has('mean')) parts.mean = true;
  if (q.has('peaks')) parts.peaks = true;
  if (q.getAll('item').length) parts.items = q.getAll('item');
  const s = (q.get('select') || '').split(',').map(Number);
  parts.selection = s.length === 4 && s.every(Number.isFinite) ? { t0: s[0], t1: s[1], f0: s[2], f1: s[3] } : null;
  return parts;
}

export function address() {
  const q = new URLSearchParams();
  for (const i of state.items) q.append('item', i);
  for (const k of numbers) if (state[k] || k === 'high' || k === 'low') q.set(k, String(state[k]));
  for (const k of texts) if (state[k]) q.set(k, state[k]);
  if (state.channel !== null) q.set('channel', state.channel < 0 ? 'all' : state.channel + 1);
  if (state.mean) q.set('mean', '1');
  if (state.peaks) q.set('peaks', '1');
  const s = state.selection;
  if (s) q.set('select', [s.t0, s.t1, s.f0, s.f1].join(','));
  return '#' + q;
}

let timer = 0;
let written = '';

// remember writes the address, not more often than browsers allow.
function remember() {
  if (timer) return;
  timer = setTimeout(() => {
    timer = 0;
    written = address();
    history.replaceState(null, '', written);
  }, 200);
}

// An address that was edited, or chosen from the history, is shown.
addEventListener('hashchange', () => { if (location.hash !== written) change(read()); });
