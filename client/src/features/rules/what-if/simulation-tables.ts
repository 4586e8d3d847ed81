import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationAnswer, SimulationReaders, SimulationView } from '#contracts/rules/what-if.js';
import { csvFile, type CsvCell } from '../../../lib/csv.js';
import { saveFile } from '../../../lib/save-file.js';
import { differences } from '../rule-texts.js';
import { LIMIT_NAMES, RELAXED_LIMIT_LABELS } from './labels.js';

/** A table of a trial as a file has it: the header first. Amounts are PLN, waits hours. */
export interface SimulationTable {
  /** In the file's name. */
  name: 'fees-by-month' | 'figures' | 'limits' | 'readers' | 'rules';
  rows: readonly (readonly CsvCell[])[];
}

const pln = (grosze: number) => (grosze / 100).toFixed(2);
const BESIDE = ['as_it_was', 'under_these_rules'];

/** Late fees by month and kind of reader. */
export function monthsTable({ months }: SimulationAnswer): SimulationTable {
  const rows = months.flatMap(({ month, real, simulated, kinds }) => [
    [month, 'all', ...amounts({ real, simulated })],
    ...kinds.map((of) => [month, of.kind, ...amounts(of)]),
  ]);
  return { name: 'fees-by-month', rows: [['month', 'readers', ...BESIDE], ...rows] };
}

/** The whole span, as it was beside as it would have been, and of how many it cannot be told. */
export function figuresTable(answer: SimulationAnswer): SimulationTable {
  const { fees, kinds, losses, lateReturns, expiredRents, holds } = answer;
  const waits = (['median', 'mean'] as const).map((measure) => [
    `wait_for_a_reserved_copy_${measure}`,
    'hours',
    holds.real?.[measure] ?? '',
    holds.simulated?.[measure] ?? '',
    holds.cannotBeTold,
  ]);
  const rows = [
    ['late_fees', 'PLN', ...amounts(fees), ''],
    ...kinds.map(({ kind, ...of }) => [`late_fees_${kind}`, 'PLN', ...amounts(of), '']),
    ['charged_for_lost_and_damaged_books', 'PLN', ...amounts(losses), ''],
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
  return { name: 'figures', rows: [['figure', 'unit', ...BESIDE, 'cannot_be_told'], ...rows] };
}

/** What would have been refused, and which looser limits nobody can tell anything of. */
export function limitsTable({ limits, cannotBeTold }: SimulationAnswer): SimulationTable {
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const rows = [
    ...names.map((name) => [LIMIT_NAMES[name], limits[name].times, limits[name].readers]),
    ['Any of these', names.reduce((sum, name) => sum + limits[name].times, 0), limits.readers],
    ...cannotBeTold.map((limit) => [RELAXED_LIMIT_LABELS[limit].name, 'cannot be told', 'cannot be told']),
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
  return [pln(real), pln(simulated)];
}

/** Has the browser save a table of a trial. */
export function saveTable(
  { from, to }: Pick<SimulationView, 'from' | 'to'>,
  { name, rows }: SimulationTable,
): void {
  saveFile(csvFile(rows), `what-if-${name}-${from}-${to}.csv`);
}
