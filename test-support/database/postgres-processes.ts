import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Every process of the PostgreSQL in this data folder: the one that the folder names, its children, its starters. */
export function postgresProcesses(dataDir: string): number[] {
  const rows = spawnSync('ps', ['-eo', 'pid=,ppid=,stat=,args=', '-ww'], { encoding: 'utf8' })
    .stdout.split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, state, args]) => ({
      pid: Number(pid),
      parent: Number(parent),
      args: args ?? '',
      isGone: state?.startsWith('Z') ?? false,
    }))
    .filter(({ isGone }) => !isGone);
  const found = new Set(
    rows.filter(({ args }) => args.includes(join(dataDir, 'postgres'))).map(({ pid }) => pid),
  );
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const { pid, parent } of rows) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

/** Sends a signal to all of them. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  if (!existsSync(dataDir)) return;
  for (const pid of postgresProcesses(dataDir)) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone in the meantime.
    }
  }
}
