/** One end of a WebSocket in memory, of the standard's shape: it cannot be paused, and tells nobody when it has room. */
export class FakeSocket extends EventTarget {
  readyState = 0;
  bufferedAmount = 0;
  /** Code and reason with which the other end was closed. */
  closedWith: { readonly code: number | undefined; readonly reason: string | undefined } | undefined;
  #far!: FakeSocket;
  #reading = true;
  #queue: (() => void)[] = [];

  /** Two ends that are open. With `held`, the second takes nothing until `read`. */
  static pair(options: { readonly held?: boolean } = {}): [FakeSocket, FakeSocket] {
    const [one, two] = [new FakeSocket(), new FakeSocket()];
    one.#far = two;
    two.#far = one;
    two.#reading = !options.held;
    for (const socket of [one, two]) socket.readyState = 1;
    return [one, two];
  }

  send(text: string): void {
    if (this.readyState === 0) throw new Error("The socket is still connecting.");
    this.bufferedAmount += text.length;
    if (this.readyState !== 1) return;
    this.#far.#take(() => {
      this.bufferedAmount -= text.length;
      this.#far.tell("message", { data: text });
    });
  }

  close(code?: number, reason?: string): void {
    if (code !== undefined && code !== 1000 && (code < 3000 || code > 4999))
      throw new Error(`No program may say ${code}.`);
    if (this.readyState > 1) return;
    this.readyState = 2;
    this.closedWith = { code, reason };
    this.#far.#take(() => {
      this.#far.end(code ?? 1005, reason);
      this.end(code ?? 1005, reason);
    });
  }

  /** Ends this end as if the network did. */
  end(code: number, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.tell("close", { code, reason });
  }

  /** Begins to take what the other end sends. */
  read(): void {
    this.#reading = true;
    for (const take of this.#queue.splice(0)) this.#take(take);
  }

  tell(type: string, fields: object = {}): void {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }

  #take(take: () => void): void {
    if (this.#reading) setImmediate(take);
    else this.#queue.push(take);
  }
}
