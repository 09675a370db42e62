// Asking the server for what is missing on the screen.

import { $, redraw, stage } from './stage.js';
import { state } from './state.js';

const pause = 40; // ms between requests: more often the server would only begin

export class Asking {
  constructor(link, settled) {
    this.link = link;
    this.settled = settled; // called when nothing is missing
    this.asked = '';
    this.at = 0;
    link.on('done', () => {
      for (const p of stage.panes) p.busy(false);
      this.again();
      if (!stage.panes.some(p => p.wanted())) this.settled();
    });
  }

  // again forgets what was asked for.
  again() {
    this.asked = '';
    redraw();
  }

  // ask wants what is missing, not more often than the server can take.
  ask() {
    const panes = stage.panes, wanted = panes.map(p => p.wanted());
    const overview = panes[0] && panes[0].tiles && panes[0].info.frames ? overviewWaves(panes[0]) : [];
    if (overview.length) {
      const first = wanted[0] || { key: panes[0].key, item: panes[0].item.id, look: panes[0].look, scale: panes[0].scale, rowLevel: 0, rows: [], blocks: [], waves: [] };
      wanted[0] = { ...first, waves: [...first.waves, ...overview] };
    }
    const list = wanted.filter(Boolean);
    panes.forEach((p, i) => p.busy(!!wanted[i]));
    const text = JSON.stringify(list.map(w => [w.key, w.rowLevel, w.rows, w.blocks.map(b => [b.level, b.index]), w.waves.map(b => [b.level, b.index])]));
    if (text === this.asked) return;
    if (!list.length) { this.asked = ''; return this.settled(); }
    const now = performance.now();
    if (now - this.at < pause) return redraw();
    this.asked = text;
    this.at = now;
    this.link.want(list);
  }
}

// overviewWaves is what the minimap lacks.
function overviewWaves(p) {
  const level = p.tiles.waveLevelFor(p.info.frames / Math.max(1, $('minimap').clientWidth));
  return p.tiles.missingWaves({ from: 0, to: p.info.frames, waveLevel: level });
}
