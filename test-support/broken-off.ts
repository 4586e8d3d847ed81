import type { Database } from '#platform/database/database.js';

/** Does work while one write of the ledger fails, as it fails in a process that dies in between. */
export type BrokenOffAt = <Result>(write: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Prepares a product's ledger of payments to be broken off.
 * @returns what does it: `write` is an operation and the status that it writes, as `INSERT open`
 */
export async function breakingOff(database: Database): Promise<BrokenOffAt> {
  await database.query(`
    create table broken_off (at text);
    create function break_off() returns trigger language plpgsql as $$
    begin
      if exists (select from broken_off where at = tg_op || ' ' || new.status) then
        raise exception 'the process died here' using errcode = '08006';
      end if;
      return new;
    end $$;
    create trigger break_off before insert or update on payment_transaction
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
