// Maps from levels to colours. They are laid out in OKLab, so that equal steps of
// level are equal steps of lightness; the hue only helps. The map "safe" keeps to
// blue and yellow, which nearly everybody can tell apart.

const maps = {
  ember: [[0.10, 0.03, 290], [0.28, 0.12, 300], [0.46, 0.17, 350], [0.64, 0.17, 35], [0.82, 0.14, 75], [0.97, 0.06, 105]],
  lagoon: [[0.12, 0.04, 300], [0.30, 0.09, 285], [0.48, 0.09, 230], [0.65, 0.11, 170], [0.82, 0.16, 130], [0.97, 0.13, 108]],
  safe: [[0.12, 0.04, 265], [0.32, 0.11, 262], [0.50, 0.07, 258], [0.64, 0.03, 100], [0.82, 0.12, 95], [0.97, 0.15, 103]],
  grey: [[0.10, 0, 0], [0.98, 0, 0]],
  paper: [[0.985, 0.005, 95], [0.80, 0.06, 60], [0.60, 0.13, 35], [0.38, 0.12, 350], [0.18, 0.06, 300]],
};

export const names = Object.keys(maps);

function srgb(L, C, hue) {
  const a = C * Math.cos(hue * Math.PI / 180), b = C * Math.sin(hue * Math.PI / 180);
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.2914855480 * b) ** 3;
  const linear = [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s];
  return linear.map(v => 255 * Math.max(0, Math.min(1, v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055)));
}

const made = new Map();

// colourMap is 256 colours, as RGBA bytes.
export function colourMap(name) {
  if (made.has(name)) return made.get(name);
  const stops = maps[name] || maps.ember;
  const out = new Uint8Array(256 * 4);
  for (let i = 0; i < 256; i++) {
    const at = i / 255 * (stops.length - 1), k = Math.min(Math.floor(at), stops.length - 2), f = at - k;
    const [p, q] = [stops[k], stops[k + 1]];
    const turn = ((q[2] - p[2] + 540) % 360) - 180; // the short way around
    const c = srgb(p[0] + (q[0] - p[0]) * f, p[1] + (q[1] - p[1]) * f, p[2] + turn * f);
    out.set([...c.map(Math.round), 255], 4 * i);
  }
  made.set(name, out);
  return out;
}

// missing is the colour of levels that are no numbers.
export const missing = [230, 0, 160, 255];
