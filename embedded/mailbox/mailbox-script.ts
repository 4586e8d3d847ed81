import * as m from '#words/messages.js';

/** What the page does in the browser: it looks for new messages, and shows the one that the address names. */
export function mailboxScript(library: string): string {
  const words = {
    title: m.mailbox_title({ library }),
    // The number is put in by the page.
    titleUnread: m.mailbox_title_unread({ unread: '{unread}', library }),
    noSubject: m.mailbox_no_subject(),
    unread: m.mailbox_unread(),
  };
  return `'use strict';\nconst WORDS = ${JSON.stringify(words)};\n${SCRIPT}`;
}

const SCRIPT = String.raw`

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
// What was opened in this browser; all else is unread.
const READ_KEY = 'lectern.mailbox.read';
const read = new Set(JSON.parse(localStorage.getItem(READ_KEY) ?? '[]'));
let all = [];

function keepRead() {
  const there = new Set(all);
  for (const id of read) if (all.length > 0 && !there.has(id)) read.delete(id);
  localStorage.setItem(READ_KEY, JSON.stringify([...read]));
}

function rowOf(message) {
  let row = rows.get(message.id);
  if (!row) {
    row = document.createElement('li');
    const link = document.createElement('a');
    link.href = '#' + message.id;
    const date = new Date(message.date);
    const today = date.toDateString() === new Date().toDateString();
    for (const [name, text] of [
      ['what', message.subject || WORDS.noSubject],
      ['when', (today ? shortTime : shortDay).format(date)],
      ['who', message.to],
      ['excerpt', message.excerpt],
    ]) {
      const part = document.createElement('span');
      part.className = name;
      part.textContent = text;
      link.append(part);
    }
    const mark = document.createElement('span');
    mark.className = 'hidden-text mark';
    link.prepend(mark);
    row.append(link);
    rows.set(message.id, row);
  }
  const unread = !read.has(message.id);
  row.classList.toggle('unread', unread);
  row.querySelector('.mark').textContent = unread ? WORDS.unread : '';
  const current = message.id === openId;
  if (current) row.firstChild.setAttribute('aria-current', 'true');
  else row.firstChild.removeAttribute('aria-current');
  return row;
}

function drawList() {
  const list = at('messages');
  const next = messages.map(rowOf);
  // Rows that stay are left where they are, with the keyboard's focus and the place scrolled to.
  const staying = new Set(next);
  for (const row of [...list.children]) if (!staying.has(row)) row.remove();
  next.forEach((row, place) => {
    if (list.children[place] !== row) list.insertBefore(row, list.children[place] ?? null);
  });
  at('empty').hidden = all.length > 0;
  at('choose').hidden = all.length === 0 || openId !== '';
  at('none').hidden = all.length === 0 || messages.length > 0;
  const unread = all.filter((id) => !read.has(id)).length;
  document.title = unread > 0 ? WORDS.titleUnread.replace('{unread}', unread) : WORDS.title;
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
  const answer = id === '' ? null : await fetch('/dev/mail/messages/' + encodeURIComponent(id)).catch(() => null);
  const message = answer && answer.ok ? await answer.json() : null;
  if (location.hash.slice(1) !== id) return;
  at('message').hidden = !message;
  document.body.classList.toggle('reading', !!message);
  if (message) {
    read.add(id);
    keepRead();
  } else openId = '';
  drawList();
  if (!message) return;
  at('subject').textContent = message.subject || WORDS.noSubject;
  at('to').textContent = message.to;
  at('from').textContent = message.from;
  at('date').textContent = longTime.format(new Date(message.date));
  at('date').dateTime = message.date;
  drawText(message.text);
  drawLinks(message.links);
  at('tab-html').disabled = message.html === '';
  // Replaced, not set: the browser's way back leads over messages, not over their contents.
  const frame = at('frame').cloneNode();
  frame.src = message.html === '' ? 'about:blank' : '/dev/mail/messages/' + id + '/html';
  at('frame').replaceWith(frame);
  showTab(message.html === '' ? 'text' : 'html');
}

function linkTo(address) {
  const link = document.createElement('a');
  link.href = address;
  link.target = '_blank';
  link.rel = 'noreferrer';
  link.textContent = address;
  return link;
}

function drawLinks(links) {
  const shown = links.filter((address) => /^https?:/.test(address));
  at('links-row').hidden = shown.length === 0;
  at('links').replaceChildren(...shown.map(linkTo));
}

function drawText(text) {
  const target = at('text');
  target.textContent = '';
  for (const part of text.split(/(https?:\/\/[^\s<>"]+)/)) {
    if (/^https?:\/\//.test(part)) {
      target.append(linkTo(part));
    } else target.append(part);
  }
}

async function look() {
  try {
    const wanted = at('filter').value.trim();
    const answer = await fetch('/dev/mail/list?q=' + encodeURIComponent(wanted));
    if (!answer.ok) throw new Error(String(answer.status));
    const list = await answer.json();
    // Another search was begun meanwhile, and draws its own answer.
    if (wanted !== at('filter').value.trim()) return;
    all = list.all;
    messages = list.found;
    at('away').hidden = true;
    drawList();
  } catch {
    at('away').hidden = false;
  }
}

async function lookAgainAndAgain() {
  await look();
  setTimeout(lookAgainAndAgain, document.hidden ? LOOK_EVERY_MS * 5 : LOOK_EVERY_MS);
}

/** The message below or above the open one, as j and k do in mail programs. */
function step(by) {
  const place = messages.findIndex(({ id }) => id === openId);
  const next = messages[place < 0 ? 0 : place + by];
  if (!next) return;
  location.hash = next.id;
  rows.get(next.id).firstChild.focus();
}

window.addEventListener('keydown', (event) => {
  if (event.target.closest('input') || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'j') step(1);
  if (event.key === 'k') step(-1);
  if (event.key === '/') {
    event.preventDefault();
    at('filter').focus();
  }
});

at('filter').addEventListener('input', look);
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
lookAgainAndAgain();
showMessage();
`;
