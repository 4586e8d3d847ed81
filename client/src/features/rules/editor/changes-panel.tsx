import * as m from '#words/messages.js';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import type { RulesVersion } from '#contracts/rules/rule-views.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { DateInput } from '../../../components/form/date-input.js';
import { Field, TypedField } from '../../../components/form/field.js';
import { Notice } from '../../../components/dialog/notice.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { Differences } from '../differences.js';
import { WHAT_IF } from '../rules-calls.js';
import { isSaidElsewhere, type RulesEditorState } from './use-rules-editor.js';
import { beginningText } from '../rule-versions.js';

interface ChangesPanelProps {
  editor: RulesEditorState;
  /** The draft that is edited; null where it is none yet. */
  draft: RulesDraft | null;
  startsAfterMinutes: number;
  onKeep: (form: HTMLElement) => void;
}

/** Beside the form: what changes, from when and why, and what becomes of it. */
export function ChangesPanel({ editor, draft, startsAfterMinutes, onKeep }: ChangesPanelProps) {
  const { typed, edit, errors, rules, changes, base, change, save } = editor;
  const failed = [change.error, save.error].find((error) => error && !isSaidElsewhere(error));
  const wrong = [...errors.keys()].filter((path) => path !== 'from' && path !== 'why').length;
  return (
    <section
      className="side-panel [&>:not([role=group])]:flex-none to-1000:static to-1000:max-h-none"
      aria-label={m.rules_what_changes()}
    >
      {draft && (
        <TypedField
          label={m.rules_draft_name()}
          error={errors.get('name') ?? (typed.name.trim() === '' ? m.rules_draft_nameless() : undefined)}
          type="text"
          autoComplete="off"
          maxLength={80}
          value={typed.name}
          onValue={(value) => edit({ name: value })}
        />
      )}
      <div>
        <h3 className="text-3">{m.rules_what_changes()}</h3>
        <p className="note">
          {(typed.from === '' ? m.rules_compared_now : m.rules_compared_then)({ version: base.version })}
        </p>
      </div>
      {/* It scrolls where much changes, also by keyboard. */}
      {/* What is to be done stays in sight, however much changes. */}
      <div
        className="flex-[0_1_auto] min-h-20 overflow-y-auto to-1000:min-h-0"
        aria-live="polite"
        role="group"
        aria-label={m.rules_changes()}
        tabIndex={0}
      >
        {changes.length > 0 ? (
          <Differences changes={changes} />
        ) : rules ? (
          <p className="quiet">{m.rules_no_changes()}</p>
        ) : (
          <p className="quiet">{m.rules_fields_wrong({ count: wrong })}</p>
        )}
      </div>
      <Field
        label={m.rules_from()}
        hint={m.rules_from_hint({ count: startsAfterMinutes })}
        errors={[errors.get('from')]}
      >
        {(control) => (
          <DateInput
            {...control}
            value={typed.from}
            onChange={({ target }) => edit({ from: target.value })}
          />
        )}
      </Field>
      <Field label={m.rules_why()} hint={m.rules_why_hint()} errors={[errors.get('why')]}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={1_000}
            aria-required="true"
            value={typed.why}
            onChange={({ target }) => edit({ why: target.value })}
          />
        )}
      </Field>
      {failed && <Notice>{firstWordsOf(failed)}</Notice>}
      <div className="flex flex-wrap gap-3 [&>:first-child]:flex-[1_1_auto]">
        <Button
          type="submit"
          look="primary"
          busy={change.isPending}
          disabled={(rules && changes.length === 0) || editor.newVersions.length > 0}
        >
          {draft ? m.rules_put_in_force() : m.rules_change()}
        </Button>
        <Button
          busy={save.isPending}
          disabled={draft ? !editor.isTouched || typed.name.trim() === '' : changes.length === 0}
          onClick={({ currentTarget }) => {
            const form = currentTarget.closest('form');
            if (form) onKeep(form);
          }}
        >
          {draft ? m.rules_save_draft() : m.rules_keep_draft()}
        </Button>
        {rules && changes.length > 0 && (
          <ButtonLink to={WHAT_IF} state={{ rules }}>
            {m.rules_what_if()}
          </ButtonLink>
        )}
        {editor.isTouched && (
          <Button look="plain" onClick={editor.reset}>
            {m.rules_start_over()}
          </Button>
        )}
      </div>
    </section>
  );
}

function newVersionText(newest: RulesVersion, isDraft: boolean): string {
  const { changedBy, version, state, why } = newest;
  const told = {
    ...{ who: changedBy ?? m.rules_somebody_first(), version, state },
    ...{ from: beginningText(newest), since: isDraft ? 'draft' : 'start' },
  };
  return why === null ? m.rules_concurrent(told) : m.rules_concurrent_why({ ...told, why });
}

interface EditorNewsProps {
  editor: RulesEditorState;
  /** The draft that was opened. */
  draft: RulesDraft | null;
  isDraftGone: boolean;
}

/** What others have done meanwhile: it is said, and what was typed is kept. */
export function ConcurrentChanges({ editor, draft, isDraftGone }: EditorNewsProps) {
  const [newest] = editor.newVersions;
  const theirs = editor.newDraft;
  return (
    <div className="flex flex-col gap-3 not-empty:mb-6">
      {newest && (
        <Notice
          look="news"
          action={
            <Button size="small" onClick={editor.takeVersionsIn}>
              {m.rules_apply()}
            </Button>
          }
        >
          {newVersionText(newest, draft !== null)} {m.rules_concurrent_apply()}
        </Notice>
      )}
      {theirs && (
        <Notice
          look="news"
          action={
            <>
              <Button size="small" onClick={() => editor.takeDraft(theirs)}>
                {m.rules_show_theirs()}
              </Button>
              <Button size="small" onClick={() => editor.keepMine(theirs)}>
                {m.rules_keep_mine()}
              </Button>
            </>
          }
        >
          {m.rules_draft_edited({ who: theirs.changedBy ?? m.rules_somebody_first() })}
        </Notice>
      )}
      {isDraftGone && <Notice look="news">{m.rules_draft_taken()}</Notice>}
    </div>
  );
}
