import { Mail } from 'lucide-react';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { Button } from '../../../components/form/button.js';
import { request } from '../../../lib/api/request.js';
import { useIdempotentMutation } from '../../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../../lib/notify.js';

interface MailSlipProps {
  readerId: string;
  size: 'normal' | 'small';
}

/** Sends the reader what they were lent and brought back today, to their own address. */
export function MailSlip({ readerId, size }: MailSlipProps) {
  const mail = useIdempotentMutation({
    requestOf: (id: string) => id,
    send: (id, idempotencyKey) =>
      request(messageAnswerSchema, 'Reader/slip', { method: 'POST', query: { id }, idempotencyKey }),
    onSuccess: ({ message }) => notify.success(message),
  });
  return (
    <Button
      look="plain"
      size={size}
      busy={mail.isPending}
      onClick={(event) => {
        // The second half of a double click sends no second letter.
        if (event.detail < 2) mail.mutate(readerId);
      }}
    >
      <Mail size={16} aria-hidden="true" />
      Mail slip
    </Button>
  );
}
