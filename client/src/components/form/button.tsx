import type { ButtonHTMLAttributes, ComponentProps } from 'react';
import { Link } from 'react-router-dom';
import { classNames } from '../../lib/class-names.js';
import styles from './button.module.css';

interface Look {
  /** `primary` is the one thing to do next; there is at most one in a group. `danger` deletes. */
  look?: 'primary' | 'quiet' | 'plain' | 'danger';
  size?: 'normal' | 'small';
}

const looks = ({ look = 'quiet', size = 'normal' }: Look, className?: string) =>
  classNames(styles.button, styles[look], size === 'small' && styles.small, 'print:hidden', className);

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Work is under way: the button shows it and does not take another click. */
  busy?: boolean;
}

export function Button({ look, size, busy = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={looks({ ...(look && { look }), ...(size && { size }) }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={styles.label}>{children}</span>
      {busy && (
        <span
          className="absolute inset-0 m-auto w-4 h-4 [border:2px_solid_currentcolor] [border-top-color:transparent] [border-radius:50%] [animation:turn_700ms_linear_infinite]"
          aria-hidden="true"
        />
      )}
    </button>
  );
}

export function ButtonLink({ look, size, className, ...rest }: ComponentProps<typeof Link> & Look) {
  return <Link {...rest} className={looks({ ...(look && { look }), ...(size && { size }) }, className)} />;
}
