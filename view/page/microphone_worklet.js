// Passes on the samples of a microphone, some at a time.

class Microphone extends AudioWorkletProcessor {
  constructor() {
    super();
    this.room = new Float32Array(512); // a hundredth of a second
    this.filled = 0;
  }

  process([input]) {
    if (!input.length) return true;
    for (let i = 0; i < input[0].length; i++) {
      let sum = 0;
      for (const channel of input) sum += channel[i];
      this.room[this.filled++] = sum / input.length;
      if (this.filled === this.room.length) {
        const full = this.room.slice().buffer;
        this.port.postMessage(full, [full]);
        this.filled = 0;
      }
    }
    return true;
  }
}

registerProcessor('microphone', Microphone);
