import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  authorBodySchema,
  authorEditSchema,
  authorListQuerySchema,
  authorListSchema,
  authorPageSchema,
  authorSchema,
  type Author,
  type AuthorBody,
  type AuthorEdit,
  type AuthorListQuery,
} from '#contracts/catalogue/author.js';
import { deletedSchema, entryParamsSchema } from '#contracts/catalogue/authority.js';
import type { Paged } from '#contracts/paging.js';
import { Allow } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { AUTHORS } from './authority-kinds.js';
import { AddAuthority, ChangeAuthority, RemoveAuthority } from './authority.commands.js';
import { GetAuthority, ListAuthorities, PageAuthorities } from './authority.queries.js';

/** The catalogue's authors (specification, section 7). What a book's page shows of them anybody may read. */
@Controller('Author')
export class AuthorController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @Allow('Everybody')
  @Answers(authorListSchema)
  list(): Promise<Author[]> {
    return this.queries.execute(new ListAuthorities(AUTHORS));
  }

  @Get('paginated')
  @Allow('Everybody')
  @Answers(authorPageSchema)
  page(@Query(valid(authorListQuerySchema)) query: AuthorListQuery): Promise<Paged<Author>> {
    return this.queries.execute(new PageAuthorities(AUTHORS, query));
  }

  @Get(':id')
  @Allow('Everybody')
  @Answers(authorSchema)
  get(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<Author> {
    return this.queries.execute(new GetAuthority(AUTHORS, id));
  }

  @Post('add')
  @Allow('Admin')
  @Answers(authorSchema)
  add(@Body(valid(authorBodySchema)) body: AuthorBody): Promise<Author> {
    return this.commands.execute(new AddAuthority(AUTHORS, body));
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(authorSchema)
  change(
    @Param(valid(entryParamsSchema)) { id }: { id: number },
    @Body(valid(authorEditSchema)) body: AuthorEdit,
  ): Promise<Author> {
    return this.commands.execute(new ChangeAuthority(AUTHORS, id, body));
  }

  @Delete(':id')
  @Allow('Admin')
  @Answers(deletedSchema)
  async remove(@Param(valid(entryParamsSchema)) { id }: { id: number }): Promise<{ deleted: number }> {
    await this.commands.execute(new RemoveAuthority(AUTHORS, id));
    return { deleted: 1 };
  }
}
