import { commandLine } from './command-line.js';

const HELP = `
The file has a line for every book as of one moment, in UTF-8, with commas between the cells, and "npm run import" reads
it back: isbn, catalogue_number (where that is no valid ISBN), title, original_title, other_titles, author, other_names, genres, publisher, series, volume, language, publication_date, copies
(all that the library owns, lent or not), description and formulas_quoted. A cell that a spreadsheet would take for a
formula, as one that begins with = + - or @, gets an apostrophe before it; formulas_quoted then says "yes", and the import
takes the apostrophe away. With --plain-cells all cells are as they are, for programs that know no formulas. A book that an import would not take over exactly as it is,
for instance because a name has a semicolon in it, is told. Covers, readers and borrows are not in the file: "npm run
backup" has everything.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when the file is written, 1 when it is not; then none is left behind.`;

await commandLine('export', 'Writes the catalogue into a CSV file.', 1)
  .argument('<file>', 'the CSV file')
  .option('--bom', 'begin the file with a byte order mark, by which Excel knows UTF-8')
  .option('--plain-cells', 'leave cells that a spreadsheet would take for formulas as they are')
  .option('--force', 'write over a file that is there')
  .run(HELP, () => import('./export-run.js'));
