import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readDemo, removeDemo } from '#contracts/library/demo.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Notice } from '../../components/dialog/notice.js';
import { Button } from '../../components/form/button.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

const meta = { inPlace: true };

/** The demo that the set-up put in, to be taken away again; nothing where there is none. */
export function DemoPart() {
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const demo = useQuery({ ...queryOf(readDemo), refetchOnMount: 'always', meta });
  const remove = useCall(removeDemo, {
    meta,
    onSuccess: (view) => {
      client.setQueryData(keyOf(readDemo), view);
      notify.success(m.demo_removed());
    },
  });
  if (!demo.data || demo.data.books + demo.data.readers === 0) return null;
  const { books, readers, changed } = demo.data;
  return (
    <section className="flex flex-col items-start gap-3">
      <h3>{m.demo_title()}</h3>
      <p>{m.demo_there({ books, readers })}</p>
      {remove.isError && <Notice>{sentenceOf(remove.error)}</Notice>}
      <Button look="danger" busy={remove.isPending} onClick={() => setAsked(true)}>
        {m.demo_remove()}
      </Button>
      {isAsked && (
        <Confirmation
          question={m.demo_remove_question()}
          action={m.demo_remove()}
          onConfirm={() => {
            setAsked(false);
            remove.mutate({});
          }}
          onDecline={() => setAsked(false)}
        >
          {m.demo_remove_effect()} {changed > 0 && m.demo_remove_changed({ count: changed })}
        </Confirmation>
      )}
    </section>
  );
}
