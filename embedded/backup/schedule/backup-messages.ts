import type { BackupFailure } from '#contracts/dashboard/house.js';
import type { BackupStep, GoodBackup } from './make-good-backup.js';

/** What the process that makes a backup tells the one that asked for it. */
export type BackupMessage =
  | { kind: 'progress'; step: BackupStep; done: number }
  | { kind: 'good'; backup: GoodBackup }
  | { kind: 'failed'; failure: BackupFailure; why: string };
