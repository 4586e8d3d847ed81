import * as m from '#words/messages.js';
import { useFormContext } from 'react-hook-form';
import type { LibraryFacts, LibraryView } from '#contracts/library/library-facts.js';
import { CURRENCIES, USUAL_CURRENCY, type Currency } from '#contracts/currency.js';
import { Field } from '../components/form/field.js';
import { siteLanguage } from '../lib/languages.js';

const names = new Intl.DisplayNames(siteLanguage, { type: 'currency' });

/** Those that no currency is named after. */
const EURO_REGIONS = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

/**
 * What a browser's language and zone suggest: the currency of its country. Browsers that nobody set up say "en-US" all over the
 * world, so that counts in America alone.
 * @param language as browsers name it: `en-GB`
 */
export function suggestedCurrency(language: string, timeZone: string): Currency {
  const region = /-([A-Z]{2})\b/.exec(language)?.[1];
  if (region === undefined || (region === 'US' && !timeZone.startsWith('America/'))) return USUAL_CURRENCY;
  if (EURO_REGIONS.includes(region)) return 'EUR';
  // A country's code begins the code of its currency.
  return CURRENCIES.find((each) => each.startsWith(region)) ?? USUAL_CURRENCY;
}

/** The zone by which the library counts its days, and the currency of all its amounts; in the form around them. */
export function TimeAndMoneyFields({
  fixed,
}: {
  fixed: Pick<LibraryView['fixed'], 'timeZone' | 'currency'>;
}) {
  const { register, formState, getValues } = useFormContext<LibraryFacts>();
  const { errors } = formState;
  const zones = Intl.supportedValuesOf('timeZone');
  const own = getValues('timeZone');
  return (
    <>
      <Field
        label={m.library_fact_time_zone()}
        hint={fixed.timeZone ? m.library_time_zone_fixed() : m.library_time_zone_hint()}
        errors={[errors.timeZone?.message]}
      >
        {(control) => (
          <select {...control} {...register('timeZone')} aria-disabled={fixed.timeZone}>
            {(zones.includes(own) ? zones : [own, ...zones])
              .filter((zone) => !fixed.timeZone || zone === own)
              .map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
          </select>
        )}
      </Field>
      <Field
        label={m.library_fact_currency()}
        hint={fixed.currency ? m.library_currency_fixed() : m.library_currency_hint()}
        errors={[errors.currency?.message]}
      >
        {(control) => (
          <select {...control} {...register('currency')} aria-disabled={fixed.currency}>
            {CURRENCIES.map((each) => ({ each, value: each === USUAL_CURRENCY ? '' : each }))
              .filter(({ value }) => !fixed.currency || value === getValues('currency'))
              .map(({ each, value }) => (
                <option key={each} value={value}>
                  {m.library_currency_name({ code: each, name: names.of(each) ?? each })}
                </option>
              ))}
          </select>
        )}
      </Field>
    </>
  );
}
