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

/** What has to be said with a yes, one of a few. */
interface Choices {
  label: string;
  options: readonly { value: string; label: string }[];
  /** What is said where none is chosen. */
  missing: string;
}

interface Asked extends Question {
  choices?: Choices;
  /** @param chosen of the choices, with a yes */
  settle: (isYes: boolean, chosen?: string) => void;
}

const store = createStore<readonly Asked[]>([]);

/**
 * Asks whoever is at the screen. Several questions are asked one after the other.
 * @returns whether they said yes
 */
export function askPerson(question: Question): Promise<boolean> {
  return new Promise((resolve) => ask(question, resolve));
}

/** As `askPerson`, for a yes that needs a reason. @returns nothing where they said no */
export function askForChoice(question: Question & { choices: Choices }): Promise<string | undefined> {
  return new Promise((resolve) => ask(question, (isYes, chosen) => resolve(isYes ? chosen : undefined)));
}

function ask(question: Omit<Asked, 'settle'>, answer: Asked['settle']): void {
  const asked: Asked = {
    ...question,
    settle: (...said) => {
      store.set(store.get().filter((each) => each !== asked));
      answer(...said);
    },
  };
  store.set([...store.get(), asked]);
}

/** The question that is open. */
export function useQuestion(): Asked | undefined {
  return useStore(store)[0];
}
