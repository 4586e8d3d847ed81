import ScanBarcode from 'lucide-react/icons/scan-barcode';
import { useCallback, useEffect, useState } from 'react';
import type { Visit } from '#contracts/accounts/reader-card.js';
import { VISIT_TEXTS } from '#contracts/self-service/refusal-texts.js';
import { beginVisit, endSelfServiceVisit, type Kiosk } from '#contracts/self-service/self-service.js';
import * as m from '#words/messages.js';
import { PrintedSlip } from '../../domain/readers/slip/slip.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { siteLanguage } from '../../lib/languages.js';
import { KioskButton, Said } from './kiosk-parts.js';
import { Idle } from './idle.js';
import { Languages, speak } from './languages.js';
import { Pad } from './pad.js';
import { useScans } from './use-scans.js';
import { VisitScreen, type Leaving, type Visitor } from './visit-screen.js';

/** Seconds for which a reader who goes is thanked. */
const THANKED = 8;

type Stage =
  | { at: 'welcome'; said: string | null }
  | { at: 'pin'; card: string; said: string | null }
  /** Without a reader, books are given back. */
  | { at: 'visit'; visitor: Visitor | null }
  | { at: 'goodbye'; leaving: Leaving };

const WELCOME: Stage = { at: 'welcome', said: null };

/** What a bound kiosk shows, from one reader to the next. What is known of a reader is kept here alone, and goes with them. */
export function Station({ kiosk, isOnline }: { kiosk: Kiosk; isOnline: boolean }) {
  const [stage, setStage] = useState<Stage>(WELCOME);
  const [isBusy, setBusy] = useState(false);
  const [answers, setAnswers] = useState(0);
  const [own] = kiosk.languages;

  const welcome = useCallback(
    (said: string | null = null) => {
      setStage({ at: 'welcome', said });
      if (own && own !== siteLanguage && said === null) speak(own);
    },
    [own],
  );

  const begin = async (card: string, pin?: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      const body = { card: card.slice(0, 40), ...(pin && { pin }) };
      const answer = await send(beginVisit, { body });
      if (answer.outcome === 'welcome') return setStage({ at: 'visit', visitor: answer });
      if (answer.why === 'PinNeeded') return setStage({ at: 'pin', card, said: null });
      const said = VISIT_TEXTS[answer.why]();
      setStage((before) => {
        if (answer.why === 'PinWrong') return { at: 'pin', card, said };
        // Perhaps a book that somebody could not wait with.
        if (answer.why === 'CardUnknown' && before.at === 'pin') return { ...before, said };
        return { at: 'welcome', said };
      });
    } catch (error) {
      setStage({ at: 'welcome', said: sentenceOf(error) });
    } finally {
      setBusy(false);
      setAnswers((before) => before + 1);
    }
  };

  const over = () => {
    if (stage.at !== 'visit' || !stage.visitor) return;
    const params = { visit: stage.visitor.visit };
    // Where it does not get through, the visit ends by itself.
    send(endSelfServiceVisit, { params }).catch(() => undefined);
  };

  const end = (leaving: Leaving | null, said: string | null = null) => {
    over();
    if (leaving) setStage({ at: 'goodbye', leaving });
    else welcome(said);
  };

  useScans((text) => {
    if (stage.at !== 'visit' && isOnline) void begin(text);
  });

  if (stage.at === 'visit') {
    return (
      <VisitScreen
        // Another reader's screen is another one.
        key={stage.visitor?.visit ?? 'nobody'}
        visitor={stage.visitor}
        isOnline={isOnline}
        onCard={(card) => {
          over();
          setStage(WELCOME);
          void begin(card);
        }}
        onEnd={end}
      />
    );
  }
  if (!isOnline) return <Said title={m.kiosk_out_of_service()}>{m.kiosk_offline()}</Said>;
  if (stage.at === 'goodbye') return <Goodbye leaving={stage.leaving} onDone={welcome} />;
  if (stage.at === 'pin') {
    return (
      <Said title={m.kiosk_pin_enter()}>
        <Idle onIdle={welcome} />
        <Pad
          // What a scanner typed into it is no PIN.
          key={answers}
          label={m.kiosk_pin_enter()}
          action={m.kiosk_next()}
          least={4}
          most={6}
          isSecret
          busy={isBusy}
          error={stage.said}
          onDone={(pin) => void begin(stage.card, pin)}
        />
        <KioskButton onClick={() => welcome()}>{m.common_cancel()}</KioskButton>
      </Said>
    );
  }
  const isForeign = own !== undefined && own !== siteLanguage;
  return (
    <Said title={m.kiosk_scan_card()}>
      {isForeign && <Idle key={stage.said} onIdle={welcome} />}
      <ScanBarcode className="size-28 text-accent-text" strokeWidth={1.2} aria-hidden="true" />
      <p className="max-w-measure">{m.kiosk_scan_card_lead()}</p>
      <p role="alert" className="min-h-8 max-w-measure text-danger font-semibold">
        {isBusy ? null : stage.said}
      </p>
      <KioskButton look="primary" onClick={() => setStage({ at: 'visit', visitor: null })}>
        {m.kiosk_give_back_without_card()}
      </KioskButton>
      <div className="flex flex-wrap gap-4">
        <Languages languages={kiosk.languages} />
      </div>
      <p className="text-ink-soft text-1">{kiosk.name}</p>
    </Said>
  );
}

function Goodbye({ leaving: { slip, name, isUnsure }, onDone }: { leaving: Leaving; onDone: () => void }) {
  const [printed, setPrinted] = useState<Visit | null>(slip);
  const over = useCallback(() => setPrinted(null), []);
  useEffect(() => {
    const timer = window.setTimeout(onDone, THANKED * 1000);
    return () => window.clearTimeout(timer);
  }, [onDone]);
  return (
    <Said title={m.kiosk_goodbye()}>
      <p className="max-w-measure">{isUnsure ? m.kiosk_unsure() : m.kiosk_take_card()}</p>
      <KioskButton look="primary" onClick={() => onDone()}>
        {m.common_done()}
      </KioskButton>
      {printed && <PrintedSlip visit={printed} reader={{ fullname: name }} onDone={over} />}
    </Said>
  );
}
