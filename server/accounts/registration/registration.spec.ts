import { registration } from '../../../test-support/product/registrations.js';
import { RequestInvalid, valid } from '../../http/validation.js';
import { register } from '#contracts/accounts/account-calls.js';

function errorsOf(body: unknown): Record<string, string[]> {
  try {
    valid(register.body, body);
    return {};
  } catch (error) {
    if (error instanceof RequestInvalid) return error.errors;
    throw error;
  }
}

describe('a registration (specification, section 5)', () => {
  it('holds when every field does', () => {
    expect(errorsOf(registration())).toEqual({});
  });

  it.each([
    ['username', '   ', 'Username is required'],
    ['email', 'nobody', 'Please enter a valid email address.'],
    ['email', 'a@example.org\r\nBcc: b@example.org', 'Please enter a valid email address.'],
    ['password', 'Aa1!b', 'Password must be at least 6 characters.'],
    ['password', 'Abcdef!', 'Password must contain at least one number (0-9).'],
    ['password', 'ABCDEF1!', 'Password must contain at least one lowercase letter.'],
    ['password', 'abcdef1!', 'Password must contain at least one uppercase letter.'],
    ['password', 'Abcdef1', 'Password must contain at least one special character.'],
    ['confirmPassword', '', 'Passwords do not match'],
    ['confirmPassword', 'Other#2026', 'Passwords do not match'],
    ['dateOfBirth', '2026-02-30', 'Enter a date as yyyy-MM-dd.'],
    ['dateOfBirth', '2999-01-01', 'Date of birth must be in the past.'],
    ['dateOfBirth', '1899-12-31', 'Date of birth must be after 1900.'],
    ['postalCode', '31146', 'Postal code is required (5 digits)'],
  ])('is refused for %s %j', (field, value, message) => {
    const errors = errorsOf({ ...registration(), [field]: value });
    expect(errors[field]).toContain(message);
  });

  it.each(
    ['username', 'firstname', 'lastname', 'adress', 'city', 'postalCode'].flatMap((field) =>
      ['\u0000', '\u0007', '\n', '\u0085', '\u2028', '\u202e', '\u2066', '\ud800'].map((character) => ({
        field,
        character,
      })),
    ),
  )('is refused for the character $character in $field', ({ field, character }) => {
    const errors = errorsOf({ ...registration(), [field]: `31-146${character}x` });
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]?.[0]).toMatch('cannot be stored');
  });

  it.each(['نیک\u200cپی', 'מיכל\u200f', '👩\u200d🚒', 'Đặng Thị', 'O’Brien-Łęcki'])(
    'takes the name %s',
    (lastname) => {
      expect(errorsOf({ ...registration(), lastname })).toEqual({});
    },
  );

  it.each([
    ...['admin\u200b', 'ad\u00admin', '\u2060admin', 'a\u200ddmin', 'ad  min', 'ad \u00a0min', '\u3164'],
    ...['admin\ufe0f', 'ad\u034fmin', 'a\u0301\u0301dmin', 'a\u0301\u0302\u0303\u0304\u0306', 'admin\ue000'],
    ...['аdmin', 'iνo', 'hօ', 'סlga'],
  ])('is refused for the username %j, which cannot be told from another one', (username) =>
    expect(Object.keys(errorsOf({ ...registration(), username }))).toEqual(['username']),
  );

  it.each(['bob@example.org', '@admin', 'bob＠example.org', 'bob﹫'])(
    'is refused for the username %j: what has an @ is an email address',
    (username) =>
      expect(errorsOf({ ...registration(), username })).toEqual({
        username: ['A username cannot contain @.'],
      }),
  );

  it.each([
    ...['Łucja.Żółć', 'Zofia Łęcka', 'Ngô Thị Ánh', 'Ελένη', 'Наталья', 'Նարե', 'נועה', 'فاطمة', 'अनिल'],
    ...['李小龍2', '佐藤さくらJr', '김민준'],
  ])('takes the username %s', (username) => expect(errorsOf({ ...registration(), username })).toEqual({}));

  it('keeps a username in the usual characters', () => {
    const typed = registration({ username: 'ａｎｎａ\u00a0Ｎｏｗａｋ', email: 'anna@example.org' });
    expect(register.body.parse(typed).username).toBe('anna Nowak');
  });

  it.each(['\u200b', '\u3164\u2800', '\u200d\u200e'])(
    'is refused for the name %j, of which nothing can be seen',
    (name) => {
      expect(errorsOf({ ...registration(), firstname: name })).toEqual({
        firstname: ['This has nothing that can be seen.'],
      });
    },
  );

  // spec 5.8
  it('names every field that is missing or empty, in the words of the specification', () => {
    const required = {
      username: ['Username is required'],
      email: ['Email is required'],
      password: ['Password is required.'],
      confirmPassword: ['Passwords do not match'],
      firstname: ['First name is required'],
      lastname: ['Last name is required'],
      dateOfBirth: ['Date of birth is required'],
      gender: ['Gender is required'],
      country: ['Country is required'],
      adress: ['Address is required'],
      city: ['City is required'],
      postalCode: ['Postal code is required (5 digits)'],
    };
    expect(errorsOf({})).toEqual(required);
    const { confirmPassword: _compared, ...others } = required;
    const empty = errorsOf(Object.fromEntries(Object.keys(required).map((field) => [field, ''])));
    // An empty password breaks its other rules too.
    for (const [field, words] of Object.entries(others))
      expect(empty[field]).toEqual(expect.arrayContaining(words));
    expect(empty['email']).toEqual(required.email);
  });

  it('says that the passwords differ even when other fields do not hold', () => {
    const errors = errorsOf({ ...registration(), firstname: undefined, confirmPassword: 'Other#2026' });
    expect(errors).toMatchObject({ confirmPassword: ['Passwords do not match'] });
  });

  it('leaves the end of the postal code alone', () => {
    expect(errorsOf(registration({ postalCode: '31-146 Kraków' }))).toEqual({});
  });
});
