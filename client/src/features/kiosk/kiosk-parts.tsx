import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';

/** A large button to be touched. */
export function KioskButton({
  look = 'quiet',
  className,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { look?: 'primary' | 'quiet' }) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        'inline-flex items-center justify-center gap-3 min-h-16 py-3 px-6 border-2 rounded font-semibold cursor-pointer',
        'disabled:opacity-55 disabled:cursor-default',
        look === 'primary'
          ? 'border-accent bg-accent text-on-accent'
          : 'border-line-strong bg-surface text-ink aria-pressed:border-accent-text aria-pressed:bg-accent-wash',
        className,
      )}
    />
  );
}

/** A screen with one thing to say. */
export function Said({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex-1 flex flex-col items-center justify-center gap-6 text-center">
      <h1 className="text-5">{title}</h1>
      {children}
    </div>
  );
}
