import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/form/button.js';
import { Dialog, DialogButtons } from '../../../components/dialog/dialog.js';
import { notify } from '../../../lib/notify.js';
import { saveFile } from '../../../lib/save-file.js';
import styles from './second-factor.module.css';

/**
 * Recovery codes that were just made: shown this once, to be kept on paper or in a safe place. Only who says that they
 * kept them closes it; and no toast covers that button on a phone.
 */
export function RecoveryCodesDialog({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = `Recovery codes for ${window.location.host}\nEach one logs you in once, beside the password.\n\n${codes.join('\n')}\n`;
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => notify.error('The browser did not allow copying. Select the codes and copy them by hand.'),
    );
  return (
    <Dialog
      title="Keep these recovery codes"
      lead="They log you in when your phone or passkey is gone. Each works once. They are shown now and never again: print them, or keep them where only you look."
    >
      <ol className={styles.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={styles.tools}>
        <Button size="small" onClick={() => window.print()}>
          <Printer size={16} aria-hidden="true" />
          Print
        </Button>
        <Button
          size="small"
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'recovery-codes.txt')}
        >
          <Download size={16} aria-hidden="true" />
          Download
        </Button>
        {window.isSecureContext && (
          <Button size="small" onClick={() => void copy()}>
            <Copy size={16} aria-hidden="true" />
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </div>
      <DialogButtons>
        <Button look="primary" onClick={onKept}>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
