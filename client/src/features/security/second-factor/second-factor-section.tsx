import * as m from '#words/messages.js';
import ShieldAlert from 'lucide-react/icons/shield-exclamation-point';
import ShieldCheck from 'lucide-react/icons/shield-check';
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
import { Marked } from '../../../components/display/marked.js';
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
        <h2 id="second-factor">{m.security_second_factor()}</h2>
        {data ? <State isOn={isOn} /> : <Skeleton width="5rem" />}
      </div>
      <p className="max-w-measure text-ink-soft">{m.security_second_factor_lead()}</p>
      {data?.required && !isOn && <Notice look="news">{m.security_second_factor_needed()}</Notice>}
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
      {isOn ? m.security_on() : m.security_off()}
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
          <h3>{m.security_app()}</h3>
          <p className={LEFT}>
            {data.codeAppSince === null ? (
              m.security_app_lead()
            ) : (
              <Marked
                parts={m.security_app_since.parts()}
                as={{ day: () => <Day time={data.codeAppSince} /> }}
              />
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
            {m.security_app_set_up()}
          </Button>
        ) : (
          <Button size="small" busy={remove.isPending} onClick={() => setAsking(true)}>
            {m.common_remove()}
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
            if (codes.length === 0) notify.success(m.security_app_is_set_up());
            onRecoveryCodes(codes);
          }}
        />
      )}
      {asking && (
        <Confirmation
          question={m.security_app_remove_question()}
          action={m.common_remove()}
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            remove.mutate(undefined, { onSuccess: () => notify.success(m.security_app_is_removed()) });
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
  if (passkeys.length > 0) return m.security_passkeys_remain();
  return required ? m.security_nothing_remains_required() : m.security_nothing_remains();
}

function RecoveryCodes({ left, onRecoveryCodes }: PartProps & { left: number }) {
  const renew = useSecondFactorChange(() => send(renewRecoveryCodes));
  const [asking, setAsking] = useState(false);
  return (
    <div className={styles.part}>
      <div className={styles.partHead}>
        <div>
          <h3>{m.security_recovery_codes()}</h3>
          <p className={LEFT} data-low={left <= 2}>
            {m.security_recovery_codes_left({ left, all: RECOVERY_CODES })}
          </p>
        </div>
        <Button size="small" busy={renew.isPending} onClick={() => setAsking(true)}>
          {m.security_recovery_codes_renew()}
        </Button>
      </div>
      {renew.isError && <Notice>{firstWordsOf(renew.error)}</Notice>}
      {asking && (
        <Confirmation
          question={m.security_recovery_codes_renew_question()}
          action={m.security_recovery_codes_renew()}
          onDecline={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            renew.mutate(undefined, { onSuccess: ({ recoveryCodes }) => onRecoveryCodes(recoveryCodes) });
          }}
        >
          {m.security_recovery_codes_renew_loss()}
        </Confirmation>
      )}
    </div>
  );
}
