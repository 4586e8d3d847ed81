import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import {
  changeLogo,
  listLibraryChanges,
  LOGO_FIELD,
  readLibrary,
  removeLogo,
  type LibraryView,
} from '#contracts/library/library-facts.js';
import { PICTURE_MAX_BYTES, PICTURE_TYPES } from '#contracts/pictures.js';
import { Button } from '../../components/form/button.js';
import { FileButton } from '../../components/form/file-button.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { keyOf, useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

const meta = { inPlace: true };

/** The logo: it is stored as soon as it is chosen. */
export function LogoField({ logo }: { logo: string | null }) {
  const id = useId();
  const client = useQueryClient();
  const done = (text: string) => ({
    meta,
    onSuccess: (view: LibraryView) => {
      client.setQueryData(keyOf(readLibrary), view);
      void client.invalidateQueries({ queryKey: keyOf(listLibraryChanges) });
      notify.success(text);
    },
  });
  const change = useCall(changeLogo, done(m.library_logo_stored()));
  const remove = useCall(removeLogo, done(m.library_logo_removed()));
  const busy = change.isPending || remove.isPending;
  const failed = change.error ?? remove.error;
  return (
    <section className="flex flex-col gap-3">
      <h3>{m.library_fact_logo()}</h3>
      {logo === null ? (
        <p className="text-ink-soft">{m.library_no_logo()}</p>
      ) : (
        <img
          src={`/api/Library/logo/${logo}`}
          alt={m.library_logo_alt()}
          className="max-h-20 max-w-full self-start p-3 border border-line bg-surface"
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <FileButton
          label={m.library_logo_picture()}
          accept={PICTURE_TYPES.join(',')}
          busy={busy}
          aria-describedby={`${id}-hint`}
          onFile={(file) => {
            const body = new FormData();
            body.set(LOGO_FIELD, file);
            change.mutate({ body });
          }}
        >
          {m.library_logo_picture()}
        </FileButton>
        {logo !== null && (
          <Button size="small" busy={remove.isPending} onClick={() => remove.mutate({})}>
            {m.library_remove_logo()}
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="note">
        {m.library_logo_hint({ most: PICTURE_MAX_BYTES / 1024 / 1024 })}
      </p>
      {failed && (
        <p className="text-danger text-1" role="alert">
          {firstWordsOf(failed)}
        </p>
      )}
    </section>
  );
}
