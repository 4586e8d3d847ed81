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
  if (!terminal.input.isTTY) {
    throw new Error(
      'There is no terminal to ask for the password on. Give it on standard input, with --password-stdin.',
    );
  }
  const password = await askUnseen(terminal, 'Password: ');
  const again = await askUnseen(terminal, 'The same again: ');
  if (password !== again) throw new Error('These are two different passwords.');
  return password;
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

function askUnseen({ input, output }: Terminal, question: string): Promise<string> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  input.resume();
  return new Promise((resolve, reject) => {
    let typed: string[] = [];
    const end = (settle: () => void) => {
      input.off('data', onData);
      input.setRawMode(false);
      input.pause();
      output.write('\n');
      settle();
    };
    const onData = (chunk: string | Buffer) => {
      const keys = [...String(chunk)];
      for (const [at, key] of keys.entries()) {
        if (ENTER.test(key) || key === CTRL_D) {
          // What was pasted beyond the line belongs to the next question.
          const rest = keys.slice(at + 1).join('');
          if (rest !== '') input.unshift(rest);
          return end(() => resolve(typed.join('')));
        }
        if (key === CTRL_C) return end(() => reject(new Error('Stopped.')));
        if (key === CTRL_U) typed = [];
        else if (ERASE.includes(key)) typed.pop();
        else typed.push(key);
      }
    };
    input.on('data', onData);
  });
}
