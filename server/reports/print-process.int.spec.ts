import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, npmsChromium, type FoundChromium } from '#platform/chromium/find-chromium.js';
import { addNewBooks } from '../../test-support/product/new-books.js';
import { openOwnDatabase } from '../../test-support/database/own-database.js';
import { temporaryFolder } from '../../test-support/installation/temporary-folder.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import type { PrintMessage } from './print/print-messages.js';
import { readPdf, textOfPages } from './print/printed-text.js';
import { printInProcess, processTree } from './print-process.js';
import { readReportFile } from './report-file.js';

const TITLES = ['Zażółć gęślą jaźń', '吾輩は猫である', '红楼梦', '채식주의자', 'Война и мир'];
const ENOUGH = { milliseconds: 60_000, megabytes: 3000 };

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

describe('the printing process', () => {
  const never = new AbortController().signal;
  const told: PrintMessage[] = [];

  const database = shared(async () => {
    const own = await openOwnDatabase();
    await addNewBooks(
      own,
      TITLES.map((title) => ({ title })),
    );
    return own;
  });

  async function print(chromium: FoundChromium, limits = ENOUGH, signal = never): Promise<Buffer> {
    const reportId = randomUUID();
    await database.query(
      `insert into report (id, kind, options, catalogue, state, asked_at, touched_at)
       values ($1, 'inventory', '{}', '', 'printing', now(), now())`,
      [reportId],
    );
    const { executablePath, headless, environment } = chromium;
    const order = {
      reportId,
      databaseUrl: database.url,
      ...{ library: 'Biblioteka Łęczna', head: 'Ul. Wolska 1', foot: 'Własność biblioteki' },
      madeAt: new Date().toISOString(),
      timeZone: 'Europe/Warsaw',
      chromium: { executablePath, headless, environment },
      sandbox: true,
    };
    try {
      await printInProcess(order, limits, signal, (report) => void told.push(report));
    } finally {
      const { rows } = await database.query('select state from report where id = $1', [reportId]);
      const parts = await database.query('select 1 from report_part where report_id = $1', [reportId]);
      // Whole, or not at all.
      expect([rows[0]?.state, (parts.rowCount ?? 0) > 0]).toEqual(
        rows[0]?.state === 'ready' ? ['ready', true] : ['printing', false],
      );
    }
    const pieces: Buffer[] = [];
    for await (const piece of readReportFile(database, reportId)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  it('prints every letter on a machine without fonts, with the browser that npm brought, as a user of its own where the product is root', async () => {
    const folder = temporaryFolder();
    const fonts = join(folder, 'fonts.conf');
    writeFileSync(fonts, '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>');
    const chromium = await npmsChromium();
    const bare = { ...chromium.environment, FONTCONFIG_FILE: fonts, FONTCONFIG_PATH: folder };
    const users = new Set<string>();
    const look = setInterval(() => {
      for (const pid of processTree(process.pid)) {
        if (!readIfThere(`/proc/${pid}/cmdline`).includes('lectern-print-')) continue;
        users.add(/^Uid:\t(\d+)/m.exec(readIfThere(`/proc/${pid}/status`))?.[1] ?? '');
      }
    }, 20);
    try {
      const [page = ''] = textOfPages(await readPdf(await print({ ...chromium, environment: bare })));
      for (const title of [...TITLES, 'Biblioteka Łęczna', 'Inventory of books'])
        expect(page).toContain(title);
    } finally {
      clearInterval(look);
      chromium.remove();
    }
    const own = process.getuid?.();
    expect([...users]).toEqual([own === 0 ? '64733' : String(own)]);
  });

  it('is ended when it takes too long, too much memory, or is not wanted any more', async () => {
    const chromium = await findChromium();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('lectern-print-'));
    await expect(print(chromium, { ...ENOUGH, milliseconds: 300 })).rejects.toThrow('it took longer than');
    await expect(print(chromium, { ...ENOUGH, megabytes: 20 })).rejects.toThrow(
      /it used \d+ MB, more than the 20/,
    );
    await expect(print(chromium, ENOUGH, AbortSignal.timeout(200))).rejects.toThrow('the server is closing');
    chromium.remove();
    // With their browsers and their files.
    const commands = processTree(process.pid).map((pid) => readIfThere(`/proc/${pid}/cmdline`));
    expect(commands.filter((command) => /print-worker|lectern-print-/.test(command))).toEqual([]);
    // Other tests may be printing in the same folder: theirs go too, in time.
    await waitFor(
      () =>
        readdirSync(tmpdir()).every((name) => !name.startsWith('lectern-print-') || before.includes(name)),
      60_000,
    );
  });

  it('goes on without a sandbox, and says so, only where the kernel allows none and it may', async () => {
    const folder = temporaryFolder();
    const picky = join(folder, 'picky');
    const chromium = await findChromium();
    const script = `#!/bin/sh\ncase "$*" in *--no-sandbox*) exec "${chromium.executablePath}" "$@";; esac\necho 'No usable sandbox!' >&2\nexit 1\n`;
    writeFileSync(picky, script, { mode: 0o755 });
    const printed = print({ ...chromium, executablePath: picky });
    if (process.getuid?.() === 0) {
      expect((await printed).length).toBeGreaterThan(1000);
      expect(told).toContainEqual({ kind: 'warning', message: expect.stringMatching(/no sandbox/) });
    } else await expect(printed).rejects.toMatchObject({ code: 'PrinterUnavailable' });
    chromium.remove();
    rmSync(folder, { recursive: true });
  });

  it('says so when the browser does not start', async () => {
    const broken = {
      executablePath: '/bin/false',
      headless: true as const,
      environment: {},
      remove: () => undefined,
    };
    await expect(print(broken)).rejects.toMatchObject({ code: 'PrinterUnavailable' });
  });
});
