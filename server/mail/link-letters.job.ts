import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { inLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { AccountEntity, type AccountTokenEntity } from '#platform/database/entities/account.entity.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { MakeLinkToken } from '../accounts/one-time-links.commands.js';
import { confirmEmailLetter, invitationLetter, resetPasswordLetter } from './account.letter.js';
import { LetterDelivery, type AddressedLetter, type RequestedLetter } from './letter-delivery.js';
import type { Addressee, RenderedLetter } from './letter.js';

interface LinkLetter {
  /** Sent only to accounts whose address is confirmed, or only to those whose is not. */
  emailConfirmed: boolean;
  /** Milliseconds after which nobody waits for it any more. */
  wantedFor?: number;
  /** The page behind the link, if it is not called as the purpose, and its query parameters. */
  page?: string;
  query: (to: AccountEntity, token: string) => Record<string, string>;
  letter: (to: Addressee & { username: string; link: string }) => RenderedLetter;
  sent: string;
  notSent: string;
}

/** The letters with a one-time link. The key names the job and the link's purpose. */
export const LINK_LETTERS: Record<AccountTokenEntity['purpose'], LinkLetter> = {
  'confirm-email': {
    emailConfirmed: false,
    query: ({ id }, token) => ({ token, userId: id }),
    letter: confirmEmailLetter,
    sent: 'the link that confirms an email address was sent',
    notSent: 'nothing to confirm, no letter sent',
  },
  'reset-password': {
    emailConfirmed: true,
    wantedFor: 24 * 3_600_000,
    query: ({ email }, token) => ({ email, token }),
    letter: resetPasswordLetter,
    sent: 'the link that sets a new password was sent',
    notSent: 'nobody to send a new password to, no letter sent',
  },
  invitation: {
    emailConfirmed: false,
    page: 'reset-password',
    query: ({ email }, token) => ({ email, token }),
    letter: invitationLetter,
    sent: 'the link that sets a first password was sent',
    notSent: 'nobody to invite any more, no letter sent',
  },
};

/**
 * Sends the letters with a one-time link. The token is generated only when the letter is sent: no queue, outbox or log
 * ever contains it. Every attempt generates a new one and invalidates the earlier ones.
 */
@Injectable()
export class LinkLettersJob implements OnModuleInit {
  constructor(
    private readonly delivery: LetterDelivery,
    private readonly commands: CommandBus,
    private readonly dataSource: DataSource,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly library: LibraryFacts,
  ) {}

  onModuleInit(): void {
    for (const purpose of Object.keys(LINK_LETTERS) as AccountTokenEntity['purpose'][]) {
      const { sent, notSent } = LINK_LETTERS[purpose];
      const accountOf = ({ data }: RequestedLetter) => (data as JobData<'mail', typeof purpose>).accountId;
      this.delivery.handle('mail', purpose, {
        prepare: async () => ({
          write: (letter) => this.write(purpose, accountOf(letter), letter.causedAt),
        }),
        about: (letter) => ({ accountId: accountOf(letter) }),
        sent,
        dropped: notSent,
      });
    }
  }

  private async write(
    purpose: AccountTokenEntity['purpose'],
    accountId: string,
    causedAt: Date,
  ): Promise<AddressedLetter | undefined> {
    const { emailConfirmed, page = purpose, query, letter, wantedFor = Infinity } = LINK_LETTERS[purpose];
    const to = await this.dataSource.manager.findOneBy(AccountEntity, { id: accountId, emailConfirmed });
    if (!to || Date.now() - causedAt.getTime() > wantedFor) return undefined;
    const token = await this.commands.execute(new MakeLinkToken({ accountId, purpose }));
    const parameters = new URLSearchParams(query(to, token)).toString();
    const addressed = {
      firstname: to.firstname,
      username: to.username,
      link: `${publicUrl(this.settings)}/#/${page}?${parameters}`,
      library: this.library.name,
    };
    const content = inLanguage(to.language, () => letter(addressed));
    // A second copy has another link, and the first one's is dead: no mail program may take it for the same message.
    return { to: to.email, content };
  }
}
