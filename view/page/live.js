// Recordings that arrive while one looks: following them, pausing, and the
// browser's microphone.

import { Microphone } from './microphone.js';
import { $, livePane, problem, redraw, stage } from './stage.js';
import { state } from './state.js';
import { setView, view } from './times.js';

export class LiveView {
  constructor(link) {
    this.link = link;
    this.key = ''; // of what the server was asked for
    const microphone = new Microphone(link);
    link.on('live', (head, body) => this.arrive(head, body));
    $('follow').addEventListener('click', () => this.follow(!stage.follow));
    $('mic').addEventListener('click', async () => {
      if (microphone.stream) { microphone.stop(); $('mic').removeAttribute('aria-pressed'); return; }
      try {
        await microphone.start();
        $('mic').setAttribute('aria-pressed', 'true');
      } catch (e) { problem(`No microphone: ${e.message}`); }
    });
  }

  // start asks for columns as they arrive, unless they come already.
  start() {
    const p = livePane();
    if (!p || !p.key) return;
    const rowLevel = p.area && p.area.height * (window.devicePixelRatio || 1) > 320 ? 1 : 0;
    const key = p.key + rowLevel;
    if (key === this.key && stage.follow && stage.arrival.when > performance.now() - 1000) return;
    this.key = key;
    this.link.send({ op: 'live', live: { key: p.key, item: p.item.id, look: p.look, scale: p.scale, rowLevel } });
  }

  // again asks once more, on a new connection.
  again() {
    this.key = '';
    if (stage.follow) this.start();
  }

  follow(on) {
    on = on && !!livePane();
    $('follow').setAttribute('aria-pressed', String(on));
    $('follow').lastChild.textContent = on ? 'Live' : 'Paused';
    if (on === stage.follow) return;
    if (!on) {
      const v = view();
      stage.follow = false;
      this.link.send({ op: 'quiet' });
      setView(v.t0, v.t1);
    } else {
      stage.follow = true;
      this.start();
    }
    redraw();
  }

  arrive(head, body) {
    const p = stage.panes.find(x => x.key === head.key);
    if (!p) return;
    p.tiles.addColumns(head, body);
    p.info.frames = Math.max(p.info.frames, head.end);
    p.tiles.frames = p.info.frames;
    stage.arrival = { frames: head.end, when: performance.now(), arrived: head.arrived };
    redraw();
  }
}
