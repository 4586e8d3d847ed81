import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ROLE_NAMES } from '#contracts/accounts/account-names.js';
import { listSets } from '#contracts/accounts/permission-sets.js';
import { ROLES } from '#contracts/permissions.js';
import { providerSchema, providersSchema } from '#contracts/accounts/sign-on-providers.js';
import { addressesFor, type SignOnView } from '#contracts/accounts/sign-on.js';
import { READER_KIND_LABELS, READER_KINDS } from '#contracts/rules/kinds.js';
import * as m from '#words/messages.js';
import type { z } from 'zod';
import { CommandDialog, type CommandDialogProps } from '../../components/dialog/dialog.js';
import { Notice } from '../../components/dialog/notice.js';
import { SelectField } from '../../components/form/choice.js';
import { Button } from '../../components/form/button.js';
import { TypedField } from '../../components/form/field.js';
import { queryOf } from '../../lib/api/send.js';
import { messagesOf } from '../../components/form/use-light-form.js';

export type EditedProvider = z.input<typeof providersSchema>[number];

const TEXTS = {
  name: { label: m.sign_on_name(), hint: m.sign_on_name_hint() },
  key: { label: m.sign_on_key(), hint: m.sign_on_key_hint() },
  issuer: { label: m.sign_on_issuer(), hint: m.sign_on_issuer_hint() },
  clientId: { label: m.sign_on_client(), hint: undefined },
  secret: { label: m.sign_on_secret(), hint: m.sign_on_secret_hint() },
  scopes: { label: m.sign_on_scopes(), hint: m.sign_on_scopes_hint() },
  matchClaim: { label: m.sign_on_match_claim(), hint: m.sign_on_match_claim_hint() },
  groupsClaim: { label: m.sign_on_groups_claim(), hint: m.sign_on_groups_claim_hint() },
} as const;
type TextName = keyof typeof TEXTS;

const TICKS = {
  makesAccounts: m.sign_on_makes_accounts(),
  staff: m.sign_on_staff(),
  trustsMfa: m.sign_on_trusts_mfa(),
  on: m.sign_on_on(),
} as const;

type GroupSets = SignOnView['providers'][number]['groups'];
type GroupSet = GroupSets[number]['set'];

const SETS = ROLES.filter((role) => role !== 'Reader').map((value): { value: GroupSet; label: string } => ({
  value,
  label: ROLE_NAMES[value](),
}));

const NEW = {
  ...providerSchema.partial({ key: true, name: true, issuer: true, clientId: true }).parse({}),
  ...{ key: '', name: '', issuer: 'https://', clientId: '', matchClaim: 'email' },
};

interface ProviderDialogProps extends Pick<CommandDialogProps, 'command' | 'onClose'> {
  /** The one that is edited. */
  provider: SignOnView['providers'][number] | null;
  onSave: (provider: EditedProvider) => void;
}

/** A provider is added, or edited. */
export function ProviderDialog({ provider, command, onSave, onClose }: ProviderDialogProps) {
  const [values, setValues] = useState({ ...NEW, ...provider, secret: '' });
  const [isChecked, setChecked] = useState(false);
  const set = (change: Partial<typeof values>) => setValues({ ...values, ...change });
  const parsed = providersSchema.element.safeParse(values);
  const errors = isChecked && !parsed.success ? messagesOf<TextName>(parsed.error.issues) : {};
  const addresses = addressesFor(window.location.origin, values.key || '…');
  const text = (name: TextName) => (
    <TypedField
      key={name}
      {...TEXTS[name]}
      name={name}
      error={errors[name]?.[0]}
      type={name === 'secret' ? 'password' : name === 'issuer' ? 'url' : 'text'}
      autoComplete={name === 'secret' ? 'new-password' : 'off'}
      spellCheck={false}
      readOnly={name === 'key' && provider !== null}
      value={values[name]}
      onValue={(value) => set({ [name]: value })}
    />
  );
  const tick = (name: keyof typeof TICKS) => (
    <label key={name} className="flex items-center gap-3 min-h-11">
      <input
        type="checkbox"
        name={name}
        checked={values[name]}
        onChange={({ target }) => set({ [name]: target.checked })}
      />
      {TICKS[name]}
    </label>
  );
  return (
    <CommandDialog
      title={provider ? m.sign_on_edit() : m.sign_on_add()}
      action={m.common_save()}
      command={command}
      onSubmit={() => {
        setChecked(true);
        if (parsed.success) onSave(parsed.data);
      }}
      onClose={onClose}
    >
      {(['name', 'key'] as const).map(text)}
      <div className="note">
        <p>{m.sign_on_addresses()}</p>
        {Object.values(addresses).map((address) => (
          <p key={address} className="wrap-anywhere select-all">
            {address}
          </p>
        ))}
      </div>
      {(['issuer', 'clientId', 'secret', 'scopes', 'matchClaim'] as const).map(text)}
      <SelectField
        label={m.sign_on_match_to()}
        value={values.matchTo}
        options={[
          { value: 'email', label: m.sign_on_match_email() },
          { value: 'card', label: m.sign_on_match_card() },
        ]}
        onChoose={(matchTo) => set({ matchTo })}
      />
      {tick('makesAccounts')}
      {values.makesAccounts && (
        <SelectField
          label={m.account_reader_kind()}
          value={values.kind}
          options={READER_KINDS.map((value) => ({ value, label: READER_KIND_LABELS[value]() }))}
          onChoose={(kind) => set({ kind })}
        />
      )}
      {(['trustsMfa', 'staff'] as const).map(tick)}
      {values.staff && text('groupsClaim')}
      {values.staff && values.groupsClaim !== '' && (
        <Groups groups={values.groups} onChange={(groups) => set({ groups })} />
      )}
      {tick('on')}
      {provider?.on && !values.on && provider.sessions > 0 && (
        <Notice look="news">{m.sign_on_ends_sessions({ count: provider.sessions })}</Notice>
      )}
    </CommandDialog>
  );
}

/** Which sets the groups there give here. */
function Groups({ groups, onChange }: { groups: GroupSets; onChange: (groups: GroupSets) => void }) {
  const own = useQuery({ ...queryOf(listSets), meta: { inPlace: true } });
  const options = [...SETS, ...(own.data ?? []).map(({ id, name }) => ({ value: id, label: name }))];
  /** With the one that is there, though it was removed. */
  const optionsFor = (set: GroupSet) =>
    options.some(({ value }) => value === set) || own.isPending
      ? options
      : [...options, { value: set, label: m.sign_on_set_removed() }];
  const change = (at: number, part: Partial<GroupSets[number]>) =>
    onChange(groups.map((each, place) => (place === at ? { ...each, ...part } : each)));
  return (
    <fieldset className="flex flex-col gap-2 min-w-0 m-0 p-0 border-0">
      <legend className="mb-2 p-0 text-1 font-strong">{m.sign_on_groups()}</legend>
      {groups.map(({ group, set }, at) => (
        <div key={at} className="grid grid-cols-2 items-end gap-2">
          <TypedField
            label={m.sign_on_group()}
            autoComplete="off"
            value={group}
            onValue={(named) => change(at, { group: named })}
          />
          <SelectField
            label={m.sign_on_group_set({ group })}
            value={set}
            options={optionsFor(set)}
            onChoose={(chosen) => change(at, { set: chosen })}
          />
        </div>
      ))}
      <Button
        size="small"
        className="self-start"
        onClick={() =>
          onChange([...groups.filter(({ group }) => group !== ''), { group: '', set: 'Librarian' }])
        }
      >
        {m.sign_on_group_add()}
      </Button>
    </fieldset>
  );
}
