import { Controller, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { z } from 'zod';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import { currency } from '#contracts/currency.js';
import { plainAmount } from '#contracts/money.js';
import { fetchTill, readTill, type Till } from '#contracts/payments/till.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { sendFile } from '../http/send-file.js';
import { Serves, type Asked } from '../http/serves.js';

const lineRow = z.object({
  byId: z.string().nullable(),
  by: z.string().nullable(),
  kind: z.enum(['fee', 'refund']),
  times: z.int(),
  amount: z.int(),
});

/** The till: what was taken at the desk on a day, by the ledger of payments. */
@Controller()
export class TillController {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  @Serves(readTill)
  async read({ query: { day } }: Asked<typeof readTill>): Promise<Till> {
    const [from, until] = [day, addDays(day, 1)].map(
      (each) => new Date(startOfDay(each, this.timeZone.name)),
    );
    const lines = await queryRows(
      this.database,
      lineRow,
      // What was undone was handed back, and what was refused never taken.
      `select a.id as "byId", coalesce(a.fullname, d.name) as by, t.kind, count(*)::integer as times,
         sum(case t.kind when 'refund' then -t.amount else t.amount end)::integer as amount
       from payment_transaction t left join account a on a.pseudonym = t.received_by
         left join device d on d.id = t.received_by
       where t.provider = $1 and t.status in ('paid', 'undoing') and t.created >= $2 and t.created < $3
       group by a.id, coalesce(a.fullname, d.name), d.id, t.kind order by 2 nulls last, a.id, d.id, t.kind`,
      [DESK, from, until],
    );
    return { day, lines, sum: lines.reduce((sum, { amount }) => sum + amount, 0) };
  }

  @Serves(fetchTill)
  async file(asked: Asked<typeof fetchTill>, @Res() response: Response): Promise<void> {
    const { day, lines, sum } = await this.read(asked);
    const rows = lines.map(({ by, kind, times, amount }) => [
      quotedFormula(by ?? ''),
      kind,
      String(times),
      plainAmount(amount),
    ]);
    const all = [
      ['by', 'kind', 'times', currency().toLowerCase()],
      ...rows,
      ['', 'sum', '', plainAmount(sum)],
    ];
    const text = all.map(csvLine).join('');
    sendFile(response, Buffer.from(text), `till-${day}.csv`);
  }
}
