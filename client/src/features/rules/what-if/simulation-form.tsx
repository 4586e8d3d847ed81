import * as m from '#words/messages.js';
import { useState } from 'react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationRequest } from '#contracts/rules/what-if.js';
import { Button } from '../../../components/form/button.js';
import { Choice } from '../../../components/form/choice.js';
import { Notice } from '../../../components/dialog/notice.js';
import { SpanTools, type DaySpan } from '../../../domain/span-tools.js';
import { RequestError, sentenceOf } from '../../../lib/api/request-error.js';
import { Differences } from '../differences.js';
import { differences } from '../rule-texts.js';
import { RulesParts } from '../editor/rules-parts.js';
import { rulesOf, typedOf, usualOf, type TypedRules } from '../editor/typed-rules.js';
import { namedSpans } from './simulation-calls.js';
import { classNames } from '../../../lib/class-names.js';

interface SimulationFormProps {
  /** What it begins with. */
  start: RuleSet;
  /** Those in force. */
  current: RuleSet;
  /** With which rules it may begin, and does. */
  sources: readonly { value: string; label: string }[];
  source: string;
  onSource: (source: string) => void;
  span: DaySpan;
  onSpan: (span: DaySpan) => void;
  onAsk: (request: SimulationRequest) => void;
  asking: boolean;
  /** Why the last one was refused. */
  refusal: unknown;
  /** It was edited since. */
  onForget: () => void;
  /** The trial that is in the way, to be shown. */
  onShowOther: () => void;
}

/** Which rules are tried, and over which days. */
export function SimulationForm({
  start,
  current,
  span,
  onSpan,
  onAsk,
  asking,
  refusal,
  ...rest
}: SimulationFormProps) {
  const { sources, source, onSource, onForget, onShowOther } = rest;
  const [typed, setTyped] = useState(() => typedOf(start));
  const [isOpen, setOpen] = useState(() => differences(current, start).length === 0);
  const read = rulesOf(typed);
  const [lastRead, setLastRead] = useState(start);
  const changes = read.rules ? differences(current, read.rules) : [];
  const refused = fieldErrorsOf(refusal);
  const errors = new Map([...refused, ...read.errors]);
  const isShown = isOpen || refused.length > 0;
  const edit = (part: Partial<TypedRules>) => {
    const next = { ...typed, ...part };
    setTyped(next);
    setLastRead(rulesOf(next).rules ?? lastRead);
    onForget();
  };
  return (
    <form
      className="flex flex-col gap-4 mb-10 p-4 border border-line rounded bg-surface"
      aria-label={m.what_if_form()}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (read.rules) {
          if (asking) return;
          setOpen(false);
          onAsk({ rules: read.rules, ...span });
          return;
        }
        setOpen(true);
        const asked = event.currentTarget;
        requestAnimationFrame(() => asked.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      }}
    >
      <div className="flex flex-col gap-3">
        <div className="[&>span]:max-w-full" data-source={source}>
          <Choice label={m.what_if_begin_with()} value={source} options={sources} onChoose={onSource} />
        </div>
        <SpanTools
          span={span}
          spans={namedSpans()}
          onChange={(days) => {
            onForget();
            onSpan(days);
          }}
        />
        <div aria-live="polite">
          {changes.length > 0 ? (
            <Differences changes={changes} />
          ) : (
            <p className="note">{read.rules ? m.what_if_same_rules() : m.what_if_number_wrong()}</p>
          )}
        </div>
        <details
          className={classNames(
            '[&>summary]:w-fit [&>summary]:min-h-11 [&>summary]:py-2 [&>summary]:px-0 [&>summary]:text-accent-text',
            '[&>summary]:underline [&>summary]:[text-underline-offset:0.2em] [&>summary]:cursor-pointer',
          )}
          open={isShown}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{m.what_if_change_numbers()}</summary>
          {isShown && (
            <RulesParts typed={typed} errors={errors} onEdit={edit} usual={usualOf(typed) ?? lastRead} />
          )}
        </details>
      </div>
      {refusal !== null && (
        <Notice
          action={
            refusal instanceof RequestError && refusal.problem?.code === 'TrialUnderWay' ? (
              <Button size="small" onClick={onShowOther}>
                {m.what_if_show_other()}
              </Button>
            ) : undefined
          }
        >
          {wordsOf(refusal)}
        </Notice>
      )}
      <div
        // In sight, however far down one reads the numbers.
        className="sticky bottom-0 z-1 -m-4 mt-0 py-3 px-4 border-t border-line [border-radius:0_0_var(--radius)_var(--radius)] bg-surface"
      >
        <Button type="submit" look="primary" busy={asking}>
          {m.what_if_ask()}
        </Button>
      </div>
    </form>
  );
}

const OF_RULES = 'rules.';

/** What the server has against fields of the rules, by their names here. */
function fieldErrorsOf(refusal: unknown): [string, string][] {
  if (!(refusal instanceof RequestError)) return [];
  return Object.entries(refusal.fieldErrors ?? {}).flatMap(([path, [message]]): [string, string][] =>
    path.startsWith(OF_RULES) && message !== undefined ? [[path.slice(OF_RULES.length), message]] : [],
  );
}

/** Of the days it says what is wrong with them; of the rules their fields do. */
function wordsOf(refusal: unknown): string {
  const days =
    refusal instanceof RequestError
      ? (refusal.fieldErrors?.['to'] ?? refusal.fieldErrors?.['from'])
      : undefined;
  return days?.[0] ?? sentenceOf(refusal);
}
