import type { ReaderEvent } from '#contracts/holds/hold-events.js';
import type { RuleBook } from '#circulation/rules/rule-book.js';

/** The versions of the rules that readers' events name, to be compared with those that there are. */
export class ReferencedRules {
  private readonly named = new Map<number, { events: number; first: string }>();

  add(events: readonly { id: string; event: ReaderEvent }[]): void {
    for (const { id, event } of events) {
      const version = 'policyVersion' in event.data ? event.data.policyVersion : undefined;
      if (version === undefined) continue;
      const known = this.named.get(version);
      if (known) known.events += 1;
      else this.named.set(version, { events: 1, first: `${event.type} ${id}` });
    }
  }

  /** @param rules read after the events: a version is stored long before anything is decided by it */
  differences(rules: RuleBook): string[] {
    return [...this.named]
      .filter(([version]) => rules.policyOf(version) === undefined)
      .map(
        ([version, { events, first }]) =>
          `version ${version} of the rules is not in the log, and is named by ${events === 1 ? 'the event' : `${events} events, the first of them`} ${first}`,
      );
  }
}
