import pagePart from '../../../components/page-part.module.css';
import { Table } from '../../../components/table.js';
import type { AnswerPartProps } from './answer-part.js';
import { SaveTable } from './save-table.js';
import styles from './trial-answer.module.css';
import { limitsTable } from './trial-tables.js';
import { inGroups } from '../../../lib/counted.js';
import { LIMIT_NAMES, LOOSER_WORDS } from './words.js';

const COLUMNS = [
  { title: 'What would have been refused' },
  { title: 'Times', className: styles.number },
  { title: 'Readers', className: styles.number },
];

/** Who would have met a limit, and which limits nobody can tell anything of. */
export function LimitsPart({ trial, answer }: AnswerPartProps) {
  const { limits, cannotBeTold } = answer;
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const all = names.reduce((sum, name) => sum + limits[name].times, 0);
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
          <Table look="reading" columns={COLUMNS} waiting={4} className={styles.figures}>
            {names.map((name) => (
              <tr role="row" key={name} data-limit={name}>
                <td role="cell" className={styles.name}>
                  {LIMIT_NAMES[name]}
                </td>
                <td role="cell" className={styles.number} data-label="Times">
                  {inGroups(limits[name].times)}
                </td>
                <td role="cell" className={styles.number} data-label="Readers">
                  {inGroups(limits[name].readers)}
                </td>
              </tr>
            ))}
            <tr role="row" data-limit="all">
              <td role="cell" className={styles.name}>
                <strong>Any of these</strong>
              </td>
              <td role="cell" className={styles.number} data-label="Times">
                <strong>{inGroups(all)}</strong>
              </td>
              <td role="cell" className={styles.number} data-label="Readers">
                <strong>{inGroups(limits.readers)}</strong>
              </td>
            </tr>
          </Table>
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
