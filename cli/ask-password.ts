import * as m from '#words/messages.js';
import type { Settings } from '#platform/settings.js';
import { weaknessOf, type PasswordOwner } from '../server/accounts/passwords/weak-passwords.js';

/** The terminal, or what stands for it. */
export interface Terminal {
  input: NodeJS.ReadStream;
  output: NodeJS.WritableStream;
}

const ENTER = /[\r\n]/;
const CTRL_C = '\u0003';
const CTRL_D = '\u0004';
const CTRL_U = '\u0015';
const ERASE = ['\u007f', '\b'];

/**
 * A new password: asked for twice on the terminal without showing it, or the first line of standard input.
 * It is never an argument: those are seen by everybody on the machine and stay in the shell's history.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function askPassword(
  fromInput: boolean,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (fromInput) return firstLine(terminal.input);
  requireTerminal(terminal);
  return askTwice(terminal, m.cli_password(), m.cli_passwords_differ());
}

/**
 * A passphrase, asked for on the terminal without showing it.
 * @param isNew asks for it twice
 * @throws an Error with a sentence for the person at the terminal
 */
export async function askPassphrase(
  isNew: boolean,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (!terminal.input.isTTY) {
    throw new Error(m.cli_passphrase_no_terminal());
  }
  if (!isNew) return (await askUnseen(terminal, m.cli_passphrase_of_backup(), '')).line;
  return askTwice(terminal, m.cli_passphrase_for_backup(), m.cli_passphrases_differ());
}

async function askTwice(terminal: Terminal, question: string, different: string): Promise<string> {
  const { line, ahead } = await askUnseen(terminal, question, '');
  const { line: again } = await askUnseen(terminal, m.cli_same_again(), ahead);
  if (line !== again) throw new Error(different);
  return line;
}

/**
 * The password that somebody has: asked for once on the terminal, or the first line of standard input.
 * @throws an Error with a sentence for the person at the terminal
 */
export async function askPresentPassword(
  whose: string,
  fromInput: boolean,
  terminal: Terminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  if (fromInput) return firstLine(terminal.input);
  requireTerminal(terminal);
  return (await askUnseen(terminal, m.cli_password_of({ name: whose }), '')).line;
}

function requireTerminal({ input }: Terminal): void {
  if (input.isTTY) return;
  throw new Error(m.cli_password_no_terminal());
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = '';
  input.setEncoding('utf8');
  for await (const chunk of input) {
    text += String(chunk);
    if (ENTER.test(text) || text.length > 10_000) break;
  }
  return text.split(ENTER)[0] ?? '';
}

/**
 * @param ahead what was typed before the question came
 * @returns the line, and what was typed beyond it
 */
function askUnseen(
  { input, output }: Terminal,
  question: string,
  ahead: string,
): Promise<{ line: string; ahead: string }> {
  const stopped = new Error(m.cli_stopped());
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const end = (settle: () => void) => {
      input.off('data', take);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      settle();
    };
    const take = (chunk: string | Buffer) => {
      // The end of a pasted line may be two signs.
      const keys = [...String(chunk).replaceAll('\r\n', '\n')];
      for (const [at, key] of keys.entries()) {
        if (ENTER.test(key) || key === CTRL_D) {
          return end(() => resolve({ line: typed.join(''), ahead: keys.slice(at + 1).join('') }));
        }
        if (key === CTRL_C) return end(() => reject(stopped));
        if (key === CTRL_U) typed = [];
        else if (ERASE.includes(key)) typed.pop();
        else typed.push(key);
      }
    };
    input.on('data', take);
    input.resume();
    if (ahead !== '') take(ahead);
  });
}

/**
 * Warns on the terminal of a password that is easy to guess.
 * @throws an Error with the reason where `NODE_ENV=production`
 */
export async function warnOfWeakPassword(
  { NODE_ENV }: Pick<Settings, 'NODE_ENV'>,
  password: string,
  owner: PasswordOwner,
): Promise<void> {
  const weakness = await weaknessOf(password, owner);
  if (weakness === undefined) return;
  if (NODE_ENV === 'production') throw new Error(m.password_weak_choose_another({ weakness }));
  process.stderr.write(`${m.cli_password_weak({ weakness })}\n`);
}
