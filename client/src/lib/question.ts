import { createStore, useStore } from './store.js';

/** Something that a person has to decide before it is done. */
export interface Question {
  question: string;
  /** What there is to know before one answers. */
  detail: string;
  /** The word on the button that does it, and on the one that does not. */
  action: string;
  refusal: string;
  /** It goes against what the library has arranged: the button to press is the one that does not. */
  overrides?: boolean;
}

interface Asked extends Question {
  settle: (isYes: boolean) => void;
}

const store = createStore<readonly Asked[]>([]);

/**
 * Asks whoever is at the screen. Several questions are asked one after the other.
 * @returns whether they said yes
 */
export function askPerson(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const asked: Asked = {
      ...question,
      settle: (isYes) => {
        store.set(store.get().filter((each) => each !== asked));
        resolve(isYes);
      },
    };
    store.set([...store.get(), asked]);
  });
}

/** The question that is open. */
export function useQuestion(): Asked | undefined {
  return useStore(store)[0];
}
