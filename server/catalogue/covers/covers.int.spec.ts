import { randomBytes, randomInt } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import sharp from 'sharp';
import { PICTURE_MAX_BYTES } from '#contracts/pictures.js';
import { addRow } from '../../../test-support/database/add-row.js';
import { startProduct } from '../../../test-support/product/product.js';
import { shared } from '../../../test-support/shared.js';
import { ean13 } from '../isbn.js';

const RED = { r: 200, g: 20, b: 20 };
const BLUE = { r: 20, g: 20, b: 200 };
const picture = (width: number, height: number, background: typeof RED = RED) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A PNG that says it is so large, and has next to nothing in it. */
function pngOfSize(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(3 * width + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('covers', () => {
  const product = shared(() => startProduct());
  const admin = shared(() => product.account('Admin'));
  const ids = shared(async () => ({
    author: await addRow(product.database, 'author', { firstname: 'Ada', lastname: 'Byron' }),
    genre: await addRow(product.database, 'genre', { name: 'Letters' }),
    publisher: await addRow(product.database, 'publisher', { name: 'House' }),
  }));

  const form = (isbn: string, file?: Buffer, name = 'cover.png', type = 'image/png', more: object = {}) => {
    const fields = new FormData();
    const plain = {
      isbn,
      title: 'Letters',
      description: 'To a friend.',
      publicationDate: '1843-01-01',
      copiesAvailable: '1',
      'publisher.id': String(ids.publisher),
      'authors[0].id': String(ids.author),
      'genres[0].id': String(ids.genre),
      ...more,
    };
    for (const [field, value] of Object.entries(plain)) fields.set(field, value);
    if (file) fields.set('bookcover', new File([new Uint8Array(file)], name, { type }));
    return fields;
  };
  const freeIsbn = () => ean13(`978${String(randomInt(1_000_000_000)).padStart(9, '0')}`);
  const post = (file?: Buffer, name?: string, type?: string) =>
    admin.send('POST', 'Book', form(freeIsbn(), file, name, type));
  const bookOf = async (id: number) =>
    (await admin.get(`Book/${id}`)).body as { isbn: string; photo: { url: string } | null };
  const added = async (file: Buffer, name?: string, type?: string) => {
    const { status, body } = await post(file, name, type);
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
    const { isbn, photo } = await bookOf(body.id as number);
    return { id: body.id as number, isbn, url: photo?.url ?? '' };
  };
  const served = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${product.url}${path}`, { headers });
    const { status, headers: told } = response;
    return { status, headers: told, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** The colour in the middle of a picture, or at a place of it. */
  const colourOf = async (bytes: Buffer, left?: number, top?: number) => {
    const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = ((top ?? info.height >> 1) * info.width + (left ?? info.width >> 1)) * info.channels;
    return { r: data[at] ?? 0, g: data[at + 1] ?? 0, b: data[at + 2] ?? 0 };
  };

  it('of every kind are drawn anew as WebP and served to everybody, for ever', async () => {
    const [small, large] = [picture(70, 98), picture(700, 980)];
    for (const [file, width, height] of [
      [await large.clone().jpeg().toBuffer(), 600, 840],
      [await small.clone().png().toBuffer(), 70, 98],
      [await small.clone().webp().toBuffer(), 70, 98],
      [await small.clone().gif().toBuffer(), 70, 98],
      [await small.clone().avif({ effort: 0 }).toBuffer(), 70, 98],
    ] as const) {
      // Neither the name nor the declared type says what a file is.
      const { id, url } = await added(file, 'whatever.bin', 'application/octet-stream');
      expect(url).toMatch(new RegExp(`^/api/Book/${id}/cover\\?v=[0-9a-f]{32}$`));
      const { status, headers, bytes } = await served(url);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe('image/webp');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width, height });
      expect((await colourOf(bytes)).r).toBeGreaterThan(150);

      const etag = headers.get('etag') ?? '';
      const again = await served(url, { 'if-none-match': `W/"x", ${etag}` });
      expect([again.status, again.bytes.length]).toEqual([304, 0]);
      const plain = await served(`/api/Book/${id}/cover`, { 'if-none-match': '"0123"' });
      expect([plain.status, plain.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    }
    const none = (await post()).body.id as number;
    expect((await bookOf(none)).photo).toBeNull();
    expect((await served(`/api/Book/${none}/cover`)).status).toBe(404);
    expect((await served('/api/Book/99999999999/cover')).status).toBe(404);
  });

  it('stand upright, keep what is see-through, and lose what the camera wrote', async () => {
    const photo = await sharp({
      create: { width: 300, height: 200, channels: 3, background: BLUE },
    })
      .composite([{ input: await picture(150, 200, RED).png().toBuffer(), left: 0, top: 0 }])
      .jpeg()
      .withExif({ IFD0: { Artist: 'somebody private' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { url } = await added(photo);
    const { bytes } = await served(url);
    const { width, height, exif, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, orientation }).toEqual({ width: 200, height: 300 });
    // Turned clockwise: what was left is on top.
    expect((await colourOf(bytes, 100, 50)).r).toBeGreaterThan(150);
    expect((await colourOf(bytes, 100, 250)).b).toBeGreaterThan(150);

    const clear = await sharp({
      create: { width: 50, height: 50, channels: 4, background: { ...RED, alpha: 0 } },
    })
      .png()
      .toBuffer();
    expect((await sharp((await served((await added(clear)).url)).bytes).metadata()).hasAlpha).toBe(true);
  });

  it('that move stand still at their first picture', async () => {
    const frames = [
      await picture(60, 60, RED).png().toBuffer(),
      await picture(60, 60, BLUE).png().toBuffer(),
    ];
    const moving = () => sharp(frames, { join: { animated: true } });
    for (const file of [await moving().gif().toBuffer(), await moving().webp().toBuffer()]) {
      expect((await sharp(file, { animated: true }).metadata()).pages).toBe(2);
      const { bytes } = await served((await added(file)).url);
      expect((await sharp(bytes, { animated: true }).metadata()).pages ?? 1).toBe(1);
      expect((await colourOf(bytes)).r).toBeGreaterThan(150);
    }
  });

  it('are replaced, kept, and taken away', async () => {
    const { id, isbn, url } = await added(await picture(100, 150, RED).png().toBuffer());
    const put = async (file?: Buffer, more: object = {}) => {
      const answer = await admin.send('PUT', `Book/${id}`, form(isbn, file, undefined, undefined, more));
      expect(answer.status).toBe(200);
      return (await bookOf(id)).photo?.url;
    };
    expect(await put()).toBe(url);
    const other = (await put(await picture(100, 150, BLUE).png().toBuffer())) ?? '';
    expect(other).not.toBe(url);
    expect((await colourOf((await served(other)).bytes)).b).toBeGreaterThan(150);
    // The old address shows the new picture, and is not kept.
    expect((await served(url)).headers.get('cache-control')).toBe('public, no-cache');
    const listed = (await admin.get(`Book?SearchTerm=${isbn}`)).body.items[0];
    expect(listed.photo).toEqual({ url: other });
    expect(await put(undefined, { removeCover: 'true' })).toBeUndefined();
    expect((await served(other)).status).toBe(404);

    await put(await picture(100, 150).png().toBuffer());
    expect((await admin.delete(`Book/${id}`)).status).toBe(200);
    const rows = await product.rows('select from book_cover where book_id = $1', id);
    expect(rows).toHaveLength(0);
  });

  describe('that are none', () => {
    const WHAT = 'The cover must be a JPEG, PNG, WebP, GIF or AVIF picture.';
    const refusal = async (file: Buffer, name?: string, type?: string) => {
      const isbn = freeIsbn();
      const { status, body } = await admin.send('POST', 'Book', form(isbn, file, name, type));
      expect(status).toBe(400);
      expect(Object.keys(body.errors as object)).toEqual(['bookcover']);
      // Nothing is half done: the book was not saved either.
      expect((await admin.get(`Book?SearchTerm=${isbn}`)).body.totalCount).toBe(0);
      return body.errors.bookcover as string[];
    };

    it('are refused by what they are, not by what they say', async () => {
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      const script = '<!doctype html><script>alert(1)</script>';
      for (const file of [
        ...[svg, `<?xml version="1.0"?>${svg}`, script.padEnd(100), '%PDF-1.7\n'.padEnd(100), ''].map(
          (text) => Buffer.from(text),
        ),
        await picture(10, 10).tiff().toBuffer(),
        Buffer.from([0xff, 0xd8, 0xff]),
      ])
        expect(await refusal(file, 'cover.png', 'image/png')).toEqual([WHAT]);
    });

    it('are refused when they are damaged', async () => {
      // Noise, so that the half that is missing is no blank.
      const noise = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
        .png()
        .toBuffer();
      const jpeg = await sharp(noise).jpeg().toBuffer();
      expect(await refusal(noise.subarray(0, noise.length / 2))).toEqual([
        'The cover cannot be read: the PNG file is damaged or incomplete.',
      ]);
      expect(await refusal(jpeg.subarray(0, jpeg.length / 2))).toEqual([
        'The cover cannot be read: the JPEG file is damaged or incomplete.',
      ]);
      for (const start of ['GIF89a', 'RIFF\0\0\0\0WEBPVP8 ', '\0\0\0\x20ftypavif', '\x89PNG\r\n\x1a\n']) {
        const broken = Buffer.concat([Buffer.from(start, 'latin1'), randomBytes(500)]);
        expect((await refusal(broken))[0]).toMatch(/damaged or incomplete/);
      }
    });

    it('are refused when they would unfold to more than memory should hold', async () => {
      const bomb = pngOfSize(20_000, 20_000);
      expect(bomb.length).toBeLessThan(100_000);
      expect(await refusal(bomb)).toEqual([
        'The cover has 20000 × 20000 pixels: at most 45 million can be read.',
      ]);
      const gif = Buffer.from(
        'GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;',
        'latin1',
      );
      expect((await refusal(gif))[0]).toMatch(/65535 × 65535|damaged/);
    });

    it('are refused when the file is too large, or there are two', async () => {
      const head = await picture(10, 10).png().toBuffer();
      const large = Buffer.concat([head, Buffer.alloc(PICTURE_MAX_BYTES)]);
      expect(await refusal(large)).toEqual(['The cover must be at most 8 MB.']);
      const two = form(freeIsbn(), head);
      two.append('bookcover', new File([new Uint8Array(head)], 'second.png'));
      expect((await admin.send('POST', 'Book', two)).body.errors).toHaveProperty('bookcover');
      const elsewhere = form(freeIsbn());
      elsewhere.set('evil', new File([new Uint8Array(head)], 'cover.png'));
      expect((await admin.send('POST', 'Book', elsewhere)).body.errors).toHaveProperty('bookcover');
    });

    it('leave nothing behind of what was hidden in a real picture', async () => {
      const payload = '<script>alert(document.cookie)</script>';
      const jpeg = await picture(80, 80)
        .jpeg()
        .withExif({ IFD0: { ImageDescription: payload } })
        .toBuffer();
      const polyglot = Buffer.concat([jpeg, Buffer.from(`<html>${payload}</html>`)]);
      expect(polyglot.includes('script')).toBe(true);
      const { url } = await added(polyglot, 'cover.html', 'text/html');
      const { bytes, headers } = await served(url);
      expect(headers.get('content-type')).toBe('image/webp');
      expect(bytes.includes('script')).toBe(false);
      expect(bytes.includes('html')).toBe(false);
    });

    it('may be many at once', async () => {
      const file = await picture(300, 300).png().toBuffer();
      const files = [...Array.from({ length: 6 }, () => file), file.subarray(0, 60)];
      const answers = await Promise.all(files.map((each) => post(each)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 201, 400]);
    });
  });
});
