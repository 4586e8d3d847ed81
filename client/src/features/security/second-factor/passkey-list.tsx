import * as m from '#words/messages.js';
import KeyRound from 'lucide-react/icons/key-round';
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
import { Marked } from '../../../components/display/marked.js';
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
  hint: m.security_passkey_name_hint(),
  nameless: m.security_passkey_nameless(),
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
          <h3>{m.security_passkeys()}</h3>
          <p className={LEFT}>{m.security_passkeys_lead()}</p>
        </div>
        {passkeysPossible() && (
          <Button
            size="small"
            onClick={() => {
              add.reset();
              setAdding(true);
            }}
          >
            {m.security_passkey_add()}
          </Button>
        )}
      </div>
      {!passkeysPossible() && <NotHere />}
      {remove.isError && <Notice>{firstWordsOf(remove.error)}</Notice>}
      {passkeys.length > 0 && (
        <ul
          className="flex flex-col list-none [&>li]:flex [&>li]:flex-wrap [&>li]:items-center [&>li]:gap-x-3 [&>li]:gap-y-2 [&>li]:py-2 [&>li]:px-0 [&>li+li]:border-t [&>li+li]:border-line"
          aria-label={m.security_passkeys_own()}
        >
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <KeyRound size={18} aria-hidden="true" />
              <div className="flex flex-[1_1_12rem] flex-col min-w-0 wrap-anywhere">
                <strong>{passkey.name}</strong>
                <span className={LEFT}>
                  <Marked
                    parts={
                      passkey.lastUsed === null
                        ? m.security_passkey_unused.parts()
                        : m.security_passkey_used.parts()
                    }
                    as={{
                      added: () => <Day time={passkey.created} />,
                      used: () => <Day time={passkey.lastUsed} />,
                    }}
                  />
                </span>
              </div>
              <div className={styles.tools}>
                <Button
                  size="small"
                  look="plain"
                  aria-label={m.security_passkey_rename_named({ name: passkey.name })}
                  onClick={() => {
                    rename.reset();
                    setRenamed(passkey);
                  }}
                >
                  {m.security_passkey_rename()}
                </Button>
                <Button
                  size="small"
                  look="plain"
                  aria-label={m.security_passkey_remove_named({ name: passkey.name })}
                  busy={remove.isPending && remove.variables === passkey.id}
                  onClick={() => setRemoved(passkey)}
                >
                  {m.common_remove()}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      {adding && (
        <NameDialog
          {...NAMING}
          title={m.security_passkey_add()}
          lead={m.security_passkey_add_lead()}
          action={m.security_passkey_continue()}
          first=""
          busy={add.isPending}
          error={add.error}
          onClose={() => setAdding(false)}
          onSave={(name) =>
            add.mutate(name.trim(), {
              onSuccess: ({ recoveryCodes }) => {
                setAdding(false);
                if (recoveryCodes.length === 0) notify.success(m.security_passkey_is_added());
                onRecoveryCodes(recoveryCodes);
              },
            })
          }
        />
      )}
      {renamed && (
        <NameDialog
          {...NAMING}
          title={m.security_passkey_rename_title()}
          lead={m.security_passkey_rename_lead()}
          action={m.security_passkey_rename()}
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
          question={m.security_passkey_remove_question({ name: removed.name })}
          action={m.common_remove()}
          onDecline={() => setRemoved(null)}
          onConfirm={() => {
            remove.mutate(removed.id, { onSuccess: () => notify.success(m.security_passkey_is_removed()) });
            setRemoved(null);
          }}
        >
          {m.security_passkey_remove_loss()}
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
        m.security_passkeys_not_here()
      ) : (
        <Marked
          parts={m.security_passkeys_at_localhost.parts()}
          as={{ link: (children) => <a href={address}>{children}</a> }}
        />
      )}
    </p>
  );
}
