import * as m from '#words/messages.js';
import { useState } from 'react';
import { PERMISSION_NAMES } from '#contracts/accounts/account-names.js';
import type { PermissionSet, PermissionSetFields } from '#contracts/accounts/permission-sets.js';
import { PERMISSIONS, type Permission } from '#contracts/permissions.js';
import { moneyUnit } from '#contracts/money.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { TypedField } from '../../components/form/field.js';
import { useUser } from '../../lib/session.js';
import { typedAmount } from '../../lib/texts.js';

interface SetDialogProps {
  /** The one to be changed. */
  set?: PermissionSet;
  command: { isPending: boolean; error: Error | null };
  onSave: (fields: PermissionSetFields) => void;
  onClose: () => void;
}

/** What a set is called, and what it allows: nothing that whoever fills this in may not do. */
export function SetDialog({ set, command, onSave, onClose }: SetDialogProps) {
  const own = useUser()?.permissions ?? [];
  const [name, setName] = useState(set?.name ?? '');
  const [chosen, setChosen] = useState<readonly Permission[]>(set?.permissions ?? []);
  const [limit, setLimit] = useState(() => limitText(set));
  const [isWrong, setWrong] = useState(false);
  const isLimit = /^\s*(\d+([.,]\d{1,2})?)?\s*$/.test(limit);
  const choose = (permission: Permission, on: boolean) =>
    setChosen(PERMISSIONS.filter((each) => (each === permission ? on : chosen.includes(each))));
  const save = () => {
    setWrong(true);
    if (name.trim() === '' || chosen.length === 0 || !isLimit) return;
    const amount = limit.trim() === '' ? null : Math.round(Number(limit.replace(',', '.')) * 100);
    onSave({ name, permissions: [...chosen], waiverLimit: chosen.includes('waive') ? amount : 0 });
  };
  return (
    <CommandDialog
      title={set ? m.sets_change_named({ name: set.name }) : m.sets_add()}
      action={m.common_save()}
      command={command}
      onSubmit={save}
      onClose={onClose}
    >
      <TypedField
        label={m.sets_name()}
        maxLength={60}
        value={name}
        onValue={setName}
        error={isWrong && name.trim() === '' ? m.sets_name_wrong({ most: 60 }) : undefined}
      />
      <fieldset className="flex flex-col min-w-0 m-0 p-0 border-0">
        <legend className="mb-1 p-0 font-serif font-medium">{m.sets_allows()}</legend>
        {PERMISSIONS.map((each) => (
          <label key={each} className="flex items-baseline gap-2 py-1 phone:py-2">
            <input
              type="checkbox"
              checked={chosen.includes(each)}
              disabled={!own.includes(each)}
              onChange={(event) => choose(each, event.target.checked)}
            />
            {PERMISSION_NAMES[each]()}
          </label>
        ))}
        {isWrong && chosen.length === 0 && (
          <p role="alert" className="text-danger text-1">
            {m.sets_choose_one()}
          </p>
        )}
      </fieldset>
      {chosen.includes('waive') && (
        <TypedField
          label={m.sets_waiver_limit({ currency: moneyUnit() })}
          hint={m.sets_waiver_limit_hint()}
          inputMode="decimal"
          value={limit}
          onValue={setLimit}
          error={isWrong && !isLimit ? m.sets_waiver_limit_wrong() : undefined}
        />
      )}
    </CommandDialog>
  );
}

function limitText(set: PermissionSet | undefined): string {
  if (!set) return '20';
  return set.waiverLimit === null ? '' : typedAmount(set.waiverLimit / 100);
}
