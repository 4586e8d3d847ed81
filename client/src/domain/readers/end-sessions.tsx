import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Reader } from '#contracts/accounts/account-views.js';
import { endSessions } from '#contracts/accounts/readers.js';
import { useCall } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { useUser } from '../../lib/session.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';

/** For a lost telephone or a library's own computer: the account is logged out wherever it is logged in. Asks first. */
export function EndSessions({ reader }: { reader: Reader }) {
  const client = useQueryClient();
  const own = useUser()?.id === reader.id;
  const end = useCall(endSessions, {
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      // One's own is over too: the next answer says so, also where the message of it does not come.
      if (own) void client.invalidateQueries();
    },
  });
  const [asking, setAsking] = useState(false);
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
            end.mutate({ query: { id: reader.id } });
          }}
          onDecline={() => setAsking(false)}
        >
          What is typed somewhere and not saved yet is lost there.
        </Confirmation>
      )}
    </section>
  );
}
