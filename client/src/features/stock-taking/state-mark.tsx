import { CircleCheck, CirclePause, ScanBarcode, type LucideIcon } from 'lucide-react';
import type { StockTakingState } from '#contracts/stock-taking/stock-taking.js';
import badge from '../../domain/borrowing/status-badge.module.css';
import { STATE_TONES, STATE_LABELS } from './labels.js';

const ICONS: Record<StockTakingState, LucideIcon> = {
  open: ScanBarcode,
  paused: CirclePause,
  finished: CircleCheck,
};

export function StateMark({ state }: { state: StockTakingState }) {
  const Icon = ICONS[state];
  return (
    <span>
      <span className={badge.badge} data-tone={STATE_TONES[state]}>
        <Icon size={14} aria-hidden="true" />
        {STATE_LABELS[state]}
      </span>
    </span>
  );
}
