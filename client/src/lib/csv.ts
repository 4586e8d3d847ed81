/** A number, or a text: one that is a number all through is taken for it. */
export type CsvCell = string | number;

const NUMBER = /^-?\d+(\.\d+)?$/;
/**
 * What a spreadsheet takes for a formula, wide signs and blanks before it included; as many apostrophes as you like before it, so
 * that nothing becomes one when an apostrophe is taken away. As in the server's files.
 */
const FORMULA = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A CSV file (RFC 4180) of rows, the header first. Spreadsheets show a text that looks like a formula as the text that it is. */
export function csvFile(rows: readonly (readonly CsvCell[])[]): Blob {
  const lines = rows.map((cells) => `${cells.map(written).join(',')}\r\n`);
  return new Blob(lines, { type: 'text/csv;charset=utf-8' });
}

function written(cell: CsvCell): string {
  const plain = String(cell);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
