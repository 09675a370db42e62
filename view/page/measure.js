// Measures the page itself, for `twiddle bench view`, and reports to the server.

const frames = count => new Promise(done => {
  const times = [];
  const next = t => { times.push(t); times.length > count ? done(times) : requestAnimationFrame(next); };
  requestAnimationFrame(next);
});

const rate = times => 1000 * (times.length - 1) / (times[times.length - 1] - times[0]);
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(q * list.length))];

async function report(result) {
  await fetch('api/report', { method: 'POST', body: JSON.stringify(result) });
}

// measurePan moves the view of a recording for some seconds. Besides frames a
// second, which also depend on who composes the page, it reports how long the
// page's own work for a frame takes.
export async function measurePan(page) {
  await page.sharp();
  const open = performance.now();
  const display = rate(await frames(60));
  page.zoomTo(0.02);
  await page.sharp();
  let on = true;
  const move = () => { if (on) { page.pan(0.004, 0); requestAnimationFrame(move); } };
  const scripts = [];
  page.onframe = took => scripts.push(took);
  requestAnimationFrame(move);
  const fps = rate(await frames(240));
  on = false;
  page.onframe = null;
  await report({ fps, display, open, script: quantile(scripts, 0.5), scriptWorst: quantile(scripts, 0.95), paint: page.panes()[0].painter.kind });
}

// measureLive looks at how old samples are when the picture with them is drawn.
export async function measureLive(page) {
  const ages = [];
  page.onlive = arrived => ages.push(performance.timeOrigin + performance.now() - arrived);
  await new Promise(done => setTimeout(done, 5000));
  await report({ latency: quantile(ages, 0.5), worst: quantile(ages, 0.95) });
}
