import { useEffect, useEffectEvent, useState } from 'react';
import type { Question } from './execute-scan.js';
import { desk } from './desk.js';
import styles from './desk-screen.module.css';
import { classNames } from '../../lib/class-names.js';

/** Several are called so. The arrows and Enter choose while the field is empty; what was scanned meanwhile waits. */
export function ChooseReader({ question: { found } }: { question: Question }) {
  const { readers, totalCount } = found;
  const [at, setAt] = useState(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.value !== '') return;
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, readers.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && target instanceof HTMLInputElement) desk.choose(readers[at] ?? null);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // Before the field, which is empty after the Enter of a scan.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <section
      className="flex flex-col gap-3 min-h-46 p-6 border-l-6 border-issued rounded bg-surface"
      aria-labelledby="which-reader"
    >
      <p id="which-reader" className={styles.headline}>
        Which reader?
      </p>
      <ul role="list">
        {readers.map((reader, index) => (
          <li key={reader.id}>
            <button
              type="button"
              className={classNames(
                'flex flex-wrap items-baseline gap-x-3 gap-y-0 w-full min-h-11 py-2 px-3 rounded text-left cursor-pointer',
                '[&:is([data-at],:hover)]:bg-accent-wash data-at:[box-shadow:inset_3px_0_var(--accent-text)]',
              )}
              data-at={index === at || undefined}
              onClick={() => desk.choose(reader)}
            >
              <span className={styles.title}>{reader.fullname}</span>
              <span className="note">
                {reader.userName}, {reader.email}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="note">
        {totalCount > readers.length
          ? `${totalCount} are called so: type more of the name, or scan the card. `
          : ''}
        Arrows and Enter choose, Esc leaves it.
      </p>
    </section>
  );
}
