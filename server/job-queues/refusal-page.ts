import type { Response } from 'express';
import type { DomainError } from '#contracts/domain-error.js';
import { PROBLEMS } from '#contracts/problem.js';
import { PALETTE_STYLE } from '#platform/palette.js';

/** Shown to people who open the queues' page without access: a browser shows no problem body. */
export function refusalPage(response: Response, refusal: DomainError): void {
  response.status(PROBLEMS[refusal.code]).type('html').send(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>The queues are closed</title>
    <link rel="icon" href="data:,">
    <style>
      ${PALETTE_STYLE}
      body { max-width: 36rem; margin: 0 auto; padding: 4rem 1.5rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 Inter, system-ui, sans-serif; }
      h1 { margin: 0 0 1rem; font: 500 1.75rem/1.2 Newsreader, Georgia, serif; }
      a { color: var(--accent); }
    </style>
  </head>
  <body>
    <h1>The queues are closed</h1>
    <p>${escape(refusal.detail)}</p>
    <p><a href="/#/admin/dashboard">To the administrator panel</a></p>
  </body>
</html>
`);
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
