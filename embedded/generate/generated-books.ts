import { ean13 } from '../../server/catalogue/isbn.js';
import { SeededRandom } from './random.js';

/** Numbers stand for the place in the lists of authors, publishers and genres. */
export interface GeneratedBook {
  isbn: string;
  title: string;
  description: string;
  authors: number[];
  genres: number[];
  publisher: number;
  year: number;
  copies: number;
}

/** So many books have numbers of their own for one seed. */
export const MAX_BOOKS = 20_000_000;
/** The range of ISBNs that begins with 979-8 has a hundred million numbers. */
const NUMBERS = 100_000_000;
/** Has no factor in common with it, so that each place gives another number. */
const STEP = 61_803_399;

/** A catalogue that looks like one and is the same for the same seed and size. */
export class GeneratedCatalogue {
  readonly genres = GENRES;
  readonly publishers: readonly string[];
  readonly authors: readonly { firstname: string; lastname: string }[];
  private readonly random: SeededRandom;
  private readonly words: Vocabulary;
  private made = 0;

  /**
   * @param books how many it will be asked for, which decides how many authors there are
   */
  constructor(
    private readonly seed: number,
    books: number,
  ) {
    this.random = new SeededRandom(seed);
    this.words = makeVocabulary(this.random);
    this.publishers = this.words.publishers;
    this.authors = this.makeAuthors(Math.min(Math.max(20, Math.ceil(books / 5)), 400_000));
  }

  next(): GeneratedBook {
    const { random } = this;
    const authors = [this.author()];
    while (authors.length < 5 && random.chance(0.22)) authors.push(this.author());
    const genres = [this.genre()];
    while (genres.length < 3 && random.chance(0.35)) genres.push(this.genre());
    const title = this.title();
    return {
      isbn: this.isbn(),
      title,
      description: `${title}, told anew. ${capital(this.noun())} and ${this.noun()} in ${random.pick(CITIES)}.`,
      authors: [...new Set(authors)],
      genres: [...new Set(genres)],
      publisher: Math.floor(this.publishers.length * random.next() ** 3),
      year: Math.max(1800, 2026 - Math.floor(-Math.log(1 - random.next()) * 22)),
      copies: 1 + Math.floor(-Math.log(1 - random.next()) * 1.6),
    };
  }

  private makeAuthors(count: number): { firstname: string; lastname: string }[] {
    const names = new Map<string, { firstname: string; lastname: string }>();
    while (names.size < count) {
      const second = this.random.chance(0.2) ? ` ${this.random.pick(FIRST_NAMES)}` : '';
      const firstname = this.random.pickByRank(FIRST_NAMES, 30) + second;
      const lastname = this.random.pickByRank(this.words.lastNames, 200);
      names.set(`${firstname} ${lastname}`, { firstname, lastname });
    }
    return [...names.values()];
  }

  private isbn(): string {
    const place = BigInt(this.made) + BigInt(this.seed) * BigInt(MAX_BOOKS);
    this.made += 1;
    const number = (place * BigInt(STEP)) % BigInt(NUMBERS);
    return ean13(`9798${String(number).padStart(8, '0')}`);
  }

  private author(): number {
    return Math.floor(this.authors.length * this.random.next() ** 2.2);
  }

  private genre(): number {
    return Math.floor(this.genres.length * this.random.next() ** 1.8);
  }

  private noun(): string {
    return this.random.pickByRank(this.words.nouns, 6);
  }

  private adjective(): string {
    return this.random.pickByRank(this.words.adjectives, 6);
  }

  private title(): string {
    const { random } = this;
    const noun = () => capital(this.noun());
    const adjective = () => capital(this.adjective());
    const shapes = [
      () => `The ${noun()}`,
      () => `The ${adjective()} ${noun()}`,
      () => `${noun()} of ${noun()}`,
      () => `The ${noun()} of the ${noun()}`,
      () => `${noun()} and ${noun()}`,
      () => `A History of ${noun()}`,
      () => `${adjective()} ${noun()}: ${noun()} and ${noun()} in ${random.pick(CITIES)}`,
      () => `Introduction to ${adjective()} ${noun()}`,
      () => `${noun()}: A ${adjective()} ${noun()}`,
      () => `${noun()} i ${this.noun()}`,
      () => `${noun()} w ${random.pick(CITIES)}`,
      () => `${noun()} ${noun()}, Vol. ${1 + random.below(12)}`,
      () => `${noun()} in the ${adjective()} ${noun()}`,
      () => `${adjective()} ${noun()}`,
    ];
    return random.pick(shapes)();
  }
}

