import * as m from '#words/messages.js';
import Radio from 'lucide-react/icons/radio';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import WifiOff from 'lucide-react/icons/wifi-off';
import { ageInShort } from '../../lib/dates.js';
import { useLiveStatus, type LiveState } from './live-status.js';
import { useNow } from '../../lib/use-now.js';

const WORDS: Record<LiveState, { word: string; icon: typeof Radio }> = {
  live: { word: m.borrow_live(), icon: Radio },
  reconnecting: { word: m.borrow_live_reconnecting(), icon: RefreshCw },
  offline: { word: m.borrow_live_offline(), icon: WifiOff },
};

/** Whether what is on the screen follows the library as it happens, and how old it is. */
export function LiveBadge() {
  const { state, currentAt } = useLiveStatus();
  const now = useNow(state !== 'live');
  const { word, icon: Icon } = WORDS[state];
  const age =
    state === 'live'
      ? m.borrow_live_current()
      : currentAt === null
        ? null
        : m.borrow_live_age({ age: ageInShort(now - currentAt) });
  return (
    <span
      className="inline-flex items-center gap-1.5 text-1 tabular-nums whitespace-nowrap text-danger data-[live=live]:text-accent-text data-[live=reconnecting]:text-issued"
      data-live={state}
    >
      <Icon size={14} strokeWidth={2.2} aria-hidden="true" />
      <span role="status" className="font-semibold">
        {word}
      </span>
      {age && <span className="text-ink-soft before:content-['·'] before:mr-1.5">{age}</span>}
    </span>
  );
}
