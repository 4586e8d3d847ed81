import type { ReactNode } from 'react';

/** Nothing to show, said plainly, with the next step. */
export function EmptyState({
  title,
  page = false,
  children,
  action,
}: {
  title: string;
  /** It is all that the page has: its title is the page's heading. */
  page?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center gap-3 py-16 px-4 text-center">
      <Heading className="text-3">{title}</Heading>
      {children && <p className="max-w-136 text-ink-soft mb-2">{children}</p>}
      {action}
    </div>
  );
}
