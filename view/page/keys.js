// Keys, wherever the focus is but in a field.

import { hzAt } from './scales.js';
import { $, stage } from './stage.js';
import { change, state } from './state.js';
import { begin, centre, pan, setView, showAll, total, view, zoom, zoomToSelection } from './times.js';

const step = 0.12; // of what is shown

export function listenToKeys({ selection, live, play }) {
  const keys = {
    ArrowLeft: () => pan(-step, 0), ArrowRight: () => pan(step, 0),
    ArrowUp: e => e.shiftKey ? zoom(1, 0.8, centre) : pan(0, step), ArrowDown: e => e.shiftKey ? zoom(1, 1.25, centre) : pan(0, -step),
    '+': () => zoom(0.7, 1, centre), '=': () => zoom(0.7, 1, centre), '-': () => zoom(1 / 0.7, 1, centre),
    0: showAll,
    Home: () => { const v = view(); setView(begin(), begin() + v.t1 - v.t0); },
    End: () => { const v = view(); setView(total() - v.t1 + v.t0, total()); },
    Escape: () => change({ selection: null, harmonics: 0 }),
    s: selectShown, z: zoomToSelection,
    p: () => change({ peaks: !state.peaks }),
    h: () => selection.toggleHarmonics(stage.cursor ? hzAt(stage.cursor.pane.scale, stage.cursor.part, stage.cursor.pane.rate) : 0),
    l: () => live.follow(!stage.follow),
    ' ': play,
    '?': () => $('keys').showModal(),
  };
  addEventListener('keydown', e => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) || document.querySelector('dialog[open]')) return;
    const f = keys[e.key] || keys[e.key.toLowerCase()];
    if (!f || e.key === ' ' && e.target.tagName === 'BUTTON') return;
    e.preventDefault();
    f(e);
  });
  $('help').addEventListener('click', keys['?']);
}

function selectShown() {
  const v = view(), p = stage.panes[0];
  if (p) change({ selection: { t0: v.t0, t1: v.t1, f0: hzAt(p.scale, state.f0, p.rate), f1: hzAt(p.scale, state.f1, p.rate) } });
}
