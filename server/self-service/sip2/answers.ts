import { createHash, randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule } from '#contracts/problem.js';
import { Clock } from '#platform/clock.js';
import { withDeadlineTimeout } from '#platform/deadline.js';
import { inLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import type { ActingDevice } from '../../http/access.js';
import type { Borrower } from '../borrower.js';
import { DeviceBySecret } from '../devices/devices.queries.js';
import { formatResponse, yesNo } from './codec.js';
import type { Answering, Asked, Credentials, PatronSession } from './conversation.js';
import { ItemAnswers } from './item-answers.js';
import { SUPPORTED, type RequestOf, type ResponseValues } from './messages.js';
import { PatronAnswers } from './patron-answers.js';
import { languageOfCode, Patrons, refusal, whyNot, type At, type Patron } from './patrons.js';
import { namesTransaction, sipDate } from './sip-dates.js';

/** Milliseconds within which each message is answered, and tenths of a second after which devices are to send it again. */
const ANSWERED_WITHIN = 10_000;
const TIMEOUT = '150';
const RETRIES = '003';

/** What nobody is answered but a patron who is let in. */
const BY_PATRON = ['checkout', 'feePaid', 'hold', 'renew', 'renewAll'] as const;
type ByPatron = (typeof BY_PATRON)[number];
const isByPatron = (request: Asked): request is Extract<Asked, { name: ByPatron }> =>
  BY_PATRON.some((name) => name === request.name);

type Name = Asked['name'];
type Answers = {
  [N in Name]: (
    request: RequestOf<N>,
    at: At<N extends ByPatron ? Borrower : Patron>,
  ) => Promise<ResponseValues<N>>;
};
/** Who has the method of this name. */
type Answerers = { [N in Name]: Pick<Answers, N> };

/** What is asked by messages of devices is answered by the library, each in the language of whoever stands there. */
@Injectable()
export class Sip2Answers implements Answering {
  private readonly answerers: Answerers;

  constructor(
    items: ItemAnswers,
    ofPatrons: PatronAnswers,
    private readonly queries: QueryBus,
    private readonly patrons: Patrons,
    private readonly facts: LibraryFacts,
    private readonly timeZone: LibraryTimeZone,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.answerers = {
      ...{ checkin: items, checkout: items, hold: items, itemInformation: items, itemStatus: items },
      ...{ renew: items, renewAll: items, blockPatron: ofPatrons, enablePatron: ofPatrons },
      ...{ endSession: ofPatrons, feePaid: ofPatrons, patronInformation: ofPatrons, patronStatus: ofPatrons },
      status: this,
    };
  }

  async signIn(credentials: Credentials): Promise<ActingDevice | undefined> {
    const device = await this.deviceOf(credentials);
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

  async status(
    _request: Asked,
    { device: { isClosed, name }, common }: At,
  ): Promise<ResponseValues<'status'>> {
    const open = yesNo(!isClosed);
    return {
      ...{ onlineStatus: 'Y', checkinOk: open, checkoutOk: open, acsRenewalPolicy: open },
      ...{ statusUpdateOk: 'N', offlineOk: 'Y', timeoutPeriod: TIMEOUT, retriesAllowed: RETRIES },
      ...{ dateTimeSync: common.transactionDate, protocolVersion: '2.00' },
      ...{ institutionId: common.institutionId, libraryName: this.facts.name, terminalLocation: name },
      supportedMessages: SUPPORTED,
    };
  }

  private deviceOf({ login, password: secret }: Credentials): Promise<ActingDevice | undefined> {
    return this.queries.execute(new DeviceBySecret({ login, secret }));
  }

  private async answerInTime(
    request: Asked,
    credentials: Credentials,
    session: PatronSession,
  ): Promise<string | undefined> {
    const device = await this.deviceOf(credentials);
    if (!device) return undefined;
    const patron = await this.patronOf(request, device);
    if ('language' in request) session.language = languageOfCode(request.language);
    const ofPatron = typeof patron === 'string' ? undefined : patron.language;
    const at = { device, patron, key: this.keyOf(request), common: this.common(request) };
    return inLanguage(session.language ?? ofPatron ?? device.languages[0], () => this.answerOf(request, at));
  }

  /** What the library refuses is answered as the protocol has it; whatever else goes wrong is no answer. */
  private async answerOf(request: Asked, at: At): Promise<string> {
    const { name } = request;
    const answerer = this.answerers[name] as unknown as Record<
      Name,
      (request: Asked, at: At) => Promise<ResponseValues<Name>>
    >;
    const answered = async () => formatResponse(name, await answerer[name](request, at));
    if (!isByPatron(request)) return answered();
    const refused = (words: string) => formatResponse(request.name, refusal(request, at, words));
    if (typeof at.patron === 'string') return refused(whyNot(at.patron));
    try {
      return await answered();
    } catch (error) {
      const isRefusal =
        error instanceof DomainError && (isRefusalByRule(error.code) || error.code === 'ReaderBlocked');
      if (isRefusal) return refused(error.detail);
      throw error;
    }
  }

  /** What was done while the device was alone needs neither an open device nor a PIN any more. */
  private async patronOf(request: Asked, device: ActingDevice): Promise<Patron> {
    const isDone = 'noBlock' in request && request.noBlock === 'Y';
    if (device.isClosed && !isDone) return 'DeviceClosed';
    if (!('patronId' in request)) return 'CardUnknown';
    return this.patrons.of(request, device, isDone || request.name === 'endSession');
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
