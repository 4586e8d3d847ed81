import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Mount } from './mounts.js';

const COMMANDS = fileURLToPath(new URL('../../dist/cli/', import.meta.url));

/** How a command line ended, and all that it printed. */
export interface CommandEnd {
  code: number | null;
  output: string;
}

export interface RunningCommand {
  child: ChildProcess;
  ended: Promise<CommandEnd>;
}

interface CommandOptions {
  mount?: Mount;
  uid?: number;
  gid?: number;
}

/**
 * Starts a command line of the built product, as `npm run <name> -- …` does.
 * @param environment on top of this process's own
 * @param input its standard input, which is no terminal
 * @param options what is mounted for it, and whom it runs as
 */
export function startCommand(
  name: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  input = '',
  { mount = [], ...user }: CommandOptions = {},
): RunningCommand {
  const [program = '', ...rest] = [...mount, process.execPath, `${COMMANDS}${name}.js`, ...args];
  const child = spawn(program, rest, {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    ...user,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // One that does not read its input may have ended before it was written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('close', (code) => resolve({ code, output }));
  });
  return { child, ended };
}

/** The same to its end. */
export function runCommand(...command: Parameters<typeof startCommand>): Promise<CommandEnd> {
  return startCommand(...command).ended;
}
