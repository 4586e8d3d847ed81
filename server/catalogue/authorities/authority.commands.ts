import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '#contracts/domain-error.js';
import type { Connection } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { CatalogueChanges, refuseStale, violatedUniqueness } from '../catalogue-changes.js';
import type { AuthorityKind } from './authority-kinds.js';
import { entryNotFound } from './authority.queries.js';

/** Adds an author, a genre or a publisher. Gives it as it is kept. */
export class AddAuthority<Authority, Body> extends Command<Authority> {
  constructor(
    readonly kind: AuthorityKind<Authority, Body>,
    readonly body: Body,
  ) {
    super();
  }
}

/** Changes one. Gives it as it is kept then. */
export class ChangeAuthority<Authority, Body> extends Command<Authority> {
  constructor(
    readonly kind: AuthorityKind<Authority, Body>,
    readonly id: number,
    readonly body: Body & { version?: number | undefined },
  ) {
    super();
  }
}

/** Removes one that no book has. */
export class RemoveAuthority<Authority, Body> extends Command<void> {
  constructor(
    readonly kind: AuthorityKind<Authority, Body>,
    readonly id: number,
  ) {
    super();
  }
}

@CommandHandler(AddAuthority)
export class AddAuthorityHandler<Authority, Body> implements ICommandHandler<AddAuthority<Authority, Body>> {
  constructor(private readonly changes: CatalogueChanges) {}

  /** @throws DomainError NameTaken */
  execute({ kind, body }: AddAuthority<Authority, Body>): Promise<Authority> {
    const columns = kind.fields.join(', ');
    const places = kind.fields.map((_, at) => `$${at + 1}`).join(', ');
    return this.changes.run(async (connection) => {
      await lockName(connection, kind, body);
      await refuseNamesake(connection, kind, body);
      return write(
        connection,
        kind,
        body,
        `insert into ${kind.table} (${columns}) values (${places}) returning ${kind.view}`,
      );
    });
  }
}

@CommandHandler(ChangeAuthority)
export class ChangeAuthorityHandler<Authority, Body> implements ICommandHandler<
  ChangeAuthority<Authority, Body>
> {
  constructor(private readonly changes: CatalogueChanges) {}

  /** @throws DomainError NotFound, EditedMeanwhile, NameTaken */
  execute({ kind, id, body }: ChangeAuthority<Authority, Body>): Promise<Authority> {
    const assignments = kind.fields.map((field, at) => `${field} = $${at + 1}`).join(', ');
    return this.changes.run(async (connection) => {
      await lockName(connection, kind, body);
      const { rows } = await connection.query<{ version: number }>(
        `select version from ${kind.table} where id = $1 for update`,
        [id],
      );
      const [present] = rows;
      if (!present) throw entryNotFound(kind.table);
      refuseStale(kind.table, body.version, present.version);
      await refuseNamesake(connection, kind, body, id);
      return write(
        connection,
        kind,
        body,
        `update ${kind.table} set ${assignments}, version = version + 1
         where id = $${kind.fields.length + 1} returning ${kind.view}`,
        id,
      );
    });
  }
}

@CommandHandler(RemoveAuthority)
export class RemoveAuthorityHandler<Authority, Body> implements ICommandHandler<
  RemoveAuthority<Authority, Body>
> {
  constructor(private readonly changes: CatalogueChanges) {}

  /** @throws DomainError NotFound, InUse */
  execute({ kind, id }: RemoveAuthority<Authority, Body>): Promise<void> {
    return this.changes.run(async (connection) => {
      // Whoever saves a book with it holds it by a share lock: the count below is of what is committed.
      const found = await connection.query(
        `select ${kind.view} from ${kind.table} where id = $1 for update`,
        [id],
      );
      const [authority] = found.rows as Authority[];
      if (!authority) throw entryNotFound(kind.table);
      const { rows } = await connection.query<{ books: number }>(kind.countBooks, [id]);
      const books = rows[0]?.books ?? 0;
      if (books > 0) {
        throw new DomainError(
          'InUse',
          `${books === 1 ? '1 book has' : `${books} books have`} the ${kind.table} ${kind.nameOf(authority)}. Nothing was deleted.`,
        );
      }
      await connection.query(`delete from ${kind.table} where id = $1`, [id]);
    });
  }
}

/** From here to the end of the transaction nobody else gives this name, however it is written. */
async function lockName<Authority, Body>(
  connection: Connection,
  kind: AuthorityKind<Authority, Body>,
  body: Body,
): Promise<void> {
  await connection.query(`select pg_advisory_xact_lock($1, hashtext($2 || fold_name($3)))`, [
    LOCKS.names,
    kind.table,
    kind.nameOf(body),
  ]);
}

/**
 * Whoever keeps his name may go on doing so, although an import brought another one with it.
 * @throws DomainError NameTaken
 */
async function refuseNamesake<Authority, Body>(
  connection: Connection,
  kind: AuthorityKind<Authority, Body>,
  body: Body,
  id: number | null = null,
): Promise<void> {
  const { rows } = await connection.query(
    `select ${kind.view} from ${kind.table} other
     where folded = fold_name($1) and id is distinct from $2::integer
       and not exists (select from ${kind.table} own where own.id = $2 and own.folded = other.folded)
     limit 1`,
    [kind.nameOf(body), id],
  );
  const [namesake] = rows as Authority[];
  if (namesake) throw nameTaken(kind.table, kind.nameOf(namesake));
}

/** Writes the body's fields as the first parameters. An import may have given the very name since it was looked for. */
async function write<Authority, Body>(
  connection: Connection,
  kind: AuthorityKind<Authority, Body>,
  body: Body,
  statement: string,
  ...more: unknown[]
): Promise<Authority> {
  try {
    const { rows } = await connection.query(statement, [...kind.fields.map((field) => body[field]), ...more]);
    return rows[0] as Authority;
  } catch (error) {
    if (violatedUniqueness(error) !== undefined) throw nameTaken(kind.table, kind.nameOf(body));
    throw error;
  }
}

function nameTaken(noun: string, name: string): DomainError {
  return new DomainError('NameTaken', `The catalogue has the ${noun} ${name} already.`);
}
