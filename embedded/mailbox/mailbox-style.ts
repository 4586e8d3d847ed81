import { FONT_FACES, PALETTE_STYLE } from '#platform/palette.js';

/** The look of the mailbox: the product's paper and ink, by day and by night. */
export const MAILBOX_STYLE = `
${FONT_FACES}
${PALETTE_STYLE}
:root {
  --serif: Newsreader, Georgia, 'Times New Roman', serif;
  --sans: Inter, system-ui, sans-serif;
}

* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  display: flex;
  flex-direction: column;
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 var(--sans);
}
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }

.top {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0.25rem 1.25rem;
  padding: 0.875rem 1.5rem;
  border-bottom: 1px solid var(--line);
}
.top h1 { margin: 0; font: 500 1.75rem/1.15 var(--serif); letter-spacing: -0.01em; }
.top h1 .of { color: var(--ink-soft); }
.top p { margin: 0; color: var(--ink-soft); }
.top a { margin-left: auto; padding: 0.625rem 0; }

main { display: flex; flex: 1; min-height: 0; }
.list {
  display: flex;
  flex: none;
  flex-direction: column;
  width: min(24rem, 36vw);
  border-right: 1px solid var(--line);
  overflow-y: auto;
}
.search { position: sticky; top: 0; padding: 1rem 1.5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.search label { display: block; margin-bottom: 0.25rem; font-size: 0.875rem; font-weight: 600; }
.search input {
  width: 100%;
  min-height: 2.75rem;
  padding: 0 0.75rem;
  border: 1px solid var(--line-strong);
  border-radius: 4px;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
.search input::placeholder { color: var(--ink-soft); opacity: 1; }
.away { margin: 0; padding: 0.75rem 1.5rem; background: var(--accent-wash); font-size: 0.875rem; }

#messages { margin: 0; padding: 0; list-style: none; }
#messages a {
  position: relative;
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0 0.75rem;
  padding: 0.75rem 1.5rem;
  border-bottom: 1px solid var(--line);
  color: inherit;
  text-decoration: none;
}
#messages a:hover { background: var(--surface); }
#messages a:focus-visible { outline-offset: -2px; }
#messages a[aria-current='true'] { background: var(--surface); box-shadow: inset 3px 0 var(--accent); }
#messages .unread .what { font-weight: 650; }
#messages .unread .what::before { content: ''; display: inline-block; width: 0.5rem; height: 0.5rem; margin-right: 0.5rem; border-radius: 50%; background: var(--accent); }
.what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.when { color: var(--ink-soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.who { grid-column: 1 / -1; overflow: hidden; color: var(--ink-soft); font-size: 0.875rem; text-overflow: ellipsis; white-space: nowrap; }

.excerpt { grid-column: 1 / -1; overflow: hidden; color: var(--ink-soft); font-size: 0.875rem; text-overflow: ellipsis; white-space: nowrap; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
#links a { display: block; }

.empty { margin: 0; padding: 2.5rem 1.5rem; color: var(--ink-soft); }
.empty p { margin: 0; }
.empty .empty-title { margin-bottom: 0.25rem; color: var(--ink); font: 500 1.25rem/1.3 var(--serif); }
.choose { flex: 1; margin: 0; align-self: center; color: var(--ink-soft); text-align: center; }

.message { display: flex; flex: 1; flex-direction: column; min-width: 0; }
.message-head { padding: 1.5rem 2rem 0; border-bottom: 1px solid var(--line); }
.back { display: none; }
.message h2 { margin: 0 0 0.75rem; font: 500 1.75rem/1.2 var(--serif); overflow-wrap: anywhere; }
.message dl { display: grid; gap: 0.125rem; margin: 0 0 1rem; font-size: 0.875rem; }
.message dl div { display: flex; gap: 0.75rem; }
.message dt { flex: none; width: 4.5rem; color: var(--ink-soft); }
.message dd { margin: 0; overflow-wrap: anywhere; }
.tabs { display: flex; gap: 1.5rem; }
.tabs button {
  min-height: 2.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: var(--ink-soft);
  font: inherit;
  cursor: pointer;
}
.tabs button[aria-selected='true'] { color: var(--ink); box-shadow: inset 0 -2px var(--accent); }
.panel { display: flex; flex: 1; min-height: 0; overflow: auto; }
#frame { flex: 1; width: 100%; border: 0; background: #fff; }
#text { max-width: 46rem; margin: 0; padding: 1.5rem 2rem; font: 0.9375rem/1.6 ui-monospace, 'Cascadia Mono', Menlo, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }

@media (max-width: 48rem) {
  .top, .search, #messages a { padding-left: 1rem; padding-right: 1rem; }
  .list { flex: 1; width: 100%; border-right: 0; }
  .choose { display: none; }
  .reading .list { display: none; }
  .back { display: inline-flex; align-items: center; min-height: 2.75rem; }
  .message-head { padding: 0.5rem 1rem 0; }
  #text { padding: 1rem; }
}
`;
