import * as m from '#words/messages.js';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import { money } from '#contracts/money.js';
import { notify } from '../../lib/notify.js';

/** Tells whoever asked for a waiver what became of it, wherever they are. */
export function tellWaiverAnswer({ amount, state }: Parameters<ServerToClient['waiverAnswered']>[0]): void {
  if (state === 'open' || state === 'withdrawn') return;
  notify.info(m.borrow_waiver_told({ state, amount: money(amount) }), { stays: true });
}
