/** What the page does in the browser: it looks for new messages, and shows the one that the address names. */
export const MAILBOX_SCRIPT = String.raw`
'use strict';

// The theme that was chosen in the library, where one was.
const darkMode = localStorage.getItem('darkMode');
if (darkMode !== null) document.documentElement.dataset.theme = darkMode === 'true' ? 'dark' : 'light';

const LOOK_EVERY_MS = 2000;
const at = (id) => document.getElementById(id);
const shortTime = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const longTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'medium' });

const rows = new Map();
let messages = [];
let openId = '';
let firstLook = true;
const arrivedLater = new Set();

function rowOf(message) {
  let row = rows.get(message.id);
  if (!row) {
    row = document.createElement('li');
    const link = document.createElement('a');
    link.href = '#' + message.id;
    const date = new Date(message.date);
    const today = date.toDateString() === new Date().toDateString();
    for (const [name, text] of [
      ['what', message.subject || '(no subject)'],
      ['when', (today ? shortTime : shortDay).format(date)],
      ['who', message.to],
    ]) {
      const part = document.createElement('span');
      part.className = name;
      part.textContent = text;
      link.append(part);
    }
    row.append(link);
    rows.set(message.id, row);
  }
  row.classList.toggle('unread', arrivedLater.has(message.id));
  const current = message.id === openId;
  if (current) row.firstChild.setAttribute('aria-current', 'true');
  else row.firstChild.removeAttribute('aria-current');
  return row;
}

function drawList() {
  const wanted = at('filter').value.trim().toLowerCase();
  const shown = messages.filter(({ to, subject }) => (to + ' ' + subject).toLowerCase().includes(wanted));
  const list = at('messages');
  const next = shown.map(rowOf);
  // Rows that stay are left where they are, with the keyboard's focus and the place scrolled to.
  const staying = new Set(next);
  for (const row of [...list.children]) if (!staying.has(row)) row.remove();
  next.forEach((row, place) => {
    if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
  });
  at('empty').hidden = messages.length > 0;
  at('choose').hidden = messages.length === 0 || openId !== '';
  at('none').hidden = messages.length === 0 || shown.length > 0;
  document.title = messages.length > 0 ? 'Mailbox (' + messages.length + ')' : 'Mailbox';
}

function showTab(name) {
  for (const each of ['html', 'text']) {
    at('tab-' + each).setAttribute('aria-selected', String(each === name));
    at('tab-' + each).tabIndex = each === name ? 0 : -1;
    at('panel-' + each).hidden = each !== name;
  }
}

async function showMessage() {
  const id = location.hash.slice(1);
  if (id === openId) return;
  openId = id;
  arrivedLater.delete(id);
  const answer = id === '' ? null : await fetch('/dev/mail/messages/' + encodeURIComponent(id)).catch(() => null);
  const message = answer && answer.ok ? await answer.json() : null;
  if (location.hash.slice(1) !== id) return;
  at('message').hidden = !message;
  document.body.classList.toggle('reading', !!message);
  if (!message) openId = '';
  drawList();
  if (!message) return;
  at('subject').textContent = message.subject || '(no subject)';
  at('to').textContent = message.to;
  at('from').textContent = message.from;
  at('date').textContent = longTime.format(new Date(message.date));
  at('date').dateTime = message.date;
  drawText(message.text);
  at('tab-html').disabled = message.html === '';
  // Replaced, not set: the browser's way back leads over messages, not over their contents.
  const frame = at('frame').cloneNode();
  frame.src = message.html === '' ? 'about:blank' : '/dev/mail/messages/' + id + '/html';
  at('frame').replaceWith(frame);
  showTab(message.html === '' ? 'text' : 'html');
}

function drawText(text) {
  const target = at('text');
  target.textContent = '';
  for (const part of text.split(/(https?:\/\/[^\s<>"]+)/)) {
    if (/^https?:\/\//.test(part)) {
      const link = document.createElement('a');
      link.href = part;
      link.target = '_blank';
      link.rel = 'noreferrer';
      link.textContent = part;
      target.append(link);
    } else target.append(part);
  }
}

async function look() {
  try {
    const answer = await fetch('/dev/mail/list');
    if (!answer.ok) throw new Error(String(answer.status));
    const known = new Set(messages.map(({ id }) => id));
    messages = await answer.json();
    if (!firstLook) for (const { id } of messages) if (!known.has(id)) arrivedLater.add(id);
    firstLook = false;
    at('away').hidden = true;
    drawList();
  } catch {
    at('away').hidden = false;
  }
  setTimeout(look, document.hidden ? LOOK_EVERY_MS * 5 : LOOK_EVERY_MS);
}

at('filter').addEventListener('input', drawList);
for (const [name, other] of [['html', 'text'], ['text', 'html']]) {
  const tab = at('tab-' + name);
  tab.addEventListener('click', () => showTab(name));
  tab.addEventListener('keydown', (event) => {
    if (!['ArrowLeft', 'ArrowRight'].includes(event.key) || at('tab-' + other).disabled) return;
    showTab(other);
    at('tab-' + other).focus();
  });
}
window.addEventListener('hashchange', showMessage);
look();
showMessage();
`;
