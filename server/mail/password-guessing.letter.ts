import { moment, renderLetter, salutation, type RenderedLetter } from './letter.js';

/** Reports that somebody guesses the password, or, knowing it, codes of the app. It carries no token: the link leads to where a new one can be asked for. */
export function passwordGuessingLetter(to: {
  firstname: string;
  at: Date;
  /** The library's. */
  timeZone: string;
  secret: 'password' | 'code';
  link: string;
  library: string;
}): RenderedLetter {
  const isPassword = to.secret === 'password';
  return renderLetter({
    subject: 'Somebody tried to log in with your name',
    heading: 'Somebody tried to log in with your name',
    paragraphs: [
      salutation(to.firstname),
      `On ${moment(to.at, to.timeZone)} somebody had tried many wrong ${to.secret}s for your account at ${to.library}. None was right. We slow such attempts down.`,
      isPassword
        ? 'You can go on logging in where you have done so before. On a new device you may be asked to wait for five minutes.'
        : 'Who did it knows your password: please choose a new one at once. You can go on logging in where you have done so before, and with a passkey or a recovery code anywhere. With a code of your app you may be asked to wait on a new device.',
    ],
    button: { label: 'Choose a new password', url: to.link },
    notes: [
      ...(isPassword ? ['A new password is needed only if yours is short, or used elsewhere too.'] : []),
      'We write this at most once a day, however many attempts there are.',
    ],
    sender: to.library,
  });
}
