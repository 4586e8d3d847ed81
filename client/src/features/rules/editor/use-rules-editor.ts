import * as m from '#words/messages.js';
import { useState } from 'react';
import type { NewRulesDraft, RulesDraft } from '#contracts/rules/draft-views.js';
import { isDay } from '#contracts/local-day.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { RequestError } from '../../../lib/api/request-error.js';
import { isoDay } from '../../../lib/dates.js';
import { differences } from '../rule-texts.js';
import { beginningOn, inForceAt, latestOf } from '../rule-versions.js';
import { useChangeRules, useSaveDraft } from '../rules-calls.js';
import { rebaseTyped, rulesOf, typedOf, usualOf, type TypedRules } from './typed-rules.js';

export interface EditorStart {
  overview: RulesOverview;
  draft: RulesDraft | null;
}

/** All that is typed. */
interface Typed {
  rules: TypedRules;
  from: string;
  why: string;
  name: string;
}

/** Whose rules it begins with, where it is neither the draft nor those in force. */
interface Begins {
  version: number | null;
  /** What was typed on another page, and is kept nowhere yet. */
  given: RuleSet | null;
}

const startOf = ({ overview, draft }: EditorStart, version: number | null): Typed => {
  const earlier = overview.versions.find((each) => each.version === version);
  return {
    rules: typedOf((draft ?? earlier ?? overview.current).rules),
    from: draft?.from ?? '',
    why: draft?.why ?? '',
    name: draft?.name ?? '',
  };
};

/**
 * The editor of the rules: what is typed, what it changes, what speaks against it, and what others have done since.
 * @param start what it was opened with; `overview` and `draft` are what is known now
 */
export function useRulesEditor(
  start: EditorStart,
  { version, given }: Begins,
  { overview, draft }: EditorStart,
) {
  /** What is on the server, or was begun with: nothing is lost of it. */
  const [saved, setSaved] = useState(() => startOf(start, version));
  const [typed, setTyped] = useState(() => (given ? { ...saved, rules: typedOf(given) } : saved));
  /** The latest version of the rules that the person has looked at, and of the draft. */
  const [seen, setSeen] = useState(start.draft?.basedOn ?? latestOf(start.overview.versions));
  const [revision, setRevision] = useState(start.draft?.revision ?? 0);
  const [isSimulated, setSimulated] = useState(false);
  const [now] = useState(() => Date.now());
  const change = useChangeRules();
  const save = useSaveDraft();

  const { versions } = overview;
  const latest = latestOf(versions);
  const at = Math.max(now, beginningOn(isDay(typed.from) ? typed.from : null, now));
  const base = inForceAt(versions, at) ?? overview.current;
  const read = rulesOf(typed.rules);
  const changes = read.rules ? differences(base.rules, read.rules) : [];

  const errors = new Map<string, string>();
  for (const [path, message] of read.errors)
    if (isSimulated || !/^exceptions\.\d+\.numbers$/.test(path)) errors.set(path, message);
  const isHalfTyped = typed.from !== '' && !isDay(typed.from);
  if (isHalfTyped) {
    // Not while it is being typed.
    if (isSimulated) errors.set('from', m.common_not_a_day());
  } else if (typed.from !== '' && typed.from <= isoDay(now)) errors.set('from', m.rules_past());
  if (isSimulated && typed.why.trim() === '') errors.set('why', m.rules_why_missing());
  for (const [path, message] of serverErrors(change.error, save.error)) errors.set(path, message);

  const newVersions = versions.filter((each) => each.version > seen && each.state !== 'withdrawn');

  const edit = (part: Partial<Typed>) => {
    change.reset();
    save.reset();
    setTyped({ ...typed, ...part });
  };

  return {
    typed,
    edit,
    editRules: (part: Partial<TypedRules>) => edit({ rules: { ...typed.rules, ...part } }),
    base,
    /** By which what is typed for the exceptions is told from what holds anyway. */
    usual: usualOf(typed.rules) ?? base.rules,
    rules: read.rules,
    changes,
    errors,
    /** What is typed for the first day is none yet. */
    isHalfTyped,
    isTouched: JSON.stringify(typed) !== JSON.stringify(saved),
    reset: () => {
      edit(saved);
      setSimulated(false);
    },
    change,
    save,
    try: () => setSimulated(true),

    /** Versions that somebody has made since. */
    newVersions,
    takeVersionsIn: () => {
      const known = inForceAt(versions, at, seen);
      if (known) edit({ rules: rebaseTyped(typed.rules, known.rules, base.rules) });
      setSeen(latest);
    },
    /** The draft as somebody else has saved it since. */
    newDraft: draft !== null && draft.revision > revision ? draft : null,
    takeDraft: (theirs: RulesDraft) => {
      const taken = startOf({ overview, draft: theirs }, null);
      edit(taken);
      setSaved(taken);
      setRevision(theirs.revision);
      setSeen(theirs.basedOn);
    },
    keepMine: (theirs: RulesDraft) => {
      save.reset();
      setRevision(theirs.revision);
    },

    putInForce: (rules: RuleSet, onDone: () => void) =>
      change.mutate(
        {
          ...{ rules, from: typed.from === '' ? null : typed.from, why: typed.why.trim() },
          // What came while it was asked has not been looked at.
          after: newVersions.length > 0 ? seen : latest,
          ...(draft && { draft: draft.id }),
        },
        { onSuccess: onDone },
      ),
    /** @param id of the draft; null for a new one */
    saveDraft: (id: string | null, rules: RuleSet, name: string, onDone: (draft: RulesDraft) => void) => {
      const wanted: NewRulesDraft = {
        ...{ name: name.trim(), rules, from: typed.from === '' ? null : typed.from, why: typed.why.trim() },
        basedOn: seen,
      };
      save.mutate(id === null ? { id, draft: wanted } : { id, draft: { ...wanted, revision } }, {
        onSuccess: (answer) => {
          setRevision(answer.revision);
          setSaved({ ...typed, name });
          onDone(answer);
        },
      });
    },
  };
}

export type RulesEditorState = ReturnType<typeof useRulesEditor>;

/** The server's words by field, as the form names them. */
function serverErrors(...all: (Error | null)[]): [string, string][] {
  return all.flatMap((error) => {
    if (!(error instanceof RequestError)) return [];
    if (error.problem?.code === 'RulesTooSoon') return [['from', error.problem.detail]];
    return Object.entries(error.fieldErrors ?? {}).map(([path, messages]): [string, string] => [
      path.replace(/^rules\./, ''),
      messages[0] ?? '',
    ]);
  });
}

/** Refusals that are shown at a field, or by what the screen then knows. */
const SHOWN_ELSEWHERE = ['RulesTooSoon', 'RulesChangedMeanwhile', 'EditedMeanwhile'];

export const isSaidElsewhere = (error: Error) =>
  error instanceof RequestError && SHOWN_ELSEWHERE.includes(error.problem?.code ?? '');
