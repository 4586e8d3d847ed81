import { currentLocale } from '#words/locale.js';
import * as m from '#words/messages.js';
import { createHash } from 'node:crypto';
import { money } from '#contracts/money.js';
import { escapeMarkup } from '#platform/markup.js';
import { FONT_FACES, PALETTE_STYLE } from '#platform/palette.js';
import type { SandboxPaymentEntity } from '#platform/database/entities/payment.entity.js';

const STYLE = `
${FONT_FACES}
${PALETTE_STYLE}
* { box-sizing: border-box; }
body {
  display: flex;
  flex-direction: column;
  align-items: center;
  min-height: 100dvh;
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 Inter, system-ui, sans-serif;
}
.label {
  width: 100%;
  margin: 0;
  padding: 0.625rem 1rem;
  border-bottom: 1px solid var(--line);
  background: var(--accent-wash);
  font-weight: 600;
  text-align: center;
}
main {
  width: min(30rem, 100% - 2rem);
  margin: clamp(1.5rem, 8vh, 5rem) 0 2rem;
  padding: clamp(1.25rem, 5vw, 2.25rem);
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--surface);
}
h1 { margin: 0; font: 500 1.75rem/1.15 Newsreader, Georgia, 'Times New Roman', serif; letter-spacing: -0.01em; }
.library { margin: 0 0 0.25rem; color: var(--ink-soft); font: 500 1.125rem/1.3 Newsreader, Georgia, 'Times New Roman', serif; }
.amount { margin: 1rem 0 0; font-size: 2.25rem; font-variant-numeric: tabular-nums; line-height: 1.2; }
h2 { margin: 1.5rem 0 0.25rem; color: var(--ink-soft); font-size: 0.875rem; font-weight: 600; }
ul { margin: 0; padding: 0; list-style: none; }
li { font: 1.125rem/1.4 Newsreader, Georgia, 'Times New Roman', serif; overflow-wrap: anywhere; }
.note { margin: 1.5rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--ink-soft); font-size: 0.875rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.75rem; }
.choices form { flex: 1 1 10rem; }
button {
  width: 100%;
  min-height: 2.75rem;
  padding: 0 1.25rem;
  border: 1px solid var(--line-strong);
  border-radius: 4px;
  background: none;
  color: inherit;
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
.pay button { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** The content security policy's hash: allows this page's style and no other. */
export const SANDBOX_STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

export interface PayingLibrary {
  name: string;
  url: string;
}

/**
 * The sandbox provider's page. Works without scripts.
 * @param payment nothing for an unknown reference
 * @param library its name, and the address of the link back
 */
export function sandboxPage(payment: SandboxPaymentEntity | null, library: PayingLibrary): string {
  return `<!doctype html>
<html lang="${currentLocale()}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeMarkup(m.till_sandbox_title({ library: library.name }))}</title>
    <link rel="icon" href="data:,">
    <style>${STYLE}</style>
  </head>
  <body>
    <p class="label">${m.till_sandbox_label()}</p>
    <main>
      ${payment ? paymentPart(payment, library) : unknownPart(library)}
    </main>
  </body>
</html>
`;
}

function unknownPart(library: PayingLibrary): string {
  return `<h1>${m.till_sandbox_unknown()}</h1>
      <p>${m.till_sandbox_unknown_why()}</p>
      <p><a href="${escapeMarkup(library.url)}">${m.till_sandbox_back()}</a></p>`;
}

function paymentPart(payment: SandboxPaymentEntity, library: PayingLibrary): string {
  const titles = payment.titles.map((title) => `<li>${escapeMarkup(title)}</li>`).join('');
  return `<p class="library">${escapeMarkup(library.name)}</p>
      <h1>${m.till_late_fee()}</h1>
      <p class="amount">${money(payment.amount)}</p>
      <h2>${m.till_sandbox_books({ count: payment.titles.length })}</h2>
      <ul>${titles}</ul>
      ${payment.status === 'open' ? choices(payment.reference) : `<p role="status"><strong>${ENDED[endOf(payment)]()}</strong></p>`}
      <p class="note">${m.till_sandbox_about()} <a href="${escapeMarkup(library.url)}">${m.till_sandbox_back()}</a></p>`;
}

function choices(reference: string): string {
  const path = `/dev/pay/${encodeURIComponent(reference)}`;
  return `<div class="choices">
        <form class="pay" method="post" action="${path}/pay"><button>${m.till_sandbox_pay()}</button></form>
        <form method="post" action="${path}/decline"><button>${m.till_sandbox_decline()}</button></form>
      </div>`;
}

type End = 'paid' | 'refunded' | 'refused' | 'expired';

function endOf({ status, refundedAt }: SandboxPaymentEntity): End {
  if (status === 'paid') return refundedAt ? 'refunded' : 'paid';
  return status === 'refused' ? 'refused' : 'expired';
}

const ENDED: Record<End, () => string> = {
  paid: m.till_sandbox_paid,
  refunded: m.till_sandbox_refunded,
  refused: m.till_sandbox_refused,
  expired: m.till_sandbox_expired,
};
