import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '#platform/clock.js';
import { withDeadlineTimeout } from '#platform/deadline.js';
import { inLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import type { ActingDevice } from '../../http/access.js';
import { Devices } from '../devices/devices.js';
import { formatResponse, yesNo } from './codec.js';
import type { Answering, Asked, Credentials, PatronSession } from './conversation.js';
import { ItemAnswers } from './item-answers.js';
import { SUPPORTED, type RequestOf, type ResponseValues } from './messages.js';
import { PatronAnswers } from './patron-answers.js';
import { languageOfCode, Patrons, type At, type Patron } from './patrons.js';
import { namesTransaction, sipDate } from './sip-dates.js';

/** Milliseconds within which each message is answered, and tenths of a second after which devices are to send it again. */
const ANSWERED_WITHIN = 10_000;
const TIMEOUT = '150';
const RETRIES = '003';

type Name = Asked['name'];
type Answers = { [N in Name]: (request: RequestOf<N>, at: At) => Promise<ResponseValues<N>> };

/** What is asked by messages of devices is answered by the library, each in the language of whoever stands there. */
@Injectable()
export class Sip2Answers implements Answering {
  private readonly answers: Answers;

  constructor(
    items: ItemAnswers,
    ofPatrons: PatronAnswers,
    private readonly devices: Devices,
    private readonly patrons: Patrons,
    private readonly facts: LibraryFacts,
    private readonly timeZone: LibraryTimeZone,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.answers = {
      checkin: (request, at) => items.checkin(request, at),
      checkout: (request, at) => items.checkout(request, at),
      hold: (request, at) => items.hold(request, at),
      itemInformation: (request, at) => items.itemInformation(request, at),
      patronStatus: (request, at) => ofPatrons.patronStatus(request, at),
      renew: (request, at) => items.renew(request, at),
      endSession: (request, at) => ofPatrons.endSession(request, at),
      feePaid: (request, at) => ofPatrons.feePaid(request, at),
      patronInformation: (request, at) => ofPatrons.patronInformation(request, at),
      renewAll: (request, at) => items.renewAll(request, at),
      status: async (_request, at) => this.status(at),
    };
  }

  async signIn({ login, password }: Credentials): Promise<ActingDevice | undefined> {
    const device = await this.devices.signIn(login, password);
    this.logger.info(
      { security: true, device: device?.id },
      `security: device ${device ? 'signed in' : 'refused'}`,
    );
    return device;
  }

  answer(request: Asked, credentials: Credentials, session: PatronSession): Promise<string | undefined> {
    return withDeadlineTimeout(
      ANSWERED_WITHIN,
      () => this.answerInTime(request, credentials, session),
      'The message of a device was not answered in time.',
    );
  }

  private async answerInTime(
    request: Asked,
    { login, password }: Credentials,
    session: PatronSession,
  ): Promise<string | undefined> {
    const device = await this.devices.signIn(login, password);
    if (!device) return undefined;
    const patron = await this.patronOf(request, device);
    if ('language' in request) session.language = languageOfCode(request.language);
    const ofPatron = typeof patron === 'string' ? undefined : patron.language;
    return inLanguage(session.language ?? ofPatron ?? device.languages[0], async () => {
      const at = { device, patron, key: this.keyOf(request), common: this.common(request) };
      const answer = this.answers[request.name] as (asked: Asked, at: At) => Promise<ResponseValues<Name>>;
      return formatResponse(request.name, await answer(request, at));
    });
  }

  /** What was done while the device was alone needs neither an open device nor a PIN any more. */
  private async patronOf(request: Asked, device: ActingDevice): Promise<Patron> {
    const isDone = 'noBlock' in request && request.noBlock === 'Y';
    if (device.isClosed && !isDone) return 'DeviceClosed';
    if (!('patronId' in request)) return 'CardUnknown';
    return this.patrons.of(request, device, isDone || request.name === 'endSession');
  }

  private status({ device: { isClosed, name }, common }: At): ResponseValues<'status'> {
    const open = yesNo(!isClosed);
    return {
      ...{ onlineStatus: 'Y', checkinOk: open, checkoutOk: open, acsRenewalPolicy: open },
      ...{ statusUpdateOk: 'N', offlineOk: 'Y', timeoutPeriod: TIMEOUT, retriesAllowed: RETRIES },
      ...{ dateTimeSync: common.transactionDate, protocolVersion: '2.00' },
      ...{ institutionId: common.institutionId, libraryName: this.facts.name, terminalLocation: name },
      supportedMessages: SUPPORTED,
    };
  }

  private common(request: Asked): At['common'] {
    const institutionId = ('institutionId' in request && request.institutionId) || this.facts.name;
    return { transactionDate: sipDate(this.clock.now().getTime(), this.timeZone.name), institutionId };
  }

  /**
   * The same for a repeat, over whichever connection it comes: what the message says, with its own date, but without what is secret.
   * Where the date says nothing, the message is one by itself.
   */
  private keyOf(request: Asked): string {
    const { terminalPassword: _terminal, patronPassword: _pin, ...said } = request as Record<string, string>;
    const { transactionDate: date = '' } = said;
    if (!namesTransaction(date, this.clock.now().getTime(), this.timeZone.name)) return randomUUID();
    return createHash('sha256').update(JSON.stringify(said)).digest('base64url');
  }
}
