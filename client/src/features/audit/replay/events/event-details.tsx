import * as m from '#words/messages.js';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useRef, useState } from 'react';
import type { Actor, AuditEvent } from '#contracts/audit/audit-events.js';
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
    <div ref={box} className={styles.details} role="group" aria-label={m.audit_event({ number })}>
      <Loaded
        of={stored}
        waiting={
          <div
            className="flex flex-col gap-3 min-h-48"
            role="group"
            aria-busy="true"
            aria-label={m.audit_loading_event()}
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

const ACTORS = {
  account: ({ name }: Actor) => name,
  device: ({ name }: Actor) => name,
  'removed account': m.audit_actor_removed,
  job: m.audit_actor_job,
};

function Stored({ event, kinds }: { event: AuditEvent; kinds: HistoryEvent['kinds'] }) {
  return (
    <>
      <dl className={styles.facts}>
        <Fact name={m.audit_who()}>{ACTORS[event.actor.kind](event.actor)}</Fact>
        <Fact name={m.audit_happened()}>
          {event.occurredAt === null ? m.audit_not_known() : isoSecond(event.occurredAt)}
        </Fact>
        <Fact name={m.audit_recorded()}>{isoSecond(event.recordedAt)}</Fact>
        <Fact name={m.audit_revision()}>{event.revision}</Fact>
        {event.policyVersion !== null && (
          <Fact name={m.common_rules()}>{rulesText(event.policyVersion, kinds)}</Fact>
        )}
        <Fact name={m.audit_log_position()}>{event.position}</Fact>
        <Fact name={m.audit_set_in_motion_by()} data-wide>
          {event.correlationId ?? m.audit_not_recorded()}
        </Fact>
        {event.note !== undefined && (
          <Fact name={m.common_reason()} data-wide>
            {event.note}
          </Fact>
        )}
      </dl>
      <Json name={m.audit_data()} value={event.data} />
      <Json name={m.audit_metadata()} value={event.metadata} />
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
      notify.error(m.audit_copy_refused());
    }
  };
  return (
    <Button size="small" className="self-start" onClick={() => void copy()}>
      {copied ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
      <span role="status">{copied ? m.audit_copied() : m.audit_copy_as_json()}</span>
    </Button>
  );
}
