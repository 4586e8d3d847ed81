import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
  type Passkey,
} from '#contracts/accounts/second-factor.js';
import { Button } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { Day } from '../../../components/display/day.js';
import {
  makePasskey,
  NoPasskey,
  passkeyAddress,
  passkeysPossible,
} from '../../../domain/identity/passkeys.js';
import { NameDialog } from '../../../components/dialog/name-dialog.js';
import { useSecondFactorChange } from '../../../domain/identity/second-factors.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { send } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import styles from './second-factor.module.css';
import { Notice } from '../../../components/dialog/notice.js';

const LEFT = 'max-w-measure text-ink-soft text-1 data-[low=true]:text-danger';

const NAMING = {
  hint: 'So that you recognise it: “Phone”, “Blue key”.',
  nameless: 'Give it a name.',
  maxLength: 60,
  wordsOf: (error: Error) => (error instanceof NoPasskey ? error.message : firstWordsOf(error)),
};

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  onRecoveryCodes: (codes: string[]) => void;
}

/** The passkeys of the account, each with its name. */
export function PasskeyList({ passkeys, onRecoveryCodes }: PasskeyListProps) {
  const add = useSecondFactorChange(async (name: string) => {
    const asked = await send(beginPasskey);
    const body = { ticket: asked.ticket, name, passkey: await makePasskey(asked) };
    return send(addPasskey, { body });
  });
  const rename = useSecondFactorChange(({ id, name }: { id: string; name: string }) =>
    send(renamePasskey, { params: { id }, body: { name } }),
  );
  const remove = useSecondFactorChange((id: string) => send(removePasskey, { params: { id } }));
  const [adding, setAdding] = useState(false);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);

  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <div>
          <h3>Passkeys</h3>
          <p className={LEFT}>
            Kept on a phone, a computer or a security key and unlocked with your fingerprint, face or a PIN.
            They can sign you in without your password.
          </p>
        </div>
        {passkeysPossible() && (
          <Button
            size="small"
            onClick={() => {
              add.reset();
              setAdding(true);
            }}
          >
            Add a passkey
          </Button>
        )}
      </div>
      {!passkeysPossible() && <NotHere />}
      {remove.isError && <Notice>{firstWordsOf(remove.error)}</Notice>}
      {passkeys.length > 0 && (
        <ul
          className="flex flex-col list-none [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:gap-x-3 [&>li]:gap-y-2 [&>li]:py-2 [&>li]:px-0 [&>li+li]:border-t [&>li+li]:border-line"
          aria-label="Your passkeys"
        >
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <KeyRound size={18} aria-hidden="true" />
              <div className="flex flex-[1_1_12rem] flex-col min-w-0 wrap-anywhere">
                <strong>{passkey.name}</strong>
                <span className={LEFT}>
                  Added <Day time={passkey.created} />,{' '}
                  {passkey.lastUsed === null ? (
                    'not used yet'
                  ) : (
                    <>
                      last used <Day time={passkey.lastUsed} />
                    </>
                  )}
                </span>
              </div>
              <div className={styles.tools}>
                <Button
                  size="small"
                  look="plain"
                  aria-label={`Rename ${passkey.name}`}
                  onClick={() => {
                    rename.reset();
                    setRenamed(passkey);
                  }}
                >
                  Rename
                </Button>
                <Button
                  size="small"
                  look="plain"
                  aria-label={`Remove ${passkey.name}`}
                  busy={remove.isPending && remove.variables === passkey.id}
                  onClick={() => setRemoved(passkey)}
                >
                  Remove
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <NameDialog
          {...NAMING}
          title="Add a passkey"
          lead="Give it a name. Your browser will then ask where to keep it."
          action="Continue"
          first=""
          busy={add.isPending}
          error={add.error}
          onClose={() => setAdding(false)}
          onSave={(name) =>
            add.mutate(name.trim(), {
              onSuccess: ({ recoveryCodes }) => {
                setAdding(false);
                if (recoveryCodes.length === 0) notify.success('Passkey added');
                onRecoveryCodes(recoveryCodes);
              },
            })
          }
        />
      )}
      {renamed && (
        <NameDialog
          {...NAMING}
          title="Rename the passkey"
          lead="This changes only its name here."
          action="Rename"
          first={renamed.name}
          busy={rename.isPending}
          error={rename.error}
          onClose={() => setRenamed(null)}
          onSave={(name) =>
            rename.mutate({ id: renamed.id, name: name.trim() }, { onSuccess: () => setRenamed(null) })
          }
        />
      )}
      {removed && (
        <Confirmation
          question={`Remove the passkey “${removed.name}”?`}
          action="Remove"
          onDecline={() => setRemoved(null)}
          onConfirm={() => {
            remove.mutate(removed.id, { onSuccess: () => notify.success('Passkey removed') });
            setRemoved(null);
          }}
        >
          It will no longer sign you in. Your device may still offer it; delete it there too.
        </Confirmation>
      )}
    </div>
  );
}

/** Why there can be no passkeys at this address, and where there can. */
function NotHere() {
  const address = passkeyAddress();
  return (
    <p className={styles.aside}>
      {address === null ? (
        'Passkeys do not work at this address: they need a domain name and https.'
      ) : (
        <>
          Passkeys need a name, and this address is a number. Open{' '}
          <a href={address}>this page at localhost</a> and sign in there to add one.
        </>
      )}
    </p>
  );
}
