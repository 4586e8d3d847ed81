import { InvalidArgumentError } from 'commander';
import { commandLine, EXIT } from './command-line.js';

const HELP = `
The first line names the columns, in any order; unknown ones are passed over.
  title             required
  original_title    where it is not the title
  other_titles      further titles that it is known by, separated by " | "
  authors           required: "Stanisław Lem; Ursula K. Le Guin" or "Lem, Stanisław; …" by semicolons,
                    or "Stanisław Lem, Ursula K. Le Guin" by commas
  author            in its place: "Lem, Stanisław" or "Stanisław Lem"; several by semicolons
  other_names       what the authors are called as well: those of each in their order, by semicolons; several by " | "
  isbn, isbn13      an ISBN-10 or ISBN-13, with or without hyphens; lost leading zeros are put back.
                    A book without a valid one gets an internal number of the library, 29…
  id, book_id       number of the record, from which that internal number is made
  catalogue_number  the number that "npm run export" wrote where a book has no valid ISBN; kept as it is
  formulas_quoted   "yes" where "npm run export" put an apostrophe before what would be a formula
  genres            "Science Fiction; Classics"
  publisher
  series, volume    "Harry Potter" and "1"; where the file has a column series, titles are taken as they are written
  language          a code of ISO 639, such as en, eng or en-US; also language_code
  publication_date  yyyy-MM-dd, dd.MM.yyyy, yyyy-MM or a year, -720 for 720 BC; or: year, original_publication_year
  description
  copies            1 to 10000
An author is the catalogue's where the names differ only by case, accents, hyphens or how initials are set.
A book without genres or publisher has none; "Unknown" is read as none. Without a column
series, a "(Harry Potter, #1)" at the end of a title is read as such; further series go to the description. Files are UTF-8 with commas, semicolons or tabs between the cells.

A row that does not hold is refused, with its line and the reason; all others are loaded. A book whose number is in
the catalogue gets what it lacks (ratings, language, original title …) and keeps what it has, so that loading a file twice
changes nothing. Ctrl-C stops after the batch under way. The product may be running; DATABASE_URL is used where it is set.

Exit code: 0 when the file was read to its end, 1 when the database failed on the way (what was loaded before stays; load
the file again), 2 when it cannot be read or names no usable columns, 130 when it was stopped.`;

await commandLine('import', 'Loads books from a CSV file into the catalogue.', EXIT.couldNotRun)
  .argument('<file>', 'the CSV file')
  .option('--copies <n>', 'copies of a book whose row does not tell; else 1 to 5 by its popularity', count)
  .option('--encoding <name>', 'of the file, such as windows-1250 or latin1', encoding, 'utf-8')
  .option('--delimiter <character>', 'between the cells; else found out from the first line')
  .option(
    '--report <file>',
    'where all refused and repaired rows are listed (default: import-report.txt in DATA_DIR)',
  )
  .run(HELP, () => import('./import-run.js'));

function count(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 10_000) {
    throw new InvalidArgumentError('It has to be a number from 1 to 10000.');
  }
  return number;
}

function encoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new InvalidArgumentError('This encoding is not known.');
  }
}
