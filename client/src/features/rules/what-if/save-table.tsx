import { Download } from 'lucide-react';
import type { TrialView } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/button.js';
import { saveTable, type TrialTable } from './trial-tables.js';

interface SaveTableProps {
  trial: Pick<TrialView, 'from' | 'to'>;
  /** What is in it, for who does not see where the button stands. */
  title: string;
  table: () => TrialTable;
}

/** Saves a table of a trial as a file. */
export function SaveTable({ trial, title, table }: SaveTableProps) {
  return (
    <Button size="small" look="plain" aria-label={`CSV: ${title}`} onClick={() => saveTable(trial, table())}>
      <Download size={16} aria-hidden="true" />
      CSV
    </Button>
  );
}
