import { Module } from '@nestjs/common';
import { RefusedCommands } from './refused-commands.js';

@Module({ providers: [RefusedCommands], exports: [RefusedCommands] })
export class IdempotencyModule {}
