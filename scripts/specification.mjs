// Prints every requirement of docs/specification.md with the tests that prove it: those below a comment `// spec 2.7, 4.3`.
// Exits non-zero if a requirement has no test, or a comment names none or stands above none.
// Run it as `node scripts/specification.mjs [folder of the project]`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

const requirements = new Map();
const wrong = [];
for (const [, id, sentence] of read('docs/specification.md').matchAll(/^- \*\*(\d+\.\d+)\*\* (.+)$/gm)) {
  if (requirements.has(id)) wrong.push(`docs/specification.md: ${id} appears twice`);
  requirements.set(id, { sentence, tests: [] });
}
for (const file of specFiles(root)) collect(relative(root, file));

for (const [id, { sentence, tests }] of requirements) {
  console.log([`${id}  ${sentence}`, ...tests.map((test) => `      ${test}`)].join('\n'));
  if (tests.length === 0) wrong.push(`docs/specification.md: no test proves ${id}`);
}
if (requirements.size === 0) wrong.push('docs/specification.md: it has no requirements');
for (const each of wrong) console.error(each);
process.exitCode = wrong.length === 0 ? 0 : 1;

function collect(file) {
  const source = read(file);
  for (const { index, 0: comment, 1: ids } of source.matchAll(/^ *\/\/ spec (\S.*)\n/gm)) {
    const line = source.slice(0, index).split('\n').length;
    const below = source.slice(index + comment.length);
    // The title is the first text of the test's own call, `it('…'` or `it.each([…])('…'`, or of a case in a table, `['…'`.
    const [, title] =
      /^ *(?:it(?:\(|\.each\b[^]*?\)\()|\[)\s*('[^'\n]*'|"[^"\n]*"|`[^`\n]*`),/.exec(below) ?? [];
    if (title === undefined) wrong.push(`${file}:${line}: no test stands below this comment`);
    for (const id of ids.split(', ')) {
      const requirement = requirements.get(id);
      if (requirement) requirement.tests.push(`${file}:${line + 1} ${title}`);
      else wrong.push(`${file}:${line}: there is no requirement ${id}`);
    }
  }
}

function specFiles(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'data'].includes(name) && !name.startsWith('.'))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return specFiles(path);
      return /\.spec\.tsx?$/.test(entry.name) ? [path] : [];
    });
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}
