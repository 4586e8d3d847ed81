import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as m from '#words/messages.js';
import { isAbsent } from './copied-file.js';

/** Of these folders only the folder itself is copied: PostgreSQL recreates their content. The WAL is copied separately. */
const EMPTIED = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);

/** State of the running server or of another backup, which a restored cluster must not have. */
const LEFT_OUT =
  /^(?:postmaster\.pid|postmaster\.opts|backup_label(?:\.old)?|tablespace_map(?:\.old)?|backup_manifest|current_logfiles|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*|postgresql\.auto\.conf\.tmp)$/;

/** Written at every checkpoint, and copied last. */
export const CONTROL_FILE = 'global/pg_control';

/** The parts of a cluster that go into a backup; paths are relative to it, with slashes. */
export interface ClusterContent {
  /** Parent folders come first. */
  folders: string[];
  files: string[];
}

/**
 * Lists the parts of a cluster that go into a base backup (PostgreSQL's documentation, section "Making a Base Backup Using
 * the Low Level API"). PostgreSQL's WAL makes up for files that appear or disappear meanwhile.
 */
export async function clusterContent(cluster: string): Promise<ClusterContent> {
  const content: ClusterContent = { folders: [], files: [] };
  await collect(cluster, '', content);
  content.files = [...content.files.filter((file) => file !== CONTROL_FILE).sort(), CONTROL_FILE];
  return content;
}

async function collect(cluster: string, folder: string, content: ClusterContent): Promise<void> {
  const entries = await readdir(join(cluster, folder), { withFileTypes: true }).catch((error: unknown) => {
    // The folder belonged to a database that was just dropped.
    if (folder !== '' && isAbsent(error)) return [];
    throw error;
  });
  for (const entry of entries) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      content.folders.push(path);
      if (!EMPTIED.has(path)) await collect(cluster, path, content);
    } else if (entry.isFile()) {
      content.files.push(path);
    } else {
      throw new Error(m.cli_backup_leads_out({ path: join(cluster, path) }));
    }
  }
}

/**
 * The names of the WAL segments that contain everything between two positions.
 * @param start the first byte, as PostgreSQL writes it: `1A/2B3C4D5E`
 * @param end the byte after the last one
 * @param segmentBytes the cluster's `wal_segment_size`
 */
export function segmentsBetween(
  timeline: number,
  start: string,
  end: string,
  segmentBytes: number,
): string[] {
  const size = BigInt(segmentBytes);
  const last = (placeOf(end) - 1n) / size;
  const names: string[] = [];
  for (let segment = placeOf(start) / size; segment <= last; segment += 1n) {
    // A name consists of the timeline and the segment's number in two parts: full 4 GiB, and the rest.
    const perFile = 0x1_0000_0000n / size;
    names.push([BigInt(timeline), segment / perFile, segment % perFile].map(eightDigits).join(''));
  }
  return names;
}

function placeOf(lsn: string): bigint {
  const match = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(lsn);
  if (!match) throw new Error(`${lsn} is no place in PostgreSQL's log.`);
  return (BigInt(`0x${match[1]}`) << 32n) + BigInt(`0x${match[2]}`);
}

function eightDigits(number: bigint): string {
  return number.toString(16).toUpperCase().padStart(8, '0');
}
