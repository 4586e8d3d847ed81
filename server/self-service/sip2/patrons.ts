import { Injectable } from '@nestjs/common';
import { looksLikeCardNumber } from '#contracts/accounts/card-number.js';
import type { Language } from '#contracts/languages.js';
import { VISIT_TEXTS } from '#contracts/self-service/refusal-texts.js';
import type { VisitRefusal } from '#contracts/self-service/self-service.js';
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
export interface At {
  device: ActingDevice;
  /** Of a message that names none, nobody. */
  patron: Patron;
  /** The same for a repeat of the message. */
  key: string;
  /** What each answer has. */
  common: { transactionDate: string; institutionId: string };
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
    // Nobody is looked for by a name.
    if (!looksLikeCardNumber(patronId)) return 'CardUnknown';
    const asksPin = device.asksPin && !isTrusted;
    if (asksPin && patronPassword) {
      const reader = await this.selfService.readerOf(device, patronId, patronPassword);
      if (typeof reader !== 'string') await this.visits.begin(device.id, reader);
      return reader;
    }
    const reader = await this.selfService.readerOf({ ...device, asksPin: false }, patronId);
    if (!asksPin || typeof reader === 'string' || (await this.visits.goesOn(device.id, reader)))
      return reader;
    return 'PinNeeded';
  }

  /** The patron goes: they are told by one letter what was done. */
  async end(device: ActingDevice, patron: Patron): Promise<void> {
    await this.visits.endAt(device.id);
    if (typeof patron !== 'string') await this.selfService.end(patron);
  }
}
