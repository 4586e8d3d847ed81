import { NumberField } from './number-field.js';
import { RULE_GROUPS } from '../rule-fields.js';
import styles from './rules-form.module.css';
import type { RuleErrors, TypedRules } from './typed-rules.js';

/** A part of the form: what is typed in all of it, what is wrong, and how it is changed. */
export interface PartProps {
  typed: TypedRules;
  errors: RuleErrors;
  onEdit: (part: Partial<TypedRules>) => void;
}

/** The numbers that hold for everybody and every book. */
export function NumbersPart({ typed: { numbers }, errors, onEdit }: PartProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-10 gap-y-6">
      {RULE_GROUPS.map(({ title, fields }) => (
        <fieldset key={title} className={styles.group}>
          <legend className={styles.title}>{title}</legend>
          <div className="grid grid-cols-[repeat(auto-fill,minmax(9.25rem,1fr))] gap-4">
            {fields.map((field) => (
              <NumberField
                key={field.name}
                field={field}
                value={numbers[field.name]}
                error={errors.get(field.name)}
                onChange={(value) => onEdit({ numbers: { ...numbers, [field.name]: value } })}
              />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}
