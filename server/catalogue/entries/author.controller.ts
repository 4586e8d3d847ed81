import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  authorBodySchema,
  authorEditSchema,
  authorListQuerySchema,
  type Author,
  type AuthorBody,
  type AuthorEdit,
  type AuthorListQuery,
} from '#contracts/catalogue/author.js';
import { entryParamsSchema } from '#contracts/catalogue/entry.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../accounts/access.js';
import { valid } from '../../http/validation.js';
import { AUTHORS } from './entry-kinds.js';
import { AddEntry, ChangeEntry, RemoveEntry } from './entry.commands.js';
import { GetEntry, ListEntries, PageEntries } from './entry.queries.js';

/** The catalogue's authors (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Author')
export class AuthorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  list(): Promise<Author[]> {
    return this.queries.execute(new ListEntries(AUTHORS));
  }

  @Get('paginated')
  @Allow('Everybody')
  page(@Query(valid(authorListQuerySchema)) query: AuthorListQuery): Promise<Paged<Author>> {
    return this.queries.execute(new PageEntries(AUTHORS, query));
  }

  @Get(':id')
  @Allow('Everybody')
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Author> {
    return this.queries.execute(new GetEntry(AUTHORS, id));
  }

  @Post('add')
  @Allow('Admin')
  add(@Body(valid(authorBodySchema)) body: AuthorBody): Promise<Author> {
    return this.commands.execute(new AddEntry(AUTHORS, body));
  }

  @Put(':id')
  @Allow('Admin')
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(authorEditSchema)) body: AuthorEdit,
  ): Promise<Author> {
    return this.commands.execute(new ChangeEntry(AUTHORS, id, body));
  }

  @Delete(':id')
  @Allow('Admin')
  async remove(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveEntry(AUTHORS, id));
    return { deleted: 1 };
  }
}
