import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { classNames } from '../../lib/class-names.js';
import styles from './part-links.module.css';

interface PartLinksProps<Part extends string> {
  /** What they are parts of, for who does not see it. */
  label: string;
  parts: readonly Part[];
  /** The one that is shown. */
  current: Part;
  addressOf: (part: Part) => string;
  /** What stands on the link to a part. */
  children: (part: Part) => ReactNode;
  className?: string | undefined;
}

/** Leads from one part of a page to another. */
export function PartLinks<Part extends string>({
  label,
  parts,
  current,
  addressOf,
  children,
  className,
}: PartLinksProps<Part>) {
  const list = useRef<HTMLUListElement>(null);
  // On a phone the parts are a strip that scrolls: where one is stays in it.
  useEffect(() => {
    const here = list.current?.querySelector('[aria-current="page"]');
    here?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <nav aria-label={label} className={classNames(styles.parts, className)}>
      <ul ref={list} role="list">
        {parts.map((part) => (
          <li key={part}>
            <Link
              className={classNames(
                'inline-flex items-center gap-2 min-h-11 text-ink-soft text-1 no-underline',
                'hover:text-ink [&[aria-current]]:[box-shadow:inset_0_-2px_var(--accent-text)]',
                '[&[aria-current]]:text-ink [&[aria-current]]:font-semibold',
                'phone:whitespace-nowrap',
              )}
              to={addressOf(part)}
              aria-current={part === current ? 'page' : undefined}
              data-part={part}
              preventScrollReset
            >
              {children(part)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
