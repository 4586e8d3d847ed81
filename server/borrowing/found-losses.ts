import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import type { CopyEvent } from '#contracts/copies/copy-events.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { EventLog } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { ChangeBorrow } from './borrow.commands.js';

/** The actor in the events; who found the copy stands in them. */
const ACTOR = 'loss-reconciler';
/** Milliseconds between two looks. */
const EVERY = 5_000;

const foundRow = z.object({ book_id: z.int(), copy: z.int(), borrow_id: z.string(), reader_id: z.string() });
type FoundRow = z.output<typeof foundRow>;

/**
 * Takes back the charges of lost books whose copies were found otherwise than at the desk: on a shelf, in a stock-taking. The copy
 * says in which borrow it was lost until the projection has the event that takes the charge back, so that none is forgotten.
 */
@Injectable()
export class FoundLosses implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    private readonly commands: CommandBus,
    private readonly log: EventLog,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.working = this.working
        .then(() => this.settle())
        .catch((error: unknown) => {
          this.logger.warn(
            { error },
            'charges of books that were found could not be taken back; this is tried again',
          );
        });
    }, EVERY);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  /** Takes back every charge of a book whose copy was found. What cannot be taken back of one keeps none of the others. */
  async settle(): Promise<void> {
    const found = await queryRows(
      this.database,
      foundRow,
      `select c.book_id, c.copy, b.borrow_id, b.reader_id
       from copy c join ${await this.readModel.toRead()}.borrow b on b.borrow_id = c.lost_in
       where c.lost_in is not null and c.condition = 'present' and c.pending is null limit 100`,
    );
    const errors: unknown[] = [];
    for (const row of found) await this.takeBack(row).catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw new AggregateError(errors);
  }

  private async takeBack({ book_id: bookId, copy, borrow_id: borrowId, reader_id }: FoundRow): Promise<void> {
    const newest = await this.log.readNewest('copies', copyCode({ bookId, copy }), (events) =>
      events.some(({ event }) => isFound(event)),
    );
    const last = newest.findLast(({ event }) => isFound(event));
    if (!last || !isFound(last.event)) return;
    const { foundBy, foundAt: at } = last.event.data;
    const found = { type: 'FindBook' as const, borrowId, bookId, foundBy };
    const context = {
      actor: ACTOR,
      correlationId: borrowId,
      ...commandIdentity(last.id, ACTOR, found.type, found),
    };
    const change = { ...found, readerId: reader_id, ofCopy: true };
    await this.commands.execute(new ChangeBorrow({ readerId: reader_id, change, context }));
    this.logger.info({ borrowId, bookId, at }, 'a lost book was found: its charge was taken back');
  }
}

function isFound(event: { type: string }): event is CopyEvent<'CopyFound'> {
  return event.type === 'CopyFound';
}
