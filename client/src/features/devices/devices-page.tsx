import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  addDevice,
  changeDevice,
  listDevices,
  renewDeviceSecret,
  revokeDevice,
  type Device,
  type DeviceSecret,
} from '#contracts/self-service/devices.js';
import * as m from '#words/messages.js';
import { Dialog, DialogButtons } from '../../components/dialog/dialog.js';
import { BackLink, Button } from '../../components/form/button.js';
import { ListHead } from '../../components/list/list-page.js';
import { EmptyState, Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import { ListTable, type ListColumn } from '../../components/list/table.js';
import { invalidate, queryKeys } from '../../domain/query-keys.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf, useCall } from '../../lib/api/send.js';
import { isoMinute } from '../../lib/dates.js';
import { nameOfLanguage } from '../../lib/languages.js';
import { askPerson } from '../../lib/question.js';
import { DeviceDialog, KIND_NAMES } from './device-dialog.js';

/** A secret that was just made, and of which device. */
type Made = DeviceSecret & { device: Device };

/** The devices by which readers help themselves. */
export function DevicesPage() {
  usePageTitle(m.devices_title());
  const client = useQueryClient();
  const devices = useQuery({ ...queryOf(listDevices), refetchInterval: 10_000, meta: { inPlace: true } });
  const [edited, edit] = useState<Device | 'new' | null>(null);
  const [made, show] = useState<Made | null>(null);
  const done = () => {
    edit(null);
    invalidate(client, queryKeys.devices);
  };
  const meta = { inPlace: true };
  const add = useCall(addDevice, {
    meta,
    onSuccess: (added) => {
      done();
      show(added);
    },
  });
  const change = useCall(changeDevice, { meta, onSuccess: done });
  const renew = useCall(renewDeviceSecret);
  const revoke = useCall(revokeDevice, { onSuccess: done });
  const open = (which: Device | 'new') => {
    add.reset();
    change.reset();
    edit(which);
  };
  const renewOf = (device: Device) =>
    renew.mutate({ params: { id: device.id } }, { onSuccess: (secret) => show({ device, ...secret }) });
  const askToRevoke = async ({ id, name }: Device) => {
    const action = m.devices_revoke();
    const asked = { question: m.devices_revoke_question({ name }), detail: m.devices_revoke_detail() };
    if (await askPerson({ ...asked, action, refusal: m.common_cancel() })) revoke.mutate({ params: { id } });
  };
  const columns: readonly ListColumn<Device>[] = [
    { title: m.devices_name(), look: 'name', cell: ({ name }) => name },
    { title: m.devices_kind(), look: 'text', cell: ({ kind }) => KIND_NAMES[kind]() },
    {
      title: m.devices_languages(),
      look: 'text',
      cell: ({ languages }) => languages.map(nameOfLanguage).join(', '),
    },
    {
      title: m.devices_pin(),
      look: 'text',
      cell: ({ asksPin }) => (asksPin ? m.devices_pin_asked() : m.devices_pin_not_asked()),
    },
    { title: m.devices_state(), look: 'text', cell: stateText },
    {
      title: m.common_actions(),
      look: 'action',
      cell: (device) => (
        <span className="inline-flex flex-wrap gap-2" data-device={device.name}>
          <Button size="small" onClick={() => open(device)}>
            {m.common_edit()}
          </Button>
          <Button size="small" busy={renew.isPending} onClick={() => renewOf(device)}>
            {device.kind === 'kiosk' ? m.devices_new_code() : m.devices_new_password()}
          </Button>
          <Button size="small" busy={revoke.isPending} onClick={() => void askToRevoke(device)}>
            {m.devices_revoke()}
          </Button>
        </span>
      ),
    },
  ];
  return (
    <>
      <BackLink to="/admin/library">{m.site_area_library()}</BackLink>
      <ListHead title={m.devices_title()}>
        <Button onClick={() => open('new')}>{m.devices_add()}</Button>
      </ListHead>
      <p className="max-w-measure mb-6 text-ink-soft">{m.devices_lead()}</p>
      <Loaded of={devices} waiting={<SkeletonLines label={m.devices_loading()} widths={[60, 50, 70]} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState title={m.devices_empty()}>{m.devices_empty_lead()}</EmptyState>
          ) : (
            <ListTable columns={columns} items={data} keyOf={({ id }) => id} waiting={2} />
          )
        }
      </Loaded>
      {edited !== null && (
        <DeviceDialog
          {...(edited !== 'new' && { device: edited })}
          command={edited === 'new' ? add : change}
          onSave={({ kind, ...body }) =>
            edited === 'new'
              ? add.mutate({ body: { kind, ...body } })
              : change.mutate({ params: { id: edited.id }, body })
          }
          onClose={() => edit(null)}
        />
      )}
      {made && <SecretDialog made={made} onClose={() => show(null)} />}
    </>
  );
}

function stateText({ isClosed, isBound, kind, lastSeenAt }: Device): string {
  if (isClosed) return m.devices_closed();
  if (kind === 'kiosk' && !isBound) return m.devices_not_bound();
  return lastSeenAt === null ? m.devices_never_seen() : m.devices_seen({ at: isoMinute(lastSeenAt) });
}

/** What lets a device in, which nobody can see again. */
function SecretDialog({ made: { device, secret, expiresAt }, onClose }: { made: Made; onClose: () => void }) {
  const isCode = device.kind === 'kiosk';
  return (
    <Dialog
      title={isCode ? m.devices_code() : m.devices_password()}
      lead={
        isCode
          ? m.devices_code_lead({ name: device.name, at: isoMinute(expiresAt ?? '') })
          : m.devices_password_lead()
      }
    >
      {device.login !== null && (
        <p>
          {m.devices_login()} <strong className="font-semibold">{device.login}</strong>
        </p>
      )}
      <p className="text-4 font-semibold tabular-nums tracking-[0.06em] wrap-anywhere" data-secret>
        {isCode ? secret.replace(/(\d{4})(?=\d)/, '$1 ') : secret}
      </p>
      <DialogButtons>
        <Button look="primary" onClick={onClose}>
          {m.common_done()}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
