import * as m from '#words/messages.js';
import { useState } from 'react';
import { MOVE_REASONS, type MoveReason } from '#contracts/holds/hold-events.js';
import type { QueuedHold } from '#contracts/holds/hold-views.js';
import { CommandDialog, Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { Field, TypedField } from '../../components/form/field.js';
import { Notice } from '../../components/dialog/notice.js';
import { SelectField } from '../../components/form/choice.js';
import { useHoldCommand, usePlaceHold } from '../../domain/holds/hold-commands.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { MOVE_LABELS } from '../../domain/holds/hold-texts.js';
import { useQuery } from '@tanstack/react-query';
import { listReaders } from '#contracts/accounts/readers.js';
import type { Book } from '#contracts/catalogue/book-views.js';
import { Button } from '../../components/form/button.js';
import { Finder } from '../../components/form/finder.js';
import { queryOf } from '../../lib/api/send.js';

/** Longest reason in words, as the library takes it. */
const NOTE_LENGTH = 500;

interface MoveDialogProps {
  hold: QueuedHold;
  /** Before which hold it is to stand, as it was asked for; null: last of all. */
  before: string | null;
  /** The others that wait, in their order. */
  others: readonly QueuedHold[];
  onClose: () => void;
}

/** Gives a hold another place. Everybody who waits behind it is affected, so it is said why. */
export function MoveDialog({ hold, before, others, onClose }: MoveDialogProps) {
  const move = useHoldCommand({ inPlace: true });
  const [place, setPlace] = useState(before ?? '');
  const [reason, setReason] = useState<MoveReason | ''>('');
  const [note, setNote] = useState('');
  const [wrong, setWrong] = useState<string>();
  const submit = () => {
    if (reason === '') return setWrong(m.holds_say_why());
    const words = note.trim();
    const change = {
      do: 'move' as const,
      before: place === '' ? null : place,
      reason,
      ...(words !== '' && { note: words }),
    };
    move.mutate({ hold, change }, { onSuccess: onClose });
  };
  return (
    <CommandDialog
      title={m.holds_move_title({ reader: hold.user.fullname })}
      lead={m.holds_move_lead({ title: hold.title, place: hold.place ?? 0, total: others.length + 1 })}
      action={m.holds_move()}
      command={move}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        label={m.holds_place()}
        value={place}
        options={[
          ...others.map(({ id, user }) => ({ value: id, label: m.holds_before({ reader: user.fullname }) })),
          { value: '', label: m.holds_at_the_end() },
        ]}
        onChoose={setPlace}
      />
      <Field label={m.common_reason()} errors={[wrong]}>
        {(control) => (
          <select
            {...control}
            value={reason}
            onChange={({ target }) => {
              setReason(MOVE_REASONS.find((each) => each === target.value) ?? '');
              setWrong(undefined);
            }}
          >
            <option value="">{m.holds_choose_reason()}</option>
            {MOVE_REASONS.map((each) => (
              <option key={each} value={each}>
                {MOVE_LABELS[each]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <TypedField
        label={m.holds_in_words()}
        hint={m.holds_readers_do_not_see()}
        maxLength={NOTE_LENGTH}
        value={note}
        onValue={setNote}
      />
    </CommandDialog>
  );
}

/** Readers that are found at a glance. */
const FOUND = 6;

interface ReserveForReaderProps {
  book: Pick<Book, 'id' | 'title'>;
  onClose: () => void;
}

/** Finds a reader and has them wait for the title. */
export function ReserveForReader({ book, onClose }: ReserveForReaderProps) {
  const place = usePlaceHold({ inPlace: true });
  const [asked, setAsked] = useState('');
  const readers = useQuery({
    ...queryOf(listReaders, {
      query: { SearchTerm: asked, SortBy: 'Username', pageNumber: 1, pageSize: FOUND },
    }),
    enabled: asked !== '',
    meta: { inPlace: true },
  });
  const close = () => !place.isPending && onClose();
  const error = place.error ?? readers.error;
  return (
    <Dialog title={m.holds_reserve_for_reader()} lead={book.title} keep onClose={close}>
      <Finder
        label={m.common_reader()}
        placeholder={m.holds_reader_placeholder()}
        asked={asked}
        onSearch={setAsked}
        found={
          asked === ''
            ? undefined
            : readers.data?.items.map(({ id, fullname, userName, email }) => ({
                id,
                title: fullname,
                detail: `${userName}, ${email}`,
              }))
        }
        isSearching={readers.isFetching}
        onChoose={({ id, title: fullname }) => {
          const { id: bookId, title } = book;
          if (!place.isPending)
            place.mutate({ id: bookId, title, reader: { id, fullname } }, { onSuccess: onClose });
        }}
      />
      {error && <Notice>{firstWordsOf(error)}</Notice>}
      <DialogButtons>
        <Button onClick={close}>{m.common_cancel()}</Button>
      </DialogButtons>
    </Dialog>
  );
}
