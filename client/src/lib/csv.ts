import { csvLine, quotedFormula } from '#contracts/csv-cells.js';

/** A number, or a text: one that is a number all through is taken for it. */
export type CsvCell = string | number;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A CSV file of rows, the header first. Spreadsheets show a text that looks like a formula as the text that it is. */
export function csvFile(rows: readonly (readonly CsvCell[])[]): Blob {
  const lines = rows.map((cells) => csvLine(cells.map(written)));
  return new Blob(lines, { type: 'text/csv;charset=utf-8' });
}

function written(cell: CsvCell): string {
  const text = String(cell);
  return NUMBER.test(text) ? text : quotedFormula(text);
}
