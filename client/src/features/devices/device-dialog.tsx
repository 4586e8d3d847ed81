import { useState } from 'react';
import { LANGUAGES } from '#contracts/languages.js';
import {
  DEVICE_KINDS,
  ENCODINGS,
  type Device,
  type DeviceFields,
  type DeviceKind,
} from '#contracts/self-service/devices.js';
import * as m from '#words/messages.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { SelectField } from '../../components/form/choice.js';
import { TypedField } from '../../components/form/field.js';
import { nameOfLanguage, siteLanguage } from '../../lib/languages.js';

export const KIND_NAMES: Record<DeviceKind, () => string> = {
  kiosk: m.devices_kind_kiosk,
  sip2: m.devices_kind_sip2,
};

interface DeviceDialogProps {
  /** Without it, a device is added. */
  device?: Device;
  command: { isPending: boolean; error: Error | null };
  onSave: (fields: DeviceFields & { kind: DeviceKind }) => void;
  onClose: () => void;
}

const NEW: DeviceFields & { kind: DeviceKind } = {
  ...{ kind: 'kiosk', name: '', languages: [siteLanguage], asksPin: true, isClosed: false },
  ...{ encoding: 'UTF-8', hearsAddress: false },
};

/** Asks what a device is called, and what it does. */
export function DeviceDialog({ device, command, onSave, onClose }: DeviceDialogProps) {
  const [fields, setFields] = useState(device ?? NEW);
  const change = (some: Partial<typeof NEW>) => setFields({ ...fields, ...some });
  const { kind, name, languages, asksPin, isClosed, encoding, hearsAddress } = fields;
  const [first] = languages;
  const others = LANGUAGES.filter((language) => language !== first);
  return (
    <CommandDialog
      title={device ? m.devices_edit() : m.devices_add()}
      action={m.common_save()}
      command={command}
      onSubmit={() => onSave(fields)}
      onClose={onClose}
    >
      <TypedField
        label={m.devices_name()}
        hint={m.devices_name_hint()}
        name="name"
        maxLength={60}
        value={name}
        onValue={(typed) => change({ name: typed })}
      />
      {!device && (
        <SelectField
          label={m.devices_kind()}
          value={kind}
          options={DEVICE_KINDS.map((value) => ({ value, label: KIND_NAMES[value]() }))}
          onChoose={(chosen) => change({ kind: chosen })}
        />
      )}
      <SelectField
        label={m.devices_first_language()}
        value={first ?? siteLanguage}
        options={LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) }))}
        onChoose={(chosen) => change({ languages: [chosen, ...languages.filter((each) => each !== chosen)] })}
      />
      {others.map((language) => (
        <Check
          key={language}
          label={m.devices_also_in({ language: nameOfLanguage(language) })}
          checked={languages.includes(language)}
          onCheck={(isChosen) =>
            change({
              languages: [...languages.filter((each) => each !== language), ...(isChosen ? [language] : [])],
            })
          }
        />
      ))}
      <Check
        label={m.devices_asks_pin()}
        checked={asksPin}
        onCheck={(isChosen) => change({ asksPin: isChosen })}
      />
      {kind === 'sip2' && (
        <>
          <SelectField
            label={m.devices_encoding()}
            value={encoding}
            options={ENCODINGS.map((value) => ({ value, label: value }))}
            onChoose={(chosen) => change({ encoding: chosen })}
          />
          <Check
            label={m.devices_hears_address()}
            checked={hearsAddress}
            onCheck={(isChosen) => change({ hearsAddress: isChosen })}
          />
        </>
      )}
      <Check
        label={m.devices_is_closed()}
        checked={isClosed}
        onCheck={(isChosen) => change({ isClosed: isChosen })}
      />
    </CommandDialog>
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}

const Check = ({ label, checked, onCheck }: CheckProps) => (
  <label className="flex items-center gap-3 min-h-9 to-480:min-h-11">
    <input type="checkbox" checked={checked} onChange={({ target }) => onCheck(target.checked)} />
    {label}
  </label>
);
