import { DataSource } from 'typeorm';
import type { Database } from './database.js';
import { AccountEntity, AccountTokenEntity, RoleChangeEntity } from './entities/account.entity.js';
import { AuthorEntity } from './entities/author.entity.js';
import { BookAuthorEntity, BookEntity, BookGenreEntity } from './entities/book.entity.js';
import { GenreEntity } from './entities/genre.entity.js';
import { PaymentTransactionEntity, SandboxPaymentEntity } from './entities/payment.entity.js';
import { PublisherEntity } from './entities/publisher.entity.js';
import { SessionEntity } from './entities/session.entity.js';
import {
  DataKeyEntity,
  PasskeyEntity,
  RecoveryCodeEntity,
  TicketEntity,
  TotpEntity,
} from './entities/second-factor.entity.js';

const ENTITIES = [
  AccountEntity,
  AccountTokenEntity,
  RoleChangeEntity,
  SessionEntity,
  AuthorEntity,
  GenreEntity,
  PublisherEntity,
  BookEntity,
  BookAuthorEntity,
  BookGenreEntity,
  PaymentTransactionEntity,
  SandboxPaymentEntity,
  DataKeyEntity,
  TotpEntity,
  RecoveryCodeEntity,
  PasskeyEntity,
  TicketEntity,
];

/**
 * TypeORM over a pool of ours: entities and hand-written SQL share its connections. It never changes the schema.
 * The pool ends by `destroy` or by its own `end`, whichever is called; once is enough.
 */
export function openDataSource(database: Database): Promise<DataSource> {
  return new DataSource({
    type: 'postgres',
    // TypeORM makes its pool by `new driver.Pool(…)`: here it gets the one that there is, settings and listeners included.
    driver: {
      Pool: function pool() {
        return database;
      },
    },
    poolErrorHandler: () => undefined,
    entities: ENTITIES,
    synchronize: false,
    installExtensions: false,
  }).initialize();
}
