import * as m from '#words/messages.js';
import { useState, type FormEvent } from 'react';
import { confirmCodeApp, type CodeApp } from '#contracts/accounts/second-factor.js';
import { Dialog, SubmitButtons, DialogButtons } from '../../../components/dialog/dialog.js';
import { Notice } from '../../../components/dialog/notice.js';
import { CODE_INCOMPLETE, CodeField, isWholeCode } from '../../../domain/identity/code-field.js';
import { useSecondFactorChange } from '../../../domain/identity/second-factors.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { send } from '../../../lib/api/send.js';
import styles from './second-factor.module.css';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import Printer from 'lucide-react/icons/printer';
import { Button } from '../../../components/form/button.js';
import { notify } from '../../../lib/notify.js';
import { saveFile } from '../../../lib/save-file.js';

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
      title={m.security_app_dialog_title()}
      lead={m.security_app_dialog_lead()}
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
              alt={m.security_app_qr()}
              width={192}
              height={192}
            />
          </div>
          <ol className="flex flex-[1_1_15rem] flex-col gap-3 pl-6">
            <li>{m.security_app_scan()}</li>
            <li>
              {m.security_app_key()}
              <span className="block mt-1 py-2 px-3 rounded bg-sunk [font-family:ui-monospace,'Cascadia_Mono','Liberation_Mono',monospace] text-1 wrap-anywhere select-all">
                {app.secret.replace(/(.{4})(?=.)/g, '$1 ')}
              </span>
            </li>
            <li>{m.security_app_first_code()}</li>
          </ol>
        </div>
        {confirm.isError && <Notice>{firstWordsOf(confirm.error)}</Notice>}
        <CodeField
          label={m.sign_in_code()}
          value={code}
          onValue={(value) => {
            setCode(value);
            setIncomplete(undefined);
          }}
          error={incomplete}
        />
        <SubmitButtons action={m.security_app_turn_on()} busy={confirm.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/**
 * Recovery codes that were just made: shown this once, to be kept on paper or in a safe place. Only who says that they
 * kept them closes it; and no toast covers that button on a phone.
 */
export function RecoveryCodesDialog({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = m.security_recovery_codes_file({ library: window.location.host, codes: codes.join('\n') });
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => notify.error(m.security_recovery_codes_not_copied()),
    );
  return (
    <Dialog title={m.security_recovery_codes_keep()} lead={m.security_recovery_codes_lead()}>
      <ol className={styles.codes} aria-label={m.security_recovery_codes()}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.tools}>
        <Button icon={Printer} size="small" onClick={() => window.print()}>
          {m.common_print()}
        </Button>
        <Button
          icon={Download}
          size="small"
          onClick={() =>
            saveFile(new Blob([text], { type: 'text/plain' }), m.security_recovery_codes_file_name())
          }
        >
          {m.security_recovery_codes_download()}
        </Button>
        {window.isSecureContext && (
          <Button icon={Copy} size="small" onClick={() => void copy()}>
            {copied ? m.security_recovery_codes_copied() : m.common_copy()}
          </Button>
        )}
      </div>
      <DialogButtons>
        <Button look="primary" onClick={onKept}>
          {m.security_recovery_codes_kept()}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
