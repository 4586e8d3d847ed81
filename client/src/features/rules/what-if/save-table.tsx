import { Download } from 'lucide-react';
import type { SimulationView } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { saveTable, type SimulationTable } from './simulation-tables.js';

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
      size="small"
      look="plain"
      aria-label={`CSV: ${title}`}
      onClick={() => saveTable(simulation, table())}
    >
      <Download size={16} aria-hidden="true" />
      CSV
    </Button>
  );
}
