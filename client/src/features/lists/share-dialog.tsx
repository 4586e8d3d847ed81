import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { endShare, shareList, type OwnListPage } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Notice } from '../../components/dialog/notice.js';
import { queryKeys } from '../../domain/query-keys.js';
import { useCall } from '../../lib/api/send.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { classNames } from '../../lib/class-names.js';

/** The part of an address after its # is never sent: no server on the way sees the token. */
const linkOf = (token: string) => `${window.location.origin}${window.location.pathname}#/list/${token}`;

/** Makes and ends the link by which others see a list. */
export function ShareDialog({ list, onClose }: { list: OwnListPage; onClose: () => void }) {
  const client = useQueryClient();
  const options = {
    meta: { inPlace: true },
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.ownLists }),
  };
  const ofList = { params: { id: list.id } };
  const share = useCall(shareList, options);
  const end = useCall(endShare, options);
  const link = share.data && linkOf(share.data.token);
  const error = share.error ?? end.error;
  return (
    <Dialog title={m.lists_share_title({ name: list.name })} lead={m.lists_share_lead()} onClose={onClose}>
      {error && <Notice>{firstWordsOf(error)}</Notice>}
      {link ? <SharedLink link={link} name={list.name} /> : list.isShared && <p>{m.lists_link_once()}</p>}
      <DialogButtons>
        {(list.isShared || link) && (
          <Button
            look="danger"
            busy={end.isPending}
            onClick={() =>
              end.mutate(ofList, {
                onSuccess: () => {
                  notify.success(m.lists_link_ended(), { detail: list.name });
                  onClose();
                },
              })
            }
          >
            {m.lists_end_link()}
          </Button>
        )}
        {link ? (
          <Button onClick={onClose}>{m.common_done()}</Button>
        ) : (
          <Button look="primary" busy={share.isPending} onClick={() => share.mutate(ofList)}>
            {list.isShared ? m.lists_make_new_link() : m.lists_make_link()}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function SharedLink({ link, name }: { link: string; name: string }) {
  const [said, setSaid] = useState(m.lists_copy_now());
  const copy = () =>
    void navigator.clipboard.writeText(link).then(
      () => setSaid(m.lists_copied()),
      () => setSaid(m.lists_not_copied()),
    );
  const send = () =>
    void navigator.share({ title: name, url: link }).catch((error: unknown) => {
      // Closing the system's own window is no failure.
      if ((error as Error).name !== 'AbortError') setSaid(m.lists_not_sent());
    });
  return (
    <div className="stack">
      <div
        className={classNames(
          'flex flex-wrap gap-2',
          '[&_input]:flex-[1_1_14rem] [&_input]:min-w-0 [&_input]:min-h-11 [&_input]:py-0',
          '[&_input]:px-3 [&_input]:border [&_input]:border-line-strong [&_input]:rounded',
          '[&_input]:bg-sunk [&_input]:text-1 [&_input]:text-ellipsis',
        )}
      >
        <input
          type="text"
          readOnly
          aria-label={m.lists_link()}
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button look="primary" onClick={copy}>
          {m.common_copy()}
        </Button>
        {'share' in navigator && <Button onClick={send}>{m.lists_send()}</Button>}
      </div>
      <p className="note" role="status">
        {said}
      </p>
    </div>
  );
}
