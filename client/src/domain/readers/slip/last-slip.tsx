import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ReaderPanel } from '#contracts/accounts/reader-card.js';
import { Button } from '../../../components/form/button.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../query-keys.js';
import { getReaderPanel } from '../get-reader-panel.js';
import { MailSlip } from './mail-slip.js';
import { PrintedSlip } from './printed-slip.js';

interface LastSlipProps {
  readerId: string;
  size?: 'normal' | 'small';
}

/** What the reader was lent and brought back on their last visit, which they are on: on paper, for them to take along, or to their address. */
export function LastSlip({ readerId, size = 'normal' }: LastSlipProps) {
  const client = useQueryClient();
  const [printed, setPrinted] = useState<ReaderPanel>();
  const look = useMutation({
    // Asked anew: what was scanned last is on it, whatever is shown yet.
    mutationFn: () => getReaderPanel(readerId),
    onSuccess: (panel) => {
      client.setQueryData(queryKeys.readerPanel(readerId), panel);
      if (panel.visits.length > 0) setPrinted(panel);
      else notify.info('Nothing was handed over or brought back that a slip could name.');
    },
  });
  const done = useCallback(() => setPrinted(undefined), []);
  const [visit] = printed?.visits ?? [];
  return (
    <>
      <Button look="plain" size={size} busy={look.isPending} onClick={() => look.mutate()}>
        <Printer size={16} aria-hidden="true" />
        Print slip
      </Button>
      <MailSlip readerId={readerId} size={size} />
      {printed && visit && <PrintedSlip visit={visit} reader={printed.reader} onDone={done} />}
    </>
  );
}
