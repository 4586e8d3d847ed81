import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { QueuesController } from './queues.controller.js';
import { QueuesPage } from './queues-page.js';
import { QueuesTicket } from './queues-ticket.js';
import { QueuesQueries } from './queues.queries.js';

/** The job queues for admins: counts, and the page where failed jobs are retried. Needs `JobsModule`. */
@Module({
  imports: [CqrsModule],
  controllers: [QueuesController],
  providers: [QueuesTicket, QueuesPage, QueuesQueries],
})
export class QueuesModule {}
