import { zodResolver } from '@hookform/resolvers/zod';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { stickerOptionsSchema } from '#contracts/reports/report.js';
import { Button } from '../../components/form/button.js';
import { Field } from '../../components/form/field.js';
import { showFieldErrors } from '../../lib/form-errors.js';
import { useMakeReport, useMaking } from './make-report.js';
import { ReportCard } from './report-card.js';
import { REPORTS } from './reports.js';

const formSchema = stickerOptionsSchema.pick({ start: true, addedSince: true });

/** Both fields may be left as they are: then every label is printed, from the first place of a whole sheet on. */
export function StickersCard() {
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
        <Button type="submit" look="primary" busy={busy}>
          <Download size={18} aria-hidden="true" />
          {REPORTS.stickers.button}
        </Button>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11rem),1fr))] gap-4 w-full">
          <Field
            label="Start at label"
            hint="For a sheet that was begun: the first free label, counted row by row."
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
            label="Added since"
            hint="Only books that came into the catalogue on this day or later."
            errors={[errors.addedSince?.message]}
          >
            {(control) => <input {...control} {...form.register('addedSince')} type="date" />}
          </Field>
        </div>
      </form>
    </ReportCard>
  );
}
