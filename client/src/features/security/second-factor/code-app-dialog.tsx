import { useState, type FormEvent } from 'react';
import { confirmCodeApp, type CodeApp } from '#contracts/accounts/second-factor.js';
import { Dialog, SubmitButtons } from '../../../components/dialog/dialog.js';
import { Notice } from '../../../components/dialog/notice.js';
import { CODE_INCOMPLETE, CodeField, isWholeCode } from '../../../domain/identity/code-field.js';
import { useSecondFactorChange } from '../../../domain/identity/second-factors.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { send } from '../../../lib/api/send.js';
import styles from './second-factor.module.css';

interface CodeAppDialogProps {
  app: CodeApp;
  onClose: () => void;
  /** @param recoveryCodes none if the account has them already */
  onAdded: (recoveryCodes: string[]) => void;
}

/** Sets a code app up: a picture to scan, and its first code to prove that it works. */
export function CodeAppDialog({ app, onClose, onAdded }: CodeAppDialogProps) {
  const confirm = useSecondFactorChange((digits: string) => send(confirmCodeApp, { body: { code: digits } }));
  const [code, setCode] = useState('');
  const [incomplete, setIncomplete] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (confirm.isPending) return;
    const whole = isWholeCode(code);
    setIncomplete(whole ? undefined : CODE_INCOMPLETE);
    if (whole) confirm.mutate(code, { onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes) });
  };
  return (
    <Dialog
      title="Set up a code app"
      lead="Any app for one-time codes will do: those that phones and password managers bring, Aegis, 2FAS, Google or Microsoft Authenticator."
      onClose={onClose}
      wide
      keep
    >
      <form className={styles.enrol} noValidate onSubmit={submit}>
        <div className="flex flex-wrap items-center gap-6 to-480:justify-center">
          <div
            // White in either theme: not every camera reads the inverse.
            className="grid place-items-center size-52 border border-line rounded bg-[#fff] [&_img]:size-48"
          >
            <img
              src={`data:image/svg+xml,${encodeURIComponent(app.qr)}`}
              alt="QR code of the secret; the same text stands beside it"
              width={192}
              height={192}
            />
          </div>
          <ol className="flex flex-[1_1_15rem] flex-col gap-3 pl-6">
            <li>Scan the picture with the app.</li>
            <li>
              Without a camera, enter this secret:
              <span className="block mt-1 py-2 px-3 rounded bg-sunk [font-family:ui-monospace,'Cascadia_Mono','Liberation_Mono',monospace] text-1 wrap-anywhere select-all">
                {app.secret.replace(/(.{4})(?=.)/g, '$1 ')}
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
        <SubmitButtons action="Turn on" busy={confirm.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
