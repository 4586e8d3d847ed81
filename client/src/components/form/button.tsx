import type { ButtonHTMLAttributes, ComponentProps } from 'react';
import type { LucideIcon } from 'lucide-react';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { Link } from 'react-router-dom';
import { classNames } from '../../lib/class-names.js';
import styles from './button.module.css';

interface Look {
  /** `primary` is the one thing to do next; there is at most one in a group. `danger` deletes. */
  look?: 'primary' | 'quiet' | 'plain' | 'danger' | undefined;
  size?: 'normal' | 'small' | undefined;
  /** Before its words. */
  icon?: LucideIcon | undefined;
}

const looks = ({ look = 'quiet', size = 'normal' }: Look, className?: string) =>
  classNames(styles.button, styles[look], size === 'small' && styles.small, 'print:hidden', className);

const drawn = ({ icon: Icon, size }: Look) =>
  Icon && <Icon size={size === 'small' ? 16 : 18} aria-hidden="true" />;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Work is under way: the button shows it and does not take another click. */
  busy?: boolean;
}

export function Button({
  look,
  size,
  icon,
  busy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={looks({ look, size }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={styles.label}>
        {drawn({ icon, size })}
        {children}
      </span>
      {busy && (
        <span
          className="absolute inset-0 m-auto w-4 h-4 [border:2px_solid_currentcolor] [border-top-color:transparent] [border-radius:50%] [animation:turn_700ms_linear_infinite]"
          aria-hidden="true"
        />
      )}
    </button>
  );
}

export function ButtonLink({
  look,
  size,
  icon,
  className,
  children,
  ...rest
}: ComponentProps<typeof Link> & Look) {
  return (
    <Link {...rest} className={looks({ look, size }, className)}>
      {drawn({ icon, size })}
      {children}
    </Link>
  );
}

/** Above a page: to the one that it is a part of, or was come to from. */
export function BackLink({ className, children, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...rest}
      className={classNames(
        'inline-flex items-center gap-1 min-h-11 text-ink-soft text-1 no-underline hover:text-ink print:hidden',
        className,
      )}
    >
      <ChevronLeft size={16} aria-hidden="true" />
      {children}
    </Link>
  );
}
