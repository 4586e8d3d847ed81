import ArrowRight from 'lucide-react/icons/arrow-right';
import type { Difference } from './rule-texts.js';
import { classNames } from '../../lib/class-names.js';

/** What was and what will be, rule by rule. */
export function Differences({ changes }: { changes: readonly Difference[] }) {
  return (
    <ul
      role="list"
      className={classNames(
        'max-w-136 flex flex-col text-1 tabular-nums',
        '[&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-x-4 [&_li]:gap-y-0 [&_li]:py-2',
        '[&_li]:px-0 [&_li]:border-t [&_li]:border-line [&_li:first-child]:border-t-0',
      )}
    >
      {changes.map(({ name, before, after }) => (
        <li key={name} data-difference={name}>
          <span className="font-strong">{name}</span>
          <span className="wrap-anywhere [&_del]:text-ink-soft [&_ins]:font-semibold [&_ins]:no-underline">
            {before !== '' && <del>{before}</del>}
            {before !== '' && after !== '' && (
              <>
                <ArrowRight
                  size={14}
                  aria-hidden="true"
                  className="my-0 mx-1 [vertical-align:-0.15em] text-ink-soft"
                />
                {/* Not every font has the sign. */}
                <span className="visually-hidden"> → </span>
              </>
            )}
            {after !== '' && <ins>{after}</ins>}
          </span>
        </li>
      ))}
    </ul>
  );
}
