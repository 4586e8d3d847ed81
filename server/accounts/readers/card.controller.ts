import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { MessageAnswer } from '#contracts/accounts/account-views.js';
import type { Card, OwnCard } from '#contracts/accounts/own-card.js';
import * as calls from '#contracts/accounts/reader-card.js';
import type { FoundReaders, ReaderNotice, ReaderPanel } from '#contracts/accounts/reader-card.js';
import { Recorded } from '../../http/security-log.js';
import { type Asked, Serves } from '../../http/serves.js';
import { CardCommands } from './card.commands.js';
import { CardPins } from './card-pin.commands.js';
import { FindReaders, CardQueries } from './card.queries.js';

/** Readers at the desk: their cards, how they stand, and what is to be said to them. */
@Controller()
export class CardController {
  constructor(
    private readonly queries: QueryBus,
    private readonly cardQueries: CardQueries,
    private readonly cardCommands: CardCommands,
    private readonly cardPins: CardPins,
  ) {}

  @Serves(calls.findReaders)
  find({ body }: Asked<typeof calls.findReaders>): Promise<FoundReaders> {
    return this.queries.execute(new FindReaders({ scan: body.scan }));
  }

  @Serves(calls.readReaderPanel)
  panel({ query }: Asked<typeof calls.readReaderPanel>): Promise<ReaderPanel> {
    return this.cardQueries.getReaderPanel(query.id);
  }

  @Serves(calls.readOwnCard)
  mine({ caller }: Asked<typeof calls.readOwnCard>): Promise<OwnCard> {
    return this.cardQueries.getOwnCard(caller);
  }

  @Serves(calls.replaceCard)
  @Recorded('card replaced')
  replace({ query }: Asked<typeof calls.replaceCard>): Promise<Card> {
    return this.cardCommands.replaceCard(query.id);
  }

  @Serves(calls.blockCard)
  @Recorded('card blocked or released')
  block({ query, body }: Asked<typeof calls.blockCard>): Promise<Card> {
    return this.cardCommands.blockCard(query.id, body.blocked);
  }

  @Serves(calls.setPin)
  @Recorded('PIN of a card set')
  async setPin({ query, body }: Asked<typeof calls.setPin>): Promise<MessageAnswer> {
    await this.cardPins.set(query.id, body.pin);
    return { message: m.pin_saved() };
  }

  @Serves(calls.setOwnPin)
  @Recorded('own PIN set')
  async setOwnPin({ caller, body }: Asked<typeof calls.setOwnPin>): Promise<MessageAnswer> {
    await this.cardPins.set(caller.accountId, body.pin);
    return { message: m.pin_saved() };
  }

  @Serves(calls.writeNotice)
  @Recorded('notice about a reader written')
  write({ caller, query, body }: Asked<typeof calls.writeNotice>): Promise<ReaderNotice | null> {
    return this.cardCommands.writeNotice(query.id, body, caller.accountId);
  }

  @Serves(calls.removeNotice)
  @Recorded('notice about a reader removed')
  async remove({ caller, query }: Asked<typeof calls.removeNotice>): Promise<MessageAnswer> {
    await this.cardCommands.writeNotice(query.id, null, caller.accountId);
    return { message: m.readers_notice_removed() };
  }
}
