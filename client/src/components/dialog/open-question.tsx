import { lazy, Suspense, useEffect, useState } from 'react';
import * as m from '#words/messages.js';
import { SelectField } from '../form/choice.js';
import { useQuestion } from '../../lib/question.js';
import { useUser } from '../../lib/session.js';

// Loaded when something is asked for the first time.
const Confirmation = lazy(async () => ({
  default: (await import('./confirmation.js')).Confirmation,
}));

/** Asks what a command needs to know before it is done, wherever in the console one is. */
export function OpenQuestion() {
  const open = useQuestion();
  const [chosen, choose] = useState('');
  const [isMissing, setMissing] = useState(false);
  const user = useUser();
  // Nobody is there any more who could say yes.
  useEffect(() => {
    if (!user) open?.settle(false);
  }, [user, open]);
  if (!open) return null;
  const { question, detail, action, refusal, overrides, choices, settle } = open;
  const end = (isYes: boolean) => {
    if (isYes && choices && chosen === '') {
      document.querySelector<HTMLElement>('[role="alertdialog"] select')?.focus();
      return setMissing(true);
    }
    choose('');
    setMissing(false);
    settle(isYes, chosen);
  };
  return (
    <Suspense fallback={null}>
      <Confirmation
        question={question}
        action={action}
        refusal={refusal}
        {...(overrides && { overrides })}
        {...(choices && {
          more: (
            <SelectField
              label={choices.label}
              options={[{ value: '', label: m.dialog_choose_one() }, ...choices.options]}
              value={chosen}
              errors={isMissing && chosen === '' ? [choices.missing] : []}
              onChoose={choose}
            />
          ),
        })}
        onConfirm={() => end(true)}
        onDecline={() => end(false)}
      >
        {detail}
      </Confirmation>
    </Suspense>
  );
}
