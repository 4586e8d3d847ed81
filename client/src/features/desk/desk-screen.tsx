import * as m from '#words/messages.js';
import { registerAtDesk } from '#contracts/accounts/readers.js';
import { May } from '../../domain/may.js';
import { StaffLink } from '../../domain/staff-link.js';
import Camera from 'lucide-react/icons/camera';
import UserPlus from 'lucide-react/icons/user-plus';
import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { lazy, Suspense, useEffect, useMemo, useRef, useState, useEffectEvent } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../../components/form/button.js';
import { Segments } from '../../components/form/segments.js';
import { LiveBadge } from '../../domain/live/live-badge.js';
import { SlipPaperChoice } from '../../domain/readers/slip/slip.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { useUser } from '../../lib/session.js';
import { useStore } from '../../lib/store.js';
import { desk, hasUnfinished } from './desk.js';
import type { DeskLine, DeskMode } from './desk-lines.js';
import pagePart from '../../components/display/page-part.module.css';
import { classNames } from '../../lib/class-names.js';
import styles from './desk-screen.module.css';
import { ReaderSide } from './reader-side.js';
import { ResultLine, RunningList } from './scan-results.js';
import { ScanField, useScanner } from './scan-field.js';
import { useSound } from './sounds.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { DeskMoney } from '../../domain/borrowing/take-payment.js';
import { DeskPayment } from '../../domain/borrowing/desk-payment.js';
import { useReaderPanel } from '../../domain/readers/get-reader-panel.js';
import { notify } from '../../lib/notify.js';
import type { Question } from './execute-scan.js';

// With what reads barcodes in a picture: most desks have a scanner.
const CameraScanner = lazy(async () => ({
  default: (await import('./camera/camera-scanner.js')).CameraScanner,
}));

const RegisterReader = lazy(async () => ({
  default: (await import('./register-reader.js')).RegisterReader,
}));

const DeskShortcuts = lazy(async () => ({ default: (await import('./desk-shortcuts.js')).DeskShortcuts }));

const MODES = ['hand-over', 'take-back'] as const satisfies readonly DeskMode[];
const MODE_LABELS: Record<DeskMode, { name: string; key: string }> = {
  'hand-over': { name: m.desk_hand_over(), key: 'F2' },
  'take-back': { name: m.desk_take_back(), key: 'F4' },
};

/** The desk: one field, always listening. */
export function DeskScreen() {
  usePageTitle(m.desk_title());
  const queries = useQueryClient();
  const userId = useUser()?.id;
  const { mode, reader, pending, lines, tries, question } = useStore(desk.store);
  const [paying, setPaying] = useState<{ line: DeskLine; kind: DeskMoney }>();
  const pay = (line: DeskLine, kind: DeskMoney = 'payment') => setPaying({ line, kind });
  const [hasCamera, setHasCamera] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
  const [registers, setRegisters] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const listen = useMemo(
    () => ({
      field,
      onScan: desk.scan,
      onMode: desk.turnTo,
      onEscape: () => {
        const { question: open, reader: present } = desk.store.get();
        if (field.current?.value) field.current.value = '';
        else if (open) desk.choose(null);
        else if (present) desk.endReader();
      },
      onUndo: () => desk.undo(),
      onKeys: () => setShowsKeys(true),
    }),
    [],
  );
  useScanner(listen);
  useEffect(() => {
    if (userId !== undefined) desk.open(queries, userId);
  }, [queries, userId]);
  useEffect(() => {
    // A reload keeps what is unfinished; a window that is closed does not.
    const ask = (event: BeforeUnloadEvent) => hasUnfinished() && event.preventDefault();
    const goOn = () => desk.tryNow();
    window.addEventListener('beforeunload', ask);
    window.addEventListener('online', goOn);
    return () => {
      window.removeEventListener('beforeunload', ask);
      window.removeEventListener('online', goOn);
    };
  }, []);
  const [last] = lines;
  const handed = new Set(
    lines.flatMap(({ wasRented, borrowId }) => (wasRented && borrowId ? [borrowId] : [])),
  );
  const hasSlip = lines.some(
    ({ did, undone, person }) => did !== undefined && !undone && person?.id === reader?.id,
  );

  return (
    <>
      <header className={classNames(pagePart.head, 'mb-4')}>
        <h2 className={pagePart.name}>{m.desk_title()}</h2>
        <Segments
          label={m.desk_modes()}
          values={MODES}
          chosen={mode}
          onChoose={desk.turnTo}
          className={styles.modes}
        >
          {(each) => (
            <>
              {MODE_LABELS[each].name} <kbd className={styles.key}>{MODE_LABELS[each].key}</kbd>
            </>
          )}
        </Segments>
        <May make={registerAtDesk}>
          <Button icon={UserPlus} size="small" onClick={() => setRegisters(true)}>
            {m.desk_new_reader()}
          </Button>
        </May>
        {'mediaDevices' in navigator && (
          <Button
            icon={Camera}
            size="small"
            look="plain"
            aria-pressed={hasCamera}
            onClick={() => setHasCamera((before) => !before)}
          >
            {m.desk_camera()}
          </Button>
        )}
        <SoundSwitch />
        <SlipPaperChoice />
        <Button size="small" look="plain" className="phone:hidden" onClick={() => setShowsKeys(true)}>
          {m.dialog_keys()} <kbd className={styles.key}>?</kbd>
        </Button>
        <LiveBadge />
      </header>
      <div className={styles.desk} data-mode={mode} data-unfinished={pending.length}>
        <div className="flex flex-col gap-4 min-w-0">
          {hasCamera && (
            <Suspense fallback={null}>
              <CameraScanner onScan={desk.scan} onClose={() => setHasCamera(false)} />
            </Suspense>
          )}
          <ScanField field={field} mode={mode} hasReader={reader !== null} onScan={desk.scan} />
          {mode === 'hand-over' && reader && (
            <p className={styles.forWhom}>
              <StaffLink to={`/admin/readers/${reader.id}`}>{reader.fullname}</StaffLink>
              <Button size="small" onClick={() => desk.endReader()}>
                {m.common_done()} <kbd className={styles.key}>Esc</kbd>
              </Button>
            </p>
          )}
          {question ? (
            <ChooseReader question={question} />
          ) : (
            <ResultLine line={last} mode={mode} waiting={pending.length} isAway={tries > 0} onPay={pay} />
          )}
          <RunningList lines={lines} pending={pending} onPay={pay} />
        </div>
        {mode === 'hand-over' && reader && (
          <ReaderSide key={reader.id} reader={reader} handed={handed} hasSlip={hasSlip} />
        )}
      </div>
      <Suspense fallback={null}>
        {showsKeys && <DeskShortcuts onClose={() => setShowsKeys(false)} />}
        {registers && (
          <RegisterReader
            onRegistered={({ card }) => {
              desk.turnTo('hand-over');
              desk.scan(card.number);
            }}
            onClose={() => setRegisters(false)}
          />
        )}
      </Suspense>
      {paying && (
        <PayAtDesk
          {...paying}
          onClose={() => {
            setPaying(undefined);
            // What cannot be asked now, the list goes on saying as it was.
            desk.lookAgain(paying.line).catch(() => undefined);
          }}
        />
      )}
    </>
  );
}

