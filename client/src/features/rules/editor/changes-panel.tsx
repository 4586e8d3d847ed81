import type { RulesDraft } from '#contracts/rules/draft-views.js';
import { Button, ButtonLink } from '../../../components/form/button.js';
import { DateInput } from '../../../components/form/date-input.js';
import { Field, TypedField } from '../../../components/form/field.js';
import { Notice } from '../../../components/dialog/notice.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { Differences } from '../differences.js';
import { WHAT_IF } from '../rules-calls.js';
import { isSaidElsewhere, type RulesEditorState } from './use-rules-editor.js';
import { beginText } from '../rule-versions.js';

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
      aria-label="What changes"
    >
      {draft && (
        <TypedField
          label="Name of the draft"
          error={errors.get('name') ?? (typed.name.trim() === '' ? 'Give it a name.' : undefined)}
          type="text"
          autoComplete="off"
          maxLength={80}
          value={typed.name}
          onValue={(value) => edit({ name: value })}
        />
      )}
      <div>
        <h3 className="text-3">What changes</h3>
        <p className="note">
          {typed.from === '' ? 'From the rules in force' : 'From the rules in force then'}, version{' '}
          {base.version}.
        </p>
      </div>
      {/* It scrolls where much changes, also by keyboard. */}
      {/* What is to be done stays in sight, however much changes. */}
      <div
        className="flex-[0_1_auto] min-h-20 overflow-y-auto to-1000:min-h-0"
        aria-live="polite"
        role="group"
        aria-label="Changes"
        tabIndex={0}
      >
        {changes.length > 0 ? (
          <Differences changes={changes} />
        ) : rules ? (
          <p className="quiet">Nothing yet.</p>
        ) : (
          <p className="quiet">
            {wrong === 1 ? 'One field needs correcting.' : `${wrong} fields need correcting.`}
          </p>
        )}
      </div>
      <Field
        label="From"
        hint={`Blank: ${startsAfterMinutes} minutes after it is confirmed.`}
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
      <Field label="Why" hint="Every version is kept with its reason." errors={[errors.get('why')]}>
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
          {draft ? 'Put in force' : 'Change the rules'}
        </Button>
        <Button
          busy={save.isPending}
          disabled={draft ? !editor.isTouched || typed.name.trim() === '' : changes.length === 0}
          onClick={({ currentTarget }) => {
            const form = currentTarget.closest('form');
            if (form) onKeep(form);
          }}
        >
          {draft ? 'Save the draft' : 'Keep as a draft'}
        </Button>
        {rules && changes.length > 0 && (
          <ButtonLink to={WHAT_IF} state={{ rules }}>
            What if
          </ButtonLink>
        )}
        {editor.isTouched && (
          <Button look="plain" onClick={editor.reset}>
            Start over
          </Button>
        )}
      </div>
    </section>
  );
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
              Apply it
            </Button>
          }
        >
          {newest.changedBy ?? 'Somebody'} has made version {newest.version} of the rules since{' '}
          {draft ? 'this draft was saved' : 'you began'}, which {beginText(newest)}
          {newest.why !== null && ` (“${newest.why}”)`}. Apply it to continue: your changes are kept,
          everything else is updated.
        </Notice>
      )}
      {theirs && (
        <Notice
          look="news"
          action={
            <>
              <Button size="small" onClick={() => editor.takeDraft(theirs)}>
                Show theirs
              </Button>
              <Button size="small" onClick={() => editor.keepMine(theirs)}>
                Keep mine
              </Button>
            </>
          }
        >
          {theirs.changedBy ?? 'Somebody'} has saved this draft meanwhile. Your text is still here; saving it
          would replace theirs.
        </Notice>
      )}
      {isDraftGone && (
        <Notice look="news">
          This draft has been deleted or put in force. Your changes are still here and can be saved as a new
          draft.
        </Notice>
      )}
    </div>
  );
}
