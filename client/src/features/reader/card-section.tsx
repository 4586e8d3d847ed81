import { useState } from 'react';
import type { Card } from '#contracts/accounts/own-card.js';
import type { Reader } from '#contracts/accounts/account-views.js';
import { blockCard, replaceCard } from '#contracts/accounts/reader-card.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { Notice } from '../../components/dialog/notice.js';
import part from '../../components/display/page-part.module.css';
import { CardFace } from '../../domain/readers/card/card-face.js';
import { PrintCard } from '../../domain/readers/card/print-card.js';
import { isoDay } from '../../lib/dates.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { send } from '../../lib/api/send.js';
import { useReaderChange } from './use-reader-change.js';

/** The reader's card: printed, replaced when it is lost, blocked. */
export function CardSection({ card, reader }: { card: Card; reader: Reader }) {
  const change = useReaderChange(reader.id, (to: 'block' | 'lift' | 'replace', query) =>
    to === 'replace'
      ? send(replaceCard, { query })
      : send(blockCard, { query, body: { blocked: to === 'block' } }),
  );
  const [replacing, setReplacing] = useState(false);
  const isBlocked = card.blockedAt !== null;
  return (
    <section className="flex flex-col gap-3" aria-labelledby="card">
      <h3 id="card" className={part.title}>
        Card
      </h3>
      <CardFace card={card} name={reader.fullname} />
      <p className={isBlocked ? 'text-not-paid text-1 font-semibold' : 'note'}>
        {card.blockedAt === null
          ? `Valid since ${isoDay(card.issuedAt)}.`
          : `Blocked since ${isoDay(card.blockedAt)}: nothing may be rented or handed out.`}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <PrintCard card={card} name={reader.fullname} />
      </div>
      <div
        // A word without a frame begins where the others begin.
        className="flex flex-wrap gap-2 -m-3 -mt-2 mb-0"
      >
        <Button size="small" look="plain" onClick={() => setReplacing(true)}>
          Replace
        </Button>
        <Button
          size="small"
          look="plain"
          busy={change.isPending && change.variables !== 'replace'}
          onClick={() => change.mutate(isBlocked ? 'lift' : 'block')}
        >
          {isBlocked ? 'Lift the block' : 'Block'}
        </Button>
      </div>
      {change.isError && <Notice>{sentenceOf(change.error)}</Notice>}
      {replacing && (
        <Confirmation
          question="Replace this card?"
          action="Replace"
          busy={change.isPending}
          onConfirm={() =>
            change.mutate('replace', {
              onSuccess: () => notify.success('The reader has a new card'),
              onSettled: () => setReplacing(false),
            })
          }
          onDecline={() => setReplacing(false)}
        >
          The old number is refused from then on, wherever it is scanned. {reader.fullname} gets a new one.
        </Confirmation>
      )}
    </section>
  );
}
