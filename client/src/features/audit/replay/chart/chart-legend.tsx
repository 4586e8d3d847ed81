import * as m from '#words/messages.js';
import type { View } from './scale.js';
import Maximize2 from 'lucide-react/icons/maximize-2';
import ZoomIn from 'lucide-react/icons/zoom-in';
import ZoomOut from 'lucide-react/icons/zoom-out';
import { useId } from 'react';
import { WHOLE, type StretchKind, type BarEnd } from './bars.js';
import styles from './history-chart.module.css';

/** No narrower than this part of the whole. */
const NARROWEST = 1e-5;

interface ChartZoomProps {
  view: View;
  onView: (view: View) => void;
  /** What stays in view. */
  place: number;
}

export function ChartZoom({ view, onView, place }: ChartZoomProps) {
  const zoom = (factor: number) => {
    const span = Math.min(1, Math.max(NARROWEST, (view.to - view.from) * factor));
    const middle = place >= view.from && place <= view.to ? place : (view.from + view.to) / 2;
    const from = Math.min(1 - span, Math.max(0, middle - span / 2));
    onView({ from, to: from + span });
  };
  const isWhole = view.from === 0 && view.to === 1;
  return (
    <div className={styles.zoom} role="group" aria-label={m.audit_zoom()}>
      <button
        type="button"
        aria-label={m.audit_zoom_out()}
        title={m.audit_zoom_out()}
        disabled={isWhole}
        onClick={() => zoom(2)}
      >
        <ZoomOut size={17} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={m.audit_zoom_in()}
        title={m.audit_zoom_in()}
        onClick={() => zoom(0.5)}
      >
        <ZoomIn size={17} aria-hidden="true" />
      </button>
      <button
        type="button"
        aria-label={m.audit_whole_history()}
        title={m.audit_whole_history()}
        disabled={isWhole}
        onClick={() => onView(WHOLE)}
      >
        <Maximize2 size={16} aria-hidden="true" />
      </button>
    </div>
  );
}

/** What the colours and patterns of the drawing mean. */
export function Legend() {
  const id = useId();
  return (
    <ul
      role="list"
      className="flex flex-wrap gap-y-1 gap-x-4 ml-auto text-ink-soft text-1 [&_li]:inline-flex [&_li]:items-center [&_li]:gap-1.5 phone:ml-0"
    >
      {(Object.keys(STRETCH_LABELS) as StretchKind[]).map((kind) => (
        <li key={kind}>
          <svg width={22} height={12} aria-hidden="true" focusable="false" className={styles[kind]}>
            <Patterns id={id + kind} />
            <rect className={styles.ground} x={0.5} y={0.5} width={21} height={11} />
            {kind !== 'issued' && (
              <rect x={0.5} y={0.5} width={21} height={11} fill={`url(#${id + kind}-${kind})`} />
            )}
          </svg>
          {STRETCH_LABELS[kind]}
        </li>
      ))}
      {(['returned', 'expired'] as const).map((end) => (
        <li key={end}>
          <svg width={14} height={14} viewBox="-7 -7 14 14" aria-hidden="true" focusable="false">
            <g className={styles[end]}>
              <circle r={6.5} />
              <path d={END_MARKS[end]} />
            </g>
          </svg>
          {END_LABELS[end]}
        </li>
      ))}
    </ul>
  );
}

export const STRETCH_LABELS: Record<StretchKind, string> = {
  rented: m.audit_stretch_rented(),
  issued: m.audit_stretch_issued(),
  overdue: m.common_overdue(),
  unpaid: m.audit_stretch_unpaid(),
  paid: m.audit_stretch_paid(),
};
const END_LABELS: Record<BarEnd, string> = {
  returned: m.audit_end_returned(),
  expired: m.audit_end_expired(),
  abandoned: m.audit_end_abandoned(),
};

/** The sign at the end of a bar, around its middle. */
export const END_MARKS: Record<BarEnd, string> = {
  returned: 'M-3 0.2 L-0.8 2.4 L3.2 -2.2',
  expired: 'M-2.4 -2.4 L2.4 2.4 M2.4 -2.4 L-2.4 2.4',
  abandoned: 'M-3 0 H3',
};

/** Each kind of stretch has a pattern beside its colour: colour alone says nothing to many people. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}-rented`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line className={styles.rented} x1="0" y1="0" x2="0" y2="6" />
      </pattern>
      <pattern
        id={`${id}-overdue`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <path className={styles.overdue} d="M0 0 V5 M0 0 H5" />
      </pattern>
      <pattern id={`${id}-unpaid`} width="4" height="4" patternUnits="userSpaceOnUse">
        <line className={styles.unpaid} x1="0" y1="0.5" x2="4" y2="0.5" />
      </pattern>
      <pattern id={`${id}-paid`} width="6" height="6" patternUnits="userSpaceOnUse">
        <circle className={styles.paid} cx="3" cy="3" r="0.9" />
      </pattern>
    </defs>
  );
}
