import { Check, Copy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { AuditEvent } from '#contracts/audit/audit-events.js';
import { Button } from '../../../../components/form/button.js';
import { Loaded, Skeleton } from '../../../../components/list/placeholders.js';
import { Fact } from '../../../../components/display/fact.js';
import { isoSecond } from '../../../../lib/dates.js';
import { notify } from '../../../../lib/notify.js';
import styles from './event-list.module.css';
import { useStoredEvent } from '../state/get-state.js';
import { type HistoryEvent, rulesText } from '../history/history.js';

interface EventDetailsProps {
  readerId: string;
  event: HistoryEvent;
  number: number;
  onHeight: (height: number) => void;
}

/** An event as it is stored: who did it and why, its data and its metadata. */
export function EventDetails({ readerId, event, number, onHeight }: EventDetailsProps) {
  const box = useRef<HTMLDivElement>(null);
  const stored = useStoredEvent(readerId, event.revision);
  useEffect(() => {
    const details = box.current;
    if (!details) return;
    const observer = new ResizeObserver(() => onHeight(details.offsetHeight));
    observer.observe(details);
    return () => observer.disconnect();
  }, [onHeight]);
  return (
    <div ref={box} className={styles.details} role="group" aria-label={`Event ${number}`}>
      <Loaded
        of={stored}
        waiting={
          <div
            className="flex flex-col gap-3 min-h-48"
            role="group"
            aria-busy="true"
            aria-label="Loading the event"
          >
            {[60, 80, 45].map((width) => (
              <Skeleton key={width} width={`${width}%`} />
            ))}
          </div>
        }
      >
        {(data) => <Stored event={data} kinds={event.kinds} />}
      </Loaded>
    </div>
  );
}

const KINDS = {
  account: '',
  'removed account': ', whose account was removed',
  job: ', a job of the library',
};

function Stored({ event, kinds }: { event: AuditEvent; kinds: HistoryEvent['kinds'] }) {
  return (
    <>
      <dl className={styles.facts}>
        <Fact name="Who">
          {event.actor.name}
          {KINDS[event.actor.kind]}
        </Fact>
        <Fact name="Happened">{event.occurredAt === null ? 'not known' : isoSecond(event.occurredAt)}</Fact>
        <Fact name="Recorded">{isoSecond(event.recordedAt)}</Fact>
        <Fact name="Revision">{event.revision}</Fact>
        {event.policyVersion !== null && <Fact name="Rules">{rulesText(event.policyVersion, kinds)}</Fact>}
        <Fact name="Log position">{event.position}</Fact>
        <Fact name="Set in motion by" data-wide>
          {event.correlationId ?? 'not recorded'}
        </Fact>
        {event.note !== undefined && (
          <Fact name="Reason" data-wide>
            {event.note}
          </Fact>
        )}
      </dl>
      <Json name="Data" value={event.data} />
      <Json name="Metadata" value={event.metadata} />
      <CopyButton event={event} />
    </>
  );
}

function Json({ name, value }: { name: string; value: Record<string, unknown> }) {
  return (
    <section className={styles.json} aria-label={name}>
      <p>{name}</p>
      <pre tabIndex={0} aria-label={name} role="region">
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}

/** How long it says that it has copied. */
const SAID_MS = 2000;

function CopyButton({ event }: { event: AuditEvent }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), SAID_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(event, null, 2));
      setCopied(true);
    } catch {
      notify.error('Your browser does not let this page copy. Please select the text and copy it.');
    }
  };
  return (
    <Button size="small" className="self-start" onClick={() => void copy()}>
      {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
      <span role="status">{copied ? 'Copied' : 'Copy as JSON'}</span>
    </Button>
  );
}
