import { createHash } from 'node:crypto';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { z } from 'zod';
import { DEVICE_KINDS, deviceFieldsSchema, type DeviceFields } from '#contracts/self-service/devices.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import type { ActingDevice } from '../../http/access.js';
import { QueryWith } from '../../messages.js';

/** The column of each field that an admin sets. */
export const DEVICE_COLUMNS: Record<keyof DeviceFields, string> = {
  ...{ name: 'name', languages: 'languages', asksPin: 'asks_pin', isClosed: 'is_closed' },
  ...{ encoding: 'encoding', hearsAddress: 'hears_address' },
};

export const actingDeviceRow = deviceFieldsSchema.extend({ id: z.string(), kind: z.enum(DEVICE_KINDS) });
export const ACTING_DEVICE = Object.entries(DEVICE_COLUMNS)
  .map(([field, column]) => `${column} as "${field}"`)
  .concat('id', 'kind')
  .join(', ');

/** Only digests of what lets devices in are stored; each is a long random text. */
export const digestOfSecret = (secret: string) => createHash('sha256').update(secret).digest();

/** The device that a secret lets in: a browser's cookie, or with the login the password. */
export class DeviceBySecret extends QueryWith<
  ActingDevice | undefined,
  { secret: string; login?: string | undefined }
> {}

@QueryHandler(DeviceBySecret)
export class DeviceBySecretHandler implements IQueryHandler<DeviceBySecret> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** It was seen now, which is noted by the minute. */
  async execute({ secret, login }: DeviceBySecret): Promise<ActingDevice | undefined> {
    const digest = digestOfSecret(secret);
    const device = await queryRow(this.database, actingDeviceRow, {
      name: 'device-by-secret',
      text: `select ${ACTING_DEVICE} from device
        where token_digest = $1 and login is not distinct from $2 and revoked_at is null`,
      values: [digest, login ?? null],
    });
    if (device) {
      await this.database.query(
        `update device set last_seen_at = $2
         where id = $1 and coalesce(last_seen_at, '-infinity') < $2::timestamptz - interval '1 minute'`,
        [device.id, this.clock.now()],
      );
    }
    return device;
  }
}
