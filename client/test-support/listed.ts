import type { OwnList } from '#contracts/lists/reading-lists.js';

export const LIST_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3310';

export const ownList = (changes: Partial<OwnList> = {}): OwnList => ({
  id: LIST_ID,
  standing: null,
  name: 'Summer',
  description: '',
  books: 0,
  firstBooks: [],
  isShared: false,
  changedAt: '2026-11-20T10:00:00Z',
  ...changes,
});
