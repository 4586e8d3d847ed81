/** More new words than this are put in order all at once. */
const MAX_SINGLE = 50;

/** Words in order, for beginnings. They are put in order when somebody asks. */
export class SortedWords {
  private sorted: string[] | undefined;
  private added: string[] = [];

  /** @param word that is new */
  add(word: string): void {
    this.added.push(word);
  }

  /** The words with this beginning. */
  *from(beginning: string): Generator<string> {
    const words = this.inOrder();
    for (let at = placeAmong(words, beginning); words[at]?.startsWith(beginning); at += 1)
      yield words[at] as string;
  }

  private inOrder(): string[] {
    if (!this.sorted || this.added.length > MAX_SINGLE) {
      this.sorted = [...(this.sorted ?? []), ...this.added].sort();
    } else {
      for (const word of this.added) this.sorted.splice(placeAmong(this.sorted, word), 0, word);
    }
    this.added = [];
    return this.sorted;
  }
}

function placeAmong(words: readonly string[], word: string): number {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((words[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
