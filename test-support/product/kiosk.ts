import type { DeviceFields } from '#contracts/self-service/devices.js';
import { caller, type Caller } from './caller.js';
import type { TestAccount } from './product.js';

export const DEVICE: DeviceFields = {
  ...{ name: 'Door', languages: ['en', 'pl'], asksPin: false, isClosed: false },
  ...{ encoding: 'UTF-8', hearsAddress: false },
};
export const KIOSK: DeviceFields & { kind: 'kiosk' } = { ...DEVICE, kind: 'kiosk' };

/** A kiosk that an admin has let in. */
export interface TestKiosk extends Caller {
  id: string;
  /** What its browser keeps. */
  cookie: string;
}

/** Adds a kiosk and binds a browser by its code. */
export async function bindKiosk(
  url: string,
  admin: Pick<TestAccount, 'post'>,
  fields: Partial<DeviceFields> = {},
): Promise<TestKiosk> {
  const { body } = await admin.post('Device', { ...KIOSK, ...fields });
  const { cookie } = await bound(url, body.secret as string);
  return { id: body.device.id as string, cookie, ...caller(url, '', cookie) };
}

/** Has a browser send a code. */
export async function bound(url: string, code: string): Promise<{ status: number; cookie: string }> {
  const answer = await fetch(`${url}/api/SelfService/bind`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const set = answer.headers.getSetCookie().find((each) => each.startsWith('lectern-device='));
  return { status: answer.status, cookie: set?.split(';')[0] ?? '' };
}
