/** Bytes of the file of a picture, at most. */
export const PICTURE_MAX_BYTES = 8 * 1024 * 1024;
/** What a picture may be: of points, never of statements that are drawn (SVG). */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;
