import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';

/** A decider under test. */
interface Decider<State, Command, Event> {
  initial: State;
  evolve: (state: State, event: Event) => State;
  decide: (state: State, command: Command) => Event[];
}

/** Given what has happened, when a command comes, then these events, or this refusal. */
export function specification<State, Command, Event>(decider: Decider<State, Command, Event>) {
  return (...given: Event[]) => ({
    when: (command: Command) => {
      const state = given.reduce((before, event) => decider.evolve(before, event), decider.initial);
      const outcome = () => decider.decide(state, command);
      return {
        then: (...expected: Event[]) => expect(outcome()).toEqual(expected),
        thenNothingHappened: () => expect(outcome()).toEqual([]),
        thenThrows: (code: ProblemCode) => {
          let thrown: unknown;
          try {
            outcome();
          } catch (error) {
            thrown = error;
          }
          expect(thrown).toBeInstanceOf(DomainError);
          expect((thrown as DomainError).code).toBe(code);
        },
      };
    },
  });
}
