import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageAnswerSchema, type Reader } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { session, useUser } from '../../lib/session.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';

/** For a lost telephone or a library's own computer: the account is logged out wherever it is logged in. Asks first. */
export function EndSessions({ reader }: { reader: Reader }) {
  const me = useUser();
  const end = useEndSessions(reader.id);
  const [asking, setAsking] = useState(false);
  const own = me?.id === reader.id;
  return (
    <section className="flex flex-col gap-3 pt-4 border-t border-line" aria-labelledby="end-sessions">
      <h3 className="font-serif text-2 font-medium" id="end-sessions">
        Sessions
      </h3>
      <p className="note">
        {own ? 'Logs you out on every device, this one too.' : `Logs ${reader.fullname} out on every device.`}{' '}
        Who knows the password can log in again.
      </p>
      {end.isError && (
        <p className="p-3 rounded bg-danger-wash text-danger" role="alert">
          {sentenceOf(end.error)}
        </p>
      )}
      <div>
        <Button busy={end.isPending} onClick={() => setAsking(true)}>
          Log out everywhere
        </Button>
      </div>
      {asking && (
        <Confirmation
          question={own ? 'Log out everywhere?' : `Log ${reader.fullname} out everywhere?`}
          action="Log out"
          onConfirm={() => {
            setAsking(false);
            end.mutate();
          }}
          onDecline={() => setAsking(false)}
        >
          What is typed somewhere and not saved yet is lost there.
        </Confirmation>
      )}
    </section>
  );
}

/** Logs an account out on every device; why it was refused is shown in its place. */
function useEndSessions(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(messageAnswerSchema, 'User/end-sessions', { method: 'POST', query: { id } }),
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      // One's own is over too: the next answer says so, also where the message of it does not come.
      if (session.current()?.id === id) void client.invalidateQueries();
    },
  });
}