function SoundSwitch() {
  const { isOn, toggle } = useSound();
  const Icon = isOn ? Volume2 : VolumeX;
  return (
    <Button icon={Icon} size="small" look="plain" aria-pressed={isOn} onClick={toggle}>
      {isOn ? m.desk_sound_on() : m.desk_sound_off()}
    </Button>
  );
}

/** Takes what a scan found to be owed: for its borrow, or, where another one stands in the way, for the first that does. */
function PayAtDesk({ line, kind, onClose }: { line: DeskLine; kind: DeskMoney; onClose: () => void }) {
  const { data, isSuccess, isFetching } = useReaderPanel(line.person?.id ?? '');
  // It stays the one for which the window was opened, though it is paid and leaves the panel.
  const [chosen, setChosen] = useState<BorrowView>();
  const borrows = data?.borrows.map(({ borrow }) => borrow) ?? [];
  const action = kind === 'payment' ? 'pay' : 'refund';
  const owing = borrows.filter(({ availableActions }) => availableActions.includes(action));
  const found = owing.find(({ id }) => id === line.borrowId) ?? owing[0];
  if (!chosen && found) setChosen(found);
  const isNothing = isSuccess && !isFetching && !found && !chosen;
  useEffect(() => {
    if (!isNothing) return;
    notify.info(m.desk_nothing_owed());
    onClose();
  }, [isNothing, onClose]);
  return (
    <DeskPayment
      borrow={borrows.find(({ id }) => id === chosen?.id) ?? chosen}
      kind={kind}
      say={(words, left) => desk.paid(line, words, left)}
      onClose={onClose}
    />
  );
}

/** Several are called so. The arrows and Enter choose while the field is empty; what was scanned meanwhile waits. */
function ChooseReader({ question: { found } }: { question: Question }) {
  const { readers, totalCount } = found;
  const [at, setAt] = useState(0);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (target instanceof HTMLInputElement && target.value !== '') return;
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, readers.length - 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0));
    else if (event.key === 'Enter' && target instanceof HTMLInputElement) desk.choose(readers[at] ?? null);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    // Before the field, which is empty after the Enter of a scan.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, []);
  return (
    <section
      className="flex flex-col gap-3 min-h-46 p-6 border-l-6 border-issued rounded bg-surface"
      aria-labelledby="which-reader"
    >
      <p id="which-reader" className={styles.headline}>
        {m.desk_which_reader()}
      </p>
      <ul role="list">
        {readers.map((reader, index) => (
          <li key={reader.id}>
            <button
              type="button"
              className={classNames(
                'flex flex-wrap items-baseline gap-x-3 gap-y-0 w-full min-h-11 py-2 px-3 rounded text-left cursor-pointer',
                '[&:is([data-at],:hover)]:bg-accent-wash data-at:[box-shadow:inset_3px_0_var(--accent-text)]',
              )}
              data-at={index === at || undefined}
              onClick={() => desk.choose(reader)}
            >
              <span className={styles.title}>{reader.fullname}</span>
              <span className="note">
                {reader.userName}, {reader.email}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p className="note">
        {totalCount > readers.length ? `${m.desk_type_more({ count: totalCount })} ` : ''}
        {m.desk_choose_by_keys()}
      </p>
    </section>
  );
}
