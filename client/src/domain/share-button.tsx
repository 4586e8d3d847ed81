import Share2 from 'lucide-react/icons/share-2';
import { publicAddress } from '#contracts/public-address.js';
import * as m from '#words/messages.js';
import { Button } from '../components/form/button.js';
import { notify } from '../lib/notify.js';

interface Shared {
  kind: Parameters<typeof publicAddress>[0];
  id: number | string;
  title: string;
}

/** Gives the address where everybody can read of it, also who has no scripts. */
export function ShareButton(shared: Shared) {
  return (
    <Button icon={Share2} look="plain" onClick={() => void share(shared)}>
      {m.book_share()}
    </Button>
  );
}

async function share({ kind, id, title }: Shared): Promise<void> {
  const url = window.location.origin + encodeURI(publicAddress(kind, { id, title }));
  if (typeof navigator.share === 'function') {
    try {
      await navigator.share({ title, url });
      return;
    } catch (error) {
      // Who closes the choice of where to share it has decided.
      if ((error as { name?: unknown }).name === 'AbortError') return;
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    notify.success(m.book_link_copied());
  } catch {
    notify.error(m.book_link_not_copied());
  }
}
