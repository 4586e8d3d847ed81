import type { ReactNode } from 'react';

interface WorkHeadProps {
  /** Of the section that `work-…` labels. */
  work: string;
  title: string;
  /** How much there is; undefined where that is not said. */
  total?: number | undefined;
  children?: ReactNode;
}

/** The head of a part of the day's work. */
export function WorkHead({ work, title, total, children }: WorkHeadProps) {
  return (
    <header className="flex items-baseline gap-2 min-h-9 pb-1 border-b border-line-strong">
      <h3 id={`work-${work}`} className="text-3">
        {title}
      </h3>
      {total !== undefined && (
        <span className="text-ink-soft text-1 tabular-nums" data-total>
          {total}
        </span>
      )}
      {children}
    </header>
  );
}
