import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { LiveGateway } from './live.gateway.js';

@Module({
  imports: [CqrsModule, AccountsModule, ReadModelsModule],
  providers: [LiveGateway],
  exports: [LiveGateway],
})
export class LiveModule {}
