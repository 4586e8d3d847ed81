import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  genreBodySchema,
  genreEditSchema,
  genreListQuerySchema,
  genreListSchema,
  genrePageSchema,
  genreSchema,
  type Genre,
  type GenreBody,
  type GenreEdit,
  type GenreListQuery,
} from '#contracts/catalogue/genre.js';
import { deletedSchema, entryParamsSchema } from '#contracts/catalogue/authority.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { GENRES } from './authority-kinds.js';
import { AddAuthority, ChangeAuthority, RemoveAuthority } from './authority.commands.js';
import { GetAuthority, ListAuthorities, PageAuthorities } from './authority.queries.js';

/** The catalogue's genres (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Genre')
export class GenreController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  @Answers(genreListSchema)
  list(): Promise<Genre[]> {
    return this.queries.execute(new ListAuthorities(GENRES));
  }

  @Get('paginated')
  @Allow('Everybody')
  @Answers(genrePageSchema)
  page(@Query(valid(genreListQuerySchema)) query: GenreListQuery): Promise<Paged<Genre>> {
    return this.queries.execute(new PageAuthorities(GENRES, query));
  }

  @Get(':id')
  @Allow('Everybody')
  @Answers(genreSchema)
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Genre> {
    return this.queries.execute(new GetAuthority(GENRES, id));
  }

  @Post('add')
  @Allow('Admin')
  @Answers(genreSchema)
  add(@Body(valid(genreBodySchema)) body: GenreBody): Promise<Genre> {
    return this.commands.execute(new AddAuthority(GENRES, body));
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(genreSchema)
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(genreEditSchema)) body: GenreEdit,
  ): Promise<Genre> {
    return this.commands.execute(new ChangeAuthority(GENRES, id, body));
  }

  /** The genre's id comes in the query, unlike the others'. */
  @Delete()
  @Allow('Admin')
  @Answers(deletedSchema)
  async remove(@Query(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveAuthority(GENRES, id));
    return { deleted: 1 };
  }
}
