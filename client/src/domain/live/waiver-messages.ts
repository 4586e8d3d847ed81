import type { QueryClient } from '@tanstack/react-query';
import * as m from '#words/messages.js';
import { listWaiverRequests } from '#contracts/borrowing/waiver-requests.js';
import type { ServerToClient } from '#contracts/live/live-messages.js';
import { money } from '#contracts/money.js';
import { keyOf } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';

/** Who shows requests for waivers asks for them again. */
export function waiversChanged(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: keyOf(listWaiverRequests) });
}

/** Tells whoever asked for a waiver what became of it, wherever they are. */
export function waiverAnswered({ amount, state }: Parameters<ServerToClient['waiverAnswered']>[0]): void {
  if (state === 'open' || state === 'withdrawn') return;
  notify.info(m.borrow_waiver_told({ state, amount: money(amount) }), { stays: true });
}
