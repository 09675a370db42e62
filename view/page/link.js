// The connection to the server: what is wanted goes out, what is computed comes
// in. It is opened again when it breaks.

export class Link {
  constructor() {
    this.handlers = {};
    this.latest = null; // the last request of blocks, for a new connection
    this.open = false;
    this.connect();
  }

  on(op, f) { this.handlers[op] = f; return this; }

  connect() {
    const url = new URL('api/socket', location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    url.hash = '';
    this.socket = new WebSocket(url);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onopen = () => {
      this.open = true;
      this.tell('open');
      if (this.latest) this.socket.send(this.latest);
    };
    this.socket.onclose = e => {
      this.open = false;
      this.tell('closed', { reason: e.reason });
      setTimeout(() => this.connect(), 1500);
    };
    this.socket.onmessage = e => {
      const length = new DataView(e.data).getUint32(0, true);
      const head = JSON.parse(new TextDecoder().decode(new Uint8Array(e.data, 4, length)));
      this.tell(head.op, head, e.data.slice(4 + length));
    };
  }

  tell(op, head, body) { if (this.handlers[op]) this.handlers[op](head, body); }

  // want replaces what was wanted before.
  want(panes) {
    this.latest = JSON.stringify({ op: 'want', panes });
    if (this.open) this.socket.send(this.latest);
  }

  send(message) { if (this.open) this.socket.send(message instanceof ArrayBuffer ? message : JSON.stringify(message)); }
}

// get asks for JSON; an answer that is none is an error with the server's words.
export async function get(path, query, signal) {
  const r = await fetch(path + (query ? '?' + new URLSearchParams(query) : ''), { signal });
  if (!r.ok) throw new Error((await r.text()).trim());
  return r.json();
}
