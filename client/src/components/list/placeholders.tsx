import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode, CSSProperties } from 'react';
import * as m from '#words/messages.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { Button } from '../form/button.js';
import { classNames } from '../../lib/class-names.js';

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

/** What was asked for, and did not come. */
export type Missing = Pick<UseQueryResult, 'error' | 'isFetching'> & { refetch: () => unknown };

/** A list that could not be fetched: what happened, and a button to retry. */
export function ErrorState({ of: { error, isFetching, refetch } }: { of: Missing }) {
  return (
    <div className="flex flex-col items-center gap-3 py-16 px-4 text-center" role="alert">
      <h2>{m.list_failed()}</h2>
      <p className="max-w-136 text-ink-soft mb-2">{sentenceOf(error)}</p>
      <Button onClick={() => void refetch()} busy={isFetching}>
        {m.common_retry()}
      </Button>
    </div>
  );
}

interface LoadedProps<Data> {
  of: Missing & Pick<UseQueryResult<Data>, 'data' | 'isError'>;
  /** Shown until it is there. */
  waiting: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What was asked for, or why it is not there. */
export function Loaded<Data>({ of, waiting, children }: LoadedProps<Data>) {
  if (of.data !== undefined) return children(of.data);
  return of.isError ? <ErrorState of={of} /> : waiting;
}

/** Placeholder for a text that is loading. */
export function Skeleton({ width, className }: { width: string; className?: string | undefined }) {
  const style: CSSProperties = { width };
  return (
    <span
      className={classNames(
        'inline-block max-w-full h-[0.8em] [border-radius:2px] bg-sunk align-middle [animation:appear_200ms_200ms_both]',
        className,
      )}
      style={style}
      aria-hidden="true"
    />
  );
}

interface SkeletonLinesProps {
  /** What is loading, as in "Loading the reader". */
  label: string;
  /** Of the lines, in per cent. */
  widths: readonly number[];
  className?: string | undefined;
}

/** Placeholder for several lines. */
export function SkeletonLines({ label, widths, className }: SkeletonLinesProps) {
  return (
    <div
      className={classNames('flex flex-col gap-3', className)}
      role="group"
      aria-busy="true"
      aria-label={label}
    >
      {widths.map((width) => (
        <Skeleton key={width} width={`${width}%`} />
      ))}
    </div>
  );
}
