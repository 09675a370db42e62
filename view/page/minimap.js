// The whole recording in a strip, with a frame around what is shown. Dragging
// moves the frame.

export class Minimap {
  constructor(canvas, { move, waveform }) {
    this.canvas = canvas;
    this.waveform = waveform; // of all of the first recording
    this.view = null;
    let grab = null;
    const at = e => {
      const r = canvas.getBoundingClientRect();
      return (e.clientX - r.left) / r.width * this.total;
    };
    canvas.addEventListener('pointerdown', e => {
      canvas.setPointerCapture(e.pointerId);
      const t = at(e), { t0, t1 } = this.view;
      grab = t >= t0 && t <= t1 ? t - t0 : (t1 - t0) / 2;
      move(t - grab);
    });
    canvas.addEventListener('pointermove', e => { if (grab !== null) move(at(e) - grab); });
    const end = () => { grab = null; };
    canvas.addEventListener('pointerup', end);
    canvas.addEventListener('pointercancel', end);
  }

  draw(view, begin, total) {
    this.view = view;
    this.total = total;
    const c = this.canvas, dpr = window.devicePixelRatio || 1, width = c.clientWidth, height = c.clientHeight;
    if (c.width !== Math.round(width * dpr) || c.height !== Math.round(height * dpr)) {
      c.width = Math.round(width * dpr);
      c.height = Math.round(height * dpr);
    }
    const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const g = c.getContext('2d');
    g.setTransform(dpr, 0, 0, dpr, 0, 0);
    g.clearRect(0, 0, width, height);
    if (!(total > 0)) return;
    const data = this.waveform(width);
    if (data) {
      let most = 1e-9;
      for (let i = 0; i < data[0].length; i++) most = Math.max(most, Math.abs(data[1][i] || 0), Math.abs(data[2][i] || 0));
      g.fillStyle = css('--wave');
      g.globalAlpha = 0.7;
      const middle = height / 2, scale = (height / 2 - 2) / most;
      for (let i = 0; i < data[0].length; i++) {
        if (data[1][i] === null) continue;
        const top = middle - data[2][i] * scale, bottom = middle - data[1][i] * scale;
        g.fillRect(data[0][i] / total * width, top, Math.max(1, width / data[0].length), Math.max(1, bottom - top));
      }
      g.globalAlpha = 1;
    }
    const left = Math.max(0, view.t0 / total * width), right = Math.min(width, view.t1 / total * width);
    g.fillStyle = css('--page');
    g.globalAlpha = 0.65;
    g.fillRect(0, 0, left, height);
    g.fillRect(right, 0, width - right, height);
    g.globalAlpha = 1;
    g.strokeStyle = css('--accent');
    g.lineWidth = 2;
    g.strokeRect(left + 1, 1, Math.max(3, right - left - 2), height - 2);
    c.setAttribute('aria-valuenow', String(Math.round(100 * (view.t0 + view.t1) / 2 / total)));
  }
}
