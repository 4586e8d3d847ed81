/**
 * The messages of 3M's Standard Interchange Protocol 2.00, as its tables have them. What is read, what is written and their
 * types follow from here.
 */

/** Fields of a fixed length, by position: so many characters, or one of these values. */
export const FIXED = {
  acsRenewalPolicy: ['Y', 'N'],
  alert: ['Y', 'N'],
  available: ['Y', 'N'],
  cardRetained: ['Y', 'N'],
  chargedItemsCount: 4,
  checkinOk: ['Y', 'N'],
  checkoutOk: ['Y', 'N'],
  circulationStatus: 2,
  currencyType: 3,
  dateTimeSync: 18,
  desensitize: ['Y', 'N', 'U'],
  endSession: ['Y', 'N'],
  feeType: 2,
  fineItemsCount: 4,
  holdItemsCount: 4,
  holdMode: 1,
  itemPropertiesOk: ['0', '1'],
  language: 3,
  magneticMedia: ['Y', 'N', 'U'],
  maxPrintWidth: 3,
  nbDueDate: 18,
  noBlock: 1,
  offlineOk: ['Y', 'N'],
  ok: ['0', '1'],
  onlineStatus: ['Y', 'N'],
  overdueItemsCount: 4,
  passwordAlgorithm: 1,
  patronStatus: 14,
  paymentAccepted: ['Y', 'N'],
  paymentType: 2,
  protocolVersion: 4,
  recallItemsCount: 4,
  renewalOk: ['Y', 'N'],
  renewalPolicy: 1,
  renewedCount: 4,
  resensitize: ['Y', 'N'],
  retriesAllowed: 3,
  returnDate: 18,
  securityMarker: 2,
  statusCode: 1,
  statusUpdateOk: ['Y', 'N'],
  summary: 10,
  thirdPartyAllowed: 1,
  timeoutPeriod: 3,
  transactionDate: 18,
  unavailableHoldsCount: 4,
  unrenewedCount: 4,
  userIdAlgorithm: 1,
} as const satisfies Record<string, number | readonly string[]>;

/** Fields of any length, by identifier; the last ones are 3M's extensions for sorters. */
export const FIELDS = {
  patronId: 'AA',
  itemId: 'AB',
  terminalPassword: 'AC',
  patronPassword: 'AD',
  personalName: 'AE',
  screenMessage: 'AF',
  printLine: 'AG',
  dueDate: 'AH',
  titleId: 'AJ',
  blockedCardMessage: 'AL',
  libraryName: 'AM',
  terminalLocation: 'AN',
  institutionId: 'AO',
  currentLocation: 'AP',
  permanentLocation: 'AQ',
  holdItems: 'AS',
  overdueItems: 'AT',
  chargedItems: 'AU',
  fineItems: 'AV',
  homeAddress: 'BD',
  email: 'BE',
  phone: 'BF',
  owner: 'BG',
  currency: 'BH',
  cancel: 'BI',
  transactionId: 'BK',
  validPatron: 'BL',
  renewedItems: 'BM',
  unrenewedItems: 'BN',
  feeAcknowledged: 'BO',
  startItem: 'BP',
  endItem: 'BQ',
  queuePosition: 'BR',
  pickupLocation: 'BS',
  kindOfFee: 'BT',
  recallItems: 'BU',
  feeAmount: 'BV',
  expirationDate: 'BW',
  supportedMessages: 'BX',
  holdType: 'BY',
  holdItemsLimit: 'BZ',
  overdueItemsLimit: 'CA',
  chargedItemsLimit: 'CB',
  feeLimit: 'CC',
  unavailableHoldItems: 'CD',
  holdQueueLength: 'CF',
  feeId: 'CG',
  itemProperties: 'CH',
  securityInhibit: 'CI',
  recallDate: 'CJ',
  mediaType: 'CK',
  sortBin: 'CL',
  holdPickupDate: 'CM',
  loginUserId: 'CN',
  loginPassword: 'CO',
  locationCode: 'CP',
  validPatronPassword: 'CQ',
  callNumber: 'CS',
  destinationLocation: 'CT',
  alertType: 'CV',
  holdPatronId: 'CY',
  holdPatronName: 'DA',
} as const;

/**
 * Which items a device can ask for in a patron's information: each is a position of its summary and a field of the answer, which
 * says beside how many they are.
 */
