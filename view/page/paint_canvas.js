// Paints tiles on a plain canvas, where there is no WebGL2. A tile is coloured
// once for a range and a map, and then drawn at its place.

import { colourMap, missing } from './colours.js';
import { halves, notANumber } from './scales.js';

export class CanvasPainter {
  constructor(canvas) {
    this.kind = 'canvas';
    this.canvas = canvas;
    this.context = canvas.getContext('2d', { alpha: false });
    this.onrestore = () => {};
  }

  drop(t) { t.texture = null; }

  // table gives the colour of each half float, as the four bytes of a pixel.
  table(look) {
    const key = `${look.colours} ${look.low} ${look.high}`;
    if (this.key === key) return this.pixels;
    const map = new Uint32Array(colourMap(look.colours).buffer), none = new Uint32Array(new Uint8Array(missing).buffer)[0], scale = 255 / (look.high - look.low);
    this.key = key;
    this.pixels = Uint32Array.from(halves, v => v < notANumber ? none : map[Math.max(0, Math.min(255, Math.round((v - look.low) * scale))) || 0]);
    return this.pixels;
  }

  picture(t, look) {
    const table = this.table(look);
    if (t.texture && t.key === this.key && !t.stale) return t.texture;
    const image = new ImageData(256, 256), to = new Uint32Array(image.data.buffer);
    for (let row = 0; row < 256; row++) { // rows count from the bottom
      const from = 256 * row, at = 256 * (255 - row);
      for (let i = 0; i < 256; i++) to[at + i] = table[t.levels[from + i]];
    }
    if (!t.texture) {
      t.texture = document.createElement('canvas');
      t.texture.width = t.texture.height = 256;
    }
    t.texture.getContext('2d').putImageData(image, 0, 0);
    t.key = this.key;
    t.stale = false;
    return t.texture;
  }

  paint(list, x, y, look) {
    const g = this.context, { width, height } = this.canvas, map = colourMap(look.colours);
    g.fillStyle = `rgb(${map[0]} ${map[1]} ${map[2]})`;
    g.fillRect(0, 0, width, height);
    for (const d of list) {
      const left = x(d.from) * width, right = x(d.to) * width, bottom = (1 - y(d.low)) * height, top = (1 - y(d.high)) * height;
      g.drawImage(this.picture(d.tile, look), 0, 0, d.tile.columns, 256, left, top, right - left, bottom - top);
    }
  }
}
