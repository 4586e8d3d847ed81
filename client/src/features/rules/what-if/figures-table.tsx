import pagePart from '../../../components/page-part.module.css';
import { Table } from '../../../components/table.js';
import type { AnswerPartProps } from './answer-part.js';
import { figuresOf } from './figures.js';
import { SaveTable } from './save-table.js';
import styles from './trial-answer.module.css';
import { figuresTable } from './trial-tables.js';

const COLUMNS = [
  { title: 'Figure' },
  { title: 'As it was', className: styles.number },
  { title: 'Under these rules', className: styles.number },
  { title: 'Difference', className: styles.number },
];

/** The whole span, as it was beside as it would have been. */
export function FiguresTable({ trial, answer }: AnswerPartProps) {
  return (
    <section aria-labelledby="figures">
      <div className={pagePart.titleRow}>
        <h3 id="figures">Beside what was</h3>
        <SaveTable trial={trial} title="Beside what was" table={() => figuresTable(answer)} />
      </div>
      <Table look="reading" columns={COLUMNS} waiting={8} className={styles.figures}>
        {figuresOf(answer).map(({ name, note, real, tried, by }) => (
          <tr role="row" key={name} data-figure={name}>
            <td role="cell" className={styles.name}>
              {name}
              {note !== undefined && <span className={styles.aside}>{note}</span>}
            </td>
            <td role="cell" className={styles.number} data-label="As it was">
              {real}
            </td>
            <td role="cell" className={styles.number} data-label="Under these rules">
              <strong>{tried}</strong>
            </td>
            <td role="cell" className={styles.number} data-label="Difference">
              {by}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
