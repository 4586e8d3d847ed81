import ChevronDown from 'lucide-react/icons/chevron-down';
import * as m from '#words/messages.js';
import { titleCase } from '../lib/texts.js';
import styles from './navigation-bar.module.css';

/** What the button of the menu shows, before and after the menu itself is there. */
export function UserMenuFace({ username }: { username: string }) {
  return (
    <>
      <span className="one-line">
        <span className={styles.greeting}>{m.site_welcome()}</span>
        {titleCase(username)}
      </span>
      <ChevronDown size={16} aria-hidden="true" />
    </>
  );
}
