import * as m from '#words/messages.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { addDemo, readDemo } from '#contracts/library/demo.js';
import { Notice } from '../../components/dialog/notice.js';
import { Button, ButtonLink } from '../../components/form/button.js';
import { SET_UP, SetUpFrame } from '../../domain/set-up-frame.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { keyOf, queryOf, useCall } from '../../lib/api/send.js';
import { CsvUpload } from './csv-upload.js';

const meta = { inPlace: true };

/** The last step of the set-up: what the library lends, and to whom. */
export function SetUpBooksPage() {
  return (
    <SetUpFrame step={3}>
      <p>{m.set_up_books_lead()}</p>
      <section className="flex flex-col gap-3" aria-labelledby="csv">
        <h2 id="csv" className="text-3">
          {m.set_up_csv()}
        </h2>
        <p className="note">{m.set_up_csv_hint()}</p>
        <CsvUpload />
      </section>
      <section className="flex flex-col gap-3" aria-labelledby="one-by-one">
        <h2 id="one-by-one" className="text-3">
          {m.set_up_one_by_one()}
        </h2>
        <p className="note">{m.set_up_one_by_one_hint()}</p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/admin/books/save">{m.set_up_add_book()}</ButtonLink>
          <ButtonLink to="/admin/desk">{m.set_up_register_readers()}</ButtonLink>
        </div>
      </section>
      <Demo />
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={SET_UP.hours}>{m.set_up_back()}</ButtonLink>
        <ButtonLink to="/admin/dashboard" look="primary">
          {m.set_up_finish()}
        </ButtonLink>
      </div>
    </SetUpFrame>
  );
}

/** Something to look at, while there are no books. */
function Demo() {
  const client = useQueryClient();
  const demo = useQuery({ ...queryOf(readDemo), refetchOnMount: 'always', meta });
  const add = useCall(addDemo, { meta, onSuccess: (view) => client.setQueryData(keyOf(readDemo), view) });
  const isThere = demo.data !== undefined && demo.data.books + demo.data.readers > 0;
  if (!demo.data?.canBeAdded && !isThere) return null;
  return (
    <section className="flex flex-col items-start gap-3" aria-labelledby="demo">
      <h2 id="demo" className="text-3">
        {m.demo_title()}
      </h2>
      {isThere ? (
        <p role="status">{m.demo_there({ books: demo.data.books, readers: demo.data.readers })}</p>
      ) : (
        <>
          <p className="note">{m.demo_hint()}</p>
          <Button busy={add.isPending} onClick={() => add.mutate({})}>
            {m.demo_add()}
          </Button>
        </>
      )}
      {add.isError && <Notice>{sentenceOf(add.error)}</Notice>}
    </section>
  );
}
