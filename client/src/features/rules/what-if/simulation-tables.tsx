import * as m from '#words/messages.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationAnswer, SimulationReaders, SimulationView } from '#contracts/rules/what-if.js';
import { saveFile } from '../../../lib/save-file.js';
import { differences } from '../rule-texts.js';
import { LIMIT_NAMES, RELAXED_LIMIT_LABELS, difference, inMoney, waitOf } from './labels.js';
import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import { inGroups } from '../../../lib/texts.js';
import { currency } from '#contracts/currency.js';
import { plainAmount } from '#contracts/money.js';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import Download from 'lucide-react/icons/download';
import { Button } from '../../../components/form/button.js';

/** A table of a trial as a file has it: the header first. Waits are in hours. */
interface SimulationTable {
  /** In the file's name. */
  name: 'fees-by-month' | 'figures' | 'limits' | 'readers' | 'rules';
  rows: readonly (readonly CsvCell[])[];
}

const BESIDE = ['as_it_was', 'under_these_rules'];

/** Late fees by month and kind of reader. */
export function monthsTable({ months }: SimulationAnswer): SimulationTable {
  const rows = months.flatMap(({ month, real, simulated, kinds }) => [
    [month, 'all', ...amounts({ real, simulated })],
    ...kinds.map((of) => [month, of.kind, ...amounts(of)]),
  ]);
  return { name: 'fees-by-month', rows: [['month', 'readers', ...BESIDE], ...rows] };
}

/** The whole span, as it was beside as it would have been, and of how many it is not known. */
export function figuresTable(answer: SimulationAnswer): SimulationTable {
  const { fees, kinds, losses, lateReturns, expiredRents, holds } = answer;
  const waits = (['median', 'mean'] as const).map((measure) => [
    `wait_for_a_reserved_copy_${measure}`,
    'hours',
    holds.real?.[measure] ?? '',
    holds.simulated?.[measure] ?? '',
    holds.cannotBeTold,
  ]);
  const unit = currency();
  const rows = [
    ['late_fees', unit, ...amounts(fees), ''],
    ...kinds.map(({ kind, ...of }) => [`late_fees_${kind}`, unit, ...amounts(of), '']),
    ['charged_for_lost_and_damaged_books', unit, ...amounts(losses), ''],
    ['books_that_came_back_late', 'books', lateReturns.real, lateReturns.simulated, ''],
    [
      'rents_that_nobody_collected',
      'rents',
      expiredRents.real,
      expiredRents.simulated,
      expiredRents.cannotBeTold,
    ],
    ...waits,
  ];
  return { name: 'figures', rows: [['figure', 'unit', ...BESIDE, 'not_known'], ...rows] };
}

/** What would have been refused, and which looser limits nobody can tell anything of. */
export function limitsTable({ limits, cannotBeTold }: SimulationAnswer): SimulationTable {
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const rows = [
    ...names.map((name) => [LIMIT_NAMES[name], limits[name].times, limits[name].readers]),
    [m.what_if_any_limit(), names.reduce((sum, name) => sum + limits[name].times, 0), limits.readers],
    ...cannotBeTold.map((limit) => [
      RELAXED_LIMIT_LABELS[limit].name,
      m.what_if_not_known_cell(),
      m.what_if_not_known_cell(),
    ]),
  ];
  return { name: 'limits', rows: [['what_would_have_been_refused', 'times', 'readers'], ...rows] };
}

/** Whom the rules would have changed most. */
export function readersTable(readers: SimulationReaders['items']): SimulationTable {
  const rows = readers.map(({ fullname, ...fees }) => [fullname, ...amounts(fees)]);
  return { name: 'readers', rows: [['reader', ...BESIDE], ...rows] };
}

/** Where the tried rules differ from those in force. */
export function rulesTable(current: RuleSet, simulated: RuleSet): SimulationTable {
  const rows = differences(current, simulated).map(({ name, before, after }) => [name, before, after]);
  return { name: 'rules', rows: [['rule', 'in_force', 'tried'], ...rows] };
}

