import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** The folders with sources. */
const ROOMS = [
  ...[
    'contracts',
    'circulation',
    'copies',
    'platform',
    'server',
    'projections',
    'client/src',
    'client/build',
  ],
  ...['embedded', 'cli', 'bench', 'e2e', 'test-support', 'scripts'],
];
const handbook = read('docs/handbook.md');

/** The names in a file that begin a line of it, as settings do. */
const settingsOf = (path: string) =>
  [...read(path).matchAll(/^ +([A-Z]+(?:_[A-Z]+)+|PORT|HOST|DEMO|MAILBOX|LABELS|JOBS): /gm)].map(
    ([, name = '']) => name,
  );

describe('the handbook', () => {
  it('has every setting', () => {
    const settings = [...settingsOf('platform/settings.ts'), ...settingsOf('platform/jobs/redis-address.ts')];
    expect(settings.length).toBeGreaterThan(70);
    expect(settings.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
  });

  it('has every command', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = Object.keys(scripts).filter((name) => scripts[name]?.includes(' cli/'));
    expect(commands.length).toBeGreaterThan(10);
    expect(
      commands.filter((name) => !handbook.includes(`\`${name}`) && !handbook.includes(`npm run ${name}`)),
    ).toEqual([]);
  });

  it('says of each failure what people see, and names a test that exists', () => {
    const [, section = ''] = /\n### What fails, and what people see\n([^]*?)\n### /.exec(handbook) ?? [];
    const rows = section
      .split('\n')
      .filter((line) => /^\| (?!what happens|[-*])/.test(line))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      )
      .map(([failure = '', seen = '', test = '']) => ({
        failure,
        seen,
        test: /^`([^`]+)`$/.exec(test)?.[1] ?? '',
      }));
    expect(rows.length).toBeGreaterThan(50);
    const wrong = rows.filter(
      ({ seen, test }) => seen === '' || !test.endsWith('.spec.ts') || !existsSync(join(ROOT, test)),
    );
    expect(wrong).toEqual([]);
  });

  it('has each drill among the failures', () => {
    const drills = [...handbook.matchAll(/`([^`]+\.drill\.spec\.ts)`/g)].map(([, path]) => path);
    expect(drillFiles().filter((path) => !drills.includes(path))).toEqual([]);
  });
});

describe('the documents', () => {
  const documents = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/decisions')];

  it.each(documents)('%s names files that exist', (document) => {
    const text = read(document);
    const named = [...text.matchAll(/`([a-z][\w./-]*\/[\w.-]+\.(?:tsx?|mjs|cjs|json|md|css|sh))(?::\d+)?`/g)]
      .map(([, path = '']) => join(ROOT, path))
      .filter((path) => !path.startsWith(join(ROOT, 'dist')));
    const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) =>
      join(ROOT, dirname(document), path),
    );
    expect([...named, ...linked].filter((path) => !existsSync(path))).toEqual([]);
  });

  it('are there where the code names them', () => {
    const lost = ROOMS.flatMap(filesIn)
      .filter((path) => /\.(tsx?|mjs|sql|css)$/.test(path) && !path.endsWith('documents.spec.ts'))
      .flatMap((path) => [...read(path).matchAll(/docs\/[\w/-]+\.md/g)].map(([named]) => ({ path, named })))
      .filter(({ named }) => !existsSync(join(ROOT, named)));
    expect(lost).toEqual([]);
  });

  it('link to headings that exist', () => {
    const lost = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\(([^):]*?)#([^)]+)\)/g)]
        .filter(
          ([, path = '', anchor = '']) =>
            !anchorsOf(join(dirname(document), path || basename(document))).includes(anchor),
        )
        .map(([link]) => `${document}: ${link}`),
    );
    expect(lost).toEqual([]);
  });

  it('have 26,000 words at most, and a decision 200', () => {
    // The lines of a table are none.
    const words = (text: string) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    expect(words(documents.map(read).join('\n'))).toBeLessThanOrEqual(26_000);
    const long = markdownIn('docs/decisions').filter((document) => words(read(document)) > 200);
    expect(long).toEqual([]);
  });
});

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** The headings of a document as addresses, as GitHub makes them. */
function anchorsOf(document: string): string[] {
  return [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\d\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

const drillFiles = () => ROOMS.flatMap(filesIn).filter((path) => path.endsWith('.drill.spec.ts'));

function filesIn(room: string): string[] {
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' }).map(
    (path) => `${room}/${path}`,
  );
}
