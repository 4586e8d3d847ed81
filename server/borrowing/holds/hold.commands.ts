import * as m from '#words/messages.js';
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { v5 as uuidFromName } from 'uuid';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { addEventNote, removeEventNote } from '#platform/database/event-notes.js';
import { queryRow } from '#platform/database/query-rows.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import { decideHold, moveImpossible, type HoldCommand } from '#circulation/hold/hold.decider.js';
import { RefusedCommands } from '../../idempotency/refused-commands.js';
import { CommandWith } from '../../messages.js';
import { ReaderBlocks } from '../reader-blocks.js';
import { ReaderKinds } from '../known-readers.js';
import { eventId, ReaderStreams, type CommandContext } from '../streams/reader-streams.js';

/** The result of a command on a hold. */
export interface HoldCommandResult {
  holdId: string;
  /** Log position of the stored events. */
  position: bigint;
}

/** Reserve a title for a reader. */
export class PlaceHold extends CommandWith<
  HoldCommandResult,
  {
    readerId: string;
    asked: {
      bookId: number;
      neededUntil: string | null;
      placedBy: string;
      where: 'online' | 'desk';
    };
    context: CommandContext;
  }
> {}

/** `Omit` for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Any other command on a hold; the handler adds the instant. `note` is a reason in words. */
export class ChangeHold extends CommandWith<
  HoldCommandResult,
  {
    readerId: string;
    change: Without<Exclude<HoldCommand, { type: 'PlaceHold' }>, 'at'>;
    context: CommandContext;
    note?: string | undefined;
  }
> {}

const bookRow = z.object({ title: z.string(), bookKind: z.enum(BOOK_KINDS) });

@CommandHandler(PlaceHold)
export class PlaceHoldHandler implements ICommandHandler<PlaceHold> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly blocks: ReaderBlocks,
    private readonly refused: RefusedCommands,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly kinds: ReaderKinds,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** No copy is taken here: the projection gives it one as it writes the hold down, if one is free for it then. */
  execute({ readerId, asked, context }: PlaceHold): Promise<HoldCommandResult> {
    const { bookId, where, ...others } = asked;
    const holdId = uuidFromName('hold', context.commandId);
    return this.streams.serialize(readerId, async () => {
      const at = this.clock.now().toISOString();
      const readerKind = await this.kinds.of(readerId);
      const book = await queryRow(this.database, bookRow, {
        name: 'book-to-reserve',
        text: 'select title, kind as "bookKind" from book where id = $1',
        values: [bookId],
      });
      const { position } = await this.streams.execute(
        readerId,
        context,
        (state) => {
          this.blocks.refuse(readerId, where);
          if (!book) throw new DomainError('BookNotFound', m.borrow_book_unknown());
          const command = { type: 'PlaceHold' as const, holdId, readerId, readerKind, bookId, ...book, at };
          return decideHold(state, { ...command, ...others }, this.rules.at(at));
        },
        context.isNamed ? { refused: this.refused } : {},
      );
      return { holdId, position };
    });
  }
}

@CommandHandler(ChangeHold)
export class ChangeHoldHandler implements ICommandHandler<ChangeHold> {
  constructor(
    private readonly streams: ReaderStreams,
    private readonly refused: RefusedCommands,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
    private readonly kinds: ReaderKinds,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** The words are there before the event: a process that dies between leaves words without an event, never the reverse. */
  async execute({ readerId, change, context, note }: ChangeHold): Promise<HoldCommandResult> {
    const { holdId } = change;
    const id = eventId(readerId, context.commandId, 0);
    const words = note !== undefined && { eventId: id, note, about: readerId, writtenBy: context.actor };
    const isNoted = words !== false && (await addEventNote(this.database, words));
    try {
      return await this.streams.serialize(readerId, async () => {
        const readerKind = change.type === 'ReadyHold' && (await this.kinds.of(readerId));
        const command = {
          ...change,
          at: this.clock.now().toISOString(),
          ...(readerKind && { readerKind }),
        };
        const isPossible = change.type !== 'MoveHold' || (await this.canGoBefore(holdId, change.before));
        const { position } = await this.streams.execute(
          readerId,
          context,
          (state) => {
            const events = decideHold(state, command, this.rules.at(command.at));
            if (!isPossible) throw moveImpossible();
            return events;
          },
          context.isNamed ? { refused: this.refused } : {},
        );
        return { holdId, position };
      });
    } catch (error) {
      if (isNoted && error instanceof DomainError && isRefusalByRule(error.code)) {
        await removeEventNote(this.database, id);
      }
      throw error;
    }
  }

  /** It is looked up beforehand: one that is over by the time of the move had its place all the same. */
  private async canGoBefore(holdId: string, before: string | null): Promise<boolean> {
    if (before === null) return true;
    const { rowCount } = await this.database.query(
      `select from hold h join hold o on o.book_id = h.book_id
       where h.hold_id = $1 and o.hold_id = $2 and o.state in ('waiting', 'paused')`,
      [holdId, before],
    );
    return rowCount === 1;
  }
}
