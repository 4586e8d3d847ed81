import { AccountRow } from './account.row.js';
import { AuthorRow, GenreRow, PublisherRow } from './book.row.js';

/** Every row class that TypeORM maps. */
export const ROWS = [AccountRow, AuthorRow, GenreRow, PublisherRow];
