// Proves that rules can fail: each of the architecture, and each of lint that is React's or our own, finds the breach that is seeded
// for it in `scripts/seeds/`.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { breaches, RULES } from './dependencies.mjs';
import { root } from './freshness.mjs';
import { architectureSeeds } from './seeds/architecture.mjs';
import { lintSeeds } from './seeds/lint.mjs';

const LINT = ['.oxlintrc.json', 'scripts/lint-plugin.mjs'];
const scratch = mkdtempSync(join(tmpdir(), 'lectern-seeds-'));
let faults;
try {
  faults = [...faultsOfLint(), ...(await faultsOfArchitecture())];
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

/** A project with these files alone. */
function project(name, copied, files) {
  const folder = join(scratch, name);
  for (const file of copied) cpSync(join(root, file), join(folder, file));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  return folder;
}

function faultsOfLint() {
  const { overrides } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  const rules = overrides
    .flatMap(({ rules: each = {} }) => Object.entries(each))
    .filter(([name, level]) => /^(react|lectern)\//.test(name) && level === 'error')
    .map(([name]) => name);
  const seeded = lintSeeds.map(({ rule }) =>
    rule.replace(/^react-hooks/, 'react').replace(/\((.+)\)/, '/$1'),
  );
  const files = Object.fromEntries(lintSeeds.map(({ path, text }) => [path, text]));
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', '.'],
    { cwd: project('lint', LINT, files), encoding: 'utf8' },
  );
  const { diagnostics } = JSON.parse(stdout);
  const foundIn = (path) => diagnostics.filter(({ filename }) => filename === path).map(({ code }) => code);
  return [
    ...(rules.length === 0 ? ['.oxlintrc.json: no rule of React or our own is on'] : []),
    ...rules.filter((rule) => !seeded.includes(rule)).map((rule) => `${rule} has no seeded breach`),
    ...lintSeeds.flatMap(({ rule, path }) => differing(rule, foundIn(path), path)),
  ];
}

async function faultsOfArchitecture() {
  const seeded = architectureSeeds.map(({ rule }) => rule);
  const faults = [
    ...RULES.filter((rule) => !seeded.includes(rule)).map((rule) => `${rule} has no seeded breach`),
    ...seeded.filter((rule) => !RULES.includes(rule)).map((rule) => `${rule} is seeded, and no rule`),
  ];
  const sound = {
    what: 'nothing',
    files: { 'contracts/book.ts': "import { z } from 'zod';\nexport const book = z.object({});" },
  };
  for (const [at, { rule, what, files }] of [sound, ...architectureSeeds].entries()) {
    const folder = project(`${at}`, ['package.json'], files);
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
    process.chdir(folder);
    const found = (await breaches()).map((breach) => breach.rule);
    faults.push(...differing(rule, found, what));
  }
  process.chdir(root);
  return faults;
}

/** Says what was found, unless it is the seeded rule alone. @param rule undefined where none is broken */
function differing(rule = 'nothing', found, where) {
  const told = [...new Set(found)].join(', ') || 'nothing';
  return told === rule ? [] : [`${where}: ${rule} is to be found, not ${told}`];
}
