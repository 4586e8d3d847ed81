import * as m from '#words/messages.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '#contracts/domain-error.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import type { BorrowRules } from '#circulation/rules/borrow.policy.js';
import { isRuleEvent, RuleBook } from '#circulation/rules/rule-book.js';
import { RULES_MAX_AGE } from '#circulation/rules/rules.decider.js';
import type { Notifications } from '#platform/database/notifications.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';

/** Milliseconds between two looks at the log, where nothing tells of a change. */
const LOOK_INTERVAL = 10_000;
/** Milliseconds for which a start waits for the first look. */
const TIMEOUT = 3_000;

/**
 * The rules of the library in this process, which knows all their versions: no command asks anything for them. It looks at their
 * stream every few seconds and whenever a change is told. A process that could not look for a minute decides nothing more, and a
 * change begins two minutes after it was stored at the earliest: so nobody ever decides by rules that are over.
 */
export class LibraryRules {
  private book = RuleBook.empty;
  /** When the last look began that found something out, in milliseconds of this process. */
  private lookedAt = -Infinity;
  private looking: Promise<void> = Promise.resolve();
  private isFailing = false;
  private readonly ending = new AbortController();
  private readonly onChange = () => void this.look();

  /** @param log without it, the rules are the default and stay so */
  constructor(
    readonly timeZone: LibraryTimeZone,
    private readonly log?: EventLog,
    private readonly notifications?: Notifications,
    private readonly logger?: Logger,
  ) {}

  /** Begins to look, and waits for the first look as long as that is bearable: without the log there are no commands anyway. */
  async start(): Promise<void> {
    this.notifications?.on('rules', this.onChange);
    this.notifications?.on('gap', this.onChange);
    await Promise.race([this.look(), this.rest(TIMEOUT)]);
    void this.keepLooking();
  }

  stop(): void {
    this.ending.abort();
    this.notifications?.off('rules', this.onChange);
    this.notifications?.off('gap', this.onChange);
  }

  /**
   * The rules by which something of this instant is decided.
   * @param at ISO 8601 in UTC
   * @throws DomainError RulesUnknown
   */
  at(at: string): BorrowRules {
    if (this.log && performance.now() - this.lookedAt > RULES_MAX_AGE) {
      throw new DomainError('RulesUnknown', m.rules_unreadable());
    }
    return this.book.rulesAt(at, this.timeZone.name);
  }

  /** As `at`, for what is only shown: by what was known last. */
  shownAt(at: string): BorrowRules {
    return this.book.rulesAt(at, this.timeZone.name);
  }

  /** All versions, as far as they are known here. */
  get versions(): RuleBook {
    return this.book;
  }

  /** Looks at the log now: one look after the other, so the last one to begin has the last word. */
  look(): Promise<void> {
    this.looking = this.looking.then(() => this.read());
    return this.looking;
  }

  private async read(): Promise<void> {
    if (!this.log) return;
    const began = performance.now();
    try {
      const stored = await this.log.readStream('rules', LIBRARY);
      this.book = RuleBook.of(stored.map(({ event }) => event).filter(isRuleEvent));
      this.lookedAt = began;
      this.isFailing = false;
    } catch (error) {
      if (this.ending.signal.aborted) return;
      // Said once: it is tried again every few seconds.
      if (!this.isFailing) this.logger?.warn({ error }, 'the rules of the library could not be read');
      this.isFailing = true;
    }
  }

  private async keepLooking(): Promise<void> {
    while (!this.ending.signal.aborted) {
      await this.rest(LOOK_INTERVAL);
      if (!this.ending.signal.aborted) await this.look();
    }
  }

  private rest(milliseconds: number): Promise<void> {
    return sleep(milliseconds, undefined, { signal: this.ending.signal, ref: false }).catch(() => undefined);
  }
}
