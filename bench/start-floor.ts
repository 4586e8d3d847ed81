import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

@Controller()
class BareController {
  @Get()
  answer(): string {
    return 'bare';
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

/** The least that a Nest app is: one route. Says when it listens. */
export async function runStartFloor(): Promise<void> {
  const app = await NestFactory.create(BareModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  process.stdout.write('listens\n');
}
