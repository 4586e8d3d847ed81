import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { localDay } from '#contracts/local-day.js';
import { BOOK_TEXTS } from '#contracts/self-service/refusal-texts.js';
import type { OwnBooks } from '#contracts/self-service/self-service.js';
import type { Database } from '#platform/database/database.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { ChangeHold, PlaceHold, type HoldCommandResult } from '../../borrowing/holds/hold.commands.js';
import { HoldCounts, HoldsOfReader, PlaceOfHold } from '../../borrowing/holds/hold.queries.js';
import { copiesOfLabels } from '../../catalogue/copies/copy-codes.queries.js';
import { ReadModelProgress } from '../../read-models/read-model-progress.js';
import type { Borrower } from '../borrower.js';
import { contextOf, SelfService } from '../self-service.js';
import { digits, yesNo, zeroOne } from './codec.js';
import { itemOf } from './fees.js';
import type { RequestOf, ResponseValues } from './messages.js';
import { refusal, type At } from './patrons.js';
import { dayOfSipDate, sipDate } from './sip-dates.js';

/** Of all that is lent here, as the protocol numbers kinds of media. */
const BOOK = '001';
/** Where a sorter puts what came back: to the shelves, or to the staff. */
const BINS = { shelf: '1', staff: '2' };
/** A copy is kept for somebody who waits, in this library. */
const LOCAL_HOLD = '01';
const CIRCULATION = { other: '01', available: '03', charged: '04', held: '08', lost: '12' };

type Loan = OwnBooks['loans'][number];
type ItemNamed = { itemId?: string | undefined; titleId?: string | undefined };
type OfPatron = ItemNamed & { patronId: string };
/** A loan and a renewal are answered alike. */
type CheckedOut = ResponseValues<'checkout'> & ResponseValues<'renew'>;

/** What is answered about books. */
@Injectable()
export class ItemAnswers {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly selfService: SelfService,
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async checkout(request: RequestOf<'checkout'>, at: At<Borrower>): Promise<ResponseValues<'checkout'>> {
    const { itemId } = request;
    const { device, patron, key } = at;
    // The device could not do its part.
    if (request.cancel === 'Y') {
      const back = await this.selfService.giveBack(device, itemId, key);
      return { ...refusal(request, at, m.sip2_cancelled()), ok: zeroOne(back.outcome === 'given-back') };
    }
    const isDone = request.noBlock === 'Y';
    const taken = isDone
      ? await this.record(at, itemId)
      : await this.selfService.take(device, patron, itemId, key);
    if (taken.outcome === 'lent') return this.lent(at, request, taken);
    if (taken.why === 'BookAlreadyBorrowed') {
      const loan = isDone && (await this.loanOf(patron, request));
      if (loan) return this.lent(at, request, loan);
      if (request.renewalPolicy === 'Y') return this.renew(request, at);
    }
    return refusal(request, at, BOOK_TEXTS[taken.why](), taken.title ?? '');
  }

  async checkin(
    { itemId, cancel }: RequestOf<'checkin'>,
    { device, patron, key, common }: At,
  ): Promise<ResponseValues<'checkin'>> {
    const isClosed = patron === 'DeviceClosed';
    const isTaken = cancel !== 'Y' && !isClosed;
    const back = isTaken ? await this.selfService.giveBack(device, itemId, key) : undefined;
    const isHere = back !== undefined && back.outcome !== 'refused';
    const isHeld = isHere && back.isHeld;
    const said = (() => {
      if (!back) return isClosed ? m.kiosk_closed() : m.kiosk_refused_ask();
      if (back.outcome === 'refused') return BOOK_TEXTS[back.why]();
      if (isHeld) return m.kiosk_to_staff();
      return back.outcome === 'given-back' && back.isCharged ? m.kiosk_fee_owed() : undefined;
    })();
    return {
      ...{ ...common, ok: zeroOne(isHere), resensitize: yesNo(isHere), magneticMedia: 'N' },
      ...{ alert: yesNo(!isHere || isHeld), ...(isHeld && { alertType: LOCAL_HOLD }) },
      ...{ itemId, permanentLocation: common.institutionId, mediaType: BOOK },
      titleId: back?.title ?? undefined,
      sortBin: isHere && !isHeld ? BINS.shelf : BINS.staff,
      screenMessage: said === undefined ? [] : [said],
    };
  }

  async renew(request: OfPatron, at: At<Borrower>): Promise<ResponseValues<'renew'>> {
    const { device, patron, key } = at;
    const loan = await this.loanOf(patron, request);
    if (!loan) return refusal(request, at, BOOK_TEXTS.BorrowNotIssued());
    const [renewed] = await this.selfService.renew(device, patron, loan.borrowId, key);
    if (renewed?.outcome !== 'renewed')
      return refusal(request, at, BOOK_TEXTS[renewed?.why ?? 'AskStaff'](), loan.title);
    return { ...this.lent(at, request, { ...loan, ...renewed }), renewalOk: 'Y', desensitize: 'N' };
  }

  async renewAll(
    _request: RequestOf<'renewAll'>,
    { device, patron, key, common }: At<Borrower>,
  ): Promise<ResponseValues<'renewAll'>> {
    const answers = await this.selfService.renew(device, patron, null, key);
    const { loans } = await this.selfService.booksOf(patron);
    const items = (isRenewed: boolean) =>
      loans
        .filter(({ borrowId }) =>
          answers.some((each) => each.borrowId === borrowId && (each.outcome === 'renewed') === isRenewed),
        )
        .map(itemOf);
    const [renewedItems, unrenewedItems] = [items(true), items(false)];
    return {
      ...{ ...common, ok: '1', renewedItems, unrenewedItems },
      renewedCount: digits(renewedItems.length, 4),
      unrenewedCount: digits(unrenewedItems.length, 4),
    };
  }

