import type { Database } from '#platform/database/database.js';

/** Does work while one write of a table fails, as it fails in a process that dies in between. */
export type BrokenOffAt = <Result>(write: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Prepares a table, unless another is named the ledger of payments, to be broken off.
 * @param column that says how far something is
 * @returns what does it: `write` is an operation and what it writes there, as `INSERT open`
 */
export async function breakingOff(
  database: Database,
  [table, column]: readonly [string, string] = ['payment_transaction', 'status'],
): Promise<BrokenOffAt> {
  await database.query(`
    create table broken_off (at text);
    create function break_off() returns trigger language plpgsql as $$
    begin
      if exists (select from broken_off where at = tg_op || ' ' || (to_jsonb(new) ->> '${column}')) then
        raise exception 'the process died here' using errcode = '08006';
      end if;
      return new;
    end $$;
    create trigger break_off before insert or update on ${table}
      for each row execute function break_off();`);
  return async (write, work) => {
    await database.query('insert into broken_off values ($1)', [write]);
    try {
      return await work();
    } finally {
      await database.query('delete from broken_off');
    }
  };
}
