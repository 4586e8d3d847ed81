/**
 * A JSON value in canonical form: RFC 8785. Keys are sorted by UTF-16 code units, there is no white space, strings and
 * numbers are written as in ECMAScript. Its UTF-8 bytes are hashed.
 * @param value any result of `JSON.parse`; a key whose value is `undefined` counts as absent
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new TypeError(`${String(value)} cannot be written as JSON`);
  }
  return JSON.stringify(value);
}
