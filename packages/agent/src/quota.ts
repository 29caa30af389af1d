import { RpcError } from "@turnkit/transport";

/** Room for requests of a client, by number and by bytes. */
export class Quota {
  readonly #most: { readonly count: number; readonly bytes: number };
  readonly #refusal: string;
  #count = 0;
  #bytes = 0;

  /** Creates a quota. `refusal` is the text for the client, with the reason and a remedy. */
  constructor(most: { readonly count: number; readonly bytes: number }, refusal: string) {
    this.#most = most;
    this.#refusal = refusal;
  }

  /** @throws RpcError `-32603` if there is no room for a request */
  check(bytes: number): void {
    if (this.#count >= this.#most.count || this.#bytes + bytes > this.#most.bytes)
      throw RpcError.internalError(this.#refusal);
  }

  /**
   * Takes room for a request. The returned function frees that room on its first call.
   *
   * @throws RpcError `-32603` if there is no room
   */
  take(bytes: number): () => void {
    this.check(bytes);
    this.#count += 1;
    this.#bytes += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#count -= 1;
      this.#bytes -= bytes;
    };
  }
}
