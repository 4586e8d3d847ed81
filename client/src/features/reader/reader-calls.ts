import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { cardSchema } from '#contracts/accounts/own-card.js';
import { noticeAnswerSchema, type NoticeBody } from '#contracts/accounts/reader-card.js';
import { request } from '../../lib/api/request.js';
import { queryKeys } from '../../domain/query-keys.js';

type Change =
  /** Their card. */
  | { kind: 'replace' }
  | { kind: 'block'; blocked: boolean }
  /** Null takes the message away. */
  | { kind: 'notice'; notice: NoticeBody | null };

/** What a librarian changes of a reader's card and message; a refusal is shown where it was asked for. */
export function useReaderChange(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(id, change),
    meta: { inPlace: true },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.readerPanel(id) }),
  });
}

async function send(id: string, change: Change): Promise<void> {
  const query = { id };
  switch (change.kind) {
    case 'replace':
      await request(cardSchema, 'Reader/card/replace', { method: 'POST', query });
      return;
    case 'block':
      await request(cardSchema, 'Reader/card/block', {
        method: 'PUT',
        query,
        body: { blocked: change.blocked },
      });
      return;
    case 'notice':
      if (change.notice === null)
        await request(messageAnswerSchema, 'Reader/notice', { method: 'DELETE', query });
      else
        await request(noticeAnswerSchema, 'Reader/notice', {
          method: 'PUT',
          query,
          body: change.notice,
        });
  }
}
