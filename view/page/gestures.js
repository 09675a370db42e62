// Wheel, drag, pinch: on a canvas, as zooming, panning and selecting.

// gestures listens on an element. place gives where a point is in the view, as
// parts from 0 to 1, x and y up; the rest is what to do.
export function gestures(element, { place, zoom, pan, select, hover, dragMode, double }) {
  const points = new Map();
  let drag = null, pinch = null;

  element.addEventListener('wheel', e => {
    e.preventDefault();
    const at = place(e);
    const unit = e.deltaMode === 1 ? 16 : e.deltaMode === 2 ? 400 : 1;
    const dx = e.deltaX * unit, dy = e.deltaY * unit;
    if (Math.abs(dx) > Math.abs(dy) && !e.ctrlKey && !e.shiftKey) return pan(dx / element.clientWidth, 0);
    // Shift turns the wheel to the side in some browsers.
    const turn = dy || dx;
    const factor = Math.exp(Math.max(-1, Math.min(1, turn * (e.ctrlKey ? 0.01 : 0.002))));
    if (e.shiftKey || e.altKey) zoom(1, factor, at); else zoom(factor, 1, at);
  }, { passive: false });

  element.addEventListener('pointerdown', e => {
    if (e.button > 0) return;
    element.setPointerCapture(e.pointerId);
    points.set(e.pointerId, place(e));
    if (points.size === 2) {
      drag = null;
      pinch = spread([...points.values()]);
      return;
    }
    const selecting = e.shiftKey !== (dragMode() === 'select');
    drag = { from: place(e), last: place(e), selecting, moved: false };
  });

  element.addEventListener('pointermove', e => {
    const at = place(e);
    if (points.has(e.pointerId)) points.set(e.pointerId, at);
    if (pinch && points.size === 2) {
      const now = spread([...points.values()]);
      zoom(pinch.width / now.width, 1, now.middle);
      pan(pinch.middle.x - now.middle.x, 0);
      pinch = { ...now, middle: now.middle };
      return;
    }
    if (!drag) return hover(at);
    if (Math.hypot((at.x - drag.from.x) * element.clientWidth, (at.y - drag.from.y) * element.clientHeight) > 4) drag.moved = true;
    if (!drag.moved) return;
    if (drag.selecting) select(drag.from, at, false);
    else pan(drag.last.x - at.x, drag.last.y - at.y);
    drag.last = at;
    hover(at);
  });

  const end = e => {
    points.delete(e.pointerId);
    if (drag && drag.moved && drag.selecting) select(drag.from, place(e), true);
    drag = null;
    if (points.size < 2) pinch = null;
  };
  element.addEventListener('pointerup', end);
  element.addEventListener('pointercancel', end);
  element.addEventListener('pointerleave', () => hover(null));
  element.addEventListener('dblclick', e => double(place(e)));
}

function spread([a, b]) {
  return { width: Math.max(0.02, Math.hypot(a.x - b.x, a.y - b.y)), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
}
