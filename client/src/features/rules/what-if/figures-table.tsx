import pagePart from '../../../components/display/page-part.module.css';
import { ListTable, type ListColumn } from '../../../components/list/table.js';
import type { AnswerPartProps } from './answer-part.js';
import { figuresOf, type ToldFigure } from './figures.js';
import { SaveTable } from './save-table.js';
import { figuresTable } from './simulation-tables.js';

const COLUMNS: readonly ListColumn<ToldFigure>[] = [
  {
    title: 'Figure',
    label: null,
    className: 'wrap-anywhere to-860:col-span-full',
    cell: ({ name, note }) => (
      <>
        {name}
        {note !== undefined && <span className="text-ink-soft text-1 block">{note}</span>}
      </>
    ),
  },
  { title: 'As it was', look: 'number', cell: ({ real }) => real },
  { title: 'Under these rules', look: 'number', cell: ({ simulated }) => <strong>{simulated}</strong> },
  { title: 'Difference', look: 'number', cell: ({ by }) => by },
];

/** The whole span, as it was beside as it would have been. */
export function FiguresTable({ simulation, answer }: AnswerPartProps) {
  return (
    <section aria-labelledby="figures">
      <div className={pagePart.titleRow}>
        <h3 id="figures">Beside what was</h3>
        <SaveTable simulation={simulation} title="Beside what was" table={() => figuresTable(answer)} />
      </div>
      <ListTable
        columns={COLUMNS}
        items={figuresOf(answer)}
        keyOf={({ name }) => name}
        rowProps={({ name }) => ({ 'data-figure': name })}
        waiting={8}
      />
    </section>
  );
}
