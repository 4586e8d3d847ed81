import type { QueryConfig } from 'pg';
import { z } from 'zod';
import type { Queryable } from './database.js';

/** A statement whose rows are not what the code takes them for: its columns and the schema have parted. */
class RowMismatch extends Error {
  constructor(statement: string | QueryConfig, issues: readonly z.core.$ZodIssue[]) {
    const text = typeof statement === 'string' ? statement : (statement.name ?? statement.text);
    const [first] = issues;
    // Never the value: it may be somebody's name.
    const where = first ? `${first.path.slice(1).join('.')}: ${first.code}` : 'unknown';
    super(`A row is not as expected (${where}) in: ${text.replace(/\s+/g, ' ').trim().slice(0, 200)}`);
    this.name = 'RowMismatch';
  }
}

/** Each schema's list of itself, made once: zod compiles a schema when it first parses. */
const lists = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Runs a statement and parses its rows; columns that the schema does not name are dropped.
 * @param row what one row is, as `pg` hands it over: `bigint` and `numeric` are texts, `timestamptz` is a `Date`
 * @throws RowMismatch where a row is something else
 */
export async function queryRows<Row extends z.ZodType>(
  connection: Queryable,
  row: Row,
  statement: string | QueryConfig,
  values?: readonly unknown[],
): Promise<z.output<Row>[]> {
  const { rows }: { rows: unknown[] } = await (typeof statement === 'string'
    ? connection.query(statement, values as unknown[] | undefined)
    : connection.query(statement));
  let list = lists.get(row) as z.ZodArray<Row> | undefined;
  if (!list) lists.set(row, (list = z.array(row)));
  const parsed = list.safeParse(rows);
  if (!parsed.success) throw new RowMismatch(statement, parsed.error.issues);
  return parsed.data;
}

/** As `queryRows`, for a statement of one row at the most: that row, or `undefined`. */
export async function queryRow<Row extends z.ZodType>(
  connection: Queryable,
  row: Row,
  statement: string | QueryConfig,
  values?: readonly unknown[],
): Promise<z.output<Row> | undefined> {
  const [first] = await queryRows(connection, row, statement, values);
  return first;
}
