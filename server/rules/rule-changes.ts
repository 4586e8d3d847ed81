import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { v5 as uuidFromName } from 'uuid';
import { DomainError } from '#contracts/domain-error.js';
import { localDay, startOfDay } from '#contracts/local-day.js';
import type { OpeningHours } from '#contracts/rules/opening-hours.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { VERSIONS_SHOWN, type RulesOverview, type RulesVersion } from '#contracts/rules/rule-views.js';
import { BORROW_POLICY, type BorrowPolicy } from '#circulation/rules/borrow.policy.js';
import { openingHours } from '#circulation/rules/period.js';
import { isRuleEvent, RuleBook, ruleSetOf } from '#circulation/rules/rule-book.js';
import { decideRules, MIN_LEAD_TIME, type RulesCommand } from '#circulation/rules/rules.decider.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { addEventNote, eventNotes, removeEventNote } from '#platform/database/event-notes.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { personByPseudonym } from '#platform/database/people.js';
import { EventLog, RevisionConflict } from '#platform/event-log/event-log.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';

/** Who changes the rules, and by which command. */
interface RulesContext {
  /** A pseudonym. */
  actor: string;
  correlationId: string;
  commandId: string;
  commandDigest: string;
}

/** `Omit` for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Two admins rarely change the rules at the same moment. */
const MAX_TRIES = 5;

/** Changes the rules, and tells of all their versions, by the log. */
@Injectable()
export class RuleChanges {
  constructor(
    private readonly log: EventLog,
    private readonly rules: LibraryRules,
    private readonly clock: Clock,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /**
   * @param why in words: kept beside the log
   * @throws DomainError of `decideRules`, IdempotencyKeyReused, ConcurrentChange
   */
  async decide(asked: Without<RulesCommand, 'at'>, context: RulesContext, why?: string): Promise<void> {
    const eventId = uuidFromName('rules', context.commandId);
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const revision = await this.log.lastRevision('rules', LIBRARY);
      const stored = await this.log.readStream('rules', LIBRARY);
      const prior = stored.find(({ id }) => id === eventId);
      if (prior) {
        if (prior.metadata.commandDigest === context.commandDigest) return;
        throw new DomainError('IdempotencyKeyReused', m.rules_key_reused());
      }
      const command = { ...asked, at: this.clock.now().toISOString() };
      const book = RuleBook.of(stored.map(({ event }) => event).filter(isRuleEvent));
      const [event] = decideRules(book, command, this.rules.timeZone.name);
      if (!event) return;
      const { actor } = context;
      // Before the event: what dies in between leaves words without an event, never the reverse.
      const note = why === undefined ? undefined : { eventId, note: why, about: actor, writtenBy: actor };
      const isNoted = note !== undefined && (await addEventNote(this.database, note));
      try {
        await this.log.append(
          'rules',
          LIBRARY,
          [{ id: eventId, event, metadata: metadataOf(context) }],
          revision,
        );
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
        if (isNoted) await removeEventNote(this.database, eventId);
        continue;
      }
      await this.rules.look();
      await notify(this.database, CHANNELS.rules, '');
      return;
    }
    throw new DomainError('ConcurrentChange', m.rules_changing_now());
  }

  /** By what is known last: whoever only looks need not wait for the log. */
  openingHours(): OpeningHours {
    const now = this.clock.now().toISOString();
    const zone = this.rules.timeZone.name;
    const today = localDay(now, zone);
    return openingHours(today, (day) =>
      this.rules.shownAt(day === today ? now : new Date(startOfDay(day, zone)).toISOString()),
    );
  }

  /** @param before only the versions before this one */
  async overview(before = Infinity): Promise<RulesOverview> {
    const { current, versions } = await this.all();
    const inForce = versions.find(({ version }) => version === current);
    if (!inForce) throw new Error(`the rules in force, version ${current}, are not among all`);
    return {
      current: inForce,
      versions: versions.filter(({ version }) => version < before).slice(0, VERSIONS_SHOWN),
      timeZone: this.rules.timeZone.name,
      startsAfterMinutes: MIN_LEAD_TIME / 60_000,
    };
  }

  /** Every version, the latest first, and which is in force. */
  private async all(): Promise<{ current: number; versions: RulesVersion[] }> {
    const now = this.clock.now().toISOString();
    const stored = await this.log.readStream('rules', LIBRARY);
    const book = RuleBook.of(stored.map(({ event }) => event).filter(isRuleEvent));
    const notes = await eventNotes(
      this.database,
      stored.map(({ id }) => id),
    );
    const why = new Map(
      stored.flatMap(({ id, event }) =>
        event.type === 'RulesChanged' ? [[event.data.version, notes.get(id) ?? null] as const] : [],
      ),
    );
    const current = book.inForceAt(now).version;
    const versions: RulesVersion[] = [];
    for (const { policy, from, changedBy, changedAt, withdrawn } of book.changes) {
      const state =
        policy.version === current
          ? 'current'
          : withdrawn
            ? 'withdrawn'
            : Date.parse(from) > Date.parse(now)
              ? 'coming'
              : 'past';
      versions.unshift({
        ...shown(policy, state),
        from,
        changedAt,
        changedBy: await this.nameOf(changedBy),
        why: why.get(policy.version) ?? null,
        withdrawnAt: withdrawn?.at ?? null,
        withdrawnBy: withdrawn ? await this.nameOf(withdrawn.by) : null,
      });
    }
    versions.push(shown(BORROW_POLICY, BORROW_POLICY.version === current ? 'current' : 'past'));
    return { current, versions };
  }

  /** @throws DomainError RulesNotFound */
  async version(version: number): Promise<RulesVersion> {
    const { versions } = await this.all();
    const found = versions.find((each) => each.version === version);
    if (!found) throw new DomainError('RulesNotFound', m.rules_version_unknown({ version }));
    return found;
  }

  private async nameOf(pseudonym: string): Promise<string> {
    return (await personByPseudonym(this.database, pseudonym)).fullname ?? m.account_removed();
  }
}

function shown(policy: BorrowPolicy, state: RulesVersion['state']): RulesVersion {
  return {
    version: policy.version,
    state,
    rules: ruleSetOf(policy),
    from: null,
    changedAt: null,
    changedBy: null,
    why: null,
    withdrawnAt: null,
    withdrawnBy: null,
  };
}

function metadataOf({ actor, correlationId, commandId, commandDigest }: RulesContext) {
  return { actor, $correlationId: correlationId, $causationId: commandId, commandId, commandDigest };
}
