import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  genreBodySchema,
  genreEditSchema,
  genreListQuerySchema,
  type Genre,
  type GenreBody,
  type GenreEdit,
  type GenreListQuery,
} from '#contracts/catalogue/genre.js';
import { entryParamsSchema } from '#contracts/catalogue/entry.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../accounts/access.js';
import { valid } from '../../http/validation.js';
import { GENRES } from './entry-kinds.js';
import { AddEntry, ChangeEntry, RemoveEntry } from './entry.commands.js';
import { GetEntry, ListEntries, PageEntries } from './entry.queries.js';

/** The catalogue's genres (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Genre')
export class GenreController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  list(): Promise<Genre[]> {
    return this.queries.execute(new ListEntries(GENRES));
  }

  @Get('paginated')
  @Allow('Everybody')
  page(@Query(valid(genreListQuerySchema)) query: GenreListQuery): Promise<Paged<Genre>> {
    return this.queries.execute(new PageEntries(GENRES, query));
  }

  @Get(':id')
  @Allow('Everybody')
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Genre> {
    return this.queries.execute(new GetEntry(GENRES, id));
  }

  @Post('add')
  @Allow('Admin')
  add(@Body(valid(genreBodySchema)) body: GenreBody): Promise<Genre> {
    return this.commands.execute(new AddEntry(GENRES, body));
  }

  @Put(':id')
  @Allow('Admin')
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(genreEditSchema)) body: GenreEdit,
  ): Promise<Genre> {
    return this.commands.execute(new ChangeEntry(GENRES, id, body));
  }

  /** The genre's id comes in the query, unlike the others'. */
  @Delete()
  @Allow('Admin')
  async remove(@Query(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveEntry(GENRES, id));
    return { deleted: 1 };
  }
}
