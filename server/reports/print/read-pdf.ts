/** An object of a PDF: what it says, and the bytes from `stream` on where it has some. */
export interface PdfObject {
  head: string;
  stream: Buffer;
}

/** The objects of a PDF by their numbers, and which of them are the root and the information about it. */
export interface PdfObjects {
  objects: Map<number, PdfObject>;
  root: number;
  info: number | undefined;
}

/** It is no PDF as Chromium prints it: one table of objects, nothing encrypted, compressed or updated. */
export class PdfUnreadable extends Error {
  constructor(why: string) {
    super(`The browser's PDF cannot be joined: ${why}.`);
  }
}

/** @throws PdfUnreadable */
export function readPdf(pdf: Buffer): PdfObjects {
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(pdf.subarray(-64).toString('latin1'))?.[1];
  if (start === undefined) throw new PdfUnreadable('it has no end');
  const table = pdf.subarray(Number(start)).toString('latin1');
  const parts = /^xref\s+0 (\d+)\s+((?:\d{10} \d{5} [nf]\s+)*)trailer\s*(<<[^]*>>)\s*startxref/.exec(table);
  if (!parts) throw new PdfUnreadable('its table is of another kind');
  const [, , entries = '', trailer = ''] = parts;
  const root = Number(/\/Root (\d+) 0 R/.exec(trailer)?.[1] ?? NaN);
  if (Number.isNaN(root) || /\/(Prev|Encrypt)\b/.test(trailer))
    throw new PdfUnreadable('its trailer is of another kind');
  const info = /\/Info (\d+) 0 R/.exec(trailer)?.[1];

  const offsets = [...entries.matchAll(/(\d{10}) \d{5} ([nf])/g)]
    .map(([, offset, used], number) => ({ number, offset: Number(offset), used: used === 'n' }))
    .filter(({ used }) => used)
    .sort((first, second) => first.offset - second.offset);
  const objects = new Map<number, PdfObject>();
  for (const [at, { number, offset }] of offsets.entries()) {
    const end = offsets[at + 1]?.offset ?? Number(start);
    objects.set(number, readObject(pdf.subarray(offset, end), number));
  }
  return { objects, root, info: info === undefined ? undefined : Number(info) };
}

function readObject(bytes: Buffer, number: number): PdfObject {
  const begin = `${number} 0 obj`;
  const end = bytes.lastIndexOf('endobj');
  if (bytes.subarray(0, begin.length).toString('latin1') !== begin || end < 0) {
    throw new PdfUnreadable(`object ${number} is not where it should be`);
  }
  const content = bytes.subarray(begin.length, end);
  const stream = streamBegins(content);
  return {
    head: content.subarray(0, stream).toString('latin1').trim() + (stream < content.length ? '\n' : ''),
    stream: trimEnd(content.subarray(stream)),
  };
}

function trimEnd(bytes: Buffer): Buffer {
  // After `endstream` alone: in front of it every byte belongs to the stream.
  let end = bytes.length;
  while (end > 0 && /\s/.test(String.fromCharCode(bytes[end - 1] ?? 0))) end -= 1;
  return bytes.subarray(0, end);
}

/** Where the keyword `stream` is, outside of every string; the length where there is none. */
function streamBegins(content: Buffer): number {
  for (const { kind, begin, end } of tokens(content.toString('latin1'))) {
    if (kind === 'other' && content.subarray(begin, end).toString('latin1') === 'stream') return begin;
  }
  return content.length;
}

/** An object's text with every reference to another one changed. A reference that leads nowhere is null. */
export function renumber(head: string, numbers: Map<number, number>): string {
  let result = '';
  let plain = '';
  const flush = () => {
    result += plain.replace(/\b(\d+) 0 R\b/g, (_, number: string) => {
      const renumbered = numbers.get(Number(number));
      return renumbered === undefined ? 'null' : `${renumbered} 0 R`;
    });
    plain = '';
  };
  for (const { kind, begin, end } of tokens(head)) {
    if (kind === 'string') {
      flush();
      result += head.slice(begin, end);
    } else plain += head.slice(begin, end);
  }
  flush();
  return result;
}

/** The strings of an object's text, and the words and blanks between them. */
function* tokens(text: string): Generator<{ kind: 'string' | 'other'; begin: number; end: number }> {
  const next = /\(|<(?!<)|<<|>>|[^\s()<>[\]/]+|[\s[\]/]+/g;
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const begin = found.index;
    if (found[0] === '(') next.lastIndex = endOfString(text, begin);
    else if (found[0] === '<') next.lastIndex = text.indexOf('>', begin) + 1 || text.length;
    else {
      yield { kind: 'other', begin, end: next.lastIndex };
      // What follows is no text any more.
      if (found[0] === 'stream') return;
      continue;
    }
    yield { kind: 'string', begin, end: next.lastIndex };
  }
}

function endOfString(text: string, begin: number): number {
  let open = 0;
  for (let at = begin; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') open += 1;
    else if (text[at] === ')' && (open -= 1) === 0) return at + 1;
  }
  return text.length;
}
