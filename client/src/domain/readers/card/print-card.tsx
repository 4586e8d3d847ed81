import { lazy, Suspense, useCallback, useState } from 'react';
import type { Card } from '#contracts/accounts/own-card.js';
import * as m from '#words/messages.js';
import { Button } from '../../../components/form/button.js';

const PrintedCard = lazy(async () => ({ default: (await import('./printed-card.js')).PrintedCard }));

/** Has the browser print a card, on either paper. */
export function PrintCard({ card, name }: { card: Card; name: string }) {
  const [paper, setPaper] = useState<'a4' | 'card' | null>(null);
  const done = useCallback(() => setPaper(null), []);
  return (
    <>
      <Button size="small" onClick={() => setPaper('a4')}>
        {m.card_print_a4()}
      </Button>
      <Button size="small" onClick={() => setPaper('card')}>
        {m.card_print_card()}
      </Button>
      {paper && (
        <Suspense fallback={null}>
          <PrintedCard card={card} name={name} paper={paper} onDone={done} />
        </Suspense>
      )}
    </>
  );
}
