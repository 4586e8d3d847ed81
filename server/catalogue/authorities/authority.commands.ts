import * as m from '#words/messages.js';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainError } from '#contracts/domain-error.js';
import { changedFields } from '#contracts/stored-fields.js';
import { LOCKS } from '#platform/database/locks.js';
import { CatalogueChanges, refuseStale, violatedUniqueness } from '../catalogue-changes.js';
import type { AuthorityName } from '#contracts/catalogue/authorities.js';
import { RequestInvalid } from '../../http/validation.js';
import { validationMessage } from '#platform/validation-messages.js';
import type { Authorities, AuthorityKind } from './authority-kinds.js';
import { authorityNotFound } from './authority.queries.js';

@Injectable()
export class AuthorityCommands {
  constructor(private readonly changes: CatalogueChanges) {}

  /**
   * Adds an author, a genre or a publisher.
   * @returns it as stored
   * @throws DomainError NameTaken
   */
  add<Name extends AuthorityName>(
    kind: AuthorityKind<Name>,
    body: Authorities[Name]['body'],
  ): Promise<Authorities[Name]['view']> {
    return this.changes.run(
      async (manager) => {
        await lockName(manager, kind, body);
        await refuseNamesake(manager, kind, body);
        const authority = Object.assign(new kind.entity(), body);
        await refusingTakenName(kind, body, manager.save(authority));
        return kind.viewOf(authority);
      },
      () => kind.name,
    );
  }

  /**
   * Changes one. What it lacks may be lacking still.
   * @param version that was edited; without it the last write wins
   * @returns it as stored
   * @throws RequestInvalid
   * @throws DomainError NotFound, EditedMeanwhile, NameTaken
   */
  change<Name extends AuthorityName>(
    kind: AuthorityKind<Name>,
    id: number,
    body: Authorities[Name]['body'],
    version: number | undefined,
  ): Promise<Authorities[Name]['view']> {
    return this.changes.run(
      async (manager) => {
        const authority = await lockAuthority(manager, kind, id);
        refuseStale(kind.name, version, authority.version);
        const { fields, errors } = changedFields(kind.required, body, authority, validationMessage);
        if (Object.keys(errors).length > 0) throw new RequestInvalid(errors);
        await lockName(manager, kind, fields);
        await refuseNamesake(manager, kind, fields, id);
        // Not `save`, which skips the update and the version if nothing differs.
        const columns = kind.columnsOf(fields);
        const update = manager.createQueryBuilder().update(kind.entity).set(columns).whereEntity(authority);
        await refusingTakenName(kind, fields, update.execute());
        return kind.viewOf(Object.assign(authority, columns));
        // Its books are found by its name, and show it.
      },
      () => 'everything',
    );
  }

  /**
   * Removes one that no book has.
   * @throws DomainError NotFound, InUse
   */
  remove<Name extends AuthorityName>(kind: AuthorityKind<Name>, id: number): Promise<void> {
    return this.changes.run(
      async (manager) => {
        // Saving a book takes a share lock on its authorities: the count below includes every committed book.
        const authority = await lockAuthority(manager, kind, id);
        const books = await kind.countBooks(manager, id);
        if (books > 0) {
          throw new DomainError(
            'InUse',
            m.authority_in_use({ kind: kind.name, count: books, name: kind.nameOf(authority) }),
          );
        }
        await manager.delete(kind.entity, id);
      },
      () => kind.name,
    );
  }
}

/** @throws DomainError NotFound */
async function lockAuthority<Name extends AuthorityName>(
  manager: EntityManager,
  kind: AuthorityKind<Name>,
  id: number,
): Promise<Authorities[Name]['entity']> {
  const authority = await manager
    .createQueryBuilder(kind.entity, 'authority')
    .where({ id })
    .setLock('pessimistic_write')
    .getOne();
  if (!authority) throw authorityNotFound(kind.name);
  return authority;
}

/** Reserves this name, in any spelling, until the end of the transaction. */
async function lockName<Name extends AuthorityName>(
  manager: EntityManager,
  kind: AuthorityKind<Name>,
  body: Authorities[Name]['body'],
): Promise<void> {
  await manager.query(`select pg_advisory_xact_lock($1, hashtext($2 || fold_name($3)))`, [
    LOCKS.names,
    kind.name,
    kind.nameOf(body),
  ]);
}

/**
 * An authority may keep its own name, even if an import created another one with it.
 * @throws DomainError NameTaken
 */
async function refuseNamesake<Name extends AuthorityName>(
  manager: EntityManager,
  kind: AuthorityKind<Name>,
  body: Authorities[Name]['body'],
  id: number | null = null,
): Promise<void> {
  const namesake = await manager
    .createQueryBuilder(kind.entity, 'authority')
    .where('authority.folded = fold_name(:name)', { name: kind.nameOf(body) })
    .andWhere(
      `authority.id is distinct from :id::integer and not exists (
         select from ${kind.name} own where own.id = :id and own.folded = authority.folded)`,
      { id },
    )
    .limit(1)
    .getOne();
  if (namesake) throw nameTaken(kind.name, kind.nameOf(namesake));
}

/** An import may have created the same name in the meantime. */
async function refusingTakenName<Name extends AuthorityName>(
  kind: AuthorityKind<Name>,
  body: Authorities[Name]['body'],
  write: Promise<unknown>,
): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (violatedUniqueness(error) !== undefined) throw nameTaken(kind.name, kind.nameOf(body));
    throw error;
  }
}

function nameTaken(kind: AuthorityName, name: string): DomainError {
  return new DomainError('NameTaken', m.authority_name_taken({ kind, name }));
}
