import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import styles from './password-input.module.css';

type PasswordInputProps = Omit<ComponentProps<'input'>, 'type' | 'autoComplete'> & {
  autoComplete: 'current-password' | 'new-password';
};

/** What a password is typed into. It may be pasted into, and shows what is in it at will. */
export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className={styles.field}>
      <input
        {...props}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <button
        type="button"
        className={styles.toggle}
        aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
        aria-controls={props.id}
        onClick={() => setShown(!shown)}
      >
        <Icon size={18} aria-hidden="true" />
      </button>
    </div>
  );
}
