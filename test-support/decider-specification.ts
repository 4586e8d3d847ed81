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
      refuses: (command: Command, code: ProblemCode) => {
        let thrown: unknown;
        try {
          outcome(command);
        } catch (error) {
          thrown = error;
        }
        expect(thrown).toBeInstanceOf(DomainError);
        expect((thrown as DomainError).code).toBe(code);
      },
    };
  };
}
