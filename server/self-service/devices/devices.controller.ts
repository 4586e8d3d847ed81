import { Controller } from '@nestjs/common';
import * as calls from '#contracts/self-service/devices.js';
import type { Device, DeviceSecret } from '#contracts/self-service/devices.js';
import { Recorded } from '../../http/security-log.js';
import { Serves, type Asked } from '../../http/serves.js';
import { Devices } from './devices.js';

/** Admins let devices in. */
@Controller()
export class DevicesController {
  constructor(private readonly devices: Devices) {}

  @Serves(calls.listDevices)
  list(): Promise<Device[]> {
    return this.devices.list();
  }

  @Serves(calls.addDevice)
  @Recorded('device added')
  async add({ body }: Asked<typeof calls.addDevice>): Promise<{ device: Device } & DeviceSecret> {
    const device = await this.devices.add(body);
    return { device, ...(await this.devices.renewSecret(device.id)) };
  }

  @Serves(calls.changeDevice)
  @Recorded('device changed')
  change({ params, body }: Asked<typeof calls.changeDevice>): Promise<Device> {
    return this.devices.change(params.id, body);
  }

  @Serves(calls.renewDeviceSecret)
  @Recorded('secret of a device made')
  renewSecret({ params }: Asked<typeof calls.renewDeviceSecret>): Promise<DeviceSecret> {
    return this.devices.renewSecret(params.id);
  }

  @Serves(calls.revokeDevice)
  @Recorded('device revoked')
  async revoke({ params }: Asked<typeof calls.revokeDevice>): Promise<Device[]> {
    await this.devices.revoke(params.id);
    return this.devices.list();
  }
}
