import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeviceBySecretHandler } from './devices/devices.queries.js';
import { DevicesController } from './devices/devices.controller.js';
import { Devices } from './devices/devices.js';
import { KioskController } from './kiosk.controller.js';
import { Plans } from './plans.js';
import { SelfService } from './self-service.js';
import { Visits } from './visits.js';

/** Readers help themselves at devices. */
@Module({
  imports: [CqrsModule],
  controllers: [DevicesController, KioskController],
  providers: [Devices, DeviceBySecretHandler, SelfService, Plans, Visits],
  exports: [Devices, SelfService],
})
export class SelfServiceModule {}
