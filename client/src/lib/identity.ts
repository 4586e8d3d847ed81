import { createStore, useStore } from './store.js';

/** Somebody waits for the person to prove again who they are. */
interface Asking {
  settle: (confirmed: boolean) => void;
}

const store = createStore<Asking | null>(null);
let asked: Promise<boolean> | null = null;

/**
 * Asks the person to prove again who they are. Calls that need it at the same time share one question.
 * @returns whether they did
 */
export function confirmIdentity(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    store.set({
      settle: (confirmed) => {
        asked = null;
        store.set(null);
        resolve(confirmed);
      },
    });
  });
  return asked;
}

/** The open question; null while there is none. */
export function useIdentityQuestion(): Asking | null {
  return useStore(store);
}
