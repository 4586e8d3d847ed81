import { createStore, useStore } from './store.js';

const store = createStore(0);

/** Waits for what a person does, not the server: confirms, or gives a passkey. Meanwhile nothing is loading. */
export async function waitForPerson<Done>(done: Promise<Done>): Promise<Done> {
  store.set(store.get() + 1);
  try {
    return await done;
  } finally {
    store.set(store.get() - 1);
  }
}

/** How many calls wait for the person. */
export function useWaitingForPerson(): number {
  return useStore(store);
}