function amounts({ real, simulated }: { real: number; simulated: number }): string[] {
  return [plainAmount(real), plainAmount(simulated)];
}

/** Has the browser save a table of a trial. */
function saveTable({ from, to }: Pick<SimulationView, 'from' | 'to'>, { name, rows }: SimulationTable): void {
  saveFile(csvFile(rows), `what-if-${name}-${from}-${to}.csv`);
}

/** A figure of the whole span in words: as it was, as it would have been, and by how much they differ. */
export interface ToldFigure {
  name: string;
  note?: string | undefined;
  real: string;
  simulated: string;
  by: string;
}

/** The figures of the whole span, in the order in which they are shown. */
export function figuresOf({
  fees,
  kinds,
  losses,
  lateReturns,
  expiredRents,
  holds,
}: SimulationAnswer): ToldFigure[] {
  const charged = kinds.filter(({ real, simulated }) => real > 0 || simulated > 0);
  return [
    figure(m.what_if_late_fees(), fees, inMoney),
    ...(charged.length > 1 ? charged : []).map((of) => ({
      ...figure(m.what_if_late_fees_of({ kind: READER_KIND_LABELS[of.kind]().toLowerCase() }), of, inMoney),
      note: of.otherReaders > 0 ? m.what_if_kind_changed({ count: of.otherReaders }) : undefined,
    })),
    figure(m.what_if_losses(), losses, inMoney),
    figure(m.what_if_late_returns(), lateReturns, inGroups),
    {
      ...figure(m.what_if_expired_rents(), expiredRents, inGroups),
      note:
        expiredRents.cannotBeTold > 0
          ? m.what_if_expired_unknown({ count: expiredRents.cannotBeTold })
          : undefined,
    },
    {
      ...wait(m.what_if_wait_median(), holds.real?.median, holds.simulated?.median),
      note: holds.cannotBeTold > 0 ? m.what_if_wait_unknown({ count: holds.cannotBeTold }) : undefined,
    },
    wait(m.what_if_wait_mean(), holds.real?.mean, holds.simulated?.mean),
  ];
}

function figure(
  name: string,
  beside: { real: number; simulated: number },
  told: (number: number) => string,
): ToldFigure {
  return { name, real: told(beside.real), simulated: told(beside.simulated), by: difference(beside, told) };
}

/** Of what was measured: in hours; nobody waited where there is none. */
function wait(name: string, real: number | undefined, simulated: number | undefined): ToldFigure {
  const isKnown = real !== undefined && simulated !== undefined;
  return {
    name,
    real: real === undefined ? '–' : waitOf(real),
    simulated: simulated === undefined ? '–' : waitOf(simulated),
    by: isKnown ? difference({ real, simulated }, waitOf) : '–',
  };
}

/** What a part of the answer shows. */
export interface AnswerPartProps {
  simulation: SimulationView;
  answer: SimulationAnswer;
}

/** A number, or a text: one that is a number all through is taken for it. */
type CsvCell = string | number;

const NUMBER = /^-?\d+(\.\d+)?$/;

/** A CSV file of rows, the header first. Spreadsheets show a text that looks like a formula as the text that it is. */
function csvFile(rows: readonly (readonly CsvCell[])[]): Blob {
  const lines = rows.map((cells) => csvLine(cells.map(written)));
  return new Blob(lines, { type: 'text/csv;charset=utf-8' });
}

function written(cell: CsvCell): string {
  const text = String(cell);
  return NUMBER.test(text) ? text : quotedFormula(text);
}

interface SaveTableProps {
  simulation: Pick<SimulationView, 'from' | 'to'>;
  /** What is in it, for who does not see where the button stands. */
  title: string;
  table: () => SimulationTable;
}

/** Saves a table of a trial as a file. */
export function SaveTable({ simulation, title, table }: SaveTableProps) {
  return (
    <Button
      icon={Download}
      size="small"
      look="plain"
      aria-label={m.what_if_csv_of({ table: title })}
      onClick={() => saveTable(simulation, table())}
    >
      CSV
    </Button>
  );
}
