import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState, type ComponentProps } from 'react';
import * as m from '#words/messages.js';
import { classNames } from '../../lib/class-names.js';

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> & {
  autoComplete: 'current-password' | 'new-password';
};

/** What a password is typed into. It may be pasted into, and shows what is in it at will. */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div
      // Our own button does it.
      className="relative flex [&>input]:pr-[calc(var(--touch)_+_var(--space-1))] [&>input::-ms-reveal]:hidden"
    >
      <input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button
        type="button"
        className={classNames(
          'absolute top-0 right-0 bottom-0 left-auto inline-flex items-center justify-center w-11',
          'p-0 border-0 rounded bg-transparent text-ink-soft cursor-pointer',
          'hover:text-ink focus-visible:-outline-offset-3',
        )}
        aria-label={shown ? m.form_hide_typed() : m.form_show_typed()}
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
      >
        <Icon size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
