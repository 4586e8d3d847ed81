import { Injectable } from '@nestjs/common';
import type { Language } from '#contracts/languages.js';
import { VISIT_TEXTS, type VisitRefusal } from '#contracts/self-service/refusal-texts.js';
import * as m from '#words/messages.js';
import type { ActingDevice } from '../../http/access.js';
import type { Borrower } from '../borrower.js';
import { SelfService } from '../self-service.js';
import { Visits } from '../visits.js';

/** Languages by the protocol's numbers; 000 is none in particular. */
const LANGUAGE_CODES: Record<Language, string> = { en: '001', pl: '017' };

export const languageCode = (language: Language): string => LANGUAGE_CODES[language];

export function languageOfCode(code: string): Language | undefined {
  return (Object.keys(LANGUAGE_CODES) as Language[]).find((language) => LANGUAGE_CODES[language] === code);
}

/** The patron of a message, or why there is none. */
export type Patron = Borrower | VisitRefusal | 'DeviceClosed';

/** What its screen says then. */
export const whyNot = (patron: Extract<Patron, string>): string =>
  patron === 'DeviceClosed' ? m.kiosk_closed() : VISIT_TEXTS[patron]();

/** What belongs to a message, beside its own fields. */
export interface At<Who = Patron> {
  device: ActingDevice;
  /** Of a message that names none, nobody. */
  patron: Who;
  /** The same for a repeat of the message. */
  key: string;
  /** What each answer has. */
  common: { transactionDate: string; institutionId: string };
}

/** What is said where a patron is not let in or a rule refuses, whatever was asked for. */
export function refusal(
  said: { patronId: string; itemId?: string | undefined; transactionId?: string | undefined },
  { common }: Pick<At, 'common'>,
  words: string,
  titleId = '',
) {
  const { patronId, itemId = '', transactionId } = said;
  return {
    ...{ ...common, patronId, itemId, titleId, transactionId, dueDate: '', screenMessage: [words] },
    ...({ ok: '0', renewalOk: 'N', magneticMedia: 'N', desensitize: 'N' } as const),
    ...({ available: 'N', paymentAccepted: 'N', renewedCount: '0000', unrenewedCount: '0000' } as const),
  };
}

@Injectable()
export class Patrons {
  constructor(
    private readonly selfService: SelfService,
    private readonly visits: Visits,
  ) {}

  /**
   * Devices send the PIN with the first message about a patron, and many with that alone: it counts for those that follow, as long as
   * a visit at a kiosk would go on, also over another connection.
   * @param isTrusted where no PIN is needed
   */
  async of(
    { patronId, patronPassword }: { patronId: string; patronPassword?: string | undefined },
    device: ActingDevice,
    isTrusted: boolean,
  ): Promise<Patron> {
    const needsPin = device.asksPin && !isTrusted;
    const asksPin = needsPin && Boolean(patronPassword);
    const reader = await this.selfService.readerOf({ ...device, asksPin }, patronId, patronPassword);
    if (typeof reader === 'string') return reader;
    if (asksPin) await this.visits.begin(device.id, reader);
    else if (needsPin && !(await this.visits.goesOn(device.id, reader))) return 'PinNeeded';
    return reader;
  }

  /** The patron goes: they are told by one letter what was done. */
  async end(device: ActingDevice, patron: Patron): Promise<void> {
    await this.visits.end(device.id);
    if (typeof patron !== 'string') await this.selfService.end(patron);
  }
}
