/** Gives whoever asks for the same while it is being looked up the same answer. */
export class SingleFlight {
  private readonly pending = new Map<string, Promise<unknown>>();

  /** @param key names the question, and everything that its answer depends on */
  get<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const asked = this.pending.get(key) as Promise<Answer> | undefined;
    if (asked) return asked;
    const answer = ask().finally(() => this.pending.delete(key));
    this.pending.set(key, answer);
    return answer;
  }
}
