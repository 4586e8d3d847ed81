import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { TrialAnswer, TrialReaders, TrialView } from '#contracts/rules/what-if.js';
import { csvFile, type CsvCell } from '../../../lib/csv.js';
import { saveFile } from '../../../lib/save-file.js';
import { differences } from '../rule-words.js';
import { LIMIT_NAMES, LOOSER_WORDS } from './words.js';

/** A table of a trial as a file has it: the header first. Amounts are PLN, waits hours. */
export interface TrialTable {
  /** In the file's name. */
  name: 'fees-by-month' | 'figures' | 'limits' | 'readers' | 'rules';
  rows: readonly (readonly CsvCell[])[];
}

const pln = (grosze: number) => (grosze / 100).toFixed(2);
const BESIDE = ['as_it_was', 'under_these_rules'];

/** Late fees by month and kind of reader. */
export function monthsTable({ months }: TrialAnswer): TrialTable {
  const rows = months.flatMap(({ month, real, tried, kinds }) => [
    [month, 'all', ...amounts({ real, tried })],
    ...kinds.map((of) => [month, of.kind, ...amounts(of)]),
  ]);
  return { name: 'fees-by-month', rows: [['month', 'readers', ...BESIDE], ...rows] };
}

/** The whole span, as it was beside as it would have been, and of how many it cannot be told. */
export function figuresTable(answer: TrialAnswer): TrialTable {
  const { fees, kinds, losses, lateReturns, expiredRents, holds } = answer;
  const waits = (['median', 'mean'] as const).map((measure) => [
    `wait_for_a_reserved_copy_${measure}`,
    'hours',
    holds.real?.[measure] ?? '',
    holds.tried?.[measure] ?? '',
    holds.cannotBeTold,
  ]);
  const rows = [
    ['late_fees', 'PLN', ...amounts(fees), ''],
    ...kinds.map(({ kind, ...of }) => [`late_fees_${kind}`, 'PLN', ...amounts(of), '']),
    ['charged_for_lost_and_damaged_books', 'PLN', ...amounts(losses), ''],
    ['books_that_came_back_late', 'books', lateReturns.real, lateReturns.tried, ''],
    [
      'rents_that_nobody_collected',
      'rents',
      expiredRents.real,
      expiredRents.tried,
      expiredRents.cannotBeTold,
    ],
    ...waits,
  ];
  return { name: 'figures', rows: [['figure', 'unit', ...BESIDE, 'cannot_be_told'], ...rows] };
}

/** What would have been refused, and which looser limits nobody can tell anything of. */
export function limitsTable({ limits, cannotBeTold }: TrialAnswer): TrialTable {
  const names = Object.keys(LIMIT_NAMES) as (keyof typeof LIMIT_NAMES)[];
  const rows = [
    ...names.map((name) => [LIMIT_NAMES[name], limits[name].times, limits[name].readers]),
    ['Any of these', names.reduce((sum, name) => sum + limits[name].times, 0), limits.readers],
    ...cannotBeTold.map((limit) => [LOOSER_WORDS[limit].name, 'cannot be told', 'cannot be told']),
  ];
  return { name: 'limits', rows: [['what_would_have_been_refused', 'times', 'readers'], ...rows] };
}

/** Whom the rules would have changed most. */
export function readersTable(readers: TrialReaders['items']): TrialTable {
  const rows = readers.map(({ fullname, ...fees }) => [fullname, ...amounts(fees)]);
  return { name: 'readers', rows: [['reader', ...BESIDE], ...rows] };
}

/** Where the tried rules differ from those in force. */
export function rulesTable(current: RuleSet, tried: RuleSet): TrialTable {
  const rows = differences(current, tried).map(({ name, before, after }) => [name, before, after]);
  return { name: 'rules', rows: [['rule', 'in_force', 'tried'], ...rows] };
}

function amounts({ real, tried }: { real: number; tried: number }): string[] {
  return [pln(real), pln(tried)];
}

/** Has the browser save a table of a trial. */
export function saveTable({ from, to }: Pick<TrialView, 'from' | 'to'>, { name, rows }: TrialTable): void {
  saveFile(csvFile(rows), `what-if-${name}-${from}-${to}.csv`);
}
