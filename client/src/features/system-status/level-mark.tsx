import { Check, CircleAlert, X, type LucideIcon } from 'lucide-react';
import type { Level } from '#contracts/dashboard/system-status.js';
import { classNames } from '../../lib/class-names.js';

const MARKS: Record<Level, { icon: LucideIcon; word: string }> = {
  ok: { icon: Check, word: 'Works' },
  warning: { icon: CircleAlert, word: 'Look at it' },
  bad: { icon: X, word: 'Does not work' },
};

/** How something does, as a mark; the word for it is for who does not see the mark. */
export function LevelMark({ level, large = false }: { level: Level; large?: boolean }) {
  const { icon: Icon, word } = MARKS[level];
  return (
    <span
      className={classNames(
        'inline-grid flex-none place-items-center size-5.5 rounded-[50%] bg-returned-wash text-returned',
        'data-[level=warning]:bg-issued-wash data-[level=warning]:text-issued',
        'data-[level=bad]:bg-danger data-[level=bad]:text-surface data-large:size-12',
      )}
      data-level={level}
      data-large={large || undefined}
    >
      <Icon size={large ? 26 : 14} strokeWidth={large ? 2 : 3} aria-hidden="true" />
      <span className="visually-hidden">{word}</span>
    </span>
  );
}
