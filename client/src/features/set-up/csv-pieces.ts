import { MAX_PIECE } from '#contracts/catalogue/book-rows.js';

/** Some rows of a file, and on which of its lines they begin. */
export interface Piece {
  text: string;
  line: number;
}

/** The text of a file: as UTF-8, or as older programs of this part of the world write it. */
export function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1250').decode(bytes);
  }
}

/**
 * A CSV file in pieces that can be sent one after the other, each with the first line of the file. A piece ends between two rows:
 * where no quotation mark is open.
 */
export function piecesOf(text: string): Piece[] {
  const [head = '', ...lines] = text.split(/\r?\n/);
  const pieces: Piece[] = [];
  let rows: string[] = [];
  let [from, size, isQuoted] = [2, 0, false];
  const end = (next: number) => {
    if (rows.some((row) => row.trim() !== ''))
      pieces.push({ text: [head, ...rows, ''].join('\n'), line: from });
    [rows, size, from] = [[], 0, next];
  };
  for (const [n, line] of lines.entries()) {
    if (!isQuoted && size + line.length > MAX_PIECE && rows.length > 0) end(n + 2);
    rows.push(line);
    size += line.length + 1;
    if (((line.match(/"/g)?.length ?? 0) & 1) === 1) isQuoted = !isQuoted;
  }
  end(0);
  // A file of a first line alone: the server says what it lacks.
  return pieces.length > 0 ? pieces : [{ text: `${head}\n`, line: 2 }];
}
