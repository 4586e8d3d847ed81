import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus, type Command } from '@nestjs/cqrs';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import type { CommandAnswer, LentAnswer, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { AppendCopyEvents } from '../catalogue/copies/copy.commands.js';
import { Serves, type Asked } from '../http/serves.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { ChangeBorrow, RentBooks, type BorrowCommandResult } from './borrow.commands.js';
import { contextOf, goingBeyond } from './command-context.js';
import { HeldAfterReturn } from './holds/held-after-return.queries.js';
import { MarkLost } from './loss.commands.js';
import { Pseudonyms } from './known-readers.js';
import type { CommandContext } from './streams/reader-streams.js';
import { Undo } from './undo.command.js';
import { WaiveFee } from './waivers/waive-fee.command.js';
import { EndVisit } from './visits.queries.js';
import type { DeskBody } from '#contracts/borrowing/borrow-calls.js';
import { endVisit } from '#contracts/desk/scan.js';
import { readCopyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { DomainError } from '#contracts/domain-error.js';
import { RequestInvalid } from '../http/validation.js';

/** Who asks at the desk, and about which borrow of whom. */
type AtDesk = Pick<Asked<typeof calls.issueBooks>, 'caller' | 'query' | 'key'>;
type Handed = Asked<typeof calls.returnBooks>;

/** What a librarian does with a reader's borrow. */
@Controller()
export class DeskController {
  constructor(
    private readonly commands: CommandBus,
    private readonly progress: ReadModelProgress,
    private readonly pseudonyms: Pseudonyms,
    private readonly queries: QueryBus,
  ) {}

  @Serves(calls.issueBooks)
  issue({ body, ...desk }: Asked<typeof calls.issueBooks>): Promise<CommandAnswer> {
    const beyond = goingBeyond(desk.caller, desk.query.userId, body.beyondLimit);
    return this.change(desk, { type: 'IssueBooks', ...this.named(desk), ...resolveBooks(body), ...beyond });
  }

  @Serves(calls.returnBooks)
  takeBack(asked: Handed): Promise<TakenBack> {
    return this.handBack(asked, 'ReturnBooks');
  }

  @Serves(calls.takeBackBooks)
  takeBackBooks(asked: Handed): Promise<TakenBack> {
    return this.handBack(asked, 'TakeBackBooks');
  }

  @Serves(calls.lendBooks)
  async lend({ caller, query, body, key }: Asked<typeof calls.lendBooks>): Promise<LentAnswer> {
    const { bookIds, copies } = resolveBooks(body);
    const context = contextOf(caller, key, 'LendBooks', { ...query, ...body });
    const reader = await this.pseudonyms.ofAccount(query.userId);
    const { evenIfHeld, beyondLimit } = body;
    const by = {
      librarianId: caller.pseudonym,
      evenIfHeld,
      ...goingBeyond(caller, query.userId, beyondLimit),
    };
    const handedOver = { ...by, ...(copies && { copies }) };
    const answer = await this.done(
      new RentBooks({ readerId: reader, bookIds: [...new Set(bookIds)], context, handedOver }),
    );
    return { id: answer.borrowId, ...answer };
  }

  @Serves(calls.rebindCopies)
  rebindCopies({ body, ...desk }: Asked<typeof calls.rebindCopies>): Promise<CommandAnswer> {
    const copies = resolveCopies(body.copies);
    return this.change(desk, { type: 'RebindCopies', ...this.named(desk), copies });
  }

  @Serves(calls.waiveFee)
  waive({ body, ...desk }: Asked<typeof calls.waiveFee>): Promise<CommandAnswer> {
    const { amount, reason } = body;
    const by = { ...this.named(desk), upTo: desk.caller.waiverLimit };
    return this.carryOut(
      desk,
      { type: 'WaiveFee', amount, reason },
      (reader, context) => new WaiveFee({ readerId: reader, ...by, waiver: body, context }),
    );
  }

  @Serves(calls.markLost)
  async markLost({ body, ...desk }: Asked<typeof calls.markLost>): Promise<CommandAnswer> {
    const { borrowId, librarianId } = this.named(desk);
    const loss = { ...body, librarianId };
    const command = (reader: string, context: CommandContext) =>
      new MarkLost({ readerId: reader, borrowId, loss, context });
    return this.withCopies(await this.carryOut(desk, { type: 'ReportLoss', ...loss }, command));
  }

  @Serves(calls.markFound)
  async markFound({ body, ...desk }: Asked<typeof calls.markFound>): Promise<TakenBack> {
    const { borrowId, librarianId } = this.named(desk);
    const found = { type: 'FindBook' as const, borrowId, ...body, foundBy: librarianId };
    const command = (readerId: string, context: CommandContext) =>
      new ChangeBorrow({ readerId, change: { ...found, readerId }, context });
    const answer = await this.withCopies(await this.carryOut(desk, found, command));
    return { ...answer, keptFor: await this.keptFor(answer, [body.bookId]) };
  }

  @Serves(calls.undoAtDesk)
  async undo({ body, ...desk }: Asked<typeof calls.undoAtDesk>): Promise<CommandAnswer> {
    const { revision, evenIfHeld } = body;
    const asked = { type: 'Undo' as const, ...this.named(desk), revision };
    const command = (reader: string, context: CommandContext) => new Undo(reader, asked, context, evenIfHeld);
    return this.withCopies(
      await this.carryOut(desk, { ...asked, ...(evenIfHeld && { evenIfHeld }) }, command),
    );
  }

  @Serves(endVisit)
  async endVisit({ query }: Asked<typeof endVisit>): Promise<{ ended: boolean }> {
    return {
      ended: await this.commands.execute(new EndVisit({ readerId: await this.pseudonyms.of(query.userId) })),
    };
  }

  private named({ caller, query: { borrowId } }: AtDesk) {
    return { borrowId, librarianId: caller.pseudonym };
  }

  /** The answer names those for whom copies are kept that came back. */
  private async handBack(
    { body, ...desk }: Handed,
    type: 'ReturnBooks' | 'TakeBackBooks',
  ): Promise<TakenBack> {
    const books = resolveBooks(body);
    const answer = await this.change(desk, { type, ...this.named(desk), ...books });
    return { ...answer, keptFor: await this.keptFor(answer, books.bookIds) };
  }

  private keptFor({ borrowId, position }: CommandAnswer, bookIds: number[]): Promise<TakenBack['keptFor']> {
    return this.queries.execute(new HeldAfterReturn({ borrowId, position: BigInt(position), bookIds }));
  }

  private change(desk: AtDesk, change: ChangeBorrow['change']): Promise<CommandAnswer> {
    return this.carryOut(
      desk,
      change,
      (reader, context) => new ChangeBorrow({ readerId: reader, change, context }),
    );
  }

  /** @param asked what is digested of the request: none of what may not be in the log */
  private async carryOut<Digested extends { type: string }>(
    { caller, query, key }: AtDesk,
    asked: Digested,
    commandOf: (readerId: string, context: CommandContext) => Command<BorrowCommandResult>,
  ): Promise<CommandAnswer> {
    const context = contextOf(caller, key, asked.type, { ...query, ...asked });
    return this.done(commandOf(await this.pseudonyms.of(query.userId), context));
  }

  private async done(command: Command<BorrowCommandResult>): Promise<CommandAnswer> {
    const { borrowId, position } = await this.commands.execute(command);
    return { borrowId, position: position.toString() };
  }

  /** The projection writes down what becomes of a copy: its history shows that at once. */
  private async withCopies(answer: CommandAnswer): Promise<CommandAnswer> {
    await this.progress.reached(BigInt(answer.position));
    await this.commands.execute(new AppendCopyEvents());
    return answer;
  }
}

/** The largest id of a book. */
const MAX_ID = 2_147_483_647;

/**
 * The copies that scanned or typed codes name, whether there are such or not.
 * @throws DomainError CopyNotFound for what is no code
 * @throws RequestInvalid for two copies of one title
 */
function resolveCopies(codes: readonly string[]): CopyOfBook[] {
  const copies = codes.map(copyOfCode);
  if (copies.length > new Set(copies.map(({ bookId }) => bookId)).size) {
    throw new RequestInvalid({ copies: [m.borrow_one_copy_of_title()] });
  }
  return copies;
}

/**
 * The books that the desk names, by themselves or by their copies.
 * @throws DomainError CopyNotFound
 * @throws RequestInvalid
 */
function resolveBooks({ bookIds, copies: codes }: DeskBody): {
  bookIds: number[];
  copies?: CopyOfBook[];
} {
  const copies = resolveCopies(codes);
  const others = copies.map(({ bookId }) => bookId).filter((bookId) => !bookIds.includes(bookId));
  // A command without copies is the one that it always was: its digest is in the log.
  return { bookIds: [...bookIds, ...others], ...(copies.length > 0 && { copies }) };
}

function copyOfCode(code: string): CopyOfBook {
  const copy = readCopyCode(code);
  if (copy && copy.bookId <= MAX_ID) return copy;
  throw new DomainError('CopyNotFound', m.borrow_copy_code_invalid({ code: code.trim().slice(0, 40) }));
}
