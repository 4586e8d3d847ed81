import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  publisherBodySchema,
  publisherEditSchema,
  publisherListQuerySchema,
  type Publisher,
  type PublisherBody,
  type PublisherEdit,
  type PublisherListQuery,
} from '#contracts/catalogue/publisher.js';
import { entryParamsSchema } from '#contracts/catalogue/entry.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../accounts/access.js';
import { valid } from '../../http/validation.js';
import { PUBLISHERS } from './entry-kinds.js';
import { AddEntry, ChangeEntry, RemoveEntry } from './entry.commands.js';
import { GetEntry, ListEntries, PageEntries } from './entry.queries.js';

/** The catalogue's publishers (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Publisher')
export class PublisherController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  list(): Promise<Publisher[]> {
    return this.queries.execute(new ListEntries(PUBLISHERS));
  }

  @Get('paginated')
  @Allow('Everybody')
  page(@Query(valid(publisherListQuerySchema)) query: PublisherListQuery): Promise<Paged<Publisher>> {
    return this.queries.execute(new PageEntries(PUBLISHERS, query));
  }

  @Get(':id')
  @Allow('Everybody')
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Publisher> {
    return this.queries.execute(new GetEntry(PUBLISHERS, id));
  }

  @Post('add')
  @Allow('Admin')
  add(@Body(valid(publisherBodySchema)) body: PublisherBody): Promise<Publisher> {
    return this.commands.execute(new AddEntry(PUBLISHERS, body));
  }

  @Put(':id')
  @Allow('Admin')
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(publisherEditSchema)) body: PublisherEdit,
  ): Promise<Publisher> {
    return this.commands.execute(new ChangeEntry(PUBLISHERS, id, body));
  }

  @Delete(':id')
  @Allow('Admin')
  async remove(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveEntry(PUBLISHERS, id));
    return { deleted: 1 };
  }
}
