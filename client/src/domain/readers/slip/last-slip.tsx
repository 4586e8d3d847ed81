import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail, Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import { mailSlip, readReaderPanel, type ReaderPanel } from '#contracts/accounts/reader-card.js';
import { Button } from '../../../components/form/button.js';
import { keyOf, send, useCall } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { PrintedSlip } from './slip.js';

interface SlipProps {
  readerId: string;
  size?: 'normal' | 'small';
}

/** What the reader was lent and brought back on their last visit, which they are on: on paper, for them to take along, or to their address. */
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

/** Sends the reader what they were lent and brought back today, to their own address. */
function MailSlip({ readerId, size = 'normal' }: SlipProps) {
  const mail = useCall(mailSlip, { onSuccess: ({ message }) => notify.success(message) });
  return (
    <Button
      look="plain"
      size={size}
      busy={mail.isPending}
      onClick={(event) => {
        // The second half of a double click sends no second letter.
        if (event.detail < 2) mail.mutate({ query: { id: readerId } });
      }}
    >
      <Mail size={16} aria-hidden="true" />
      Mail slip
    </Button>
  );
}
