import type { ReactNode } from 'react';
import pagePart from '../../../components/page-part.module.css';
import { ListTable, type ListColumn } from '../../../components/table.js';
import type { AnswerPartProps } from './answer-part.js';
import { SaveTable } from './save-table.js';
import styles from './trial-answer.module.css';
import { limitsTable } from './trial-tables.js';
import { inGroups } from '../../../lib/counted.js';
import { LIMIT_NAMES, LOOSER_WORDS } from './words.js';

interface LimitRow {
  limit: string;
  name: ReactNode;
  times: ReactNode;
  readers: ReactNode;
}

const COLUMNS: readonly ListColumn<LimitRow>[] = [
  { title: 'What would have been refused', label: null, className: styles.name, cell: ({ name }) => name },
  { title: 'Times', look: 'number', cell: ({ times }) => times },
  { title: 'Readers', look: 'number', cell: ({ readers }) => readers },
];

/** Who would have met a limit, and which limits nobody can tell anything of. */
export function LimitsPart({ trial, answer }: AnswerPartProps) {
  const { limits, cannotBeTold } = answer;
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const all = names.reduce((sum, name) => sum + limits[name].times, 0);
  const rows: LimitRow[] = [
    ...names.map((limit) => ({
      limit,
      name: LIMIT_NAMES[limit],
      times: inGroups(limits[limit].times),
      readers: inGroups(limits[limit].readers),
    })),
    {
      limit: 'all',
      name: <strong>Any of these</strong>,
      times: <strong>{inGroups(all)}</strong>,
      readers: <strong>{inGroups(limits.readers)}</strong>,
    },
  ];
  return (
    <section aria-labelledby="limits" className={styles.part}>
      <div className={pagePart.titleRow}>
        <h3 id="limits">Who would have met a limit</h3>
        <SaveTable trial={trial} title="Who would have met a limit" table={() => limitsTable(answer)} />
      </div>
      {all === 0 ? (
        <p className={styles.quiet}>Nobody: all that readers did, these rules would have allowed.</p>
      ) : (
        <>
          <p className={styles.quiet}>It is counted, and happens in the trial all the same.</p>
          <ListTable
            className={styles.figures}
            columns={COLUMNS}
            items={rows}
            keyOf={({ limit }) => limit}
            rowProps={({ limit }) => ({ 'data-limit': limit })}
            waiting={4}
          />
        </>
      )}
      {cannotBeTold.length > 0 && (
        <div className={styles.untold}>
          <h4>Cannot be told</h4>
          <dl>
            {cannotBeTold.map((limit) => (
              <div key={limit} data-cannot-be-told={limit}>
                <dt>{LOOSER_WORDS[limit].name}</dt>
                <dd>{LOOSER_WORDS[limit].why}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </section>
  );
}
