// What is shown, as a picture to keep.

import { save } from './selection.js';
import { stage } from './stage.js';
import { state } from './state.js';

export function png() {
  const p = stage.panes[0];
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