export const ITEM_LISTS = {
  holdItems: 'holdItemsCount',
  overdueItems: 'overdueItemsCount',
  chargedItems: 'chargedItemsCount',
  fineItems: 'fineItemsCount',
  recallItems: 'recallItemsCount',
  unavailableHoldItems: 'unavailableHoldsCount',
} as const;
export type ItemList = keyof typeof ITEM_LISTS;

/** Fields that one message may have several times. */
export const REPEATED = [
  'screenMessage',
  'printLine',
  ...(Object.keys(ITEM_LISTS) as ItemList[]),
  'renewedItems',
  'unrenewedItems',
] as const;

export type FixedName = keyof typeof FIXED;
export type FieldName = keyof typeof FIELDS;

type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;
/** The text itself if all its words are of a kind; else the words that are not. */
type AllOf<Text extends string, Kind extends string> = [Exclude<Words<Text>, Kind | ''>] extends [never]
  ? Text
  : Exclude<Words<Text>, Kind | ''>;

/**
 * A row of the tables.
 * @param fixed names of `FIXED`, in their order
 * @param fields names of `FIELDS`, in the order in which they are written, with a question mark where one may be left out
 */
function message<const Code extends string, const Fixed extends string, const Fields extends string>(
  code: Code,
  fixed: AllOf<Fixed, FixedName>,
  fields: AllOf<Fields, FieldName | `${FieldName}?`>,
) {
  const named = (text: string) => text.split(' ').filter((word) => word !== '');
  return {
    code,
    fixed: named(fixed) as (Words<Fixed> & FixedName)[],
    fields: named(fields) as (Words<Fields> & (FieldName | `${FieldName}?`))[],
  };
}

const CHECKED_OUT =
  'institutionId patronId itemId titleId dueDate kindOfFee? securityInhibit? currency? feeAmount? mediaType? itemProperties? transactionId? screenMessage? printLine?';

const PATRON_STATUS = message(
  '24',
  'patronStatus language transactionDate',
  'institutionId patronId personalName validPatron? validPatronPassword? currency? feeAmount? screenMessage? printLine?',
);

/** What devices send. */
export const REQUESTS = {
  blockPatron: message(
    '01',
    'cardRetained transactionDate',
    'institutionId blockedCardMessage patronId terminalPassword',
  ),
  checkin: message(
    '09',
    'noBlock transactionDate returnDate',
    'currentLocation institutionId itemId terminalPassword itemProperties? cancel?',
  ),
  checkout: message(
    '11',
    'renewalPolicy noBlock transactionDate nbDueDate',
    'institutionId patronId itemId terminalPassword itemProperties? patronPassword? feeAcknowledged? cancel?',
  ),
  hold: message(
    '15',
    'holdMode transactionDate',
    'expirationDate? pickupLocation? holdType? institutionId patronId patronPassword? itemId? titleId? terminalPassword? feeAcknowledged?',
  ),
  itemInformation: message('17', 'transactionDate', 'institutionId itemId terminalPassword?'),
  itemStatus: message('19', 'transactionDate', 'institutionId itemId terminalPassword? itemProperties'),
  patronStatus: message(
    '23',
    'language transactionDate',
    'institutionId patronId terminalPassword patronPassword?',
  ),
  enablePatron: message('25', 'transactionDate', 'institutionId patronId terminalPassword? patronPassword?'),
  renew: message(
    '29',
    'thirdPartyAllowed noBlock transactionDate nbDueDate',
    'institutionId patronId patronPassword? itemId? titleId? terminalPassword? itemProperties? feeAcknowledged?',
  ),
  endSession: message('35', 'transactionDate', 'institutionId patronId terminalPassword? patronPassword?'),
  feePaid: message(
    '37',
    'transactionDate feeType paymentType currencyType',
    'feeAmount institutionId patronId terminalPassword? patronPassword? feeId? transactionId?',
  ),
  patronInformation: message(
    '63',
    'language transactionDate summary',
    'institutionId patronId terminalPassword? patronPassword? startItem? endItem?',
  ),
  renewAll: message(
    '65',
    'transactionDate',
    'institutionId patronId patronPassword? terminalPassword? feeAcknowledged?',
  ),
  login: message('93', 'userIdAlgorithm passwordAlgorithm', 'loginUserId loginPassword locationCode?'),
  resend: message('97', '', ''),
  status: message('99', 'statusCode maxPrintWidth protocolVersion', ''),
};

