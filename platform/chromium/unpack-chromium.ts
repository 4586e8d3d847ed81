// Unpacks the Chromium of the npm package into TMPDIR, and prints where it is and which libraries it needs. A process
// of its own, because the package reads its environment while it is loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { default: chromium } = await import('@sparticuz/chromium');
const executablePath = await chromium.executablePath();

// Its list of fonts has /tmp written into it. Without a font a page has no text at all, and no error says so.
const fonts = join(tmpdir(), 'fonts', 'fonts.conf');
writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('>/tmp/', `>${tmpdir()}/`));

process.stdout.write(
  JSON.stringify({
    executablePath,
    environment: {
      LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] ?? '',
      FONTCONFIG_PATH: join(tmpdir(), 'fonts'),
    },
  }),
);
