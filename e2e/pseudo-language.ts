import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#platform/package-root.js';
import { sayAs } from './said.js';

/** English that nobody would write: in brackets, with accents and a third longer, as many a language is. */
export const PSEUDO = 'en-x-pseudo';
export const [BEGIN, END] = ['⟦', '⟧'];

const inPseudo = (text: string): string =>
  text === '' ? '' : `${BEGIN}${text.replaceAll(/[aeiou]/g, (vowel) => `${vowel}\u0301${vowel}`)}${END}`;

sayAs(inPseudo);

const root = packageRoot();
const compiled = join(root, 'words/compiled/messages');
const site = join(root, 'dist/client');

/** Builds the site in it, beside the others. The answer takes it away again. */
export function buildPseudoSite(): () => void {
  const own = join(compiled, `${PSEUDO}.js`);
  const keys = [...readFileSync(join(compiled, 'en.js'), 'utf8').matchAll(/^export const (\w+) =/gm)];
  const functions = keys.map(([, key = '']) =>
    // Marks within a message have texts of their own.
    [
      `export const ${key} = /* @__PURE__ */ Object.assign((i) => inPseudo(en.${key}(i)), {`,
      `  parts: (i) => en.${key}.parts(i).map((part) => (part.type === 'text' ? { ...part, value: inPseudo(part.value) } : part)),`,
      '});',
    ].join('\n'),
  );
  const head = [
    "import * as en from './en.js';",
    `const [BEGIN, END] = ${JSON.stringify([BEGIN, END])};`,
    `const inPseudo = ${inPseudo.toString()};`,
  ];
  writeFileSync(own, [...head, ...functions, ''].join('\n'));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  try {
    execFileSync(process.execPath, [vite, 'build', 'client', '--mode', PSEUDO, '--logLevel', 'error'], {
      cwd: root,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  } finally {
    rmSync(own);
  }
  return () => {
    for (const name of [`index.${PSEUDO}.html`, `.vite/manifest.${PSEUDO}.json`])
      rmSync(join(site, name), { force: true });
  };
}
