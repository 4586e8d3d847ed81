import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { COVER_FIELD, COVER_TYPES } from '#contracts/catalogue/book-save.js';
import { RequestInvalid } from '../../http/validation.js';

/** A stored cover. */
export interface Cover {
  /** WebP. */
  bytes: Buffer;
  /** Of the bytes. */
  hash: string;
}

/** The largest size on any screen, doubled for high-density screens. */
const BOX = { width: 600, height: 1200 };
/** Above a page scanned at 600 dpi, and below decompression bombs. */
const MAX_PIXELS = 45_000_000;
const QUALITY = 82;
const LONGEST_SECONDS = 20;

type CoverType = (typeof COVER_TYPES)[number];

/** Makes covers from uploaded files. Nothing of the file itself is kept: its pixels are encoded again. */
@Injectable()
export class CoverPictures {
  /** Serialized: each may take some hundred megabytes. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param file the upload; its name and declared type are ignored
   * @throws RequestInvalid naming the accepted formats
   */
  make(file: Buffer): Promise<Cover> {
    const made = this.last.then(() => draw(file));
    this.last = made.catch(() => undefined);
    return made;
  }
}

async function draw(file: Buffer): Promise<Cover> {
  const type = typeOf(file);
  if (!type) throw refused('The cover must be a JPEG, PNG, WebP, GIF or AVIF picture.');
  // Loaded with the first cover: no start waits for it.
  const { default: sharp } = await import('sharp');
  try {
    const { width, height } = await sharp(file, { limitInputPixels: false }).metadata();
    if (width * height > MAX_PIXELS) {
      throw refused(
        `The cover has ${width} × ${height} pixels: at most ${MAX_PIXELS / 1e6} million can be read.`,
      );
    }
    // Of several images in one file, the first is used. Metadata (positions, cameras, previews) is dropped by default.
    const bytes = await sharp(file, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
      .timeout({ seconds: LONGEST_SECONDS })
      .autoOrient()
      .resize({ ...BOX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
    return { bytes, hash: createHash('sha256').update(bytes).digest('hex').slice(0, 32) };
  } catch (error) {
    if (error instanceof RequestInvalid) throw error;
    throw refused(`The cover cannot be read: the ${NAMES[type]} file is damaged or incomplete.`);
  }
}

function refused(message: string): RequestInvalid {
  return new RequestInvalid({ [COVER_FIELD]: [message] });
}

const NAMES: Record<CoverType, string> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
  'image/avif': 'AVIF',
};

/**
 * Detects the format by the first bytes, as the image library does: uploads never reach its other decoders (SVG, PDF,
 * TIFF).
 */
function typeOf(file: Buffer): CoverType | undefined {
  const ascii = (from: number, to: number) => file.toString('latin1', from, to);
  if (file.length < 16) return undefined;
  if (file.readUIntBE(0, 3) === 0xff_d8_ff) return 'image/jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (/^GIF8[79]a$/.test(ascii(0, 6))) return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  if (ascii(4, 8) === 'ftyp' && /^avi[fs]$/.test(ascii(8, 12))) return 'image/avif';
  return undefined;
}

/** Sets or replaces the book's cover. Part of the caller's transaction. */
export async function putCover(manager: EntityManager, bookId: number, cover: Cover): Promise<void> {
  await manager.query(
    `insert into book_cover (book_id, hash, bytes) values ($1, $2, $3)
     on conflict (book_id) do update set hash = excluded.hash, bytes = excluded.bytes`,
    [bookId, cover.hash, cover.bytes],
  );
  await manager.query('update book set photo_url = $2 where id = $1', [
    bookId,
    `/api/Book/${bookId}/cover?v=${cover.hash}`,
  ]);
}

/** Deletes the book's cover. Part of the caller's transaction. */
export async function removeCover(manager: EntityManager, bookId: number): Promise<void> {
  await manager.query('delete from book_cover where book_id = $1', [bookId]);
  await manager.query('update book set photo_url = null where id = $1 and photo_url is not null', [bookId]);
}
