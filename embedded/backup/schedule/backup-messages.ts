import type { BackupFailure } from '#contracts/dashboard/system-status.js';
import type { BackupStep, VerifiedBackup } from './make-verified-backup.js';

/** What the process that makes a backup tells the one that asked for it. */
export type BackupMessage =
  | { kind: 'progress'; step: BackupStep; done: number }
  | { kind: 'good'; backup: VerifiedBackup }
  | { kind: 'failed'; failure: BackupFailure; why: string };
