import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../components/button.js';
import { Notice } from '../../../components/notice.js';
import { RequestError, sentenceOf } from '../../../lib/api/request-error.js';

interface AuthorityRefusalProps<Item> {
  error: Error | null;
  /** The fields that show messages of their own. */
  fields: readonly string[];
  /** Fetches what is edited as it is now; missing where nothing is edited. */
  load: (() => Promise<Item>) | undefined;
  onLoaded: (newer: Item) => void;
}

/** Why saving was refused, where no field says it. */
export function AuthorityRefusal<Item>({ error, fields, load, onLoaded }: AuthorityRefusalProps<Item>) {
  const newer = useMutation({
    mutationFn: async () => load?.(),
    meta: { inPlace: true },
    onSuccess: (item) => item && onLoaded(item),
  });
  if (!error || fields.some((field) => error instanceof RequestError && error.fieldErrors?.[field]?.length))
    return null;
  const outdated = error instanceof RequestError && error.problem?.code === 'EditedMeanwhile';
  return (
    <>
      <Notice
        action={
          outdated &&
          load && (
            <Button size="small" busy={newer.isPending} onClick={() => newer.mutate()}>
              Load the newer version
            </Button>
          )
        }
      >
        {sentenceOf(error)} {outdated && 'What you have changed here stays as you typed it.'}
      </Notice>
      {newer.isError && <Notice>{sentenceOf(newer.error)}</Notice>}
    </>
  );
}
