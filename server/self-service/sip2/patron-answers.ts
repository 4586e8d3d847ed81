import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { currency } from '#contracts/currency.js';
import { plainAmount } from '#contracts/money.js';
import { isRefusalByRule } from '#contracts/problem.js';
import type { OwnBooks } from '#contracts/self-service/self-service.js';
import { currentLanguage } from '#platform/language.js';
import * as m from '#words/messages.js';
import { HoldsOfReader } from '../../borrowing/holds/hold.queries.js';
import { SelfService } from '../self-service.js';
import { digits, yesNo } from './codec.js';
import { Fees } from './fees.js';
import { itemOf } from './items.js';
import { ITEM_LISTS, type RequestOf, type ResponseValues } from './messages.js';
import { languageCode, Patrons, whyNot, type At, type Patron } from './patrons.js';

/** Items that one answer lists, where the device does not say from which to which. */
const MOST_ITEMS = 100;

/** Positions of a patron's status. */
const STATUS = { chargeDenied: 0, holdDenied: 3, cardLost: 4, tooManyCharged: 5, owesFees: 10 };
const POSITIONS = 14;

/** What is answered about patrons: no more than devices need to serve them. */
@Injectable()
export class PatronAnswers {
  constructor(
    private readonly selfService: SelfService,
    private readonly patrons: Patrons,
    private readonly fees: Fees,
    private readonly queries: QueryBus,
  ) {}

  async patronStatus(request: RequestOf<'patronStatus'>, at: At): Promise<ResponseValues<'patronStatus'>> {
    const { patron } = at;
    if (typeof patron === 'string') return this.stranger(request, at, patron);
    const [books, fees] = await Promise.all([this.selfService.booksOf(patron), this.fees.of(patron)]);
    return this.known(request, at, patron.fullname, books, sumOf(fees));
  }

  async patronInformation(
    request: RequestOf<'patronInformation'>,
    at: At,
  ): Promise<ResponseValues<'patronInformation'>> {
    const { patron } = at;
    const none = [0, 0, 0, 0, 0, 0];
    if (typeof patron === 'string') return { ...this.stranger(request, at, patron), ...counts(none) };
    const [books, fees, holds] = await Promise.all([
      this.selfService.booksOf(patron),
      this.fees.of(patron),
      this.queries.execute(new HoldsOfReader({ readerId: patron.pseudonym })),
    ]);
    const lists: Record<(typeof ITEM_LISTS)[number], string[]> = {
      holdItems: books.kept.map(({ title }) => title),
      overdueItems: books.loans.filter(({ isLate }) => isLate).map(itemOf),
      chargedItems: books.loans.map(itemOf),
      fineItems: fees.flatMap((fee) => fee.books.slice(0, 1).map(itemOf)),
      recallItems: [],
      unavailableHoldItems: holds.filter(({ state }) => state !== 'Ready').map(({ title }) => title),
    };
    const asked = ITEM_LISTS.find((_list, position) => request.summary[position] === 'Y');
    const [from, to] = [Number(request.startItem) || 1, Number(request.endItem) || MOST_ITEMS];
    return {
      ...this.known(request, at, patron.fullname, books, sumOf(fees)),
      ...counts(ITEM_LISTS.map((list) => lists[list].length)),
      chargedItemsLimit: digits(books.books.most, 4),
      ...(asked && { [asked]: lists[asked].slice(from - 1, Math.min(to, from - 1 + MOST_ITEMS)) }),
    };
  }

  async endSession(
    { patronId }: RequestOf<'endSession'>,
    { device, patron, common }: At,
  ): Promise<ResponseValues<'endSession'>> {
    await this.patrons.end(device, patron);
    return { ...common, endSession: 'Y', patronId };
  }

  /** Without `CG`, all fees are paid at once; it names one by the item that was listed for it. */
  async feePaid(
    request: RequestOf<'feePaid'>,
    { device, patron, key, common }: At,
  ): Promise<ResponseValues<'feePaid'>> {
    const { patronId, transactionId, feeId, currencyType } = request;
    const answer = (screen?: string): ResponseValues<'feePaid'> => ({
      ...{ ...common, paymentAccepted: yesNo(screen === undefined), patronId, transactionId },
      screenMessage: screen === undefined ? [] : [screen],
    });
    if (typeof patron === 'string') return answer(whyNot(patron));
    const amount = Fees.read(request.feeAmount);
    if (amount === undefined || currencyType.toUpperCase() !== currency())
      return answer(m.sip2_amount_wrong());
    try {
      const isPaid = await this.fees.pay(device.id, patron, amount, feeId, key);
      return answer(isPaid ? undefined : m.sip2_amount_wrong());
    } catch (error) {
      if (!(error instanceof DomainError) || !isRefusalByRule(error.code)) throw error;
      return answer(error.detail);
    }
  }

  private known(
    { patronId }: { patronId: string },
    { common }: At,
    personalName: string,
    { isBlocked, books: { have, most } }: OwnBooks,
    owed: number,
  ): ResponseValues<'patronStatus'> {
    const status = [
      ...(isBlocked ? [STATUS.holdDenied] : []),
      ...(have >= most ? [STATUS.tooManyCharged] : []),
      ...(owed > 0 ? [STATUS.owesFees] : []),
    ];
    return {
      ...{ ...common, patronId, personalName, validPatron: 'Y', validPatronPassword: 'Y' },
      patronStatus: flags(status.length > 0 ? [STATUS.chargeDenied, ...status] : []),
      language: languageCode(currentLanguage()),
      ...{ currency: currency(), feeAmount: plainAmount(owed) },
      screenMessage: isBlocked ? [m.kiosk_refused_blocked()] : [],
    };
  }

  /** Who does not have the PIN hears nothing of whose card it is. */
  private stranger(
    { patronId }: { patronId: string },
    { common }: At,
    why: Extract<Patron, string>,
  ): ResponseValues<'patronStatus'> {
    const isPin = why !== 'CardUnknown' && why !== 'CardReplaced' && why !== 'CardBlocked';
    return {
      ...{ ...common, patronId, personalName: '', validPatron: yesNo(isPin), validPatronPassword: 'N' },
      patronStatus: flags([STATUS.chargeDenied, ...(why === 'CardBlocked' ? [STATUS.cardLost] : [])]),
      language: languageCode(currentLanguage()),
      screenMessage: [whyNot(why)],
    };
  }
}

const sumOf = (fees: readonly { due: number }[]) => fees.reduce((sum, { due }) => sum + due, 0);

/** A Y at these positions, blanks elsewhere. */
function flags(positions: readonly number[]): string {
  return Array.from({ length: POSITIONS }, (_blank, at) => (positions.includes(at) ? 'Y' : ' ')).join('');
}

/** @param numbers in the order of `ITEM_LISTS` */
function counts(numbers: readonly number[]) {
  const [holds, overdue, charged, fines, recalls, unavailable] = numbers.map((each) => digits(each, 4));
  const zero = '0000';
  return {
    holdItemsCount: holds ?? zero,
    overdueItemsCount: overdue ?? zero,
    chargedItemsCount: charged ?? zero,
    fineItemsCount: fines ?? zero,
    recallItemsCount: recalls ?? zero,
    unavailableHoldsCount: unavailable ?? zero,
  };
}
