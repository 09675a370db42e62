// Where frequencies lie on a scale, and how numbers are written.

const decades = 3; // of a logarithmic scale, as the server has it
const slaneyStep = Math.log(6.4) / 27;

function mel(hz) { return hz >= 1000 ? 15 + Math.log(hz / 1000) / slaneyStep : hz * 3 / 200; }
function fromMel(m) { return m >= 15 ? 1000 * Math.exp(slaneyStep * (m - 15)) : m * 200 / 3; }

// hzAt is the frequency at a part of a scale: 0 at its bottom, 1 at its top.
export function hzAt(scale, at, rate) {
  const top = rate / 2;
  if (scale === 'iq') return (2 * at - 1) * top; // of complex samples
  if (scale === 'log') return top * 10 ** (decades * (at - 1));
  if (scale === 'mel') return fromMel(at * mel(top));
  return at * top;
}

// partOf undoes hzAt.
export function partOf(scale, hz, rate) {
  const top = rate / 2;
  if (scale === 'iq') return (hz / top + 1) / 2;
  if (scale === 'log') return Math.log10(Math.max(hz, 1e-12) / top) / decades + 1;
  if (scale === 'mel') return mel(hz) / mel(top);
  return hz / top;
}

export function formatHz(hz, unit = true) {
  const a = Math.abs(hz);
  const [v, u] = a >= 1e6 ? [hz / 1e6, 'MHz'] : a >= 1e3 ? [hz / 1e3, 'kHz'] : [hz, 'Hz'];
  return trim(v, 4) + (unit ? ' ' + u : u[0] === 'H' ? '' : u[0]);
}

// trim writes a number with so many digits that count.
export function trim(v, digits) {
  if (v === 0) return '0';
  const whole = Math.floor(Math.log10(Math.abs(v))) + 1;
  return String(+v.toFixed(Math.max(0, Math.min(12, digits - whole))));
}

// formatTime writes seconds; step is what must be told apart.
export function formatTime(t, step = 0.001) {
  const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(step) - 1e-9)));
  const sign = t < 0 ? '-' : '';
  t = Math.abs(t);
  t = Math.round(t * 10 ** digits) / 10 ** digits;
  const h = Math.floor(t / 3600), m = Math.floor(t / 60) % 60, s = t % 60;
  const pad = digits ? 3 + digits : 2;
  if (h) return `${sign}${h}:${String(m).padStart(2, '0')}:${s.toFixed(digits).padStart(pad, '0')}`;
  if (m || step >= 1) return `${sign}${m}:${s.toFixed(digits).padStart(pad, '0')}`;
  return `${sign}${s.toFixed(digits)} s`;
}

export function formatDB(v) { return v === null || v === undefined || Number.isNaN(v) ? 'no number' : v <= -199.9 ? 'silence' : v.toFixed(1) + ' dB'; }

// ticks is round numbers between two, about so many.
export function ticks(from, to, count) {
  const rough = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= rough);
  return { step, list: multiples(from, to, step) };
}

function multiples(from, to, step) {
  const list = [];
  for (let i = Math.ceil(from / step); i * step <= to && list.length < 200; i++) list.push(i * step);
  return list;
}

const clock = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200];

// timeTicks is ticks that suit minutes and hours.
export function timeTicks(from, to, count) {
  const rough = (to - from) / Math.max(1, count);
  if (rough < 1) return ticks(from, to, count);
  const step = clock.find(s => s >= rough) || 86400;
  return { step, list: multiples(from, to, step) };
}

// hzTicks is frequencies worth a line between two parts of a scale that is so
// many pixels high, at least 22 apart: powers of ten first, then 5, then 2.
export function hzTicks(scale, low, high, rate, height) {
  const a = hzAt(scale, low, rate), b = hzAt(scale, high, rate);
  if (scale === 'linear' || scale === 'iq' || b < 3 * a) return ticks(a, b, Math.max(2, height / 34)).list;
  const kept = [], at = hz => (partOf(scale, hz, rate) - low) / (high - low) * height;
  for (const lead of [1, 5, 2, 3, 7]) {
    for (let p = 10 ** Math.ceil(Math.log10(b)); p > b / 1e7; p /= 10) {
      const hz = lead * p;
      if (hz >= a && hz <= b && hz > 0 && kept.every(k => Math.abs(at(k) - at(hz)) > 22)) kept.push(hz);
    }
  }
  return kept;
}

// half floats, as numbers.
const table = (() => {
  const t = new Float32Array(65536);
  for (let h = 0; h < 65536; h++) {
    const e = h >> 10 & 31, m = h & 1023;
    t[h] = (h & 0x8000 ? -1 : 1) * (e === 0 ? m * 2 ** -24 : (1 + m / 1024) * 2 ** (e - 15));
  }
  return t;
})();
export const halves = table;
export const notANumber = -20000; // levels below are none
