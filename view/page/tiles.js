// Tiles that have arrived, of one recording and one look at it. A tile is 256
// columns by 256 rows of levels; columns of a level stand for hop * 2^level
// frames, rows of a row level for a part of the scale of 1 / (256 * 2^rowLevel).

export const columns = 256, rows = 256;
const kept = 360;          // tiles: some screens full, 46 MB
const keptWaves = 400;     // blocks of the waveform
export const waveColumns = 1024;
export const maxRowLevel = 9;

const nameOf = (level, index, rowLevel, row) => `${level} ${index} ${rowLevel} ${row}`;

export class Tiles {
  constructor(painter, hop, rate) {
    this.painter = painter;
    this.hop = hop;
    this.rate = rate;
    this.tiles = new Map();  // by name, the least recently used first
    this.waves = new Map();
    this.frames = 0;
  }

  // grow says that the recording is longer now: what lay at its end is asked for
  // once more.
  grow(frames) {
    if (frames === this.frames) return;
    const old = this.frames;
    this.frames = frames;
    for (const t of this.tiles.values()) if ((t.index + 1) * columns * this.span(t.level) > old - 65536) t.coarse = true;
    for (const w of this.waves.values()) if ((w.index + 1) * waveColumns * 2 ** w.level > old) w.coarse = true;
  }

  span(level) { return this.hop * 2 ** level; }

  add(head, body) {
    const name = nameOf(head.level, head.index, head.rowLevel, head.row);
    const old = this.tiles.get(name);
    if (old) {
      if (head.coarse && !old.coarse) return;
      this.painter.drop(old);
      this.tiles.delete(name);
    }
    this.tiles.set(name, { ...head, columns: head.columns || 0, coarse: !!head.coarse, levels: new Uint16Array(body), texture: null });
    for (const [n, t] of this.tiles) {
      if (this.tiles.size <= kept) break;
      this.painter.drop(t);
      this.tiles.delete(n);
    }
  }

  // addColumns puts live columns where they belong: rows of each from the bottom,
  // then the extents of each.
  addColumns(head, body) {
    const height = head.rows, rowLevel = Math.log2(height / rows);
    const levels = new Uint16Array(body, 0, head.columns * height);
    const extents = new Float32Array(body.slice(2 * head.columns * height));
    for (let c = 0; c < head.columns; c++) {
      const column = head.index + c, index = Math.floor(column / columns), at = column % columns;
      for (let row = 0; row < 1 << rowLevel; row++) {
        const name = nameOf(head.level, index, rowLevel, row);
        let t = this.tiles.get(name);
        if (!t) {
          this.add({ op: 'tile', level: head.level, index, rowLevel, row, coarse: true, columns: 0 }, new Uint16Array(columns * rows).fill(0xda40).buffer);
          t = this.tiles.get(name);
        }
        for (let r = 0; r < rows; r++) t.levels[r * columns + at] = levels[c * height + row * rows + r];
        t.columns = Math.max(t.columns, at + 1);
        t.stale = true;
        t.coarse = true;
      }
      this.addLiveWave(head.level, column, extents[2 * c], extents[2 * c + 1]);
    }
  }

  addLiveWave(level, column, low, high) {
    const wave = Math.log2(this.span(level));
    if (!Number.isInteger(wave)) return; // columns do not lie on the waveform's grid
    const index = Math.floor(column / waveColumns), name = `${wave} ${index}`;
    let w = this.waves.get(name);
    if (!w) {
      w = { level: wave, index, coarse: true, extents: new Float32Array(2 * waveColumns).fill(NaN) };
      this.waves.set(name, w);
    }
    w.extents.set([low, high], 2 * (column % waveColumns));
  }

  addWave(head, body) {
    const name = `${head.level} ${head.index}`;
    const old = this.waves.get(name);
    if (old && head.coarse && !old.coarse) return;
    this.waves.delete(name);
    this.waves.set(name, { level: head.level, index: head.index, coarse: !!head.coarse, extents: new Float32Array(body) });
    for (const n of this.waves.keys()) {
      if (this.waves.size <= keptWaves) break;
      this.waves.delete(n);
    }
  }

  // levelFor is the level whose columns are next to a pixel wide, and not wider.
  levelFor(framesPerPixel) { return Math.max(0, Math.min(40, Math.floor(Math.log2(framesPerPixel / this.hop) + 0.2))); }

  waveLevelFor(framesPerPixel) { return Math.max(0, Math.min(40, Math.floor(Math.log2(framesPerPixel) + 0.2))); }

  rowLevelFor(height, f0, f1, bins) {
    const wanted = Math.ceil(Math.log2(height / (f1 - f0) / rows) - 0.25);
    return Math.max(0, Math.min(maxRowLevel, wanted, Math.ceil(Math.log2(8 * bins / rows))));
  }

