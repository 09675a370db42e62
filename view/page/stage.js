// What the page has on it at the moment, shared by its parts. What others are to
// see as well, who get the address, is in state.js.

export const stage = {
  items: [],      // recordings that there are
  panes: [],      // those that are shown
  cursor: null,   // {t, part, pane}
  playing: null,  // the time that is heard
  follow: false,  // the newest of a live recording is shown
  arrival: { frames: 0, when: 0 }, // of live samples, the last
  dirty: true,    // everything is to be drawn
  marks: false,   // only cursors and the like are
};

export const $ = id => document.getElementById(id);

// redraw has everything drawn with the next frame.
export function redraw() { stage.dirty = true; }

// problem shows what is wrong with the page as a whole; '' takes it away.
export function problem(text) {
  $('problem').textContent = text;
  $('problem').hidden = !text;
}

// livePane is the recording that grows, if there is one.
export function livePane() { return stage.panes.find(p => p.info.live); }
