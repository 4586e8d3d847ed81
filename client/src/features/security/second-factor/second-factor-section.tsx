import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import {
  beginCodeApp,
  RECOVERY_CODES,
  removeCodeApp,
  renewRecoveryCodes,
  type SecondFactors,
} from '#contracts/accounts/second-factor.js';
import { Button } from '../../../components/form/button.js';
import { Confirmation } from '../../../components/dialog/confirmation.js';
import { Day } from '../../../components/display/day.js';
import { ErrorState, Skeleton } from '../../../components/list/placeholders.js';
import { Notice } from '../../../components/dialog/notice.js';
import { useSecondFactorChange, useSecondFactors } from '../../../domain/identity/second-factors.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { send, useCall } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';
import { CodeAppDialog, RecoveryCodesDialog } from './code-app-dialog.js';
import { PasskeyList } from './passkey-list.js';
import styles from './second-factor.module.css';

const LEFT = 'max-w-measure text-ink-soft text-1 data-[low=true]:text-danger';

/** What signing in takes beside the password: code app, passkeys, recovery codes. */
export function SecondFactorSection() {
  const factors = useSecondFactors();
  const [codes, setCodes] = useState<string[]>([]);
  const { data } = factors;
  if (factors.isError && !data) {
    return <ErrorState of={factors} />;
  }
  const isOn = data !== undefined && (data.codeAppSince !== null || data.passkeys.length > 0);
  return (
    <section className={styles.card} aria-labelledby="second-factor" aria-busy={factors.isPending}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <h2 id="second-factor">Second factor</h2>
        {data ? <State isOn={isOn} /> : <Skeleton width="5rem" />}
      </div>
      <p className="max-w-measure text-ink-soft">
        Something you have, besides the password you know. Someone who learns your password cannot sign in
        with it alone.
      </p>
      {data?.required && !isOn && (
        <Notice look="news">
          Your role needs a second factor. Add an authenticator app or a passkey to open everything else.
        </Notice>
      )}
      {data ? (
        <>
          <CodeAppPart data={data} onRecoveryCodes={setCodes} />
          <PasskeyList passkeys={data.passkeys} onRecoveryCodes={setCodes} />
          {isOn && <RecoveryCodes left={data.recoveryCodesLeft} onRecoveryCodes={setCodes} />}
        </>
      ) : (
        <div className={styles.part}>
          <Skeleton width="60%" />
          <Skeleton width="40%" />
        </div>
      )}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onKept={() => setCodes([])} />}
    </section>
  );
}

function State({ isOn }: { isOn: boolean }) {
  const Icon = isOn ? ShieldCheck : ShieldAlert;
  return (
    <span className={styles.state} data-on={isOn}>
      <Icon size={18} aria-hidden="true" />
      {isOn ? 'On' : 'Off'}
    </span>
  );
}

interface PartProps {
  onRecoveryCodes: (codes: string[]) => void;
}

function CodeAppPart({ data, onRecoveryCodes }: PartProps & { data: SecondFactors }) {
  const remove = useSecondFactorChange(() => send(removeCodeApp));
  // It counts once its first code was given.
  const begin = useCall(beginCodeApp, { meta: { inPlace: true } });
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <div>
          <h3>Authenticator app</h3>
          <p className={LEFT}>
            {data.codeAppSince === null ? (
              'An app on your phone that shows a new code every 30 seconds.'
            ) : (
              <>
                Set up <Day time={data.codeAppSince} />. Signing in asks for its code.
              </>
            )}
          </p>
        </div>
        {data.codeAppSince === null ? (
          <Button
            size="small"
            look={data.required && data.passkeys.length === 0 ? 'primary' : 'quiet'}
            busy={begin.isPending}
            onClick={() => begin.mutate({})}
          >
            Set up
          </Button>
        ) : (
          <Button size="small" busy={remove.isPending} onClick={() => setAsking(true)}>
            Remove
          </Button>
        )}
      </div>
      {(begin.error ?? remove.error) && <Notice>{firstWordsOf(begin.error ?? remove.error)}</Notice>}
      {begin.data && (
        <CodeAppDialog
          app={begin.data}
          onClose={() => begin.reset()}
          onAdded={(codes) => {
            begin.reset();
            // The codes are news enough, and a toast would cover the dialog's button on a phone.
            if (codes.length === 0) notify.success('Authenticator app set up');
            onRecoveryCodes(codes);
          }}
        />
      )}
      {asking && (
        <Confirmation
          question="Remove the authenticator app?"
          action="Remove"
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            remove.mutate(undefined, { onSuccess: () => notify.success('Authenticator app removed') });
          }}
        >
          {whatRemains(data)}
        </Confirmation>
      )}
    </div>
  );
}

/** What signing in takes once the code app is removed. */
function whatRemains({ passkeys, required }: SecondFactors): string {
  if (passkeys.length > 0)
    return 'Your passkeys remain, and signing in with your password asks for one of them.';
  const codes = 'Your recovery codes no longer work.';
  return required
    ? `${codes} Your role needs a second factor: until you add one, you can do nothing else.`
    : `${codes} Your password alone will then be enough to sign in.`;
}

function RecoveryCodes({ left, onRecoveryCodes }: PartProps & { left: number }) {
  const renew = useSecondFactorChange(() => send(renewRecoveryCodes));
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <div>
          <h3>Recovery codes</h3>
          <p className={LEFT} data-low={left <= 2}>
            {left} of {RECOVERY_CODES} left, in case you lose your phone and passkeys.
          </p>
        </div>
        <Button size="small" busy={renew.isPending} onClick={() => setAsking(true)}>
          Make new ones
        </Button>
      </div>
      {renew.isError && <Notice>{firstWordsOf(renew.error)}</Notice>}
      {asking && (
        <Confirmation
          question="Make new recovery codes?"
          action="Make new ones"
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => onRecoveryCodes(recoveryCodes) });
          }}
        >
          Your old codes will stop working.
        </Confirmation>
      )}
    </div>
  );
}
