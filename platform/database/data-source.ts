import { DataSource } from 'typeorm';
import type { Database } from './database.js';
import * as accounts from './entities/account.entity.js';
import * as catalogue from './entities/catalogue.entity.js';
import * as payments from './entities/payment.entity.js';
import * as signIn from './entities/sign-in.entity.js';

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
    entities: { ...accounts, ...catalogue, ...payments, ...signIn },
    synchronize: false,
    installExtensions: false,
  }).initialize();
}
