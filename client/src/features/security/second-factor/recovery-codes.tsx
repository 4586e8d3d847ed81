import { Copy, Download, Printer } from 'lucide-react';
import { Button } from '../../../components/button.js';
import { Dialog, DialogButtons } from '../../../components/dialog.js';
import { notify } from '../../../lib/notify.js';
import { saveFile } from '../../../lib/save-file.js';
import styles from './second-factor.module.css';

/** Recovery codes that were just made: shown this once, to be kept on paper or in a safe place. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `Recovery codes for ${window.location.host}\nEach one signs in once, beside the password.\n\n${codes.join('\n')}\n`;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify.success('Recovery codes copied'),
      () => notify.error('The browser did not allow copying. Select the codes and copy them by hand.'),
    );
  return (
    <Dialog
      title="Keep these recovery codes"
      lead="They sign you in when your phone or passkey is gone. Each works once. They are shown now and never again: print them, or keep them where only you look."
      onClose={onClose}
      keep
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
            Copy
          </Button>
        )}
      </div>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
