import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { bookParamsSchema } from '#contracts/catalogue/book-views.js';
import {
  copyBodySchema,
  copyListQuerySchema,
  copyPageSchema,
  copyParamsSchema,
  copySchema,
  newCopySchema,
  type Copy,
  type CopyBody,
  type CopyListQuery,
  type CopyPage,
  type NewCopy,
  whereaboutsSchema,
  type Whereabouts,
} from '#contracts/copies/copy-views.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { copyContext } from './copy-context.js';
import { AddCopy, ChangeCopy, EditCopy } from './copy.commands.js';
import { CopiesOfBook, copyOfCode, GetCopy } from './copy.queries.js';
import { WhereaboutsOf } from './whereabouts.queries.js';

/** The copies of a book, for whoever looks after them. A copy's id is the code on its label. */
@Controller()
export class CopiesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('Book/:id/copies')
  @Allow('Admin')
  @Answers(copyPageSchema)
  ofBook(
    @Param(valid(bookParamsSchema)) { id }: { id: number },
    @Query(valid(copyListQuerySchema)) page: CopyListQuery,
  ): Promise<CopyPage> {
    return this.queries.execute(new CopiesOfBook(id, page));
  }

  @Get('Book/:id/whereabouts')
  @Allow('Everybody')
  @Answers(whereaboutsSchema)
  whereabouts(@Param(valid(bookParamsSchema)) { id }: { id: number }): Promise<Whereabouts> {
    return this.queries.execute(new WhereaboutsOf(id));
  }

  @Get('Copy/:id')
  @Allow('Admin')
  @Answers(copySchema)
  get(@Param(valid(copyParamsSchema)) { id }: { id: string }): Promise<Copy> {
    return this.queries.execute(new GetCopy(copyOfCode(id)));
  }

  @Post('Copy')
  @Allow('Admin')
  @Answers(copySchema)
  async add(
    @Caller() caller: SignedIn,
    @Body(valid(newCopySchema)) body: NewCopy,
    @IdempotencyKey() key?: string,
  ): Promise<Copy> {
    const context = copyContext(caller, 'AddCopy', body, key);
    const added = await this.commands.execute(new AddCopy(body, context, key !== undefined));
    return this.queries.execute(new GetCopy(added));
  }

  @Put('Copy/:id')
  @Allow('Admin')
  @Answers(copySchema)
  async edit(
    @Caller() caller: SignedIn,
    @Param(valid(copyParamsSchema)) { id }: { id: string },
    @Body(valid(copyBodySchema)) body: CopyBody,
  ): Promise<Copy> {
    const copy = copyOfCode(id);
    await this.commands.execute(new EditCopy(copy, body, copyContext(caller, 'EditCopy', { copy, body })));
    return this.queries.execute(new GetCopy(copy));
  }

  @Post('Copy/:id/withdraw')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(copySchema)
  withdraw(
    @Caller() caller: SignedIn,
    @Param(valid(copyParamsSchema)) { id }: { id: string },
  ): Promise<Copy> {
    return this.change(caller, id, 'WithdrawCopy');
  }

  @Post('Copy/:id/lost')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(copySchema)
  lost(@Caller() caller: SignedIn, @Param(valid(copyParamsSchema)) { id }: { id: string }): Promise<Copy> {
    return this.change(caller, id, 'ReportLost');
  }

  @Post('Copy/:id/damaged')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(copySchema)
  damaged(@Caller() caller: SignedIn, @Param(valid(copyParamsSchema)) { id }: { id: string }): Promise<Copy> {
    return this.change(caller, id, 'ReportDamaged');
  }

  /** Found, repaired, or kept after all. */
  @Post('Copy/:id/found')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(copySchema)
  found(@Caller() caller: SignedIn, @Param(valid(copyParamsSchema)) { id }: { id: string }): Promise<Copy> {
    return this.change(caller, id, 'BringBack');
  }

  private async change(caller: SignedIn, id: string, type: ChangeCopy['type']): Promise<Copy> {
    const copy = copyOfCode(id);
    await this.commands.execute(new ChangeCopy(copy, type, copyContext(caller, type, { copy })));
    return this.queries.execute(new GetCopy(copy));
  }
}
