import type { EntityManager } from 'typeorm';
import { COVER_FIELD } from '#contracts/catalogue/book-save.js';
import type { Picture, PicturePurpose } from '../../http/uploaded-pictures.js';

/** The largest size on any screen, doubled for high-density screens. */
export const COVER: PicturePurpose = { field: COVER_FIELD, name: 'cover', box: { width: 600, height: 1200 } };

/** Sets or replaces the book's cover. Part of the caller's transaction. */
export async function putCover(manager: EntityManager, bookId: number, cover: Picture): Promise<void> {
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
