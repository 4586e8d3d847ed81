import { Download, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Insight, InsightQuery, WantedQuery } from '#contracts/insight/insight.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Skeleton } from '../../components/skeleton.js';
import { isoMinute } from '../../lib/dates.js';
import { useInsightFile } from './insight-calls.js';
import styles from './insight-page.module.css';
import { PART_ADVICE, PART_LEADS, PART_NOTHING } from './words.js';

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
  const { data, error, isError, isFetching, refetch, dataUpdatedAt } = answer;
  const isNothing = data !== undefined && isEmpty(data);
  return (
    <section aria-label={PART_LEADS[of]} aria-busy={isFetching} data-insight={of}>
      <p className={styles.lead}>{PART_LEADS[of]}</p>
      {isError && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <>
          <div className={styles.sumLine}>
            <p className={styles.sum} role="status">
              {data ? sum(data) : <Skeleton width="16rem" />}
            </p>
            {data && (
              <div className={styles.tools}>
                <span className={styles.counted}>Counted at {isoMinute(dataUpdatedAt).slice(11)}</span>
                <Button size="small" look="plain" busy={isFetching} onClick={() => void refetch()}>
                  <RotateCw size={16} aria-hidden="true" />
                  Count again
                </Button>
                {!isNothing && (
                  <Button size="small" busy={file.isPending} onClick={() => file.mutate()}>
                    <Download size={16} aria-hidden="true" />
                    Save as CSV
                  </Button>
                )}
              </div>
            )}
          </div>
          {isNothing ? <EmptyState title={PART_NOTHING[of]}>{PART_ADVICE[of]}</EmptyState> : children(data)}
        </>
      )}
    </section>
  );
}
