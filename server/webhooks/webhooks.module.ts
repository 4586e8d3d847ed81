import { Module, type DynamicModule } from '@nestjs/common';
import { DataKeysModule } from '#platform/data-keys.js';
import { PublicEvents } from './public-events.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { WebhookRuns } from './webhook-runs.js';
import { WebhooksController } from './webhooks.controller.js';

/** Events for others. */
@Module({})
export class WebhooksModule {
  static answering(alsoWorks: boolean): DynamicModule {
    return {
      ...WebhooksModule.working(),
      controllers: [WebhooksController],
      providers: [PublicEvents, WebhookDeliveries, ...(alsoWorks ? [WebhookRuns] : [])],
    };
  }

  /** For a process that only does jobs. */
  static working(): DynamicModule {
    const providers = [PublicEvents, WebhookDeliveries, WebhookRuns];
    return { module: WebhooksModule, imports: [DataKeysModule], providers };
  }
}
