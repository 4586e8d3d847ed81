import * as m from '#words/messages.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type Resolver } from 'react-hook-form';
import { copyBodySchema, editCopy, type CopyBody, type CopyView } from '#contracts/copies/copy-views.js';
import { Dialog, SubmitButtons } from '../../../components/dialog/dialog.js';
import { Form, TextField } from '../../../components/form/form.js';
import { Notice } from '../../../components/dialog/notice.js';
import { useCall } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { sentenceOf } from '../../../lib/api/request-error.js';
import { showFieldErrors } from '../../../lib/form-errors.js';

interface Values {
  shelfMark: string;
  note: string;
}

interface CopyDialogProps {
  copy: CopyView;
  /** Saved or refused. */
  onSettled: () => void;
  onClose: () => void;
}

const FIELDS = ['shelfMark', 'note'] as const;

/** Where a copy stands, and what is to be known of it. */
export function CopyDialog({ copy, onSettled, onClose }: CopyDialogProps) {
  const save = useCall(editCopy, {
    meta: { inPlace: true },
    onSuccess: () => {
      notify.success(m.copies_saved({ code: copy.code }));
      onSettled();
    },
    onError: onSettled,
  });
  const form = useForm<Values, unknown, CopyBody>({
    resolver: zodResolver(copyBodySchema) as unknown as Resolver<Values, unknown, CopyBody>,
    mode: 'onTouched',
    defaultValues: { shelfMark: copy.shelfMark ?? '', note: copy.note ?? '' },
  });
  const submit = ({ shelfMark = null, note = null }: CopyBody) =>
    save.mutate(
      // One that was withdrawn has no place.
      { params: { id: copy.code }, body: copy.state === 'withdrawn' ? { note } : { shelfMark, note } },
      {
        onSuccess: onClose,
        onError: (error) => void showFieldErrors<Values>(form as never, error, FIELDS),
      },
    );
  return (
    <Dialog title={m.copies_copy({ code: copy.code })} onClose={onClose}>
      <Form form={form} busy={save.isPending} onSubmit={submit}>
        {save.isError && <Notice>{sentenceOf(save.error)}</Notice>}
        {copy.state !== 'withdrawn' && (
          <TextField<Values>
            name="shelfMark"
            label={m.copies_shelf_mark()}
            hint={m.copies_shelf_mark_hint()}
            autoComplete="off"
          />
        )}
        <TextField<Values>
          name="note"
          label={m.copies_note()}
          hint={m.copies_note_hint()}
          autoComplete="off"
        />
        <SubmitButtons action={m.common_save()} busy={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