  /** Nothing of who has it. */
  async itemInformation(
    { itemId }: RequestOf<'itemInformation'>,
    { common }: At,
  ): Promise<ResponseValues<'itemInformation'>> {
    const found = await this.selfService.scanned(itemId);
    const always = { ...common, securityMarker: '00', feeType: '01', itemId };
    if (!found) {
      const screenMessage = [BOOK_TEXTS.CopyNotFound()];
      return { ...always, circulationStatus: CIRCULATION.other, titleId: '', screenMessage };
    }
    const { book, copy, holders, keptFor } = found;
    const [holder] = holders;
    const [waiting] = await this.queries.execute(new HoldCounts({ bookIds: [book.id] }));
    const circulationStatus = (() => {
      if (copy?.condition === 'lost') return CIRCULATION.lost;
      if (copy?.condition !== 'present') return CIRCULATION.other;
      // A gate lets it pass, where it may be the one that was lent by its title.
      if (holder) return CIRCULATION.charged;
      return keptFor?.isThisCopy ? CIRCULATION.held : CIRCULATION.available;
    })();
    return {
      ...{ ...always, circulationStatus, titleId: book.title, mediaType: BOOK },
      holdQueueLength: String(waiting?.holds ?? 0),
      dueDate: holder?.dueDate ? sipDate(holder.dueDate, this.timeZone.name) : undefined,
      permanentLocation: copy?.shelfMark ?? undefined,
    };
  }

  /** No properties of items are kept. */
  async itemStatus(
    { itemId }: RequestOf<'itemStatus'>,
    { common }: At,
  ): Promise<ResponseValues<'itemStatus'>> {
    return { ...common, itemPropertiesOk: '0', itemId };
  }

  /** @throws DomainError for what a rule refuses */
  async hold(
    { holdMode, itemId = '', expirationDate = '', patronId }: RequestOf<'hold'>,
    { device, patron: { pseudonym: readerId }, key, common }: At<Borrower>,
  ): Promise<ResponseValues<'hold'>> {
    const named = (await copiesOfLabels(this.database, [itemId])).get(itemId);
    if (!named) throw new DomainError('CopyNotFound', BOOK_TEXTS.CopyNotFound());
    const of = (type: string, asked: object) => {
      return { readerId, context: contextOf(device, key, type, { readerId, ...asked }) };
    };
    const neededUntil = dayOfSipDate(expirationDate) ?? null;
    let done: HoldCommandResult | undefined;
    if (holdMode === '+') {
      const asked = { bookId: named.bookId, neededUntil, placedBy: device.id, where: 'online' as const };
      done = await this.commands.execute(new PlaceHold({ ...of('PlaceHold', asked), asked }));
    } else {
      const holds = await this.queries.execute(new HoldsOfReader({ readerId }));
      const hold = holds.find(({ bookId }) => bookId === named.bookId);
      // What is to be given up may have been already, by the same message.
      if (!hold && holdMode !== '-') throw new DomainError('HoldNotFound', m.sip2_no_hold());
      const change =
        hold &&
        (holdMode === '-'
          ? ({ type: 'CancelHold', holdId: hold.id, cancelledBy: device.id } as const)
          : ({
              type: 'ChangeNeededUntil',
              holdId: hold.id,
              day: neededUntil,
              changedBy: device.id,
            } as const));
      if (change) done = await this.commands.execute(new ChangeHold({ ...of(change.type, change), change }));
    }
    if (done) await this.progress.reached(done.position);
    const place = done && (await this.queries.execute(new PlaceOfHold(done)))?.place;
    return {
      ...{ ...common, ok: '1', available: yesNo(holdMode !== '-' && place === null), patronId, itemId },
      queuePosition: typeof place === 'number' ? String(place) : undefined,
      expirationDate: expirationDate || undefined,
    };
  }

  /**
   * What was lent while the device was alone: the reader has gone with it, so limits and waiting readers no longer matter, and whoever had it by
   * our books has brought it back unseen. What cannot be written down all the same, people have to look into.
   */
  private async record({ device, patron, key }: At<Borrower>, code: string) {
    const take = (attempt: string) => this.selfService.take(device, patron, code, `${key} ${attempt}`, true);
    let taken = await take('at once');
    if (taken.outcome === 'refused' && taken.why === 'CopyNotOnShelf') {
      await this.selfService.giveBack(device, code, `${key} back`);
      taken = await take('once back');
    }
    if (taken.outcome === 'refused' && taken.why !== 'BookAlreadyBorrowed') {
      this.logger.warn(
        { device: device.id, why: taken.why },
        'a loan that was made offline could not be recorded',
      );
    }
    return taken;
  }

  /** With a line for the slip that the device prints. */
  private lent(
    { common }: At<Borrower>,
    { patronId, itemId = '' }: OfPatron,
    { title, dueDate }: { title: string; dueDate: string },
  ): CheckedOut {
    const { name: zone } = this.timeZone;
    return {
      ...{ ...common, ok: '1', renewalOk: 'N', magneticMedia: 'N', desensitize: 'Y', mediaType: BOOK },
      ...{ patronId, itemId, titleId: title, dueDate: sipDate(dueDate, zone) },
      printLine: [`${title}: ${m.kiosk_lent({ day: localDay(dueDate, zone) })}`],
    };
  }

  private async loanOf(patron: Borrower, { itemId, titleId }: ItemNamed): Promise<Loan | undefined> {
    const { loans } = await this.selfService.booksOf(patron);
    if (!itemId) return loans.find(({ title }) => title === titleId);
    const named = (await copiesOfLabels(this.database, [itemId])).get(itemId);
    return loans.find(({ bookId }) => bookId === named?.bookId);
  }
}
