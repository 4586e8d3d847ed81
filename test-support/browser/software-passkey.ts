import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
/** A CBOR byte string with a length of one byte; nothing here is longer. */
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value]);

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_KEY = 64;

interface Page {
  origin: string;
  rpId?: string;
  /** False: neither finger nor PIN was given. */
  verified?: boolean;
}

/** A passkey without a device, which signs what a test wants, right or wrong (WebAuthn level 3, ES256, no attestation). */
export class SoftwarePasskey {
  readonly id = randomBytes(16);
  counter = 0;
  private readonly key: KeyObject;
  private readonly publicKey: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.key = privateKey;
    // A COSE key: EC2, ES256, P-256.
    this.publicKey = Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.from([0x22]),
      bytes(Buffer.from(y, 'base64url')),
    ]);
  }

  /** The answer to a browser's request to make it. */
  made(challenge: string, page: Page) {
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      this.publicKey,
    ]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), bytes(Buffer.concat([this.data(page, HAS_KEY), credential]))],
    ]);
    return this.answer({
      clientDataJSON: clientData('webauthn.create', challenge, page).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The answer to a request to prove itself. */
  proof(challenge: string, page: Page) {
    const authenticatorData = this.data(page);
    const client = clientData('webauthn.get', challenge, page);
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(client)]))
      .sign(this.key);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private data({ origin, rpId = new URL(origin).hostname, verified = true }: Page, further = 0): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = USER_PRESENT | (verified ? USER_VERIFIED : 0) | further;
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  }

  private answer<Response>(response: Response) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, challenge: string, { origin }: Page): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
