import { Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import * as calls from '#contracts/copies/copy-views.js';
import type { Copy, CopyPage, Whereabouts } from '#contracts/copies/copy-views.js';
import { Serves, type Asked } from '../../http/serves.js';
import { copyContext } from './copy-context.js';
import { AddCopy, ChangeCopy, EditCopy } from './copy.commands.js';
import { copyOfCode } from './copy-codes.queries.js';
import { CopyQueries } from './copy.queries.js';
import { WhereaboutsQueries } from './whereabouts.queries.js';

type OnCopy = Asked<typeof calls.withdrawCopy>;

/** The copies of a book, for whoever looks after them. A copy's id is the code on its label. */
@Controller()
export class CopiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly copyQueries: CopyQueries,
    private readonly whereaboutsQueries: WhereaboutsQueries,
  ) {}

  @Serves(calls.listCopies)
  ofBook({ params, query }: Asked<typeof calls.listCopies>): Promise<CopyPage> {
    return this.copyQueries.copiesOfBook(params.id, query);
  }

  @Serves(calls.readWhereabouts)
  whereabouts({ params }: Asked<typeof calls.readWhereabouts>): Promise<Whereabouts> {
    return this.whereaboutsQueries.find(params.id);
  }

  @Serves(calls.readCopy)
  get({ params }: Asked<typeof calls.readCopy>): Promise<Copy> {
    return this.copyQueries.getCopy(copyOfCode(params.id));
  }

  @Serves(calls.addCopy)
  async add({ caller, body, key }: Asked<typeof calls.addCopy>): Promise<Copy> {
    const context = copyContext(caller, 'AddCopy', body, key);
    const added = await this.commands.execute(new AddCopy({ body, context, isNamed: key !== undefined }));
    return this.copyQueries.getCopy(added);
  }

  @Serves(calls.editCopy)
  async edit({ caller, params, body }: Asked<typeof calls.editCopy>): Promise<Copy> {
    const copy = copyOfCode(params.id);
    await this.commands.execute(
      new EditCopy({ id: copy, body, context: copyContext(caller, 'EditCopy', { copy, body }) }),
    );
    return this.copyQueries.getCopy(copy);
  }

  @Serves(calls.withdrawCopy)
  withdraw(asked: OnCopy): Promise<Copy> {
    return this.change(asked, 'WithdrawCopy');
  }

  @Serves(calls.reportCopyLost)
  lost(asked: OnCopy): Promise<Copy> {
    return this.change(asked, 'ReportLost');
  }

  @Serves(calls.reportCopyDamaged)
  damaged(asked: OnCopy): Promise<Copy> {
    return this.change(asked, 'ReportDamaged');
  }

  @Serves(calls.bringCopyBack)
  found(asked: OnCopy): Promise<Copy> {
    return this.change(asked, 'BringBack');
  }

  private async change({ caller, params }: OnCopy, type: ChangeCopy['type']): Promise<Copy> {
    const copy = copyOfCode(params.id);
    await this.commands.execute(
      new ChangeCopy({ id: copy, type, context: copyContext(caller, type, { copy }) }),
    );
    return this.copyQueries.getCopy(copy);
  }
}
