import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { openQueues, readQueues, type QueuesPassView, type QueuesView } from '#contracts/dashboard/queues.js';
import { Serves, type Asked } from '../http/serves.js';
import { QUEUES_PATH, QueuesTicket } from './queues-ticket.js';
import { QueuesQueries } from './queues.queries.js';

@Controller()
export class QueuesController {
  constructor(
    private readonly pass: QueuesTicket,
    private readonly queuesQueries: QueuesQueries,
  ) {}

  @Serves(readQueues)
  count(): Promise<QueuesView> {
    return this.queuesQueries.find();
  }

  @Serves(openQueues)
  async open(
    { caller }: Asked<typeof openQueues>,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<QueuesPassView> {
    const expires = await this.pass.give(caller, request, response);
    return { url: QUEUES_PATH, expiresAt: expires.toISOString() };
  }
}
