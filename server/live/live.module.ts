import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { LiveGateway } from './live.gateway.js';
import { ReaderWatch } from './reader-watch.js';

@Module({
  imports: [CqrsModule, AccountsModule, AuditModule, ReadModelsModule],
  providers: [LiveGateway, ReaderWatch],
  exports: [LiveGateway],
})
export class LiveModule {}
