import type { Visit } from '#contracts/accounts/reader-card.js';
import { localDay } from '#contracts/local-day.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { libraryName } from '#platform/library-name.js';
import { AccountEntity } from '#platform/database/entities/account.entity.js';
import type { JobData } from '#platform/jobs/job-map.js';
import { letterId } from '#letters/notification-request.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { SETTINGS } from '#platform/tokens.js';
import { VisitsOf } from '../borrowing/reader-standing.queries.js';
import { LetterDelivery, type AddressedLetter, type RequestedLetter } from './letter-delivery.js';
import { renderLetter, type Addressee, type RenderedLetter } from './letter.js';

/** Sends readers the slips that librarians asked for. */
@Injectable()
export class SlipJob implements OnModuleInit {
  constructor(
    private readonly delivery: LetterDelivery,
    private readonly queries: QueryBus,
    private readonly timeZone: LibraryTimeZone,
    @InjectRepository(AccountEntity) private readonly accounts: Repository<AccountEntity>,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onModuleInit(): void {
    const dataOf = ({ data }: RequestedLetter) => data as JobData<'mail', 'slip'>;
    this.delivery.handle('mail', 'slip', {
      prepare: async () => ({ write: (letter) => this.write(dataOf(letter), letter.cause) }),
      about: (letter) => ({ accountId: dataOf(letter).accountId }),
      sent: 'the slip of a day was sent',
      dropped: 'the account is gone, or nothing is left of that day: no slip sent',
    });
  }

  /** By what is true when it is sent. */
  private async write(
    { accountId, day }: JobData<'mail', 'slip'>,
    cause: string,
  ): Promise<AddressedLetter | undefined> {
    const account = await this.accounts.findOneBy({ id: accountId });
    if (!account?.emailConfirmed) return undefined;
    const visits = await this.queries.execute(new VisitsOf(account.pseudonym));
    const visit = visits.find((each) => each.day === day);
    if (!visit) return undefined;
    const content = slipLetter({
      ...{ firstname: account.firstname, visit, timeZone: this.timeZone.name },
      link: `${publicUrl(this.settings)}/#/profile`,
      library: libraryName(this.settings),
    });
    return { to: account.email, content, id: letterId(cause) };
  }
}

/** What was lent to a reader on a day, and what they brought back: as the slip that the desk prints. */
function slipLetter(
  to: Addressee & {
    visit: Visit;
    /** The library's. */
    timeZone: string;
    link: string;
  },
): RenderedLetter {
  const { day, issued, returned } = to.visit;
  const lent = issued.flatMap(({ titles, dueDate }) =>
    titles.map((title) =>
      dueDate === null ? `${title}: lent` : `${title}: lent until ${localDay(dueDate, to.timeZone)}`,
    ),
  );
  const back = returned.flatMap(({ titles }) => titles.map((title) => `${title}: brought back`));
  return renderLetter(to, {
    subject: `Your visit of ${day}`,
    paragraphs: [`This is what you borrowed and brought back at ${to.library} on ${day}.`],
    list: [...lent, ...back],
    button: { label: 'See my borrows', url: to.link },
    notes: ['Thank you, and until next time.'],
  });
}
