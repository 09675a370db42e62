// Which part of the recordings is shown: zooming, panning, following.

import { livePane, stage } from './stage.js';
import { change, state } from './state.js';

const liveSpan = 10; // seconds that a live view shows
export const centre = { x: 0.5, y: 0.5 };

export const total = () => Math.max(0, ...stage.panes.map(p => p.seconds));

export function begin() {
  const p = stage.panes[0];
  return p && p.info.live ? (p.info.first || 0) / p.rate : 0;
}

// liveEnd runs on between arrivals, so that the picture moves evenly.
function liveEnd() {
  const p = livePane(), { frames, when } = stage.arrival;
  if (!p) return total();
  const since = when ? Math.min(0.05, (performance.now() - when) / 1000) : 0;
  return Math.max(p.seconds, frames / p.rate) + since - 0.02;
}

export function view() {
  if (stage.follow) {
    const now = liveEnd();
    const width = state.t1 > state.t0 ? Math.min(60, state.t1 - state.t0) : liveSpan;
    return { t0: now - width, t1: now };
  }
  if (state.t1 > state.t0) return { t0: state.t0, t1: state.t1 };
  return { t0: begin(), t1: Math.max(total(), 1e-6) };
}

// setView keeps to where there is something, and above what can be told apart.
export function setView(t0, t1) {
  if (stage.follow) return;
  const end = total(), rate = Math.max(1, ...stage.panes.map(p => p.rate));
  const width = Math.min(Math.max(t1 - t0, 16 / rate), Math.max(end - begin(), 16 / rate));
  const middle = (t0 + t1) / 2;
  t0 = Math.min(Math.max(middle - width / 2, begin()), Math.max(begin(), end - width));
  change({ t0, t1: t0 + width });
}

export function zoom(t, f, at) {
  const v = view();
  if (t !== 1) {
    if (stage.follow) return change({ t0: 0, t1: Math.min(60, Math.max(0.5, (v.t1 - v.t0) * t)) });
    const fixed = v.t0 + at.x * (v.t1 - v.t0);
    setView(fixed - (fixed - v.t0) * t, fixed + (v.t1 - fixed) * t);
  }
  if (f !== 1) {
    const fixed = state.f0 + at.y * (state.f1 - state.f0), width = Math.min(1, Math.max(0.002, (state.f1 - state.f0) * f));
    const f0 = Math.min(Math.max(0, fixed - at.y * width), 1 - width);
    change({ f0, f1: f0 + width });
  }
}

export function pan(x, y) {
  const v = view(), dt = x * (v.t1 - v.t0), df = Math.max(-state.f0, Math.min(1 - state.f1, y * (state.f1 - state.f0)));
  if (x) setView(v.t0 + dt, v.t1 + dt);
  if (df) change({ f0: state.f0 + df, f1: state.f1 + df });
}

export function showAll() { change({ t0: 0, t1: 0, f0: 0, f1: 1 }); }

// zoomToSelection leaves a little beside it.
export function zoomToSelection() {
  const s = state.selection;
  if (s) setView(s.t0 - 0.02 * (s.t1 - s.t0), s.t1 + 0.02 * (s.t1 - s.t0));
}
