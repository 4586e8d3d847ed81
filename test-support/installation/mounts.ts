import { spawnSync } from 'node:child_process';

/** What a program is started through, so that something is mounted for it that nobody else sees and that goes with it. */
export type Mount = readonly string[];

const mount = (how: string, folder: string): Mount => [
  ...['unshare', '--mount', 'sh', '-c'],
  `mount ${how} "$0" && exec "$@"`,
  folder,
];

/** The folder as a mount point of itself: it cannot be renamed, and what is in it is seen by all. */
export const boundToItself = (folder: string): Mount => mount('--bind "$0"', folder);

/** A disk in memory of so many megabytes, which its program alone sees. */
export const smallDisk = (folder: string, megabytes: number): Mount =>
  mount(`-t tmpfs -o size=${megabytes}m,mode=0711 tmpfs`, folder);

/** Whether this can be done here: only for root, and not in every container. */
export const CAN_MOUNT =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
