/** A line of a CSV file (RFC 4180), with its end. What must be quoted is. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * What a spreadsheet takes for a formula rather than for a text, wide signs and blanks before it included; as many
 * apostrophes as you like before it, so that nothing becomes one when an apostrophe is taken away.
 */
const FORMULA = /^'*\s*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** Whether a spreadsheet could take a cell for a formula. */
export const isFormula = (cell: string): boolean => FORMULA.test(cell);

/** The cell with an apostrophe before what would be a formula: spreadsheets show it as the text that it is. */
export const quotedFormula = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell);

/** The cell that `quotedFormula` was given. */
export const unquotedFormula = (cell: string): string =>
  cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell;
