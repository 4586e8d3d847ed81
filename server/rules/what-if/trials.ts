import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ACCOUNT_REMOVED } from '#contracts/accounts/account-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, daysBetween, localDay } from '#contracts/local-day.js';
import {
  MOST_DAYS,
  type LatestTrial,
  type TrialReaders,
  type TrialRequest,
  type TrialView,
} from '#contracts/rules/what-if.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { LookAtReaders } from '../../audit/audit.commands.js';
import { RequestInvalid } from '../../http/validation.js';
import {
  addTrial,
  cancelTrial,
  giveUpLost,
  KEPT_HOURS,
  readersOfTrial,
  trialUnderWay,
  trialView,
  type AskedTrial,
} from './trial-rows.js';

/** Days of a trial that names none. */
const A_YEAR = 365;
/** How often one may be over while another one begins. */
const MOST_TRIES = 5;

/** Trials that are asked for, told of and cancelled, by whichever process is asked. `TrialRunner` works on them. */
@Injectable()
export class Trials {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly timeZone: LibraryTimeZone,
    private readonly clock: Clock,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Asks for a trial, or joins one of the same rules and days.
   * @returns its id
   * @throws RequestInvalid for days that are not over; DomainError TrialUnderWay
   */
  async ask(request: TrialRequest, askedBy: string): Promise<string> {
    const asked = this.daysOf(request);
    await giveUpLost(this.database);
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const id = randomUUID();
      if (await addTrial(this.database, id, asked, { askedBy, now: this.clock.now() })) {
        await notify(this.database, CHANNELS.trials, '');
        return id;
      }
      const other = await trialUnderWay(this.database, asked);
      if (other?.isSame) return other.id;
      if (!other) continue;
      const detail = `Rules are tried one after the other, and ${other.askedBy ?? ACCOUNT_REMOVED} tries some: please wait until that is done, or cancel it.`;
      throw new DomainError('TrialUnderWay', detail);
    }
    throw new DomainError('ConcurrentChange', 'Others are just trying rules. Please look again.');
  }

  async latest(): Promise<LatestTrial> {
    return { trial: (await trialView(this.database, this.clock.now())) ?? null };
  }

  /** @throws DomainError TrialNotFound */
  async one(id: string): Promise<TrialView> {
    const view = await trialView(this.database, this.clock.now(), id);
    if (!view) throw notFound();
    return view;
  }

  /** @throws DomainError TrialNotFound */
  async cancel(id: string): Promise<TrialView> {
    await cancelTrial(this.database, id);
    return this.one(id);
  }

  /**
   * The readers whose fees would have changed most.
   * @param correlationId of the look at each of them
   * @throws DomainError TrialNotFound, TrialNotDone, LookNotRecorded
   */
  async readers(id: string, lookedBy: string, correlationId: string): Promise<TrialReaders> {
    const readers = await readersOfTrial(this.database, this.clock.now(), id);
    if (readers === undefined) throw notFound();
    if (readers === null) throw new DomainError('TrialNotDone', 'This trial has no answer.');
    const pseudonyms = readers.map(({ reader }) => reader);
    const look = new LookAtReaders(lookedBy, pseudonyms, 'what-if', { trial: id }, correlationId);
    const people = await this.commands.execute(look);
    return {
      items: readers.map(({ reader, ...fees }) => {
        const person = people.get(reader);
        return { id: person?.id ?? reader, fullname: person?.name ?? ACCOUNT_REMOVED, ...fees };
      }),
    };
  }

  private daysOf({ rules, from, to }: TrialRequest): AskedTrial {
    const yesterday = addDays(localDay(this.clock.now().getTime(), this.timeZone.name), -1);
    const last = to ?? yesterday;
    if (last > yesterday)
      throw new RequestInvalid({ to: [`Only days that are over can be tried: up to ${yesterday}.`] });
    const first = from ?? addDays(last, 1 - A_YEAR);
    if (first > last)
      throw new RequestInvalid({ from: [`The first day has to be on or before the last one, ${last}.`] });
    if (daysBetween(first, last) >= MOST_DAYS)
      throw new RequestInvalid({ from: ['Please choose ten years at most.'] });
    return { rules, from: first, to: last };
  }
}

function notFound(): DomainError {
  return new DomainError('TrialNotFound', `There is no such trial: they are kept for ${KEPT_HOURS} hours.`);
}
