import * as m from '#words/messages.js';
import Download from 'lucide-react/icons/download';
import RotateCw from 'lucide-react/icons/rotate-cw';
import type { CSSProperties, ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type {
  Activity,
  HoldActivity,
  Insight,
  InsightQuery,
  WantedQuery,
} from '#contracts/insight/insight.js';
import { ListTable, type ListColumn, type ListTableProps } from '../../components/list/table.js';
import styles from './insight-page.module.css';
import { Button } from '../../components/form/button.js';
import { EmptyState, ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { isoMinute } from '../../lib/dates.js';
import { inGroups } from '../../lib/texts.js';
import { useInsightFile } from './insight-calls.js';
import { PART_ADVICE, PART_LEADS, PART_EMPTY_TEXTS } from './labels.js';
import { type InsightAddress, useAddressOf } from './insight-address.js';

interface PartFrameProps<Answer> {
  of: Insight;
  span: InsightQuery & Partial<WantedQuery>;
  answer: UseQueryResult<Answer>;
  /** What it comes to, in a line; nothing where there is none. */
  sum: (answer: Answer) => ReactNode;
  isEmpty: (answer: Answer) => boolean;
  /** The figures; undefined while they are counted. */
  children: (answer: Answer | undefined) => ReactNode;
}

/** What all parts have around their figures: what they are, what they come to, the file, and how it stands with them. */
export function PartFrame<Answer>({ of, span, answer, sum, isEmpty, children }: PartFrameProps<Answer>) {
  const file = useInsightFile(of, span);
  const { data, isError, isFetching, refetch, dataUpdatedAt } = answer;
  const isNothing = data !== undefined && isEmpty(data);
  return (
    <section aria-label={PART_LEADS[of]} aria-busy={isFetching} data-insight={of}>
      <p className="max-w-measure text-ink-soft text-1">{PART_LEADS[of]}</p>
      {isError && !data ? (
        <ErrorState of={answer} />
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 min-h-11 mt-3 mb-2">
            <p className="flex-[1_1_16rem] text-2 font-semibold tabular-nums" role="status">
              {data ? sum(data) : <Skeleton width="16rem" />}
            </p>
            {data && (
              <div className="flex flex-wrap items-center gap-2 phone:w-full">
                <span className="text-ink-soft text-1 tabular-nums">
                  {m.insight_counted_at({ time: isoMinute(dataUpdatedAt).slice(11) })}
                </span>
                <Button
                  icon={RotateCw}
                  size="small"
                  look="plain"
                  busy={isFetching}
                  onClick={() => void refetch()}
                >
                  {m.insight_refresh()}
                </Button>
                {!isNothing && (
                  <Button icon={Download} size="small" busy={file.isPending} onClick={() => file.mutate()}>
                    {m.insight_save_csv()}
                  </Button>
                )}
              </div>
            )}
          </div>
          {isNothing ? (
            <EmptyState title={PART_EMPTY_TEXTS[of]}>{PART_ADVICE[of]}</EmptyState>
          ) : (
            children(data)
          )}
        </>
      )}
    </section>
  );
}

interface Listed {
  items: readonly unknown[];
}

interface TablePartProps<Answer extends Listed, Item = Answer['items'][number]>
  extends Omit<PartFrameProps<Answer>, 'children'>, Pick<ListTableProps<Item>, 'keyOf' | 'rowProps'> {
  columnsOf: (items: readonly Item[]) => readonly ListColumn<Item>[];
  /** Those that have a line; all where it is left out. */
  isShown?: (item: Item) => boolean;
}

/** A part whose figures are a table. */
export function TablePart<Answer extends Listed>({
  columnsOf,
  isShown = () => true,
  keyOf,
  rowProps,
  ...frame
}: TablePartProps<Answer>) {
  return (
    <PartFrame {...frame}>
      {(answer) => (
        <ListTable
          columns={columnsOf(answer?.items ?? [])}
          items={answer?.items.filter(isShown)}
          keyOf={keyOf}
          {...(rowProps && { rowProps })}
          className={styles.figures}
          waiting={12}
        />
      )}
    </PartFrame>
  );
}

interface FigureLinkProps extends Partial<Pick<InsightAddress, 'bookId' | 'genreId' | 'hour'>> {
  count: number;
  what: Activity | HoldActivity;
  /** What it counts, for who does not see its column: "9 loans of Lalka: show the events". */
  label: string;
}

/** A figure that opens the events it counts. */
export function FigureLink({ count, label, ...figure }: FigureLinkProps) {
  const addressOf = useAddressOf();
  if (count === 0) return <>0</>;
  return (
    <Link to={addressOf(figure)} aria-label={label} data-figure={count}>
      {inGroups(count)}
    </Link>
  );
}

/** How much of the most a line has, to be seen at once; the number itself stands beside it. */
export function ShareBar({ value, most }: { value: number; most: number }) {
  const style: CSSProperties = { width: `${(100 * value) / most}%` };
  return (
    <span
      className="block h-1 mt-1 bg-sunk rounded-[2px] [&>span]:block [&>span]:min-w-[2px] [&>span]:h-full [&>span]:bg-line-strong [&>span]:rounded-[2px]"
      aria-hidden="true"
    >
      {value > 0 && <span style={style} />}
    </span>
  );
}
