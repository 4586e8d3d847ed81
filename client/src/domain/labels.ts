import { FIELD_NAMES } from '#contracts/accounts/field-names.js';
import { APP_TITLES } from '#contracts/app-title.js';
import { served } from './library.js';

/**
 * Every text that the specification fixes and that reads better otherwise: as it was found, and corrected. This is the
 * one place that knows both; the page's `lectern-labels` chooses, and `lectern-title` may give the library a name of
 * its own. An empty text is left out.
 */
const TEXTS = {
  /** The application's title. */
  title: [APP_TITLES['as-found'], APP_TITLES.corrected],
  /** Where an address leads that is none of the site's; else it is said to be none. */
  unknownLeadsTo: ['/', ''],
  /** On every card of the catalogue, with genre and number of copies; else a card is its title's link. */
  viewDetails: ['View Details', ''],
  // Rules on the home page that are those of a thesis and not of a library.
  ruleOfThesis: ["This system is for academic use, in a master's thesis project.", ''],
  ruleOfDevelopment: ['The system is in development and not for commercial use.', ''],
  ruleOfData: ['Data entered here is for educational purposes only.', ''],
  /** Under the country control of the registration's last step and of the reader dialog. */
  countryRequired: ['City is required', 'Country is required'],
  publishersHeading: ['Genres', 'Publishers'],
  addPublisherButton: ['Add Genre', 'Add publisher'],
  publisherNotAdded: ['Failed to add genre', 'Failed to add publisher'],
  genreNotUpdated: ['Failed to update author', 'Failed to update genre'],
  genreDeleted: ['Author successfully deleted', 'Genre deleted'],
  deleteGenreQuestion: [
    'Are you sure you want to delete this author?',
    'Are you sure you want to delete this genre?',
  ],
  /** The menu's link to /admin/raports, and that page's heading. */
  reports: ['Raports', 'Reports'],
  downloadInventory: ['Download inventory raport of books', 'Download inventory report of books'],
  // Sentence case, and fewer words.
  catalogLink: ['Catalog', 'Catalogue'],
  signIn: ['Login', 'Sign in'],
  signOut: ['Logout', 'Sign out'],
  myProfile: ['My Profile', 'My profile'],
  signInFailed: ['Login failed. Please try again.', 'Signing in failed. Please try again.'],
  accountDetails: ['Account Details', 'Account details'],
  personalDetails: ['Personal Details', 'Personal details'],
  addressDetails: ['Address Details', 'Address details'],
  selectGender: ['Select Gender', 'Choose a gender'],
  selectCountry: ['Select Country', 'Choose a country'],
  firstname: ['Firstname', 'First name'],
  lastname: ['Lastname', 'Last name'],
  dateOfBirth: ['Date of Birth', 'Date of birth'],
  postalCode: ['Postal Code', 'Postal code'],
  registrationSuccessful: ['Registration Successful!', 'Registration successful'],
  resendConfirmation: ['Resend Confirmation Email', 'Send the email again'],
  confirmationResent: ['Confirmation email successfully resent!', 'Confirmation email sent again'],
  sendResetLink: ['Send Reset Link', 'Send reset link'],
  resetLinkSent: ['Password reset email sent successfully!', 'The email with the link is on its way'],
  passwordReset: ['Password reset successfully!', 'Your password has been changed'],
  searchBooks: [
    'Search books by Title, Author, Genre, or Publisher',
    'Search by title, author, genre or publisher',
  ],
  sortByCopies: ['Copies Available', 'Copies available'],
  booksRented: ['Books successfully rented', 'Books rented'],
  editProfile: ['Edit Profile', 'Edit profile'],
  browseBooks: ['Browse Books', 'Browse books'],
  payFee: ['Pay Fee', 'Pay fee'],
  paymentConfirmed: ['Your payment confirmed successfully!', 'Your payment is confirmed'],
  paymentFailed: ['Your payment failed!', 'Your payment did not go through'],
  serverError: [
    'Internal server error - refreshing the page will make the error disappear!',
    'Something went wrong on our side',
  ],
  totalBooks: ['Total books', 'Titles'],
  booksBorrowedLastMonth: ['Books borrowed last month', 'Books borrowed in 30 days'],
  booksAddedLastMonth: ['New books in last month', 'Titles added in 30 days'],
  users: ['Users', 'Readers'],
  expiredRents: ['Expired rent of books', 'Rents not collected'],
  libraryBooks: ['Library Books', 'Books'],
  addBook: ['Add Book', 'Add book'],
  sortBy: ['Sort By', 'Sort by'],
  fetchDetails: ['Fetch Details', 'Fetch details'],
  addNewBook: ['Add New Book', 'Add a book'],
  editBook: ['Edit Book', 'Edit book'],
  addAuthor: ['Add Author', 'Add author'],
  addGenre: ['Add Genre', 'Add genre'],
  booksIssued: ['Books issued successfully!', 'Books issued'],
  booksReturned: ['Books returned successfully!', 'Books returned'],
  detailsFetched: ['Book details fetched successfully!', 'Book details fetched'],
  bookDeleted: ['Book successfully deleted', 'Book deleted'],
  bookAdded: ['Book successfully added', 'Book added'],
  bookUpdated: ['Book successfully updated', 'Book saved'],
  authorDeleted: ['Author successfully deleted', 'Author deleted'],
  publisherDeleted: ['Publisher successfully deleted', 'Publisher deleted'],
  readerUpdated: ['Reader successfully updated', 'Reader saved'],
  enterIsbn: ['Please enter an ISBN first!', 'Please enter an ISBN first.'],
  searchBorrows: [
    'Search by borrow date YYYY-MM-DD, reader name or book titles',
    'Search by date (yyyy-MM-dd), reader or title',
  ],
  payFeeOf: ['Pay Fee: ', 'Pay fee: '],
  /** Of a toast: "Author successfully added". */
  successfully: ['successfully ', ''],
  addNew: ['Add New', 'New'],
  byName: ['by Name', 'by name'],
} satisfies Record<string, readonly [asFound: string, corrected: string]>;

export type Labels = Record<keyof typeof TEXTS, string>;

const wording = () => (served('labels') === 'as-found' ? 0 : 1);

/** The wording that this page was served with: the corrected one unless the server says otherwise. */
export function readLabels(): Labels {
  const texts = Object.fromEntries(Object.entries(TEXTS).map(([name, forms]) => [name, forms[wording()]]));
  return { ...(texts as Labels), title: served('title') || TEXTS.title[wording()] };
}

export const labels = readLabels();

/** A noun in a title or on a button: "Add author". @param noun in small letters */
export const inTitle = (noun: string): string =>
  wording() === 0 ? noun.charAt(0).toUpperCase() + noun.slice(1) : noun;

// Messages about a field call it what its label calls it.
const { firstname, lastname, dateOfBirth, postalCode } = labels;
Object.assign(FIELD_NAMES, { firstname, lastname, dateOfBirth, postalCode } satisfies typeof FIELD_NAMES);
