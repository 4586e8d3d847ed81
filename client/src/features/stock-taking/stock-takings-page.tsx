import * as m from '#words/messages.js';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import {
  STOCK_TAKINGS_PAGE_SIZE,
  type StockTaking,
  newStockTakingSchema,
  type NewStockTaking,
} from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { EmptyState, Skeleton } from '../../components/list/placeholders.js';
import { ListPage } from '../../components/list/list-page.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';
import { StateMark, shelvesOf } from './labels.js';
import { useStockTakings, useStartStockTaking } from './stock-taking-calls.js';
import styles from './stock-takings-page.module.css';
import { inGroups } from '../../lib/texts.js';
import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, useWatch, type Resolver } from 'react-hook-form';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { Form, TextField } from '../../components/form/form.js';
import { Notice } from '../../components/dialog/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';

const TITLE = m.stock_title();
const ADDRESS = { pageNumber: pageParameter } as const;

/** All stock-takings, the latest first. */
export function StockTakingsPage() {
  usePageTitle(TITLE);
  const address = useAddress(ADDRESS);
  const list = useList(address, useStockTakings(address[0].pageNumber), STOCK_TAKINGS_PAGE_SIZE);
  const [starting, setStarting] = useState(false);
  const start = (
    <Button look="primary" onClick={() => setStarting(true)}>
      {m.stock_start()}
    </Button>
  );
  return (
    <>
      <ListPage
        list={list}
        title={TITLE}
        label={m.stock_all()}
        count={() => null}
        actions={list.answer.data?.totalCount ? start : null}
        pagesLabel={m.stock_pages()}
        empty={
          <EmptyState title={m.stock_empty()} action={start}>
            {m.stock_empty_lead()}
          </EmptyState>
        }
      >
        {(page) => (
          <ul role="list" className="border-t border-line-strong" aria-busy={!page}>
            {page
              ? page.items.map((each) => <Row key={each.id} stockTaking={each} />)
              : Array.from({ length: 4 }, (_, row) => (
                  <li key={row} className={styles.row}>
                    <Skeleton width={`${70 - row * 9}%`} />
                  </li>
                ))}
          </ul>
        )}
      </ListPage>
      {starting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  );
}

function Row({ stockTaking }: { stockTaking: StockTaking }) {
  const { id, name, state, startedAt, startedBy, scanned } = stockTaking;
  return (
    <li className={styles.row} data-stock-taking={id}>
      <Link className={styles.name} to={`/admin/stock-taking/${id}`}>
        {name}
      </Link>
      <StateMark state={state} />
      <p className={styles.about}>
        <span>{shelvesOf(stockTaking)}</span>
        <span>
          {startedBy === null
            ? m.stock_begun({ day: isoDay(startedAt) })
            : m.stock_begun_by({ day: isoDay(startedAt), by: startedBy })}
        </span>
      </p>
      <p className={styles.scanned}>{m.stock_scanned({ count: inGroups(scanned) })}</p>
    </li>
  );
}

const PART = 'flex items-baseline gap-2 min-h-8 cursor-pointer [&_input]:accent-accent';

interface Values {
  name: string;
  part: 'house' | 'shelves';
  shelves: { from: string; until: string };
}

/** The form has the shelves also where the whole house is meant; one shelf alone is from itself to itself. */
function wantedOf({ name, part, shelves: { from, until } }: Values) {
  return { name, shelves: part === 'house' ? null : { from, until: until.trim() === '' ? from : until } };
}

const parse = zodResolver(newStockTakingSchema) as unknown as Resolver<object, unknown, NewStockTaking>;
const resolver: Resolver<Values, unknown, NewStockTaking> = (values, context, options) =>
  parse(wantedOf(values), context, options as never);

/** What is to be gone through: the whole house, or the shelves from one to another. */
function StartDialog({ onClose }: { onClose: () => void }) {
  const start = useStartStockTaking();
  const navigate = useNavigate();
  const [today] = useState(() => isoDay(Date.now()));
  const form = useForm<Values, unknown, NewStockTaking>({
    resolver,
    mode: 'onTouched',
    defaultValues: {
      name: m.stock_name_of_day({ day: today }),
      part: 'house',
      shelves: { from: '', until: '' },
    },
  });
  const part = useWatch({ control: form.control, name: 'part' });
  return (
    <Dialog title={m.stock_start()} keep onClose={onClose}>
      <Form
        form={form}
        busy={start.isPending}
        onSubmit={(wanted) =>
          start.mutate(
            { body: wanted },
            { onSuccess: ({ id }) => void navigate(`/admin/stock-taking/${id}`) },
          )
        }
      >
        {start.isError && <Notice>{firstWordsOf(start.error)}</Notice>}
        <TextField<Values> name="name" label={m.common_name()} autoComplete="off" maxLength={80} />
        <fieldset className="grid gap-2 m-0 p-0 border-0">
          <legend className="mb-1 p-0 text-1 font-strong">{m.stock_what_to_check()}</legend>
          <label className={PART}>
            <input type="radio" value="house" {...form.register('part')} />
            <span>
              {m.stock_house()}
              <span className="note block">{m.stock_house_hint()}</span>
            </span>
          </label>
          <label className={PART}>
            <input type="radio" value="shelves" {...form.register('part')} />
            <span>
              {m.stock_some_shelves()}
              <span className="note block">{m.stock_some_shelves_hint()}</span>
            </span>
          </label>
        </fieldset>
        {part === 'shelves' && (
          <div className="grid grid-cols-2 gap-4 to-480:grid-cols-1">
            <TextField<Values>
              name="shelves.from"
              label={m.stock_from_shelf()}
              hint={m.stock_from_shelf_hint()}
              autoComplete="off"
            />
            <TextField<Values>
              name="shelves.until"
              label={m.stock_to_shelf()}
              hint={m.stock_to_shelf_hint()}
              autoComplete="off"
            />
          </div>
        )}
        <SubmitButtons action={m.stock_start_action()} busy={start.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
