// The browser's microphone as a source: its samples go to the server, and come
// back as columns.

export class Microphone {
  constructor(link) { this.link = link; }

  async start() {
    this.stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
    this.context = new AudioContext({ latencyHint: 'interactive' });
    await this.context.audioWorklet.addModule('microphone_worklet.js');
    this.link.send({ op: 'microphone', rate: this.context.sampleRate });
    this.node = new AudioWorkletNode(this.context, 'microphone', { numberOfOutputs: 0 });
    this.node.port.onmessage = e => this.link.send(e.data);
    this.context.createMediaStreamSource(this.stream).connect(this.node);
  }

  stop() {
    if (!this.stream) return;
    for (const t of this.stream.getTracks()) t.stop();
    this.context.close();
    this.stream = null;
  }
}
