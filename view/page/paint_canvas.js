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

  picture(t, look) {
    const key = `${look.colours} ${look.low} ${look.high}`;
    if (t.texture && t.key === key && !t.stale) return t.texture;
    const image = new ImageData(256, 256), map = colourMap(look.colours), scale = 255 / (look.high - look.low);
    for (let i = 0; i < t.levels.length; i++) {
      const level = halves[t.levels[i]];
      const to = 4 * ((255 - (i >> 8)) * 256 + (i & 255)); // rows count from the bottom
      if (level < notANumber) {
        image.data.set(missing, to);
        continue;
      }
      const c = 4 * Math.max(0, Math.min(255, Math.round((level - look.low) * scale)));
      image.data[to] = map[c]; image.data[to + 1] = map[c + 1]; image.data[to + 2] = map[c + 2]; image.data[to + 3] = 255;
    }
    if (!t.texture) {
      t.texture = document.createElement('canvas');
      t.texture.width = t.texture.height = 256;
    }
    t.texture.getContext('2d').putImageData(image, 0, 0);
    t.key = key;
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
