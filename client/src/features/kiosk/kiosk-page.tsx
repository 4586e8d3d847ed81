import { useEffect, useState } from 'react';
import { DEVICE_CODE_DIGITS } from '#contracts/self-service/devices.js';
import { bindKiosk } from '#contracts/self-service/self-service.js';
import { LANGUAGES } from '#contracts/languages.js';
import * as m from '#words/messages.js';
import { libraryTitle } from '../../domain/library.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { session, useUser } from '../../lib/session.js';
import { Said } from './kiosk-parts.js';
import styles from './kiosk.module.css';
import { Languages } from './languages.js';
import { Pad } from './pad.js';
import { Station } from './station.js';
import { useKiosk } from './use-kiosk.js';

/** A touch screen at which readers help themselves, once an admin has bound it. */
export function KioskPage() {
  usePageTitle(m.kiosk_title());
  const { kiosk, isOnline, look } = useKiosk();
  const user = useUser();
  // Nobody is signed in where everybody comes by.
  useEffect(() => {
    if (kiosk && user) session.end();
  }, [kiosk, user]);
  // What the browser remembers of a page that was left may be somebody's.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && window.location.reload();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
  return (
    <main className={styles.kiosk} onContextMenu={(event) => event.preventDefault()} data-kiosk>
      <p className="font-serif text-3 font-medium">{libraryTitle}</p>
      {kiosk === null && <Bind onBound={look} />}
      {kiosk?.isClosed && <Said title={m.kiosk_out_of_service()}>{m.kiosk_closed()}</Said>}
      {kiosk && !kiosk.isClosed && <Station kiosk={kiosk} isOnline={isOnline} />}
      {kiosk === undefined && !isOnline && <Said title={m.kiosk_out_of_service()}>{m.kiosk_offline()}</Said>}
    </main>
  );
}

/** Asks for the code that an admin has made. */
function Bind({ onBound }: { onBound: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const bind = async (code: string) => {
    setBusy(true);
    try {
      await send(bindKiosk, { body: { code } });
      await onBound();
    } catch (failure) {
      setError(firstWordsOf(failure));
      setBusy(false);
    }
  };
  return (
    <Said title={m.kiosk_unbound()}>
      <p className="max-w-measure">{m.kiosk_unbound_lead()}</p>
      <Pad
        label={m.kiosk_code()}
        action={m.kiosk_bind()}
        least={DEVICE_CODE_DIGITS}
        most={DEVICE_CODE_DIGITS}
        busy={isBusy}
        error={error}
        onDone={(code) => void bind(code)}
      />
      <Languages languages={LANGUAGES} />
    </Said>
  );
}
