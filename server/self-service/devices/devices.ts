import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import {
  DEVICE_CODE_DIGITS,
  MAX_DEVICES,
  type Device,
  type DeviceFields,
  type DeviceKind,
  type DeviceSecret,
} from '#contracts/self-service/devices.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { derivedKey } from '#platform/signing-keys.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { DEVICE_COOKIE, type ActingDevice } from '../../http/access.js';
import { addressKey } from '../../http/address-key.js';
import { HostCookie } from '../../http/cookies.js';
import { RequestInvalid } from '../../http/validation.js';
import { CountDeviceCode } from './count-device-code.command.js';
import { ACTING_DEVICE, actingDeviceRow, DEVICE_COLUMNS, digestOfSecret } from './devices.queries.js';

const CODE_MINUTES = 10;
/** As long as browsers keep any cookie. */
const BOUND_FOR_MS = 400 * 24 * 3_600_000;
/** 80 bits, which nobody guesses, in signs that the settings of any device take. */
const PASSWORD_SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789';
const PASSWORD_LENGTH = 16;

const time = z.date().transform((at) => at.toISOString());
const deviceRow = actingDeviceRow.extend({
  login: z.string().nullable(),
  isBound: z.boolean(),
  lastSeenAt: time.nullable(),
});
const DEVICE = `${ACTING_DEVICE}, login, token_digest is not null as "isBound", last_seen_at as "lastSeenAt"`;
const COLUMNS = Object.values(DEVICE_COLUMNS).join(', ');
const FIELDS = Object.keys(DEVICE_COLUMNS) as (keyof DeviceFields)[];
const valuesOf = (fields: DeviceFields) => FIELDS.map((field) => fields[field]);

/** The devices by which readers help themselves, and what lets them in. */
@Injectable()
export class Devices {
  private readonly cookie: HostCookie;
  private readonly codeKey: Uint8Array;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
    private readonly commands: CommandBus,
    @Inject(SETTINGS) settings: ResolvedSettings,
  ) {
    this.cookie = new HostCookie(DEVICE_COOKIE, settings);
    // A code is short: by the database alone nobody finds it.
    this.codeKey = derivedKey(settings.JWT_SECRET, 'codes of devices');
  }

  list(): Promise<Device[]> {
    const all = `select ${DEVICE} from device where revoked_at is null order by name, id limit ${MAX_DEVICES}`;
    return queryRows(this.database, deviceRow, all);
  }

  /** @throws RequestInvalid where there are as many as there may be */
  async add({ kind, ...fields }: DeviceFields & { kind: DeviceKind }): Promise<Device> {
    const id = randomUUID();
    const device = await queryRow(
      this.database,
      deviceRow,
      `insert into device (id, kind, login, created_at, ${COLUMNS})
       select $1, $2, $3, $4, ${FIELDS.map((_field, at) => `$${at + 5}`).join(', ')}
       where (select count(*) from device where revoked_at is null) < ${MAX_DEVICES} returning ${DEVICE}`,
      [id, kind, kind === 'sip2' ? `sip-${id.slice(0, 8)}` : null, this.clock.now(), ...valuesOf(fields)],
    );
    if (!device) throw new RequestInvalid({ name: [m.devices_too_many({ most: MAX_DEVICES })] });
    return device;
  }

  /** @throws DomainError NotFound */
  async change(id: string, fields: DeviceFields): Promise<Device> {
    const device = await queryRow(
      this.database,
      deviceRow,
      `update device set (${COLUMNS}) = (${FIELDS.map((_field, at) => `$${at + 2}`).join(', ')})
       where id = $1 and revoked_at is null returning ${DEVICE}`,
      [id, ...valuesOf(fields)],
    );
    return device ?? gone();
  }

  /**
   * A code for the browser that is to be bound as a kiosk, or another password.
   * @throws DomainError NotFound
   */
  async renewSecret(id: string): Promise<DeviceSecret> {
    const now = this.clock.now();
    const code = String(randomInt(10 ** DEVICE_CODE_DIGITS)).padStart(DEVICE_CODE_DIGITS, '0');
    const password = Array.from(
      { length: PASSWORD_LENGTH },
      () => PASSWORD_SIGNS[randomInt(PASSWORD_SIGNS.length)],
    ).join('');
    const expiresAt = new Date(now.getTime() + CODE_MINUTES * 60_000);
    const row = await queryRow(
      this.database,
      z.object({ isKiosk: z.boolean() }),
      `update device set token_digest = case kind when 'kiosk' then token_digest else $2 end,
         code_digest = case kind when 'kiosk' then $3::bytea end, code_expires_at = case kind when 'kiosk' then $4::timestamptz end
       where id = $1 and revoked_at is null returning kind = 'kiosk' as "isKiosk"`,
      [id, digestOfSecret(password), this.digestOfCode(code), expiresAt],
    );
    if (!row) return gone();
    return row.isKiosk
      ? { secret: code, expiresAt: expiresAt.toISOString() }
      : { secret: password, expiresAt: null };
  }

  /**
   * Binds a browser as the kiosk whose code it sends; one that was bound before is out.
   * @throws DomainError DeviceCodeWrong, TooManyAttempts
   */
  async bind(code: string, request: Request, response: Response): Promise<ActingDevice> {
    await this.commands.execute(new CountDeviceCode({ address: addressKey(request.ip ?? '') }));
    const token = randomBytes(32).toString('base64url');
    const device = await queryRow(
      this.database,
      actingDeviceRow,
      `update device set token_digest = $2, code_digest = null, code_expires_at = null, last_seen_at = $3
       where code_digest = $1 and code_expires_at > $3 and revoked_at is null returning ${ACTING_DEVICE}`,
      [this.digestOfCode(code), digestOfSecret(token), this.clock.now()],
    );
    if (!device) throw new DomainError('DeviceCodeWrong', m.devices_code_wrong());
    this.cookie.set(request, response, token, { path: '/api', maxAge: BOUND_FOR_MS });
    return device;
  }

  /** @throws DomainError NotFound */
  async revoke(id: string): Promise<void> {
    const { rowCount } = await this.database.query(
      `with visits as (delete from self_service_visit where device_id = $1)
       update device set revoked_at = $2, token_digest = null, code_digest = null
       where id = $1 and revoked_at is null`,
      [id, this.clock.now()],
    );
    if (rowCount !== 1) gone();
  }

  private digestOfCode(code: string): Buffer {
    return createHmac('sha256', this.codeKey).update(code).digest();
  }
}

function gone(): never {
  throw new DomainError('NotFound', m.devices_gone());
}
