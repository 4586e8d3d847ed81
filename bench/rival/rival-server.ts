import 'reflect-metadata';
import { Module, StandardSchemaValidationPipe, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_PIPE, NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { RivalController, RivalGuard } from './rival.controller.js';
import { RivalAudit, RivalBook, RivalBorrow, RivalCounters } from './rival.entities.js';
import { RivalService } from './rival.service.js';

@Module({})
class RivalModule {
  static with(url: string): DynamicModule {
    return {
      module: RivalModule,
      imports: [
        TypeOrmModule.forRoot({
          type: 'postgres',
          url,
          poolSize: 10,
          entities: [RivalAudit, RivalBook, RivalBorrow, RivalCounters],
          // A schema that is thrown away.
          synchronize: true,
        }),
      ],
      controllers: [RivalController],
      providers: [
        RivalService,
        { provide: APP_GUARD, useClass: RivalGuard },
        { provide: APP_PIPE, useFactory: () => new StandardSchemaValidationPipe() },
      ],
    };
  }
}

/** What the benchmark asks of the rival's process beside its calls. */
export interface RivalWish {
  poolSize: number;
}

/**
 * The rival: what most would write instead of the product, in a process of its own. It does the same three calls on plain
 * NestJS and TypeORM: a token checked, a body validated, one transaction with row locks, an audit row and counters.
 * Sends its address, and takes another size of its pool (`RivalWish`) between two measurements.
 */
export async function runRival(databaseUrl: string): Promise<void> {
  const app = await NestFactory.create(RivalModule.with(databaseUrl), { logger: ['error'] });
  const source = app.get(DataSource);
  await source.manager.insert(RivalCounters, { id: 1 });
  await app.listen(0, '127.0.0.1');
  const resize = async ({ poolSize }: RivalWish) => {
    await source.destroy();
    await source.setOptions({ poolSize, synchronize: false }).initialize();
    process.send?.('resized');
  };
  process.on('message', (wish: RivalWish) => void resize(wish));
  process.once('disconnect', () => void app.close());
  process.send?.(await app.getUrl());
}
