import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The place of a frame: a file of ours, line and column. */
const PLACE = /(?:file:\/\/)?(\/?[^\s()]+\.c?js):(\d+):(\d+)/g;

/** Read when an error is told for the first time: they are larger than the files themselves. */
const maps = new Map<string, SourceMap | undefined>();

/** A stack trace by the sources' lines, where a compiled file has a map beside it. */
export function sourceStack(stack: string | undefined): string | undefined {
  return stack?.replace(PLACE, (place, file: string, line: string, column: string) => {
    const source = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    // Packages in the bundle have no map: the nearest entry would be of other code.
    if (!source || !('originalSource' in source) || source.generatedLine !== Number(line) - 1) return place;
    const name = source.originalSource.replace(/^(?:file:\/\/)?(?:\.{1,2}\/)+/, '');
    return `${name}:${source.originalLine + 1}:${source.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')) as SourceMap['payload']);
  } catch {
    // There is none, as of Node's own files; the stack then tells the compiled place.
    return undefined;
  }
}
