import type { Queryable } from '#platform/database/database.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const UNTOUCHED = {
  ...{ books: [], titles: '', status: 'Rented', charged: 0, paid: 0, waived: 0, renewals: 0 },
  ...{ lent: 0, reserved: 0, undone: false, recent: [], revision: 0, position: 0 },
};

/** Columns of a borrow, by name. */
type BorrowColumns = Record<string, unknown> & {
  borrow_id: string;
  reader_id: string;
  rented_at: string | Date;
};

/** Writes rows of the queue past the log. A column that is not given is as of a borrow to which nothing has happened. */
export async function insertBorrows(
  database: Queryable,
  rows: readonly BorrowColumns[],
  schema = READ_MODEL,
): Promise<void> {
  const complete = rows.map((row) => ({ ...UNTOUCHED, collect_by: row.rented_at, ...row }));
  await database.query(
    `insert into ${schema}.borrow select * from jsonb_populate_recordset(null::${schema}.borrow, $1)`,
    [JSON.stringify(complete)],
  );
}

/** Writes an account that nobody can sign in to. */
export async function insertAccount(
  database: Queryable,
  account: Record<'id' | 'pseudonym' | 'username' | 'email' | 'firstname' | 'lastname', string>,
): Promise<void> {
  const { id, pseudonym, username, email, firstname, lastname } = account;
  await database.query(
    `insert into account (id, pseudonym, username, name_key, email, password_hash, firstname, lastname, date_of_birth, gender,
       country, city, adress, postal_code)
     values ($1, $2, $3, lower($3), $4, '', $5, $6, '1984-11-10', 'Female', 'Poland', 'Warszawa', 'ul. Koszykowa 26', '00-553')`,
    [id, pseudonym, username, email, firstname, lastname],
  );
}
