/** By their numbers, as the list of SRU names them: `info:srw/diagnostic/1`. */
const DIAGNOSTICS = {
  4: 'Unsupported operation',
  5: 'Unsupported version',
  6: 'Unsupported parameter value',
  7: 'Mandatory parameter not supplied',
  8: 'Unsupported parameter',
  10: 'Query syntax error',
  12: 'Too many characters in query',
  13: 'Invalid or unsupported use of parentheses',
  14: 'Invalid or unsupported use of quotes',
  15: 'Unsupported context set',
  16: 'Unsupported index',
  19: 'Unsupported relation',
  20: 'Unsupported relation modifier',
  22: 'Unsupported combination of relation and index',
  26: 'Non special character escaped in term',
  27: 'Empty term unsupported',
  28: 'Masking character not supported',
  31: 'Anchoring character not supported',
  32: 'Anchoring character in unsupported position',
  36: 'Term in invalid format for index or relation',
  38: 'Too many boolean operators in query',
  39: 'Proximity not supported',
  46: 'Unsupported boolean modifier',
  50: 'Result sets not supported',
  61: 'First record position out of range',
  66: 'Unknown schema for retrieval',
  71: 'Unsupported record packing',
  72: 'XPath retrieval unsupported',
  82: 'Unsupported sort sequence',
  110: 'Stylesheets not supported',
} as const;

/** Why something is not answered as it was asked. */
export class SruDiagnostic extends Error {
  constructor(
    readonly number: keyof typeof DIAGNOSTICS,
    /** What it is about: a name, a value or a place in the query. */
    readonly details: string | number = '',
  ) {
    super(DIAGNOSTICS[number]);
  }
}