/** Words that stand in many titles, the most frequent first. */
const NOUNS = wordsOf(
  'history life world time war love story house night city man woman art death book guide light sea day year music road king children river garden secret fire heart winter dream land water song island family game letter school summer earth science moon star mountain language stone bridge forest soul memory shadow window mind power queen train blood silence journey kingdom wind storm market mirror voice village bird wolf dragon castle empire sword tower door desert ocean ghost angel devil stranger daughter son brother sister mother father doctor soldier poet painter detective spy witch wizard captain prince princess teacher student farmer thief judge killer hunter philosophy economics physics chemistry biology mathematics statistics geometry algebra logic grammar psychology sociology architecture painting photography cinema theatre opera jazz cooking gardening sailing climbing travel chess football medicine surgery nursing law politics democracy revolution justice freedom religion church monastery bible myth legend fairy tale poem essay diary biography atlas dictionary handbook manual introduction theory practice method analysis design system network computer program algorithm database machine engine aircraft railway ship factory trade money bank tax crisis peace treaty border refugee exile prison trial murder crime justice evidence truth lie mask costume dance piano violin guitar orchestra rose lily oak apple bread wine coffee tea salt sugar honey bee horse dog cat fox bear eagle raven fish whale snake spider butterfly',
);
const POLISH_NOUNS = wordsOf(
  'życie świat dom noc miasto wojna miłość historia śmierć droga księga ogród rzeka morze góra wieś żona mąż córka syn król królowa pan wilk ptak koń źródło światło cień słońce gwiazda wiosna jesień zima lato chleb sól ziemia ogień woda kamień most zamek wieża drzwi okno listy wiersze opowieść bajka pamięć sen dusza serce głód cisza burza podróż pociąg statek wyspa las łąka pole kościół klasztor szkoła nauka sztuka muzyka taniec gra',
);
const ADJECTIVES = wordsOf(
  'new great last little secret lost dark black white red modern ancient old young silent golden complete short long hidden broken wild forgotten invisible perfect final cold burning blue green silver bitter sweet strange brave beautiful terrible endless impossible quiet empty sacred royal practical applied general medieval contemporary national social political economic natural',
);
const SYLLABLES = {
  begin: wordsOf(
    'ba be bo bra bre cha cho da de dra dwo fa fe fi ga gra gro ha he hu ja je ka kla ko kra kwa la le lo lu ma me mi mo na ne no o pa pe pra pro ra re ro ru sa se sko sta stra su ta te tra tu u wa we wi wo za ze zła ży szy czo rze ście łę',
  ),
  middle: wordsOf(
    'ba ca da de di do ga go ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va ve vi za zi cze szo wie nie dzi',
  ),
  end: wordsOf(
    'ba ca d dan der dor ga go k ka kin l la las lis ln m ma men n na nek nia nor r ra ran ris ron s sa ska sko son st ta tan ter tin ton tor w wa wicz y za ść ów ień',
  ),
};

