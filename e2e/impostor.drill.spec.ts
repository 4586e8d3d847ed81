import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { firstInaccessibleFolder, chownFolder } from '#platform/unprivileged-user.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { temporaryFolder } from '../test-support/installation/temporary-folder.js';
import { waitFor } from '../test-support/wait-for.js';
import { atEnd, shared } from '../test-support/shared.js';

const IMPOSTOR = fileURLToPath(new URL('../test-support/event-store/impostor.mjs', import.meta.url));
const LIBRARIAN = { uid: 64_996, gid: 64_996 };
const STRANGER = { uid: 64_999, gid: 64_999 };

/** Only root may start processes as others, who then have to reach Node and the packages. */
const reachable =
  process.getuid?.() === 0 &&
  process.platform === 'linux' &&
  [process.execPath, IMPOSTOR].every(
    (path) => firstInaccessibleFolder(path, { ...STRANGER, name: '' }) === undefined,
  );
const describeAsRoot = reachable ? describe : describe.skip;

interface Told {
  port?: number;
  folder?: string;
  claimed?: true;
  toldPostgres?: string;
  toldEventStore?: Record<string, string>;
}

/** A process of another user, who has every number, address and name that a killed product had. */
class Impostor {
  private readonly lines: Told[] = [];
  private complaints = '';

  private constructor(readonly child: ChildProcess) {
    child.stderr?.on('data', (chunk: Buffer) => (this.complaints += chunk.toString()));
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const lines = output.split('\n');
      output = lines.pop() ?? '';
      this.lines.push(...lines.map((line) => JSON.parse(line) as Told));
    });
  }

  static async start(eventStorePort: string, dataDir: string): Promise<Impostor> {
    const args = [IMPOSTOR, eventStorePort, dataDir, join(dataDir, 'postgres', 'cluster')];
    const options = { ...STRANGER, cwd: '/', env: { PATH: process.env['PATH'] } };
    const impostor = new Impostor(spawn(process.execPath, args, { ...options, stdio: 'pipe' }));
    await waitFor(() => impostor.place);
    return impostor;
  }

  get place(): { port: number; folder: string } | undefined {
    const { port, folder } = this.lines[0] ?? {};
    return port === undefined || folder === undefined ? undefined : { port, folder };
  }

  /** Holds the name by which a product claims its folder, from here on. */
  async claim(): Promise<void> {
    this.child.stdin?.write('claim\n');
    await waitFor(() => {
      if (!this.isAlive()) throw new Error(`The impostor has ended: ${this.complaints}`);
      return this.lines.some(({ claimed }) => claimed);
    });
  }

  /** What came with a secret in it; that somebody looked is nothing. */
  secrets(): Told[] {
    if (!this.isAlive()) throw new Error(`The impostor has ended: ${this.complaints}`);
    return this.lines.filter(
      ({ toldPostgres, toldEventStore }) =>
        toldPostgres !== undefined || toldEventStore?.['authorization'] !== undefined,
    );
  }

  private isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async end(): Promise<void> {
    if (this.isAlive()) {
      const ended = once(this.child, 'exit');
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.place?.folder ?? '', { recursive: true, force: true });
  }
}

