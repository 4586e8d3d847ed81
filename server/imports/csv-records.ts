import * as m from '#words/messages.js';
import { parse } from 'csv-parse/sync';

/** One record of the file, or why it could not be read; `line` is where it begins, counted from 1. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; refused: string };

/** Longest record, in characters; a longer one is passed over without being kept in memory. */
const LONGEST_RECORD = 200_000;
/** A quoted cell that is still open after so many lines was never meant to be one. */
const MAX_LINES = 100;

interface Line {
  number: number;
  /** Undefined where the line was too long to keep. */
  text: string | undefined;
}

/**
 * Reads a CSV record by record, in memory that does not depend on the size of the file. A defect costs the record
 * it is in and no other: after a quotation mark that is never closed, reading goes on at the next line.
 * @param chunks the decoded file, a byte order mark at most at its beginning
 * @param delimiter what separates cells; found out from the first line when it is not given
 */
export async function* readCsv(chunks: AsyncIterable<string>, delimiter?: string): AsyncGenerator<CsvRecord> {
  let separator = delimiter;
  let open: Line[] = [];
  for await (const line of readLines(chunks)) {
    separator ??= likelyDelimiter(line.text ?? '');
    open.push(line);
    const { records, rest } = assemble(open, separator, false);
    yield* records;
    open = rest;
  }
  yield* assemble(open, separator ?? ',', true).records;
}

/** The text of a file. @param encoding by a name that `TextDecoder` knows */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const bytes of chunks) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** The separator that the header has most of. */
export function likelyDelimiter(header: string): string {
  const count = (separator: string) => header.split(separator).length;
  return [',', ';', '\t'].reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 1;
  let pending = '';
  let tooLong = false;
  let first = true;
  for await (const raw of chunks) {
    const chunk = first ? raw.replace(/^\uFEFF/, '') : raw;
    first = false;
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      const text = pending + chunk.slice(from, end);
      const isTooLong = tooLong || text.length > LONGEST_RECORD;
      yield { number, text: isTooLong ? undefined : text.replace(/\r$/, '') };
      number += 1;
      pending = '';
      tooLong = false;
      from = end + 1;
    }
    pending += chunk.slice(from);
    if (pending.length > LONGEST_RECORD) {
      tooLong = true;
      pending = '';
    }
  }
  if (pending !== '' || tooLong) yield { number, text: tooLong ? undefined : pending.replace(/\r$/, '') };
}

/**
 * Makes records of lines: usually one of one, and of several where a quoted cell goes on over the end of a line.
 * `rest` are the lines of a record that is still open.
 */
function assemble(
  lines: readonly Line[],
  delimiter: string,
  atEnd: boolean,
): { records: CsvRecord[]; rest: Line[] } {
  const records: CsvRecord[] = [];
  let from = 0;
  while (from < lines.length) {
    const taken = takeRecord(lines, from, delimiter, atEnd);
    if (taken === undefined) return { records, rest: lines.slice(from) };
    if (taken.record) records.push(taken.record);
    from = taken.next;
  }
  return { records, rest: [] };
}

function takeRecord(
  lines: readonly Line[],
  from: number,
  delimiter: string,
  atEnd: boolean,
): { record?: CsvRecord; next: number } | undefined {
  const { number: line, text: begun } = lines[from] as Line;
  if (begun === undefined) {
    return {
      record: { line, refused: m.import_line_too_long({ longest: LONGEST_RECORD }) },
      next: from + 1,
    };
  }
  if (begun === '') return { next: from + 1 };
  let text = begun;
  let next = from + 1;
  while (endsInsideQuotes(text, delimiter)) {
    const more = lines[next];
    if (more === undefined && !atEnd && next - from < MAX_LINES) return undefined;
    if (more?.text === undefined || text.length > LONGEST_RECORD || next - from >= MAX_LINES) {
      return { record: { line, refused: m.import_quote_open() }, next: from + 1 };
    }
    text += `\n${more.text}`;
    next += 1;
  }
  const record = cellsOf(line, text, delimiter);
  // A mark that was never closed runs into the marks of the next lines: those are not to be lost with it.
  return { record, next: 'refused' in record ? from + 1 : next };
}

function endsInsideQuotes(text: string, delimiter: string): boolean {
  if (!text.includes('"')) return false;
  let inside = false;
  let atCellStart = true;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inside) {
      if (character !== '"') continue;
      if (text[at + 1] === '"') at += 1;
      else inside = false;
    } else if (character === '"' && atCellStart) {
      inside = true;
    }
    atCellStart = !inside && (character === delimiter || character === '\n');
  }
  return inside;
}

function cellsOf(line: number, text: string, delimiter: string): CsvRecord {
  if (!text.includes('"')) return { line, cells: text.split(delimiter) };
  try {
    const [cells = []] = parse(text, { delimiter, relax_column_count: true, record_delimiter: '\n' });
    return { line, cells };
  } catch (error) {
    return { line, refused: wrongQuotes(error) };
  }
}

function wrongQuotes(error: unknown): string {
  if (!(error instanceof Error)) return m.import_quotes_unreadable();
  return m.import_quotes_wrong({
    reason: error.message.replace(/ at line \d+.*$/s, '').replace(/:.*$/s, ''),
  });
}
