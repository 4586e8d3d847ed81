import { spawn } from 'node:child_process';
import type { UnixUser } from '#platform/unprivileged-user.js';

/**
 * Runs a program to its end.
 * @param user whom it runs as, if not as this process does
 * @param log where it writes to; without, what it says of a failure is in the error
 * @throws an Error where it fails
 */
export async function runAs(
  user: UnixUser | undefined,
  program: string,
  args: string[],
  log?: number,
): Promise<void> {
  const child = spawn(program, args, {
    cwd: '/',
    env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
    stdio: ['ignore', log ?? 'ignore', log ?? 'pipe'],
    ...(user && { uid: user.uid, gid: user.gid }),
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    // Not `close`: PostgreSQL keeps what it writes to.
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${said}`))));
  });
}
