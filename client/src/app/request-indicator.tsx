import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useWaitingForPerson } from '../lib/waiting-for-person.js';
import styles from './request-indicator.module.css';

/** Shorter than this nobody waits: what comes sooner shows nothing. */
const LONG_MS = 400;

/**
 * The specification's 'Loading...' while something that the person waits for is long on its way: a page, a list
 * that is not there yet, a command. Never for refreshing what is already on the screen, nor for what
 * tells itself how far it is, nor for what waits for the person.
 */
export function RequestIndicator({ also }: { also: boolean }) {
  const asked = useIsFetching({ predicate: (query) => query.state.data === undefined });
  const done = useIsMutating({ predicate: (command) => !command.meta?.showsProgress });
  const waiting = useWaitingForPerson();
  const long = useLong(asked + done > waiting || also);
  return (
    <div
      role="status"
      className="fixed top-0 right-0 bottom-auto left-0 z-65 flex justify-center pointer-events-none"
    >
      {long && (
        <>
          <span className={styles.line} aria-hidden="true" />
          <span className="inline-flex items-center gap-2 mt-17 py-1 px-4 border border-line rounded bg-surface text-ink-soft text-1 shadow-lift phone:mt-26">
            <span
              className="size-3.5 border-2 border-line border-t-accent-text rounded-[50%] [animation:turn_900ms_linear_infinite]"
              aria-hidden="true"
            />
            Loading...
          </span>
        </>
      )}
    </div>
  );
}

/** Whether it has been busy for long, without a pause. */
function useLong(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = window.setTimeout(() => setLong(true), LONG_MS);
    return () => {
      window.clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return long;
}