const FIRST_NAMES = wordsOf(
  'Anna Jan Maria Piotr Katarzyna Krzysztof Małgorzata Andrzej Agnieszka Tomasz Barbara Paweł Ewa Michał Elżbieta Marcin Krystyna Jakub Zofia Stanisław Łukasz Jadwiga Zbigniew Świętosława Kazimierz Żaneta Wojciech Grażyna Sławomir Bożena John Mary James Patricia Robert Jennifer Michael Linda William Elizabeth David Susan Richard Jessica Joseph Sarah Thomas Karen Charles Nancy Daniel Margaret Matthew Emily Anthony Laura Mark Alice George Emma Edward Lucy Henry Olivia Arthur Grace Hans Ursula Jürgen Käthe Günther Heike Björn Ingrid Lars Astrid Søren Åse Øyvind Émile Françoise René Hélène Jean-Paul Zoë José María Núñez Inés Ángel Begoña João Conceição Giuseppe Chiara Matteo Jiří Zdeněk Věra Božena Ľubica Čestmír László Ágnes György Zsófia Ștefan Ioana Đorđe Željka Miloš Ivan Olga Nikolai Tatiana Dmitri Aleksandr Yuki Haruki Kenji Li Wei Mei Nguyễn Thị Orhan Ayşe Çiğdem Ömer Chinua Ngozi Amara Kofi',
);
const LAST_NAMES = wordsOf(
  'Nowak Kowalski Wiśniewska Wójcik Kowalczyk Kamińska Lewandowski Zielińska Szymański Woźniak Dąbrowska Kozłowski Jankowska Mazur Krawczyk Żółkiewska Łęcki Święcicka Źrebiec Ćwik Smith Johnson Williams Brown Jones Garcia Miller Davis Wilson Anderson Taylor Moore Martin Lee Thompson White Harris Clark Lewis Walker Hall Young King Wright Hill Green Baker Carter Müller Schmidt Schneider Fischer Weber Schäfer Köhler Groß Dubois Lefèvre García-Márquez O’Connor MacDonald Fitzgerald Novák Dvořák Šimek Horváth Kovács Nagy Tóth Petrović Jovanović Ivanov Petrov Sokolova Popescu Ionescu Yılmaz Öztürk Nielsen Jensen Sørensen Johansson Lindström Håkansson Virtanen Mäkinen Rossi Ferrari Esposito Silva Santos Gonçalves Tanaka Suzuki Nakamura Wang Zhang Nguyễn Okafor Mensah',
);
const CITIES = wordsOf(
  'Warszawa Kraków Łódź Wrocław Poznań Gdańsk Szczecin Lublin Toruń London Paris Berlin Vienna Prague Budapest Rome Lisbon Oxford Cambridge Edinburgh Dublin Zürich Göteborg København Málaga Kyiv',
);
const GENRES = wordsOf(
  'Fiction History Biography Fantasy Science_Fiction Crime Romance Poetry Drama Essays Philosophy Psychology Travel Cookery Children Young_Adult Horror Thriller Classics Art Music Religion Politics Economics Law Medicine Mathematics Physics Computing Engineering Education Sport Nature Humour Comics Reference',
).map((genre) => genre.replace('_', ' '));

/** The words and names that generated books are made of. */
interface Vocabulary {
  nouns: string[];
  adjectives: string[];
  lastNames: string[];
  publishers: string[];
}

/** Makes the vocabulary of a seed: real words first, then invented ones, as a language has few and many. */
function makeVocabulary(random: SeededRandom): Vocabulary {
  const nouns = [...new Set([...mixed(NOUNS, POLISH_NOUNS), ...invented(random, 40_000)])];
  const adjectives = [...ADJECTIVES, ...invented(random, 4000)];
  const lastNames = [...LAST_NAMES, ...invented(random, 60_000).map(capital)];
  const publishers = Array.from({ length: 3000 }, () => publisher(random, lastNames));
  return { nouns, adjectives, lastNames, publishers: [...new Set(publishers)] };
}

function mixed(first: readonly string[], second: readonly string[]): string[] {
  return first
    .flatMap((item, at) => [item, ...(at % 3 === 2 ? [second[(at - 2) / 3]] : [])])
    .filter((item) => item !== undefined);
}

function invented(random: SeededRandom, wanted: number): string[] {
  const words = new Set<string>();
  while (words.size < wanted) {
    const middle = random.chance(0.6) ? random.pick(SYLLABLES.middle) : '';
    words.add(
      random.pick(SYLLABLES.begin) + middle + random.pick(SYLLABLES.middle) + random.pick(SYLLABLES.end),
    );
  }
  return [...words];
}

function publisher(random: SeededRandom, lastNames: readonly string[]): string {
  const name = random.pickByRank(lastNames, 50);
  return random.pick([
    `${name} Press`,
    `${name} & ${random.pickByRank(lastNames, 50)}`,
    `Wydawnictwo ${name}`,
    `${random.pick(CITIES)} University Press`,
    `${name} Books`,
    `Éditions ${name}`,
  ]);
}

function capital(word: string): string {
  return word.charAt(0).toLocaleUpperCase('pl') + word.slice(1);
}

function wordsOf(text: string): string[] {
  return text.split(' ');
}
