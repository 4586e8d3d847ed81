import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { currency } from '#contracts/currency.js';
import { plainAmount } from '#contracts/money.js';
import type { OwnBooks } from '#contracts/self-service/self-service.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { HoldsOfReader } from '../../borrowing/holds/hold.queries.js';
import type { Borrower } from '../borrower.js';
import { SelfService } from '../self-service.js';
import { digits, yesNo } from './codec.js';
import { Fees, itemOf, type Fee } from './fees.js';
import { ITEM_LISTS, type ItemList, type RequestOf, type ResponseValues } from './messages.js';
import { languageCode, Patrons, whyNot, type At, type Patron } from './patrons.js';

/** Items that one answer lists, where the device does not say from which to which. */
const MOST_ITEMS = 100;

/** Positions of a patron's status. */
const STATUS = { chargeDenied: 0, holdDenied: 3, cardLost: 4, tooManyCharged: 5, owesFees: 10 };
const POSITIONS = 14;

const LISTS = Object.keys(ITEM_LISTS) as ItemList[];
type Lists = Partial<Record<ItemList, string[]>>;
type Status = ResponseValues<'patronStatus'>;
type Own = { books: OwnBooks; fees: Fee[] };
const addressRow = z.object({ homeAddress: z.string(), email: z.string() });

/** What is answered about patrons: no more than devices need to serve them. */
@Injectable()
export class PatronAnswers {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly selfService: SelfService,
    private readonly patrons: Patrons,
    private readonly fees: Fees,
    private readonly queries: QueryBus,
  ) {}

  async patronStatus({ patronId }: { patronId: string }, { patron, common }: At, own?: Own): Promise<Status> {
    const of = { ...common, patronId, language: languageCode(currentLanguage()) };
    if (typeof patron === 'string') return { ...of, ...stranger(patron) };
    const { books, fees } = own ?? (await this.ownOf(patron));
    const owed = fees.reduce((sum, { due }) => sum + due, 0);
    const status = [
      ...(books.isBlocked ? [STATUS.holdDenied] : []),
      ...(books.books.have >= books.books.most ? [STATUS.tooManyCharged] : []),
      ...(owed > 0 ? [STATUS.owesFees] : []),
    ];
    return {
      ...{ ...of, personalName: patron.fullname, validPatron: 'Y', validPatronPassword: 'Y' },
      patronStatus: flags(status.length > 0 ? [STATUS.chargeDenied, ...status] : []),
      ...{ currency: currency(), feeAmount: plainAmount(owed) },
      screenMessage: books.isBlocked ? [m.kiosk_refused_blocked()] : [],
    };
  }

  async patronInformation(
    request: RequestOf<'patronInformation'>,
    at: At,
  ): Promise<ResponseValues<'patronInformation'>> {
    const { patron, device } = at;
    if (typeof patron === 'string') return { ...(await this.patronStatus(request, at)), ...counts({}) };
    const [own, holds] = await Promise.all([
      this.ownOf(patron),
      this.queries.execute(new HoldsOfReader({ readerId: patron.pseudonym })),
    ]);
    const { loans, kept, books } = own.books;
    const lists: Lists = {
      holdItems: kept.map(({ title }) => title),
      overdueItems: loans.filter(({ isLate }) => isLate).map(itemOf),
      chargedItems: loans.map(itemOf),
      fineItems: own.fees.flatMap((fee) => fee.books.slice(0, 1).map(itemOf)),
      unavailableHoldItems: holds.filter(({ state }) => state !== 'Ready').map(({ title }) => title),
    };
    const asked = LISTS.find((_list, position) => request.summary[position] === 'Y');
    const [from, to] = [Number(request.startItem) || 1, Number(request.endItem) || MOST_ITEMS];
    return {
      ...(await this.patronStatus(request, at, own)),
      ...{ ...counts(lists), chargedItemsLimit: digits(books.most, 4) },
      ...(asked && { [asked]: lists[asked]?.slice(from - 1, Math.min(to, from - 1 + MOST_ITEMS)) }),
      ...(device.hearsAddress && (await this.addressOf(patron))),
    };
  }

  async endSession(
    { patronId }: RequestOf<'endSession'>,
    { device, patron, common }: At,
  ): Promise<ResponseValues<'endSession'>> {
    await this.patrons.end(device, patron);
    return { ...common, endSession: 'Y', patronId };
  }

  /** No device locks a reader out of the library: the visit ends, and the staff are told that the device saw reason to. */
  async blockPatron(request: RequestOf<'blockPatron'>, at: At): Promise<Status> {
    const { device, patron } = at;
    await this.patrons.end(device, patron);
    this.logger.warn(
      { device: device.id, keepsCard: request.cardRetained === 'Y' },
      'a device asked for a card to be blocked, which stays as it is',
    );
    const isOut = device.asksPin && typeof patron !== 'string';
    const status = await this.patronStatus(request, isOut ? { ...at, patron: 'PinNeeded' } : at);
    return { ...status, screenMessage: [m.kiosk_refused_ask()] };
  }

  /** As no device blocks a card, none has one to release: what the staff blocked stays blocked. */
  enablePatron(request: RequestOf<'enablePatron'>, at: At): Promise<ResponseValues<'enablePatron'>> {
    return this.patronStatus(request, at);
  }

  /** Without `CG`, all fees are paid at once; it names one by the item that was listed for it. */
  async feePaid(
    request: RequestOf<'feePaid'>,
    { device, patron, key, common }: At<Borrower>,
  ): Promise<ResponseValues<'feePaid'>> {
    const { patronId, transactionId, feeId, currencyType } = request;
    const amount = currencyType.toUpperCase() === currency() ? Fees.read(request.feeAmount) : undefined;
    if (amount === undefined || !(await this.fees.pay(device.id, patron, amount, feeId, key)))
      throw new DomainError('WrongAmount', m.sip2_amount_wrong());
    return { ...common, paymentAccepted: 'Y', patronId, transactionId };
  }

  private async ownOf(patron: Borrower): Promise<Own> {
    const [books, fees] = await Promise.all([this.selfService.booksOf(patron), this.fees.of(patron)]);
    return { books, fees };
  }

  private addressOf({ accountId }: Borrower): Promise<z.output<typeof addressRow> | undefined> {
    const text = `select email, concat_ws(', ', adress, concat_ws(' ', postal_code, city), country) as "homeAddress"
      from account where id = $1`;
    return queryRow(this.database, addressRow, text, [accountId]);
  }
}

/** Who does not have the PIN hears nothing of whose card it is. */
function stranger(why: Extract<Patron, string>) {
  const isPin = why !== 'CardUnknown' && why !== 'CardReplaced' && why !== 'CardBlocked';
  return {
    ...{ personalName: '', validPatron: yesNo(isPin), validPatronPassword: 'N' },
    patronStatus: flags([STATUS.chargeDenied, ...(why === 'CardBlocked' ? [STATUS.cardLost] : [])]),
    screenMessage: [whyNot(why)],
  };
}

/** A Y at these positions, blanks elsewhere. */
function flags(positions: readonly number[]): string {
  return Array.from({ length: POSITIONS }, (_blank, at) => (positions.includes(at) ? 'Y' : ' ')).join('');
}

const counts = (lists: Lists) =>
  Object.fromEntries(LISTS.map((list) => [ITEM_LISTS[list], digits(lists[list]?.length ?? 0, 4)])) as Record<
    (typeof ITEM_LISTS)[ItemList],
    string
  >;
