import * as m from '#words/messages.js';
import { StaffLink } from '../../domain/staff-link.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { MadeToday } from './made-today.js';
import { zodResolver } from '@hookform/resolvers/zod';
import Download from 'lucide-react/icons/download';
import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { stickerOptionsSchema, REPORT_FILES } from '#contracts/reports/report.js';
import { Marked } from '../../components/display/marked.js';
import { Button } from '../../components/form/button.js';
import { DateInput } from '../../components/form/date-input.js';
import { Field } from '../../components/form/field.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { useMakeReport, useMaking, REPORTS, type Report } from './make-report.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { classNames } from '../../lib/class-names.js';
import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import styles from './reports-page.module.css';

/** The files that an admin takes away (specification, section 2, "Admin reports"). */
export function ReportsPage() {
  usePageTitle(m.common_reports());
  return (
    <>
      <h2 className="mb-4 text-4">{m.common_reports()}</h2>
      <ul
        role="list"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,22rem),1fr))] gap-6 max-w-240"
      >
        <li>
          <InventoryCard />
        </li>
        <li>
          <StickersCard />
        </li>
      </ul>
      <p className="mt-6 text-ink-soft">
        <Marked
          parts={m.report_searches.parts()}
          as={{ link: (children) => <StaffLink to="/admin/raports/searches">{children}</StaffLink> }}
        />
      </p>
      <MadeToday />
    </>
  );
}

const formSchema = stickerOptionsSchema.pick({ start: true, addedSince: true });

/** Both fields may be left as they are: then every label is printed, from the first place of a whole sheet on. */
function StickersCard() {
  const download = useMakeReport('stickers');
  const busy = useMaking('stickers') !== null;
  const [refusalShown, setRefusalShown] = useState(false);
  const form = useForm({
    resolver: zodResolver(formSchema),
    mode: 'onTouched',
    defaultValues: { start: '', addedSince: '' },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit((options) => {
    setRefusalShown(false);
    download.mutate(options, {
      onError: (error) => setRefusalShown(showFieldErrors(form, error, ['start', 'addedSince'])),
    });
  });

  return (
    <ReportCard report={REPORTS.stickers} download={download} refusalShown={refusalShown}>
      <form
        className="[&>button]:h-auto [&>button]:py-2 [&>button]:whitespace-normal flex flex-col items-start gap-4 w-full"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy) void submit(event);
        }}
      >
        <Button icon={Download} type="submit" look="primary" busy={busy}>
          {REPORTS.stickers.button}
        </Button>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4 w-full">
          <Field
            label={m.report_start_at_label()}
            hint={m.report_start_at_label_hint()}
            errors={[errors.start?.message]}
          >
            {(control) => (
              <input
                {...control}
                {...form.register('start')}
                type="number"
                inputMode="numeric"
                min={1}
                step={1}
                placeholder="1"
              />
            )}
          </Field>
          <Field
            label={m.report_added_since()}
            hint={m.report_added_since_hint()}
            errors={[errors.addedSince?.message]}
          >
            {(control) => <DateInput {...control} {...form.register('addedSince')} />}
          </Field>
        </div>
      </form>
    </ReportCard>
  );
}

function InventoryCard() {
  const download = useMakeReport('inventory');
  const busy = useMaking('inventory') !== null;
  return (
    <ReportCard report={REPORTS.inventory} download={download}>
      <Button icon={Download} look="primary" busy={busy} onClick={() => download.mutate({})}>
        {REPORTS.inventory.button}
      </Button>
    </ReportCard>
  );
}

interface ReportCardProps {
  report: Report;
  download: ReturnType<typeof useMakeReport>;
  /** Its form says itself what was wrong. */
  refusalShown?: boolean;
  /** The button that starts it, with its options. */
  children: ReactNode;
}

/** A report: what it is, how to have it made, how far it is, and what came of it. */
function ReportCard({ report, download, refusalShown = false, children }: ReportCardProps) {
  const making = useMaking(report.kind);
  return (
    <article
      className={classNames(
        'flex flex-col items-start gap-4 h-full p-6 border border-line double-rule bg-surface',
        '[&>button]:h-auto [&>button]:py-2 [&>button]:whitespace-normal',
      )}
    >
      <p>{report.about}</p>
      {children}
      {making && <ReportProgress {...making} />}
      {download.isError && !making && !refusalShown && (
        <div
          className="flex flex-wrap items-center justify-between gap-3 w-full p-3 rounded bg-danger-wash text-danger"
          role="alert"
        >
          <p>{m.report_file_not_made({ why: firstWordsOf(download.error) })}</p>
          <Button size="small" onClick={() => download.mutate(download.variables)}>
            {m.common_retry()}
          </Button>
        </div>
      )}
      <p className="text-ink-soft text-1 tabular-nums empty:hidden" role="status">
        {download.data === true && !making && m.report_saved_as({ file: REPORT_FILES[report.kind] })}
      </p>
    </article>
  );
}

interface ReportProgressProps {
  /** When it was requested, by this machine's clock. */
  since: number;
  /** How much of it is made, from 0 to 100; unknown where nobody tells. */
  percent?: number | undefined;
}

/** A file in the making: how far it is, where that is known, and how long it has taken. */
function ReportProgress({ since, percent }: ReportProgressProps) {
  const age = ageInShort(useNow(true) - since);
  return (
    <div className="w-full">
      <progress className={styles.bar} aria-label={m.report_making()} max={100} value={percent} />
      <p className="text-ink-soft text-1 tabular-nums mt-2">
        {percent === undefined
          ? m.report_making_for({ age })
          : m.report_percent_made({ percent: Math.floor(percent), age })}
      </p>
      <p className="visually-hidden" role="status">
        {m.report_making_takes()}
      </p>
    </div>
  );
}
