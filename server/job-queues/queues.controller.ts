import { Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import {
  queuesPassSchema,
  queuesViewSchema,
  type QueuesPassView,
  type QueuesView,
} from '#contracts/dashboard/queues.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { QUEUES_PATH, QueuesTicket } from './queues-ticket.js';
import { CountQueues } from './queues.queries.js';

@Controller('Dashboard')
export class QueuesController {
  constructor(
    private readonly pass: QueuesTicket,
    private readonly queries: QueryBus,
  ) {}

  @Get('queues')
  @Allow('Admin')
  @Answers(queuesViewSchema)
  count(): Promise<QueuesView> {
    return this.queries.execute(new CountQueues());
  }

  /** Sets the cookie that opens the page of the queues. */
  @Post('queues-pass')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(queuesPassSchema)
  async open(
    @Caller() caller: SignedIn,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuesPassView> {
    const expires = await this.pass.give(caller, request, response);
    return { url: QUEUES_PATH, expiresAt: expires.toISOString() };
  }
}
