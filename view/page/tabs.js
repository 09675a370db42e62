// The tabs beside the recordings, and the colours of the page.

import { $, redraw, stage } from './stage.js';
import { change, state } from './state.js';

const tabs = ['selection', 'engine'];
const signs = { auto: '◐', light: '☀', dark: '☾' }, following = { auto: 'light', light: 'dark', dark: 'auto' };

for (const name of tabs) $('tab-' + name).addEventListener('click', () => change({ tab: name }));
document.querySelector('.tabs').addEventListener('keydown', e => {
  if (e.key !== 'ArrowRight' && e.key !== 'ArrowLeft') return;
  change({ tab: state.tab === 'selection' ? 'engine' : 'selection' });
  $('tab-' + state.tab).focus();
  e.stopPropagation();
});
$('theme').addEventListener('click', () => change({ theme: following[state.theme] || 'auto' }));

export function showTab(engine) {
  for (const name of tabs) {
    const on = name === state.tab;
    $('tab-' + name).setAttribute('aria-selected', String(on));
    $('tab-' + name).tabIndex = on ? 0 : -1;
    $(name).hidden = !on;
  }
  engine.show(state.tab === 'engine');
}

// showTheme has what is drawn in the page's colours drawn again.
export function showTheme(selection) {
  if (state.theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.theme;
  $('theme').textContent = signs[state.theme] || signs.auto;
  $('theme').title = `Colours of the page: ${state.theme}`;
  for (const p of stage.panes) if (p.wave) p.wave.redraw();
  selection.redraw();
  redraw();
}