/** What they are answered. */
export const RESPONSES = {
  blockPatron: PATRON_STATUS,
  checkin: message(
    '10',
    'ok resensitize magneticMedia alert transactionDate',
    'institutionId itemId permanentLocation titleId? sortBin? patronId? mediaType? itemProperties? callNumber? destinationLocation? alertType? holdPatronId? holdPatronName? screenMessage? printLine?',
  ),
  checkout: message('12', 'ok renewalOk magneticMedia desensitize transactionDate', CHECKED_OUT),
  hold: message(
    '16',
    'ok available transactionDate',
    'expirationDate? queuePosition? pickupLocation? institutionId patronId itemId? titleId? screenMessage? printLine?',
  ),
  itemInformation: message(
    '18',
    'circulationStatus securityMarker feeType transactionDate',
    'holdQueueLength? dueDate? recallDate? holdPickupDate? itemId titleId owner? currency? feeAmount? mediaType? permanentLocation? currentLocation? itemProperties? screenMessage? printLine?',
  ),
  itemStatus: message(
    '20',
    'itemPropertiesOk transactionDate',
    'itemId titleId? itemProperties? screenMessage? printLine?',
  ),
  patronStatus: PATRON_STATUS,
  enablePatron: message(
    '26',
    'patronStatus language transactionDate',
    'institutionId patronId personalName validPatron? validPatronPassword? screenMessage? printLine?',
  ),
  renew: message('30', 'ok renewalOk magneticMedia desensitize transactionDate', CHECKED_OUT),
  endSession: message('36', 'endSession transactionDate', 'institutionId patronId screenMessage? printLine?'),
  feePaid: message(
    '38',
    'paymentAccepted transactionDate',
    'institutionId patronId transactionId? screenMessage? printLine?',
  ),
  patronInformation: message(
    '64',
    'patronStatus language transactionDate holdItemsCount overdueItemsCount chargedItemsCount fineItemsCount recallItemsCount unavailableHoldsCount',
    'institutionId patronId personalName holdItemsLimit? overdueItemsLimit? chargedItemsLimit? validPatron? validPatronPassword? currency? feeAmount? feeLimit? holdItems? overdueItems? chargedItems? fineItems? recallItems? unavailableHoldItems? homeAddress? email? phone? screenMessage? printLine?',
  ),
  renewAll: message(
    '66',
    'ok renewedCount unrenewedCount transactionDate',
    'institutionId renewedItems? unrenewedItems? screenMessage? printLine?',
  ),
  login: message('94', 'ok', ''),
  resend: message('96', '', ''),
  status: message(
    '98',
    'onlineStatus checkinOk checkoutOk acsRenewalPolicy statusUpdateOk offlineOk timeoutPeriod retriesAllowed dateTimeSync protocolVersion',
    'institutionId libraryName? supportedMessages terminalLocation? screenMessage? printLine?',
  ),
};

/** All requests of the protocol are answered; the field `BX` says so of each. */
export const SUPPORTED = 'Y'.repeat(Object.keys(REQUESTS).length);

export type RequestName = keyof typeof REQUESTS;

type FixedValue<Name extends FixedName> = (typeof FIXED)[Name] extends readonly (infer Value)[]
  ? Value
  : string;
type FieldValue<Name> = Name extends (typeof REPEATED)[number] ? readonly string[] : string;
type Fields<Table> = Table extends { fields: (infer Name)[] } ? Name & string : never;
type Fixed<Table> = Table extends { fixed: (infer Name extends FixedName)[] } ? Name : never;
type Optional<Name extends string> = Name extends `${infer Bare}?` ? Bare : never;

/** The values of a message, by the names of its fields. */
export type Values<Table> = { [Name in Fixed<Table>]: FixedValue<Name> } & {
  [Name in Exclude<Fields<Table>, `${string}?`>]: FieldValue<Name>;
} & { [Name in Optional<Fields<Table>>]?: FieldValue<Name> | undefined };

export type Request = {
  [Name in RequestName]: { name: Name } & Values<(typeof REQUESTS)[Name]>;
}[RequestName];
export type RequestOf<Name extends RequestName> = Extract<Request, { name: Name }>;
export type ResponseValues<Name extends keyof typeof RESPONSES> = Values<(typeof RESPONSES)[Name]>;
