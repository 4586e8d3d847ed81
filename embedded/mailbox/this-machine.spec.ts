import type { Request, Response } from 'express';
import { fromThisMachine } from './this-machine.js';

/** Whether a request of this address is let in. */
function isLetIn(remoteAddress: string | undefined): boolean {
  let letIn = false;
  const request = { socket: { remoteAddress }, headers: { host: '10.0.0.5:3000' } } as unknown as Request;
  const response = { status: () => response, type: () => response, send: () => response };
  fromThisMachine(request, response as unknown as Response, () => (letIn = true));
  return letIn;
}

describe('who may look into the mailbox', () => {
  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
    expect(isLetIn(address)).toBe(true);
  });

  it.each(['10.0.0.7', '192.168.1.2', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1', '', undefined])(
    '%s is not',
    (address) => {
      expect(isLetIn(address)).toBe(false);
    },
  );
});
