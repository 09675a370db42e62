// Plays frames of a recording.

export class Player {
  constructor(onmove) {
    this.onmove = onmove; // the time that is heard, or null
    this.source = null;
  }

  get playing() { return this.source !== null; }

  async play(query, rate, from) {
    this.stop();
    const r = await fetch('api/samples?' + new URLSearchParams(query));
    if (!r.ok) throw new Error((await r.text()).trim());
    const channels = +r.headers.get('X-Channels'), samples = new Float32Array(await r.arrayBuffer());
    const frames = samples.length / channels;
    // Browsers play 8 to 96 kHz for sure; other rates are heard slower or faster.
    const heard = rate >= 8000 && rate <= 96000 ? rate : 48000;
    this.context ||= new AudioContext();
    await this.context.resume();
    const buffer = this.context.createBuffer(channels, Math.max(1, frames), heard);
    for (let c = 0; c < channels; c++) {
      const line = buffer.getChannelData(c);
      for (let i = 0; i < frames; i++) line[i] = Number.isFinite(samples[i * channels + c]) ? samples[i * channels + c] : 0;
    }
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    source.onended = () => { if (this.source === source) this.stop(); };
    this.source = source;
    const start = this.context.currentTime;
    source.start();
    const move = () => {
      if (this.source !== source) return;
      this.onmove(from + (this.context.currentTime - start) * heard / rate);
      requestAnimationFrame(move);
    };
    move();
    return heard === rate ? '' : `Played at 48 kHz: ${(rate / heard).toPrecision(3)} times as slow as recorded.`;
  }

  stop() {
    if (!this.source) return;
    const s = this.source;
    this.source = null;
    s.stop();
    this.onmove(null);
  }
}
