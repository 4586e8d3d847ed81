import { useState } from 'react';
import * as m from '#words/messages.js';
import { Button } from '../../components/form/button.js';
import { PinDialog } from '../../domain/readers/card/pin-dialog.js';
import { useOwnCard } from '../../domain/readers/get-own-card.js';

/** The PIN of one's own library card. */
export function PinSection() {
  const hasPin = useOwnCard().data?.card.hasPin;
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      className="flex flex-col gap-4 p-6 border border-line double-rule bg-surface to-560:p-4"
      aria-labelledby="pin"
    >
      <h2 id="pin">{m.pin_title()}</h2>
      <p className="max-w-measure text-ink-soft">
        {m.pin_lead()} {hasPin !== undefined && (hasPin ? m.pin_is_set() : m.pin_is_not_set())}
      </p>
      <div>
        <Button onClick={() => setOpen(true)}>{hasPin ? m.pin_change() : m.pin_set()}</Button>
      </div>
      {isOpen && <PinDialog onClose={() => setOpen(false)} />}
    </section>
  );
}
