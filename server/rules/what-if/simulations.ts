import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import { addDays, daysBetween, localDay } from '#contracts/local-day.js';
import {
  MAX_DAYS,
  type LatestSimulation,
  type SimulationReaders,
  type SimulationRequest,
  type SimulationView,
} from '#contracts/rules/what-if.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { IdentifyReaders } from '../../audit/audit.commands.js';
import { RequestInvalid } from '../../http/validation.js';
import {
  addSimulation,
  cancelSimulation,
  failAbandoned,
  RETENTION_HOURS,
  readersOfSimulation,
  simulationUnderWay,
  simulationView,
  type RequestedSimulation,
} from './simulation-rows.js';

/** Days of a trial that names none. */
const A_YEAR = 365;
/** How often one may be over while another one begins. */
const MAX_TRIES = 5;

/** Trials that are asked for, told of and cancelled, by whichever process is asked. `SimulationRunner` works on them. */
@Injectable()
export class Simulations {
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
  async ask(request: SimulationRequest, askedBy: string): Promise<string> {
    const asked = this.daysOf(request);
    await failAbandoned(this.database);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const id = randomUUID();
      if (await addSimulation(this.database, id, asked, { askedBy, now: this.clock.now() })) {
        await notify(this.database, CHANNELS.simulations, '');
        return id;
      }
      const other = await simulationUnderWay(this.database, asked);
      if (other?.isSame) return other.id;
      if (!other) continue;
      const who = other.askedBy ?? m.account_removed();
      throw new DomainError('TrialUnderWay', m.what_if_under_way({ who }));
    }
    throw new DomainError('ConcurrentChange', m.what_if_asked_at_once());
  }

  async latest(): Promise<LatestSimulation> {
    return { simulation: (await simulationView(this.database, this.clock.now())) ?? null };
  }

  /** @throws DomainError TrialNotFound */
  async one(id: string): Promise<SimulationView> {
    const view = await simulationView(this.database, this.clock.now(), id);
    if (!view) throw notFound();
    return view;
  }

  /** @throws DomainError TrialNotFound */
  async cancel(id: string): Promise<SimulationView> {
    await cancelSimulation(this.database, id);
    return this.one(id);
  }

  /**
   * The readers whose fees would have changed most.
   * @param correlationId of the look at each of them
   * @throws DomainError TrialNotFound, TrialNotDone, LookNotRecorded
   */
  async readers(id: string, lookedBy: string, correlationId: string): Promise<SimulationReaders> {
    const readers = await readersOfSimulation(this.database, this.clock.now(), id);
    if (readers === undefined) throw notFound();
    if (readers === null) throw new DomainError('TrialNotDone', m.what_if_no_answer());
    const pseudonyms = readers.map(({ reader }) => reader);
    const look = new IdentifyReaders({
      auditorId: lookedBy,
      pseudonyms,
      kind: 'what-if',
      parameters: { simulation: id },
      correlationId,
    });
    const people = await this.commands.execute(look);
    return {
      items: readers.map(({ reader, ...fees }) => {
        const person = people.get(reader);
        return { id: person?.id ?? reader, fullname: person?.name ?? m.account_removed(), ...fees };
      }),
    };
  }

  private daysOf({ rules, from, to }: SimulationRequest): RequestedSimulation {
    const yesterday = addDays(localDay(this.clock.now().getTime(), this.timeZone.name), -1);
    const last = to ?? yesterday;
    if (last > yesterday) throw new RequestInvalid({ to: [m.what_if_days_not_over({ yesterday })] });
    const first = from ?? addDays(last, 1 - A_YEAR);
    if (first > last) throw new RequestInvalid({ from: [m.what_if_first_after_last({ last })] });
    if (daysBetween(first, last) >= MAX_DAYS) throw new RequestInvalid({ from: [m.common_span_too_long()] });
    return { rules, from: first, to: last };
  }
}

function notFound(): DomainError {
  return new DomainError('TrialNotFound', m.what_if_unknown({ count: RETENTION_HOURS }));
}
