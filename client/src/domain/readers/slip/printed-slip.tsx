import type { Visit } from '#contracts/accounts/reader-card.js';
import { PrintedSheet } from '../../../components/display/printed-sheet.js';
import { Slip } from './slip.js';
import { useSlipPaper } from './slip-paper.js';

interface PrintedSlipProps {
  visit: Visit;
  reader: { fullname: string };
  onDone: () => void;
}

/** Has the browser print what was handed over on a day. */
export function PrintedSlip({ visit, reader, onDone }: PrintedSlipProps) {
  const { paper } = useSlipPaper();
  return (
    <PrintedSheet paper={paper} onDone={onDone}>
      <Slip visit={visit} reader={reader} />
    </PrintedSheet>
  );
}
