// Paints tiles with WebGL2: levels are textures of half floats, which the GPU
// turns into colours, so that range and colours change without new tiles.

import { colourMap, missing } from './colours.js';

const vertex = `#version 300 es
uniform vec4 place; // left, bottom, right, top, in clip space
uniform vec4 part;  // of the texture: left, bottom, right, top
out vec2 at;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  at = mix(part.xy, part.zw, corner);
  gl_Position = vec4(mix(place.xy, place.zw, corner), 0, 1);
}`;

const fragment = `#version 300 es
precision highp float;
uniform sampler2D levels;
uniform sampler2D colours;
uniform vec2 range;
uniform vec4 missing;
in vec2 at;
out vec4 colour;
void main() {
  float level = texture(levels, at).r;
  float t = clamp((level - range.x) / (range.y - range.x), 0.0, 1.0);
  colour = level < -1000.0 ? missing : texture(colours, vec2((t * 255.0 + 0.5) / 256.0, 0.5));
}`;

let gpu = null;

// hasGPU tries on a canvas of its own: one that has had a context gets no other.
function hasGPU() {
  if (gpu !== null) return gpu;
  const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  const about = gl && gl.getExtension('WEBGL_debug_renderer_info');
  const name = about ? gl.getParameter(about.UNMASKED_RENDERER_WEBGL) : '';
  gpu = !!gl && !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
  return gpu;
}

export class GLPainter {
  // make gives null where there is no WebGL2, or only one that computes on
  // processors, which a plain canvas does faster.
  static make(canvas, { anyway = false } = {}) {
    if (!anyway && !hasGPU()) return null;
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, preserveDrawingBuffer: false });
    return gl ? new GLPainter(canvas, gl) : null;
  }

  constructor(canvas, gl) {
    this.kind = 'webgl2';
    this.canvas = canvas;
    this.gl = gl;
    this.lost = false;
    this.onrestore = () => {};
    canvas.addEventListener('webglcontextlost', e => { e.preventDefault(); this.lost = true; });
    canvas.addEventListener('webglcontextrestored', () => { this.lost = false; this.generation++; this.begin(); this.onrestore(); });
    this.generation = 0;
    this.begin();
  }

  begin() {
    const gl = this.gl;
    const shader = (kind, text) => {
      const s = gl.createShader(kind);
      gl.shaderSource(s, text);
      gl.compileShader(s);
      return s;
    };
    const p = gl.createProgram();
    gl.attachShader(p, shader(gl.VERTEX_SHADER, vertex));
    gl.attachShader(p, shader(gl.FRAGMENT_SHADER, fragment));
    gl.linkProgram(p);
    if (!gl.getProgramParameter(p, gl.LINK_STATUS)) throw new Error('shader: ' + gl.getProgramInfoLog(p));
    gl.useProgram(p);
    this.at = {};
    for (const name of ['place', 'part', 'levels', 'colours', 'range', 'missing']) this.at[name] = gl.getUniformLocation(p, name);
    gl.uniform1i(this.at.levels, 0);
    gl.uniform1i(this.at.colours, 1);
    gl.uniform4fv(this.at.missing, missing.map(v => v / 255));
    this.map = gl.createTexture();
    this.mapName = null;
    gl.bindVertexArray(gl.createVertexArray());
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
  }

  colours(name) {
    if (this.mapName === name) return;
    this.mapName = name;
    const gl = this.gl;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colourMap(name));
    for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, p, gl.NEAREST);
    gl.activeTexture(gl.TEXTURE0);
  }

  texture(t) {
    const gl = this.gl;
    if (t.texture && t.generation === this.generation) {
      gl.bindTexture(gl.TEXTURE_2D, t.texture);
      if (t.stale) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 256, gl.RED, gl.HALF_FLOAT, t.levels);
      t.stale = false;
      return;
    }
    t.texture = gl.createTexture();
    t.generation = this.generation;
    t.stale = false;
    gl.bindTexture(gl.TEXTURE_2D, t.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16F, 256, 256, 0, gl.RED, gl.HALF_FLOAT, t.levels);
    for (const p of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, p, gl.LINEAR);
    for (const p of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, p, gl.CLAMP_TO_EDGE);
  }

  drop(t) {
    if (t.texture) this.gl.deleteTexture(t.texture);
    t.texture = null;
  }

  // paint draws tiles; x and y give the place of frames and of parts of the
  // scale, from 0 to 1.
  paint(list, x, y, look) {
    if (this.lost) return;
    const gl = this.gl, { width, height } = this.canvas;
    gl.viewport(0, 0, width, height);
    this.colours(look.colours);
    const c = colourMap(look.colours);
    gl.clearColor(c[0] / 255, c[1] / 255, c[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0);
    gl.uniform2f(this.at.range, look.low, look.high);
    for (const d of list) {
      this.texture(d.tile);
      gl.uniform4f(this.at.place, 2 * x(d.from) - 1, 2 * y(d.low) - 1, 2 * x(d.to) - 1, 2 * y(d.high) - 1);
      gl.uniform4f(this.at.part, 0, 0, d.tile.columns / 256, 1);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }
}
