import { Download } from 'lucide-react';
import { Button } from '../../components/form/button.js';
import { useMakeReport, useMaking } from './make-report.js';
import { ReportCard } from './report-card.js';
import { REPORTS } from './reports.js';

export function InventoryCard() {
  const download = useMakeReport('inventory');
  const busy = useMaking('inventory') !== null;
  return (
    <ReportCard report={REPORTS.inventory} download={download}>
      <Button look="primary" busy={busy} onClick={() => download.mutate({})}>
        <Download size={18} aria-hidden="true" />
        {REPORTS.inventory.button}
      </Button>
    </ReportCard>
  );
}
