import { useMutation, useQueryClient } from '@tanstack/react-query';
import { publisherSchema, type Publisher, type PublisherBody } from '#contracts/catalogue/publisher.js';
import { request } from '../../../lib/api/request.js';
import { labels } from '../../../domain/labels.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { isSessionOver } from '../authorities/is-session-over.js';
import type { AuthoritySave, Named } from '../authorities/authority-dialog.js';

async function savePublisher({ body, edited }: AuthoritySave<PublisherBody, Publisher>): Promise<Named> {
  const saved = edited
    ? await request(publisherSchema, `Publisher/${edited.id}`, {
        method: 'PUT',
        body: { id: edited.id, ...body, version: edited.version },
      })
    : await request(publisherSchema, 'Publisher/add', { method: 'POST', body });
  return { id: saved.id, name: saved.name };
}

/** Adds or updates; a failure is also told in the dialog, which stays open. */
export function useSavePublisher() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: savePublisher,
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? 'Publisher successfully updated' : 'Publisher successfully added');
      void client.invalidateQueries({ queryKey: queryKeys.publishers });
      // Books are shown with the publisher's name.
      if (edited) void client.invalidateQueries({ queryKey: queryKeys.books });
    },
    onError: (error, { edited }) => {
      if (!isSessionOver(error))
        notify.error(edited ? 'Failed to update publisher' : labels.publisherNotAdded);
    },
  });
}
