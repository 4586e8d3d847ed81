import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  publisherBodySchema,
  publisherEditSchema,
  publisherListQuerySchema,
  publisherListSchema,
  publisherPageSchema,
  publisherSchema,
  type Publisher,
  type PublisherBody,
  type PublisherEdit,
  type PublisherListQuery,
} from '#contracts/catalogue/publisher.js';
import { deletedSchema, entryParamsSchema } from '#contracts/catalogue/authority.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { PUBLISHERS } from './authority-kinds.js';
import { AddAuthority, ChangeAuthority, RemoveAuthority } from './authority.commands.js';
import { GetAuthority, ListAuthorities, PageAuthorities } from './authority.queries.js';

/** The catalogue's publishers (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Publisher')
export class PublisherController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  @Answers(publisherListSchema)
  list(): Promise<Publisher[]> {
    return this.queries.execute(new ListAuthorities(PUBLISHERS));
  }

  @Get('paginated')
  @Allow('Everybody')
  @Answers(publisherPageSchema)
  page(@Query(valid(publisherListQuerySchema)) query: PublisherListQuery): Promise<Paged<Publisher>> {
    return this.queries.execute(new PageAuthorities(PUBLISHERS, query));
  }

  @Get(':id')
  @Allow('Everybody')
  @Answers(publisherSchema)
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Publisher> {
    return this.queries.execute(new GetAuthority(PUBLISHERS, id));
  }

  @Post('add')
  @Allow('Admin')
  @Answers(publisherSchema)
  add(@Body(valid(publisherBodySchema)) body: PublisherBody): Promise<Publisher> {
    return this.commands.execute(new AddAuthority(PUBLISHERS, body));
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(publisherSchema)
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(publisherEditSchema)) body: PublisherEdit,
  ): Promise<Publisher> {
    return this.commands.execute(new ChangeAuthority(PUBLISHERS, id, body));
  }

  @Delete(':id')
  @Allow('Admin')
  @Answers(deletedSchema)
  async remove(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveAuthority(PUBLISHERS, id));
    return { deleted: 1 };
  }
}
