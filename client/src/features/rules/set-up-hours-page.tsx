import * as m from '#words/messages.js';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { Notice } from '../../components/dialog/notice.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { SET_UP, SetUpFrame } from '../../domain/set-up-frame.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { ClosedDaysPart } from './editor/closed-days-part.js';
import { WeekPart } from './editor/rules-parts.js';
import { rulesOf, typedOf, type TypedRules } from './editor/typed-rules.js';
import { differences } from './rule-texts.js';
import { inForceAt, latestOf } from './rule-versions.js';
import { useChangeRules, useRules } from './rules-calls.js';

/** The third step of the set-up: when the library is open. It is a change of the rules like any other. */
export function SetUpHoursPage() {
  const rules = useRules();
  return (
    <SetUpFrame step={2}>
      <Loaded of={rules} waiting={<SkeletonLines label={m.rules_loading()} widths={[60, 80, 40]} />}>
        {(overview) => <Hours overview={overview} />}
      </Loaded>
    </SetUpFrame>
  );
}

function Hours({ overview }: { overview: RulesOverview }) {
  const navigate = useNavigate();
  // With a change that was made a moment ago and begins in some minutes.
  const base = inForceAt(overview.versions, Infinity) ?? overview.current;
  const [typed, setTyped] = useState(() => proposed(typedOf(base.rules)));
  const [isTried, setTried] = useState(false);
  const change = useChangeRules();
  const { rules, errors } = rulesOf(typed);
  const next = () => void navigate(SET_UP.books);
  const onEdit = (part: Partial<TypedRules>) => {
    change.reset();
    setTyped({ ...typed, ...part });
  };
  const submit = (form: HTMLElement) => {
    if (change.isPending) return;
    if (!rules) {
      setTried(true);
      // After what is wrong has been drawn.
      setTimeout(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
    } else if (differences(base.rules, rules).length === 0) next();
    else
      change.mutate(
        { rules, from: null, why: m.set_up_hours_why(), after: latestOf(overview.versions) },
        { onSuccess: next },
      );
  };
  return (
    <form
      className="flex flex-col gap-8"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      <p className="max-w-measure">{m.set_up_hours_lead()}</p>
      <WeekPart typed={typed} errors={isTried ? errors : new Map()} onEdit={onEdit} />
      <ClosedDaysPart typed={typed} errors={isTried ? errors : new Map()} onEdit={onEdit} />
      {change.isError && <Notice>{sentenceOf(change.error)}</Notice>}
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={SET_UP.library}>{m.set_up_back()}</ButtonLink>
        <ButtonLink to={SET_UP.books}>{m.set_up_skip()}</ButtonLink>
        <Button type="submit" look="primary" busy={change.isPending}>
          {m.set_up_next()}
        </Button>
      </div>
    </form>
  );
}

/** Hours to be mended rather than typed, where none were ever said: those of the week's working days. */
const proposed = (typed: TypedRules): TypedRules =>
  typed.hasHours
    ? typed
    : { ...typed, hasHours: true, week: typed.week.map((day, n) => ({ ...day, isOpen: n < 5 })) };
