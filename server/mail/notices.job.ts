import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { inLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { letterId } from '#letters/notification-request.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import {
  passwordChangedLetter,
  passwordGuessingLetter,
  secondFactorChangedLetter,
} from './account.letter.js';
import { LetterDelivery, type AddressedLetter, type RequestedLetter } from './letter-delivery.js';
import type { Addressee, RenderedLetter } from './letter.js';
import { partFailedLetter, partRecoveredLetter } from './part.letter.js';

export type NoticeName =
  // Of an account.
  | 'password-changed'
  | 'second-factor-changed'
  | 'guessed-at'
  // Of the house.
  | 'part-not-well'
  | 'part-well-again';

interface Owner extends Addressee {
  /** Where the site is. */
  site: string;
  /** The library's. */
  timeZone: string;
}

interface Notice<Name extends NoticeName> {
  letter: (data: JobData<'mail', Name>, to: Owner) => RenderedLetter;
  /** What the log says, and with which facts. */
  sent: string;
  facts?: (data: JobData<'mail', Name>) => object;
  notSent: string;
}

const newPassword = (site: string) => `${site}/#/forgot-password`;
const housePage = (site: string) => `${site}/#/admin/house`;
const GONE = 'the account is gone, no letter sent';

/** What an account's owner is told of its security, and admins of the house; none of it carries a token. The key names the job. */
export const NOTICES: { [Name in NoticeName]: Notice<Name> } = {
  'password-changed': {
    letter: ({ changedAt, elsewhere = false }, { site, ...to }) =>
      passwordChangedLetter({
        ...to,
        changedAt: new Date(changedAt),
        elsewhere,
        link: newPassword(site),
      }),
    sent: 'the news of a changed password was sent',
    notSent: GONE,
  },
  'second-factor-changed': {
    letter: ({ change, at }, to) => secondFactorChangedLetter({ ...to, change, at: new Date(at) }),
    sent: 'the news of a changed second factor was sent',
    facts: ({ change }) => ({ change }),
    notSent: GONE,
  },
  'guessed-at': {
    letter: ({ at, secret }, { site, ...to }) =>
      passwordGuessingLetter({ ...to, at: new Date(at), secret, link: newPassword(site) }),
    sent: 'the news of guesses was sent',
    // Guesses at a name that nobody has ask for a letter too: the work must not differ.
    notSent: 'there is no such account, no letter sent',
  },
  'part-not-well': {
    letter: ({ part, reason, facts, since }, { site, ...to }) =>
      partFailedLetter({ ...to, part, reason, facts, since: new Date(since), link: housePage(site) }),
    sent: 'the news of a part that is not well was sent',
    facts: ({ part }) => ({ part }),
    notSent: GONE,
  },
  'part-well-again': {
    letter: ({ part, since, until }, { site, ...to }) =>
      partRecoveredLetter({
        ...to,
        ...{ part, since: new Date(since), until: new Date(until), link: housePage(site) },
      }),
    sent: 'the news of a part that is well again was sent',
    facts: ({ part }) => ({ part }),
    notSent: GONE,
  },
};

/** Sends the letters that tell an account's owner of a change, or of guesses. */
@Injectable()
export class NoticesJob implements OnModuleInit {
  constructor(
    private readonly delivery: LetterDelivery,
    private readonly timeZone: LibraryTimeZone,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly library: LibraryFacts,
  ) {}

  onModuleInit(): void {
    this.handle('password-changed');
    this.handle('second-factor-changed');
    this.handle('guessed-at');
    this.handle('part-not-well');
    this.handle('part-well-again');
  }

  private handle<Name extends NoticeName>(name: Name): void {
    const { sent, facts, notSent }: Notice<Name> = NOTICES[name];
    const dataOf = ({ data }: RequestedLetter) => data as JobData<'mail', Name>;
    this.delivery.handle('mail', name, {
      prepare: async () => ({ write: (letter) => this.write(name, dataOf(letter), letter.cause) }),
      about: (letter) => ({ accountId: dataOf(letter).accountId, ...facts?.(dataOf(letter)) }),
      sent,
      dropped: notSent,
    });
  }

  private async write<Name extends NoticeName>(
    name: Name,
    data: JobData<'mail', Name>,
    cause: string,
  ): Promise<AddressedLetter | undefined> {
    const account = await this.accounts.findOneBy({ id: data.accountId });
    if (!account) return undefined;
    const library = this.library.name;
    const to = {
      firstname: account.firstname,
      library,
      site: publicUrl(this.settings),
      timeZone: this.timeZone.name,
    };
    const content = inLanguage(account.language, () => NOTICES[name].letter(data, to));
    return { to: account.email, content, id: letterId(cause) };
  }
}
