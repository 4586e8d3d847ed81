import { useEffect } from 'react';
import { useStore } from '../store.js';
import { useSiteRouter } from './router-provider.js';
import type { Blocker } from './site-router.js';

interface Question {
  leave: () => void;
  stay: () => void;
}

/** Holds back a move that the blocker wants to ask about. @returns the question, while there is one */
export function useBlocker(blocker: Blocker): Question | null {
  const { block, held } = useSiteRouter();
  // Anew after each drawing: it speaks of what is drawn.
  useEffect(() => block(blocker), [block, blocker]);
  const leave = useStore(held);
  if (!leave) return null;
  const stay = () => held.set(null);
  return {
    leave: () => {
      stay();
      leave();
    },
    stay,
  };
}
