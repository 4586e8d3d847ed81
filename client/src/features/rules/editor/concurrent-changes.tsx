import type { RulesDraft } from '#contracts/rules/draft-views.js';
import { Button } from '../../../components/form/button.js';
import { Notice } from '../../../components/dialog/notice.js';
import type { RulesEditorState } from './use-rules-editor.js';
import { beginText } from '../version-labels.js';

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
              Take it in
            </Button>
          }
        >
          {newest.changedBy ?? 'Somebody'} has made version {newest.version} of the rules since{' '}
          {draft ? 'this draft was saved' : 'you began'}, which {beginText(newest)}
          {newest.why !== null && ` (“${newest.why}”)`}. Take it in to go on: what you changed stays as you
          typed it, the rest becomes what it is there.
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
                Go on with mine
              </Button>
            </>
          }
        >
          {theirs.changedBy ?? 'Somebody'} has saved this draft meanwhile. What you typed is still here;
          saving it would replace theirs.
        </Notice>
      )}
      {isDraftGone && (
        <Notice look="news">
          This draft was deleted, or put in force, meanwhile. What is typed is still here, and can be kept as
          a new draft.
        </Notice>
      )}
    </div>
  );
}
