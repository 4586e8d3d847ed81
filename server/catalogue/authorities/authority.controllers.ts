import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, type Type } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import {
  authorBodySchema,
  authorEditSchema,
  authorListQuerySchema,
  authorListSchema,
  authorPageSchema,
  authorSchema,
} from '#contracts/catalogue/author.js';
import {
  authorityListQuerySchema,
  authorityParamsSchema,
  deletedSchema,
  type AuthorityListQuery,
  type AuthorityName,
} from '#contracts/catalogue/authority.js';
import {
  genreBodySchema,
  genreEditSchema,
  genreListQuerySchema,
  genreListSchema,
  genrePageSchema,
  genreSchema,
} from '#contracts/catalogue/genre.js';
import {
  publisherBodySchema,
  publisherEditSchema,
  publisherListQuerySchema,
  publisherListSchema,
  publisherPageSchema,
  publisherSchema,
} from '#contracts/catalogue/publisher.js';
import { mergeBodySchema, mergeSchema, type Merge, type MergeBody } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { NoDeadline } from '../../http/request-deadline.js';
import { Answers } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { mergeContext } from '../merges/merge-context.js';
import { MergeAuthorities } from '../merges/merge.commands.js';
import { AUTHORS, GENRES, PUBLISHERS, type Authorities, type AuthorityKind } from './authority-kinds.js';
import { AddAuthority, ChangeAuthority, RemoveAuthority } from './authority.commands.js';
import {
  GetAuthority,
  ListAuthorities,
  PageAuthorities,
  type AuthorityPageQuery,
} from './authority.queries.js';

/** Requests and responses of one kind. */
interface Contracts<Name extends AuthorityName> {
  one: z.ZodType<Authorities[Name]['view']>;
  list: z.ZodType<Authorities[Name]['view'][]>;
  page: z.ZodType<Paged<Authorities[Name]['view']>>;
  query: z.ZodType<AuthorityPageQuery>;
  body: z.ZodType<Authorities[Name]['body']>;
  edit: z.ZodType<Authorities[Name]['body'] & Edited>;
}

interface Edited {
  version?: number | undefined;
}

/**
 * The calls of one kind of authority (specification, section 7). What a book's page shows of them is public.
 * @param path of all its calls
 * @param IdToRemove where a deletion has its id
 */
function authorityController<Name extends AuthorityName>(
  path: string,
  kind: AuthorityKind<Name>,
  contracts: Contracts<Name>,
  { IdToRemove, pathToRemove } = { IdToRemove: Param, pathToRemove: ':id' },
): Type {
  type View = Authorities[Name]['view'];

  @Controller(path)
  class AuthorityController {
    constructor(
      private readonly commands: CommandBus,
      private readonly queries: QueryBus,
      private readonly clock: Clock,
    ) {}

    @Get()
    @Allow('Everybody')
    @Answers(contracts.list)
    list(@Query(valid(authorityListQuerySchema)) query: AuthorityListQuery): Promise<View[]> {
      return this.queries.execute(new ListAuthorities(kind, query));
    }

    @Get('paginated')
    @Allow('Everybody')
    @Answers(contracts.page)
    page(@Query(valid(contracts.query)) query: AuthorityPageQuery): Promise<Paged<View>> {
      return this.queries.execute(new PageAuthorities(kind, query));
    }

    @Get(':id')
    @Allow('Everybody')
    @Answers(contracts.one)
    get(@Param(valid(authorityParamsSchema)) { id }: { id: number }): Promise<View> {
      return this.queries.execute(new GetAuthority(kind, id));
    }

    @Post('add')
    @Allow('Admin')
    @Answers(contracts.one)
    add(@Body(valid(contracts.body)) body: Authorities[Name]['body']): Promise<View> {
      return this.commands.execute(new AddAuthority(kind, body));
    }

    /** The same key is the same merge. */
    @Post('merge')
    @HttpCode(200)
    @Allow('Admin')
    @Answers(mergeSchema)
    @NoDeadline()
    merge(
      @Caller() caller: SignedIn,
      @Body(valid(mergeBodySchema)) body: MergeBody,
      @IdempotencyKey() key: string = randomUUID(),
    ): Promise<Merge> {
      const asked = { kind: kind.name, ...body };
      const context = mergeContext(caller, key, 'MergeAuthorities', asked, this.clock.now());
      return this.commands.execute(new MergeAuthorities(kind.name, body, context));
    }

    @Put(':id')
    @Allow('Admin')
    @Answers(contracts.one)
    change(
      @Param(valid(authorityParamsSchema)) { id }: { id: number },
      @Body(valid(contracts.edit)) edit: Authorities[Name]['body'] & Edited,
    ): Promise<View> {
      return this.commands.execute(new ChangeAuthority(kind, id, edit, edit.version));
    }

    @Delete(pathToRemove)
    @Allow('Admin')
    @Answers(deletedSchema)
    async remove(
      @IdToRemove(valid(authorityParamsSchema)) { id }: { id: number },
    ): Promise<{ deleted: number }> {
      await this.commands.execute(new RemoveAuthority(kind, id));
      return { deleted: 1 };
    }
  }
  return AuthorityController;
}

export const AUTHORITY_CONTROLLERS: Type[] = [
  authorityController('Author', AUTHORS, {
    one: authorSchema,
    list: authorListSchema,
    page: authorPageSchema,
    query: authorListQuerySchema,
    body: authorBodySchema,
    edit: authorEditSchema,
  }),
  authorityController(
    'Genre',
    GENRES,
    {
      one: genreSchema,
      list: genreListSchema,
      page: genrePageSchema,
      query: genreListQuerySchema,
      body: genreBodySchema,
      edit: genreEditSchema,
    },
    // Unlike the others, its id is in the query.
    { IdToRemove: Query, pathToRemove: '' },
  ),
  authorityController('Publisher', PUBLISHERS, {
    one: publisherSchema,
    list: publisherListSchema,
    page: publisherPageSchema,
    query: publisherListQuerySchema,
    body: publisherBodySchema,
    edit: publisherEditSchema,
  }),
];
