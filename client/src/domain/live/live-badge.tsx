import { Radio, RefreshCw, WifiOff } from 'lucide-react';
import { ageInShort } from '../../lib/dates.js';
import { useLiveStatus, type LiveState } from './live-status.js';
import { useNow } from '../../lib/use-now.js';
import styles from './live-badge.module.css';

const WORDS: Record<LiveState, { word: string; icon: typeof Radio }> = {
  live: { word: 'Live', icon: Radio },
  reconnecting: { word: 'Reconnecting', icon: RefreshCw },
  offline: { word: 'Offline', icon: WifiOff },
};

/** Whether what is on the screen follows the library as it happens, and how old it is. */
export function LiveBadge() {
  const { state, currentAt } = useLiveStatus();
  const now = useNow(state !== 'live');
  const { word, icon: Icon } = WORDS[state];
  const age =
    state === 'live' ? 'up to date' : currentAt === null ? null : `data ${ageInShort(now - currentAt)} old`;
  return (
    <span className={styles.badge} data-live={state}>
      <Icon size={14} strokeWidth={2.2} aria-hidden="true" />
      <span role="status" className={styles.word}>
        {word}
      </span>
      {age && <span className={styles.age}>{age}</span>}
    </span>
  );
}
