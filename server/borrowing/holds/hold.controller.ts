import * as m from '#words/messages.js';
import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Call } from '#contracts/call.js';
import * as calls from '#contracts/holds/hold-views.js';
import type {
  HoldAnswer,
  HoldProspect,
  HoldView,
  LapsedHold,
  QueuedHold,
  ShelfHold,
  TitleQueue,
} from '#contracts/holds/hold-views.js';
import type { Paged } from '#contracts/paging.js';
import { mayForOthers, notAllowed, type SignedIn } from '../../http/access.js';
import { Serves, type Asked } from '../../http/serves.js';
import { ReadModelProgress } from '../../read-models/read-model-progress.js';
import { contextOf } from '../command-context.js';
import { Pseudonyms } from '../known-readers.js';
import { ChangeHold, PlaceHold, type HoldCommandResult } from './hold.commands.js';
import { HoldQueuesQueries } from './hold-queues.queries.js';
import { HoldQueries, HoldsOfReader, PlaceOfHold } from './hold.queries.js';

type Change = Pick<Asked<typeof calls.cancelHold>, 'caller' | 'params' | 'key'>;

/** Readers wait for titles. */
@Controller()
export class HoldController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly progress: ReadModelProgress,
    private readonly pseudonyms: Pseudonyms,
    private readonly holdQueries: HoldQueries,
    private readonly holdQueuesQueries: HoldQueuesQueries,
  ) {}

  @Serves(calls.placeHold)
  async place({ caller, query, body, key }: Asked<typeof calls.placeHold>): Promise<HoldAnswer> {
    const readerId = await this.readerOf(calls.placeHold, caller, query.userId);
    const where = readerId === caller.pseudonym ? ('online' as const) : ('desk' as const);
    const asked = { ...body, placedBy: caller.pseudonym };
    const context = contextOf(caller, key, 'PlaceHold', { ...query, ...asked });
    return this.answer(
      await this.commands.execute(new PlaceHold({ readerId, asked: { ...asked, where }, context })),
    );
  }

  @Serves(calls.readHolds)
  async mine({ caller, query }: Asked<typeof calls.readHolds>): Promise<HoldView[]> {
    const readerId = await this.readerOf(calls.readHolds, caller, query.userId);
    return this.queries.execute(new HoldsOfReader({ readerId }));
  }

  @Serves(calls.readProspect)
  prospect({ query }: Asked<typeof calls.readProspect>): Promise<HoldProspect> {
    return this.holdQueries.holdProspectOf(query.bookId);
  }

  @Serves(calls.readHoldShelf)
  shelf(): Promise<ShelfHold[]> {
    return this.holdQueries.holdsOnShelf();
  }

  @Serves(calls.readLapsedHolds)
  lapsed(): Promise<LapsedHold[]> {
    return this.holdQueries.holdsLapsed();
  }

  @Serves(calls.listHoldQueues)
  queues({ query }: Asked<typeof calls.listHoldQueues>): Promise<Paged<TitleQueue>> {
    return this.holdQueuesQueries.find(query);
  }

  @Serves(calls.readHoldQueue)
  queue({ query }: Asked<typeof calls.readHoldQueue>): Promise<QueuedHold[]> {
    return this.holdQueries.holdsOnBook(query.bookId);
  }

  @Serves(calls.cancelHold)
  cancel(asked: Asked<typeof calls.cancelHold>): Promise<HoldAnswer> {
    return this.change(asked, (holdId, cancelledBy) => ({ type: 'CancelHold', holdId, cancelledBy }));
  }

  @Serves(calls.pauseHold)
  pause({ body, ...asked }: Asked<typeof calls.pauseHold>): Promise<HoldAnswer> {
    return this.change(asked, (holdId, pausedBy) => ({ type: 'PauseHold', holdId, ...body, pausedBy }));
  }

  @Serves(calls.resumeHold)
  resume(asked: Asked<typeof calls.resumeHold>): Promise<HoldAnswer> {
    return this.change(asked, (holdId, resumedBy) => ({ type: 'ResumeHold', holdId, resumedBy }));
  }

  @Serves(calls.changeNeededUntil)
  neededUntil({ body, ...asked }: Asked<typeof calls.changeNeededUntil>): Promise<HoldAnswer> {
    return this.change(asked, (holdId, changedBy) => ({
      type: 'ChangeNeededUntil',
      holdId,
      ...body,
      changedBy,
    }));
  }

  @Serves(calls.moveHold)
  move({ body: { note, ...place }, ...asked }: Asked<typeof calls.moveHold>): Promise<HoldAnswer> {
    return this.change(asked, (holdId, movedBy) => ({ type: 'MoveHold', holdId, ...place, movedBy }), note);
  }

  private async change(
    { caller, params, key }: Change,
    changeOf: (holdId: string, by: string) => ChangeHold['change'],
    note?: string,
  ): Promise<HoldAnswer> {
    const change = changeOf(params.id, caller.pseudonym);
    const context = contextOf(caller, key, change.type, change);
    const known = await this.queries.execute(new PlaceOfHold({ holdId: change.holdId }));
    // One that was placed a moment ago may not be in the table yet; of another's the stream says that there is none.
    const readerId = known && mayForOthers(calls.cancelHold, caller) ? known.readerId : caller.pseudonym;
    return this.answer(await this.commands.execute(new ChangeHold({ readerId, change, context, note })));
  }

  /**
   * The response waits until the lists include the change: it says which place that is, and who takes a book back meanwhile is
   * told of everybody who waits.
   */
  private async answer({ holdId, position }: HoldCommandResult): Promise<HoldAnswer> {
    await this.progress.reached(position);
    const known = await this.queries.execute(new PlaceOfHold({ holdId }));
    return { id: holdId, place: known?.place ?? null, position: position.toString() };
  }

  private async readerOf(call: Call, caller: SignedIn, userId: string | undefined): Promise<string> {
    if (userId === undefined || userId === caller.accountId) return caller.pseudonym;
    if (!mayForOthers(call, caller)) throw notAllowed(m.borrow_holds_librarians_only());
    return this.pseudonyms.ofAccount(userId);
  }
}
