// The list of recordings, to choose those that are shown.

import { $, problem, stage } from './stage.js';
import { change, state } from './state.js';

export const maxShown = 8;
const maxListed = 500;

$('files').addEventListener('click', () => { listItems(); $('chooser').showModal(); $('files').setAttribute('aria-expanded', 'true'); });
$('chooser').addEventListener('close', () => $('files').setAttribute('aria-expanded', 'false'));
$('filter').addEventListener('input', listItems);

function listItems() {
  const text = $('filter').value.toLowerCase(), shown = stage.panes.map(p => p.item.id);
  const found = stage.items.filter(i => i.name.toLowerCase().includes(text));
  $('items').replaceChildren(...found.slice(0, maxListed).map(item => entry(item, shown)));
  if (!found.length) $('items').textContent = stage.items.length ? 'No name has that.' : 'There are no recordings here.';
}

function entry(item, shown) {
  const li = document.createElement('li'), label = document.createElement('label'), box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = shown.includes(item.id);
  box.addEventListener('change', () => {
    const now = new Set(state.items.length ? state.items : shown);
    box.checked ? now.add(item.id) : now.delete(item.id);
    if (now.size > maxShown) { box.checked = false; now.delete(item.id); problem(`At most ${maxShown} recordings side by side.`); }
    change({ items: [...now] });
  });
  label.append(box, document.createTextNode(item.name));
  li.append(label);
  return li;
}
