import type { TrialView } from '#contracts/rules/what-if.js';
import { saveFile } from '../../../lib/save-file.js';

const pln = (grosze: number) => (grosze / 100).toFixed(2);

/** Late fees by month and kind of reader, as CSV: months, kinds and amounts, so no cell needs quotes. */
function feesAsCsv({ answer }: Pick<TrialView, 'answer'>): string {
  const lines = (answer?.months ?? []).flatMap(({ month, real, tried, kinds }) => [
    [month, 'all', pln(real), pln(tried)],
    ...kinds.map((of) => [month, of.kind, pln(of.real), pln(of.tried)]),
  ]);
  return [['month', 'readers', 'as_it_was', 'under_these_rules'], ...lines]
    .map((cells) => `${cells.join(',')}\r\n`)
    .join('');
}

export function saveFees(trial: TrialView): void {
  const file = new Blob([feesAsCsv(trial)], { type: 'text/csv;charset=utf-8' });
  saveFile(file, `what-if-${trial.from}-${trial.to}.csv`);
}