describeAsRoot.each([
  ['an ordinary user', LIBRARIAN],
  ['root', undefined],
])('a stranger between a crash and the next start of %s', (_who, user) => {
  let impostor: Impostor;
  let eventStoreUrl: string;
  const installation = shared(() => CrashInstallation.create({}, user));
  beforeAll(async () => {
    await installation.start();
    const record = readFileSync(join(installation.dataDir, 'running.json'), 'utf8');
    ({ eventStoreUrl } = JSON.parse(record) as { eventStoreUrl: string });
    await installation.cutPower();
    impostor = await Impostor.start(/:(\d+)\?/.exec(eventStoreUrl)?.[1] ?? '', installation.dataDir);
  });
  atEnd(() => impostor?.end());

  /**
   * As if the stranger had forked until they had the numbers of the dead.
   * @param postgres where they listen as PostgreSQL: at its port, or on a socket of theirs
   */
  function layNumbers(postgres: 'port' | 'socket'): void {
    const { port, folder } = impostor.place ?? { port: 0, folder: '' };
    const { pid } = impostor.child;
    const { dataDir } = installation;
    const cluster = join(dataDir, 'postgres', 'cluster');
    const where = postgres === 'port' ? [port, '', '127.0.0.1'] : [5432, folder, ''];
    const lines = [pid, cluster, 0, ...where, '', 'ready   '];
    const files = [
      [join(cluster, 'postmaster.pid'), lines.join('\n'), cluster],
      [
        join(dataDir, 'running.json'),
        JSON.stringify({ pid, eventStoreUrl, url: 'http://127.0.0.1:1' }),
        dataDir,
      ],
    ] as const;
    for (const [file, text, folder] of files) {
      const { uid, gid } = statSync(folder);
      writeFileSync(file, text);
      chownSync(file, uid, gid);
    }
  }

  it.each(['port', 'socket'] as const)(
    'is told nothing by commands that open the library themselves (%s), and these do their work',
    async (postgres) => {
      for (const [done, command, ...args] of [
        [/no difference/, 'verify'],
        [/events/, 'backup', join(installation.folder, `backup-${postgres}`)],
        [/new password/, 'rotate-secrets', '--database'],
      ] as const) {
        layNumbers(postgres);
        expect(await installation.command(command, args)).toMatchObject({
          code: 0,
          output: expect.stringMatching(done),
        });
      }
      expect(impostor.secrets()).toEqual([]);
    },
  );

  it.each(['port', 'socket'] as const)(
    'is told nothing by a start (%s), which opens the library with all that was in it',
    async (postgres) => {
      layNumbers(postgres);
      await installation.start();
      expect(await installation.command('verify')).toMatchObject({
        code: 0,
        output: expect.stringMatching(/no difference/),
      });
      expect(impostor.secrets()).toEqual([]);
      await installation.stop();
    },
  );

  it('is told nothing by commands, nor by a start, while they hold the name of the folder', async () => {
    layNumbers('socket');
    await impostor.claim();
    for (const [command, ...args] of [
      ['verify'],
      ['rotate-secrets', '--database'],
      ['backup', join(installation.folder, 'other')],
      ['reset-password', 'reader'],
    ] as const) {
      const { code, output } = await installation.command(command, args);
      expect([code === 0, output]).toEqual([
        false,
        expect.stringMatching(/not the Lectern that left its addresses/),
      ]);
    }
    const { code } = await installation.launch().ended;
    expect(code).toBe(1);
    expect(impostor.secrets()).toEqual([]);
  });
});

describeAsRoot('a folder that a stranger made before the first start of root', () => {
  const victims = temporaryFolder();
  const theirs = temporaryFolder();
  const victim = join(victims, 'victim');
  beforeAll(() => {
    chmodSync(victims, 0o777);
    writeFileSync(victim, 'untouched');
  });
  afterAll(() => {
    for (const folder of [victims, theirs]) rmSync(folder, { recursive: true, force: true });
  });

  const OURS = ['jwt-secret', 'jwt-secret.new', 'event-store-secret.new'];
  const POSTGRES = ['postgres.log', 'initial-password', 'password.new'];

  it.each<[what: string, lay: (dataDir: string) => void]>([
    ['as it is', () => undefined],
    ['with a secret in it', (dataDir) => writeFileSync(join(dataDir, 'jwt-secret'), 'x'.repeat(64))],
    [
      'with links in it',
      (dataDir) => {
        for (const name of OURS) symlinkSync(join(victims, name), join(dataDir, name));
        mkdirSync(join(dataDir, 'postgres'));
        for (const name of POSTGRES) symlinkSync(victim, join(dataDir, 'postgres', name));
      },
    ],
  ])('is refused in one line, %s, and nothing is written there or elsewhere', async (_what, lay) => {
    const dataDir = join(theirs, String(readdirSync(theirs).length));
    mkdirSync(dataDir);
    lay(dataDir);
    chownFolder(dataDir, { ...STRANGER, name: '' });
    const before = names(dataDir);
    const installation = await CrashInstallation.create({ DATA_DIR: dataDir });
    try {
      const { code, output } = await installation.launch().ended;
      expect(code).toBe(1);
      expect(output.trim().split('\n')).toEqual([
        'Lectern did not start.',
        expect.stringMatching(/^DATA_DIR: .* is not safe to use: .* belongs to another user \(64999\)/),
      ]);
    } finally {
      await installation.remove();
    }
    expect(names(dataDir)).toEqual(before);
    expect([names(victims), readFileSync(victim, 'utf8')]).toEqual([['victim'], 'untouched']);
  });
});

const names = (folder: string) => readdirSync(folder, { recursive: true }).map(String).sort();
