/** Whether a log position is later than another; both are decimal numbers too large for a double. */
export function isLater(position: string, than: string): boolean {
  return BigInt(position) > BigInt(than);
}

export function later(one: string, other: string): string {
  return isLater(one, other) ? one : other;
}
