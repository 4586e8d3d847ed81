import { useMutation, useQueryClient } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
import { useCallback, useState } from 'react';
import { readReaderPanel, type ReaderPanel } from '#contracts/accounts/reader-card.js';
import * as m from '#words/messages.js';
import { Button } from '../../../components/form/button.js';
import { keyOf, send } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { PrintedSlip } from './slip.js';

interface SlipProps {
  readerId: string;
  size?: 'normal' | 'small';
}

/** What the reader was lent and brought back on their last visit, or the one that they are on, on paper. */
export function LastSlip({ readerId, size = 'normal' }: SlipProps) {
  const client = useQueryClient();
  const query = { id: readerId };
  const [printed, setPrinted] = useState<ReaderPanel>();
  const look = useMutation({
    // Asked anew: what was scanned last is on it, whatever is shown yet.
    mutationFn: () => send(readReaderPanel, { query }),
    onSuccess: (panel) => {
      client.setQueryData(keyOf(readReaderPanel, { query }), panel);
      if (panel.visits.length > 0) setPrinted(panel);
      else notify.info(m.slip_nothing());
    },
  });
  const done = useCallback(() => setPrinted(undefined), []);
  const [visit] = printed?.visits ?? [];
  return (
    <>
      <Button icon={Printer} look="plain" size={size} busy={look.isPending} onClick={() => look.mutate()}>
        {m.slip_print()}
      </Button>
      {printed && visit && <PrintedSlip visit={visit} reader={printed.reader} onDone={done} />}
    </>
  );
}