  // missing lists what a view needs and has not got, the middle first.
  missing(view) {
    const { level, rowLevel } = view;
    const width = columns * this.span(level);
    const first = Math.max(0, Math.floor(view.from / width)), last = Math.floor((Math.min(view.to, this.frames) - 1) / width);
    const firstRow = Math.max(0, Math.floor(view.f0 * 2 ** rowLevel)), lastRow = Math.min(2 ** rowLevel - 1, Math.ceil(view.f1 * 2 ** rowLevel) - 1);
    const rowList = [];
    for (let r = firstRow; r <= lastRow; r++) rowList.push(r);
    const blocks = [];
    for (let index = first; index <= last; index++) {
      const have = rowList.map(row => this.tiles.get(nameOf(level, index, rowLevel, row)));
      have.forEach(t => t && this.touch(t));
      if (have.every(t => t && !t.coarse)) continue;
      blocks.push({ level, index, coarse: have.every(t => t) });
    }
    const middle = (first + last) / 2;
    blocks.sort((a, b) => Math.abs(a.index - middle) - Math.abs(b.index - middle));
    return { rows: rowList, blocks, waves: this.missingWaves(view) };
  }

  missingWaves(view) {
    const width = waveColumns * 2 ** view.waveLevel;
    const list = [];
    for (let index = Math.max(0, Math.floor(view.from / width)); index * width < Math.min(view.to, this.frames); index++) {
      const w = this.waves.get(`${view.waveLevel} ${index}`);
      if (!w || w.coarse) list.push({ level: view.waveLevel, index, coarse: !!w });
    }
    return list;
  }

  touch(t) {
    const name = nameOf(t.level, t.index, t.rowLevel, t.row);
    this.tiles.delete(name);
    this.tiles.set(name, t);
  }

  // drawn lists the tiles that help to show a view, in the order of painting:
  // coarser levels below finer ones, the level that is wanted on top.
  drawn(view) {
    const list = [];
    for (const t of this.tiles.values()) {
      if (t.level < view.level - 2 || !t.columns) continue;
      const from = t.index * columns * this.span(t.level), to = from + t.columns * this.span(t.level);
      const low = t.row / 2 ** t.rowLevel, high = (t.row + 1) / 2 ** t.rowLevel;
      if (to <= view.from || from >= view.to || high <= view.f0 || low >= view.f1) continue;
      list.push({ tile: t, from, to, low, high });
    }
    const wanted = list.filter(d => d.tile.level === view.level && d.tile.rowLevel === view.rowLevel);
    if (this.cover(wanted, view)) return wanted;
    const rank = t => (t.level === view.level ? (t.rowLevel === view.rowLevel ? 1e6 : 1e5) : -t.level * 10) + t.rowLevel;
    return list.sort((a, b) => rank(a.tile) - rank(b.tile));
  }

  // cover reports whether tiles of one level, which do not overlap, leave nothing of
  // a view uncovered that the recording has.
  cover(list, view) {
    const from = Math.max(0, view.from), to = Math.min(view.to, this.frames);
    let area = 0;
    for (const d of list) area += (Math.min(d.to, to) - Math.max(d.from, from)) * (Math.min(d.high, view.f1) - Math.max(d.low, view.f0));
    return area >= (to - from) * (view.f1 - view.f0) * (1 - 1e-6);
  }

  // levelAt is the level at a frame and a part of the scale, of the best tile.
  levelAt(view, frame, part) {
    let found = null;
    for (const d of this.drawn(view)) {
      if (frame < d.from || frame >= d.to || part < d.low || part >= d.high) continue;
      const c = Math.min(columns - 1, Math.floor((frame - d.from) / this.span(d.tile.level)));
      const r = Math.min(rows - 1, Math.floor((part - d.low) / (d.high - d.low) * rows));
      found = d.tile.levels[r * columns + c];
    }
    return found;
  }

  // waveform is the extents of a view, column by column: times, lows and highs.
  waveform(view) {
    for (let level = view.waveLevel; level <= Math.min(40, view.waveLevel + 12); level++) {
      const found = this.waveformAt(view, level);
      if (found) return found;
    }
    return this.waveformAt(view, view.waveLevel, true);
  }

  waveformAt(view, level, partly = false) {
    const span = 2 ** level, first = Math.max(0, Math.floor(view.from / span) - 1), last = Math.min(Math.ceil(this.frames / span) - 1, Math.ceil(view.to / span));
    const n = Math.max(0, last - first + 1);
    if (n > 20000) return null;
    const x = new Float64Array(n), low = new Array(n), high = new Array(n);
    for (let i = 0; i < n; i++) {
      const c = first + i, w = this.waves.get(`${level} ${Math.floor(c / waveColumns)}`);
      x[i] = (c + (level ? 0.5 : 0)) * span / this.rate;
      const at = 2 * (c % waveColumns);
      const has = w && at < w.extents.length && !Number.isNaN(w.extents[at]);
      if (!w && !partly) return null;
      low[i] = has ? w.extents[at] : null;
      high[i] = has ? w.extents[at + 1] : null;
    }
    return [x, low, high];
  }

  clear() {
    for (const t of this.tiles.values()) this.painter.drop(t);
    this.tiles.clear();
    this.waves.clear();
  }
}
