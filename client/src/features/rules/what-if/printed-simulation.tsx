import * as m from '#words/messages.js';
import { useState, type ReactNode } from 'react';
import { READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';
import { Printed, printedTable } from '../../../components/display/printed.js';
import { libraryTitle } from '../../../domain/library.js';
import { classNames } from '../../../lib/class-names.js';
import { isoMinute } from '../../../lib/dates.js';
import type { Difference } from '../rule-texts.js';
import { type AnswerPartProps, figuresOf } from './simulation-tables.js';
import { feesLayout, HEIGHT, WIDTH, FeesDrawing } from './fees-chart.js';
import styles from './printed-simulation.module.css';
import { useSimulationReaders } from './simulation-calls.js';
import { inGroups } from '../../../lib/texts.js';
import { answerText, difference, inMoney, LIMIT_NAMES, RELAXED_LIMIT_LABELS } from './labels.js';

interface PrintedSimulationProps extends AnswerPartProps {
  /** Where the tried rules differ from those in force. */
  changes: readonly Difference[];
  /** Whether the readers that it changes most are named on the screen too. */
  isNamed: boolean;
  onDone: () => void;
}

const BESIDE = [m.what_if_happened(), m.what_if_under_these(), m.what_if_difference()];

/** A trial on paper: all that the screen has of it, with every table. */
export function PrintedSimulation({ simulation, answer, changes, isNamed, onDone }: PrintedSimulationProps) {
  const [at] = useState(() => Date.now());
  const readers = useSimulationReaders(simulation.id, false);
  const { months, limits, cannotBeTold, events } = answer;
  const kinds = READER_KINDS.filter((kind) =>
    months.some((month) => month.kinds.some((of) => of.kind === kind)),
  );
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  return (
    <Printed
      over={libraryTitle}
      title={m.what_if_title()}
      lead={leadOf(simulation, at)}
      className={styles.trial}
      onDone={onDone}
    >
      <p className="print:mb-[2mm] print:[font:13pt_/_1.35_var(--serif)]">{answerText(answer)}</p>
      <p>
        {m.what_if_replayed_otherwise({ events, readers: answer.readers })} {m.what_if_assumed()}
      </p>
      <Part title={m.what_if_tried()}>
        {changes.length > 0 ? (
          <PrintedTable titles={[m.what_if_rule(), m.what_if_rule_in_force(), m.what_if_rule_tried()]}>
            <tbody>
              {changes.map(({ name, before, after }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td>{before}</td>
                  <td>{after}</td>
                </tr>
              ))}
            </tbody>
          </PrintedTable>
        ) : (
          <p>{m.what_if_tried_current()}</p>
        )}
      </Part>
      <Part title={m.what_if_fees_by_month()}>
        <div className="print:break-inside-avoid">
          <p className={styles.legend}>
            <span data-world="real">{m.what_if_key_real()}</span>
            <span data-world="tried">{m.what_if_key_tried()}</span>
          </p>
          <svg
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            className="print:block print:w-full print:h-auto print:mb-[3mm] print:[print-color-adjust:exact]"
            aria-hidden="true"
          >
            <FeesDrawing drawn={feesLayout(months)} />
          </svg>
        </div>
        <PrintedTable titles={[m.what_if_month(), ...BESIDE]} hasNumbers>
          {months.map((month) => (
            <tbody key={month.month} className="print:break-inside-avoid">
              <FeesRow name={month.month} fees={month} />
              {(kinds.length > 1 ? month.kinds : []).map((of) => (
                <FeesRow key={of.kind} name={READER_KIND_LABELS[of.kind]()} fees={of} isPart />
              ))}
            </tbody>
          ))}
        </PrintedTable>
      </Part>
      <Part title={m.what_if_figures()}>
        <PrintedTable titles={[m.what_if_figure(), ...BESIDE]} hasNumbers>
          <tbody>
            {figuresOf(answer).map(({ name, note, real, simulated, by }) => (
              <tr key={name}>
                <td>
                  {name}
                  {note !== undefined && <span className="print:block print:[font-size:8pt]">{note}</span>}
                </td>
                <td>{real}</td>
                <td>{simulated}</td>
                <td>{by}</td>
              </tr>
            ))}
          </tbody>
        </PrintedTable>
      </Part>
      <Part title={m.what_if_limits()}>
        <PrintedTable titles={[m.what_if_refused(), m.common_times(), m.common_readers()]} hasNumbers>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <td>{LIMIT_NAMES[name]}</td>
                <td>{inGroups(limits[name].times)}</td>
                <td>{inGroups(limits[name].readers)}</td>
              </tr>
            ))}
            <tr>
              <td>{m.what_if_any_limit()}</td>
              <td>{inGroups(names.reduce((sum, name) => sum + limits[name].times, 0))}</td>
              <td>{inGroups(limits.readers)}</td>
            </tr>
          </tbody>
        </PrintedTable>
        {cannotBeTold.length > 0 && (
          <dl className="print:m-0 print:mt-[3mm] print:[font-size:8.5pt] print:break-inside-avoid print:[&_dt]:font-semibold print:[&_dd]:m-0 print:[&_dd]:mb-[1mm]">
            {cannotBeTold.map((limit) => (
              <div key={limit}>
                <dt>{m.what_if_not_known_of({ limit: RELAXED_LIMIT_LABELS[limit].name })}</dt>
                <dd>{RELAXED_LIMIT_LABELS[limit].why}</dd>
              </div>
            ))}
          </dl>
        )}
      </Part>
      {isNamed && readers.data && (
        <Part title={m.what_if_changed_readers()}>
          <PrintedTable titles={[m.common_reader(), ...BESIDE]} hasNumbers>
            <tbody>
              {readers.data.map(({ id, fullname, ...fees }) => (
                <FeesRow key={id} name={fullname} fees={fees} />
              ))}
            </tbody>
          </PrintedTable>
        </Part>
      )}
    </Printed>
  );
}

function leadOf({ from, to, askedBy, askedAt }: AnswerPartProps['simulation'], at: number): string {
  const told = { from, to, askedAt: isoMinute(askedAt), at: isoMinute(at) };
  return askedBy === null ? m.what_if_printed(told) : m.what_if_printed_by({ ...told, who: askedBy });
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="print:mt-[6mm] print:[&_h2]:mb-[2mm] print:[&_h2]:[font-size:13pt] print:[&_h2]:[break-after:avoid] print:[&_table]:mb-0">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface PrintedTableProps {
  titles: readonly string[];
  /** In all columns but the first. */
  hasNumbers?: boolean;
  /** Its bodies. */
  children: ReactNode;
}

function PrintedTable({ titles, hasNumbers = false, children }: PrintedTableProps) {
  return (
    <table className={classNames(printedTable, hasNumbers && styles.numbers)}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

interface FeesRowProps {
  name: string;
  /** In grosze. */
  fees: { readonly real: number; readonly simulated: number };
  /** It is a part of the row before it. */
  isPart?: boolean;
}

function FeesRow({ name, fees, isPart = false }: FeesRowProps) {
  return (
    <tr className={isPart ? styles.ofMonth : undefined}>
      <td>{name}</td>
      <td>{inMoney(fees.real)}</td>
      <td>{inMoney(fees.simulated)}</td>
      <td>{difference(fees, inMoney)}</td>
    </tr>
  );
}
