import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeviceBySecretHandler } from './devices/devices.queries.js';
import { DevicesController } from './devices/devices.controller.js';
import { Devices } from './devices/devices.js';
import { Sip2Answers } from './sip2/answers.js';
import { Fees } from './sip2/fees.js';
import { ItemAnswers } from './sip2/item-answers.js';
import { PatronAnswers } from './sip2/patron-answers.js';
import { Patrons } from './sip2/patrons.js';
import { KioskController } from './kiosk.controller.js';
import { Plans } from './plans.js';
import { SelfService } from './self-service.js';
import { Visits } from './visits.js';

/** Readers help themselves at devices. */
@Module({
  imports: [CqrsModule],
  controllers: [DevicesController, KioskController],
  providers: [
    Devices,
    DeviceBySecretHandler,
    SelfService,
    Plans,
    Visits,
    Sip2Answers,
    ItemAnswers,
    PatronAnswers,
    Patrons,
    Fees,
  ],
  exports: [Devices, SelfService],
})
export class SelfServiceModule {}
