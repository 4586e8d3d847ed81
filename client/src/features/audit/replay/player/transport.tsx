import * as m from '#words/messages.js';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import SkipBack from 'lucide-react/icons/skip-back';
import SkipForward from 'lucide-react/icons/skip-forward';
import { type CSSProperties, type KeyboardEvent, type ReactNode, useId } from 'react';
import { classNames } from '../../../../lib/class-names.js';
import { isoMinute } from '../../../../lib/dates.js';
import { eventText } from '../../../../domain/borrowing/event-labels.js';
import type { History } from '../history/history.js';
import { SPEEDS, type Replay } from './use-replay.js';
import type { Proportion, Scale } from '../chart/scale.js';
import styles from './transport.module.css';

interface TransportProps {
  history: History;
  replay: Replay;
  scale: Scale;
  proportion: Proportion;
  onProportion: (proportion: Proportion) => void;
  /** What else belongs to the drawing. */
  children: ReactNode;
}

/** Steps of the slider; fine enough for a day in thirty years. */
const FINENESS = 1_000_000;
const PAGE = 10;

/** The slider over the whole history, and what moves it. */
export function Transport({
  history: { events },
  replay,
  scale,
  proportion,
  onProportion,
  children,
}: TransportProps) {
  const { number, stops, playing, step, goTo } = replay;
  const total = events.length;
  const event = events[number - 1];
  const words = event
    ? m.audit_instant_at({ number, total, time: isoMinute(event.when), what: eventText(event) })
    : m.audit_instant_before({ total });

  const onKeyDown = (pressed: KeyboardEvent) => {
    if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
    const does: Partial<Record<string, () => void>> = {
      ArrowRight: () => step(1),
      ArrowUp: () => step(1),
      ArrowLeft: () => step(-1),
      ArrowDown: () => step(-1),
      PageUp: () => step(PAGE),
      PageDown: () => step(-PAGE),
      Home: () => goTo(stops[0] ?? 0),
      End: () => goTo(stops.at(-1) ?? total),
      ' ': replay.toggle,
    };
    const act = does[pressed.key];
    if (!act) return;
    pressed.preventDefault();
    act();
  };
  const place = scale.ofNumber(number);
  const onSlide = (value: number) => goTo(nearest(stops, scale, value / FINENESS));

  return (
    <div className="flex flex-col gap-2">
      <div
        // The middle of the thumb is where the instant is, in line with the drawing above.
        className="-mx-2.5"
      >
        <input
          type="range"
          className={styles.slider}
          style={{ '--done': place } as CSSProperties}
          min={0}
          max={FINENESS}
          value={Math.round(place * FINENESS)}
          aria-label={m.audit_instant()}
          aria-valuetext={words}
          onChange={(change) => onSlide(Number(change.target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="inline-flex items-center gap-1">
          <button
            type="button"
            className={styles.button}
            aria-label={m.audit_step_back()}
            title={m.audit_step_back()}
            disabled={number <= (stops[0] ?? 0)}
            onClick={() => step(-1)}
          >
            <SkipBack size={18} aria-hidden="true" />
          </button>
          <button
            type="button"
            className={classNames(styles.button, styles.play)}
            aria-label={playing ? m.audit_pause() : m.audit_play()}
            title={playing ? m.audit_pause() : m.audit_play()}
            disabled={stops.length < 2}
            onClick={replay.toggle}
          >
            {playing ? (
              <Pause size={20} fill="currentcolor" strokeWidth={0} aria-hidden="true" />
            ) : (
              <Play size={20} fill="currentcolor" strokeWidth={0} aria-hidden="true" />
            )}
          </button>
          <button
            type="button"
            className={styles.button}
            aria-label={m.audit_step_forward()}
            title={m.audit_step_forward()}
            disabled={number >= (stops.at(-1) ?? 0)}
            onClick={() => step(1)}
          >
            <SkipForward size={18} aria-hidden="true" />
          </button>
        </div>
        <Segments
          label={m.audit_speed()}
          value={replay.speed}
          options={SPEEDS.map((speed) => ({
            value: speed,
            label: `${speed}×`,
            title: (proportion === 'time' ? m.audit_pace_days : m.audit_pace_events)({ count: speed }),
          }))}
          onChoose={replay.setSpeed}
        />
        <Segments
          label={m.audit_proportion()}
          value={proportion}
          options={[
            { value: 'time', label: m.audit_by_time(), title: m.audit_by_time_title() },
            { value: 'events', label: m.audit_by_event(), title: m.audit_by_event_title() },
          ]}
          onChoose={onProportion}
        />
        {replay.unseen > 0 && (
          <button
            type="button"
            className="min-h-8.5 py-0 px-3 rounded bg-mark text-ink text-1 font-strong cursor-pointer hover:underline phone:min-h-11"
            onClick={() => goTo(total)}
          >
            {m.audit_unseen({ count: replay.unseen })}
          </button>
        )}
        {children}
      </div>
    </div>
  );
}

/** The stop that is drawn nearest to a place. */
function nearest(stops: readonly number[], scale: Scale, place: number): number {
  const at = scale.numberAt(place);
  const next = stops.findIndex((stop) => stop > at);
  const after = stops[next === -1 ? stops.length - 1 : next] ?? at;
  const before = stops[(next === -1 ? stops.length : next) - 1] ?? after;
  return place - scale.ofNumber(before) <= scale.ofNumber(after) - place ? before : after;
}

interface SegmentsProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; title?: string }[];
  onChoose: (value: Value) => void;
}

/** A choice of few, all in sight. */
function Segments<Value extends string | number>({ label, value, options, onChoose }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <fieldset className="inline-flex m-0 p-0 border border-line-strong rounded bg-surface">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.segment} title={option.title}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
