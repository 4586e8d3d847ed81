/** Characters of a code that are kept, as the server takes them. */
const MAX_CODE = 60;
/** What nobody prints on a label: controls and what turns writing around. */
const UNUSABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const COPY_CODE = /^\d+\s*-\s*\d+\s*-\s*\d$/;

/** A code as it was scanned, without what cannot be kept; empty where nothing is left. */
export function cleanCode(text: string): string {
  return text.replace(UNUSABLE, ' ').trim().slice(0, MAX_CODE).trim();
}

/**
 * The codes in a scanner's file: one a line, or a table of which some column has them (with commas, semicolons or tabs between).
 * A head of such a table is left out.
 */
export function codesOfFile(text: string): string[] {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|[\n\r]/)
    .map((line) => line.split(/[,;\t]/).map((cell) => cleanCode(cell.replace(/^\s*"|"\s*$/g, ''))));
  return rows.flatMap((cells, n) => {
    const code = cells.find((cell) => COPY_CODE.test(cell)) ?? cells.find((cell) => cell !== '');
    const isHead = n === 0 && cells.length > 1 && code !== undefined && !/\d/.test(code);
    return code === undefined || isHead ? [] : [code];
  });
}
