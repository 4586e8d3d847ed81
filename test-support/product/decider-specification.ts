import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';

/** A decider under test. */
interface Decider<State, Command, Event> {
  initial: State;
  evolve: (state: State, event: Event) => State;
  decide: (state: State, command: Command) => Event[];
}

/** Given what has happened, a command comes: the decider decides on these events, refuses with a code, or ignores it. */
export function specification<State, Command, Event>({
  initial,
  evolve,
  decide,
}: Decider<State, Command, Event>) {
  return (...given: Event[]) => {
    const outcome = (command: Command) => decide(given.reduce(evolve, initial), command);
    return {
      decides: (command: Command, ...events: Event[]) => expect(outcome(command)).toEqual(events),
      ignores: (command: Command) => expect(outcome(command)).toEqual([]),
      refuses: (command: Command, code: ProblemCode, words = '') =>
        expect(refusalOf(() => outcome(command))).toEqual({ code, words: expect.stringContaining(words) }),
    };
  };
}

/** What a command is refused with; nothing if it is not. Its sentence must be one, and leave no gap. */
export function refusalOf(command: () => unknown): { code: ProblemCode; words: string } | undefined {
  try {
    command();
    return undefined;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect(error.detail).toMatch(/ /);
    expect(error.detail).not.toMatch(/undefined|NaN/);
    return { code: error.code, words: error.detail };
  }
}

type Given<Command, Event> = ReturnType<typeof specification<unknown, Command, Event>>;
/** What a command comes to after these events: other events, nothing, or a refusal. */
export type Case<Command, Event> = [
  what: string,
  given: Event[],
  command: Command,
  outcome: Event[] | ProblemCode,
];

/** One test for each of the cases. */
export function casesOf<Command, Event>(
  given: Given<Command, Event>,
  cases: readonly Case<Command, Event>[],
): void {
  it.each(cases)('%s', (_what, history, command, outcome) => {
    if (typeof outcome === 'string') given(...history).refuses(command, outcome);
    else given(...history).decides(command, ...outcome);
  });
}
