import { randomUUID } from 'node:crypto';
import { Controller, type Type } from '@nestjs/common';
import {
  AUTHOR_CALLS,
  GENRE_CALLS,
  PUBLISHER_CALLS,
  removeAuthor,
  removeGenre,
  removePublisher,
  type AuthorityCalls,
  type AuthorityName,
} from '#contracts/catalogue/authorities.js';
import type { Merge } from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import { Serves, type Asked } from '../../http/serves.js';
import { mergeContext } from '../merges/merge-context.js';
import { MergeCommands } from '../merges/merge.commands.js';
import { AUTHORS, GENRES, PUBLISHERS, type Authorities, type AuthorityKind } from './authority-kinds.js';
import { AuthorityCommands } from './authority.commands.js';
import { AuthorityQueries } from './authority.queries.js';

/** The calls of one kind of authority (specification, section 7). */
function authorityController<Name extends AuthorityName>(
  kind: AuthorityKind<Name>,
  calls: AuthorityCalls<Authorities[Name]['view'], Authorities[Name]['body']>,
  removal: typeof removeAuthor | typeof removeGenre | typeof removePublisher,
): Type {
  type View = Authorities[Name]['view'];
  type Calls = typeof calls;

  @Controller()
  class AuthorityController {
    constructor(
      private readonly commands: AuthorityCommands,
      private readonly queries: AuthorityQueries,
      private readonly merges: MergeCommands,
      private readonly clock: Clock,
    ) {}

    @Serves(calls.list)
    list({ query }: Asked<Calls['list']>): Promise<View[]> {
      return this.queries.list(kind, query);
    }

    @Serves(calls.page)
    page({ query }: Asked<Calls['page']>): Promise<Paged<View>> {
      return this.queries.page(kind, query);
    }

    @Serves(calls.read)
    get({ params }: Asked<Calls['read']>): Promise<View> {
      return this.queries.get(kind, params.id);
    }

    @Serves(calls.add)
    add({ body }: Asked<Calls['add']>): Promise<View> {
      return this.commands.add(kind, body);
    }

    @Serves(calls.merge)
    merge({ caller, body, key = randomUUID() }: Asked<Calls['merge']>): Promise<Merge> {
      const asked = { kind: kind.name, ...body };
      const context = mergeContext(caller, key, 'MergeAuthorities', asked, this.clock.now());
      return this.merges.mergeAuthorities(kind.name, body, context);
    }

    @Serves(calls.change)
    change({ params, body }: Asked<Calls['change']>): Promise<View> {
      return this.commands.change(kind, params.id, body, body.version);
    }

    @Serves(removal)
    async remove(asked: Asked<typeof removal>): Promise<{ deleted: number }> {
      const { id } = 'params' in asked ? asked.params : asked.query;
      await this.commands.remove(kind, id);
      return { deleted: 1 };
    }
  }
  return AuthorityController;
}

export const AUTHORITY_CONTROLLERS: Type[] = [
  authorityController(AUTHORS, AUTHOR_CALLS, removeAuthor),
  authorityController(GENRES, GENRE_CALLS, removeGenre),
  authorityController(PUBLISHERS, PUBLISHER_CALLS, removePublisher),
];
