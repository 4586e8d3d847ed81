import { createReadStream } from 'node:fs';
import * as m from '#words/messages.js';

/** No line of ours is near this long, in characters; a file that has one is something else. */
const LONGEST = 16 * 1024 * 1024;

/**
 * The lines of a UTF-8 file, without their line feeds and nothing else taken for one: a title may hold U+2028.
 * @throws an Error when the file cannot be read, or has a line that no file of ours has
 */
export async function* fileLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST) throw new Error(m.cli_line_too_long({ file: path }));
    yield* lines;
  }
  if (rest !== '') yield rest;
}
