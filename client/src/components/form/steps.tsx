import * as m from '#words/messages.js';
import Check from 'lucide-react/icons/check';
import styles from './steps.module.css';

/** Where somebody is who goes through a form step by step. */
export function Steps({ titles, current }: { titles: readonly string[]; current: number }) {
  return (
    <ol
      role="list"
      className="flex flex-wrap gap-x-4 gap-y-2 text-1 to-480:gap-x-3"
      aria-label={m.register_steps()}
    >
      {titles.map((title, index) => (
        <li
          key={title}
          className={styles.mark}
          aria-current={index === current ? 'step' : undefined}
          data-done={index < current || undefined}
        >
          <span className={styles.number}>
            {index < current ? (
              <Check size={14} strokeWidth={3} aria-label={m.register_step_done()} />
            ) : (
              index + 1
            )}
          </span>
          <span>{title}</span>
        </li>
      ))}
    </ol>
  );
}
