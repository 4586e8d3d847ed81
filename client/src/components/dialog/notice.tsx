import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';

/** Something that a form has to say as a whole; it is read out when it appears. */
export function Notice({
  look = 'refusal',
  action,
  children,
}: {
  look?: 'refusal' | 'news';
  /** What can be done about it. */
  action?: ReactNode;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  // It may come below the edge of the window, where nobody would see why nothing happens. Newer browsers give a
  // promise for it, which the effect must not return.
  useEffect(() => {
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div
      ref={box}
      className={classNames(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 px-4',
        '[scroll-margin-block:var(--space-5)] border-l-3 border-l-danger rounded bg-danger-wash',
        'data-[look=news]:border-accent-text data-[look=news]:bg-accent-wash',
      )}
      data-look={look}
      role={look === 'refusal' ? 'alert' : 'status'}
    >
      <p>{children}</p>
      {action}
    </div>
  );
}
