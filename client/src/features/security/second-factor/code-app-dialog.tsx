import { useEffect, useState, type FormEvent } from 'react';
import { Button } from '../../../components/button.js';
import { Dialog, DialogButtons } from '../../../components/dialog.js';
import { Notice } from '../../../components/notice.js';
import { Skeleton } from '../../../components/skeleton.js';
import { CODE_INCOMPLETE, CodeField, isWholeCode } from '../../../domain/identity/code-field.js';
import { firstWordsOf, RequestError } from '../../../lib/api/request-error.js';
import { useBeginCodeApp, useConfirmCodeApp } from './change-second-factors.js';
import styles from './second-factor.module.css';

interface CodeAppDialogProps {
  onClose: () => void;
  /** @param recoveryCodes none if the account has them already */
  onAdded: (recoveryCodes: string[]) => void;
}

/** Sets a code app up: a picture to scan, and its first code to prove that it works. */
export function CodeAppDialog({ onClose, onAdded }: CodeAppDialogProps) {
  const begin = useBeginCodeApp();
  const confirm = useConfirmCodeApp();
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState<string>();
  const { mutate } = begin;
  const start = () =>
    mutate(undefined, {
      onError: (error) => {
        if (error instanceof RequestError && error.problem?.code === 'ConfirmationNeeded') onClose();
      },
    });
  // eslint-disable-next-line react-hooks/exhaustive-deps -- once, when the dialog opens
  useEffect(start, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending || !begin.data) return;
    const whole = isWholeCode(code);
    setIncomplete(whole ? undefined : CODE_INCOMPLETE);
    if (whole) confirm.mutate(code, { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) });
  };
  const app = begin.data;
  return (
    <Dialog
      title="Set up a code app"
      lead="Any app for one-time codes will do: those that phones and password managers bring, Aegis, 2FAS, Google or Microsoft Authenticator."
      onClose={onClose}
      wide
      keep
    >
      <form className={styles.enrol} noValidate onSubmit={submit}>
        {begin.isError && (
          <Notice action={<Button onClick={start}>Retry</Button>}>{firstWordsOf(begin.error)}</Notice>
        )}
        <div className={styles.scan}>
          <div className={styles.qr}>
            {app && (
              <img
                src={`data:image/svg+xml,${encodeURIComponent(app.qr)}`}
                alt="QR code of the secret; the same text stands beside it"
                width={192}
                height={192}
              />
            )}
          </div>
          <ol className={styles.steps}>
            <li>Scan the picture with the app.</li>
            <li>
              Without a camera, enter this secret:
              <span className={styles.secret}>
                {app ? app.secret.replace(/(.{4})(?=.)/g, '$1 ') : <Skeleton width="14rem" />}
              </span>
            </li>
            <li>Enter the code that the app shows now.</li>
          </ol>
        </div>
        {confirm.isError && <Notice>{firstWordsOf(confirm.error)}</Notice>}
        <CodeField
          label="Code"
          value={code}
          onValue={(value) => {
            setCode(value);
            setIncomplete(undefined);
          }}
          error={incomplete}
        />
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={confirm.isPending} disabled={!app}>
            Turn on
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
