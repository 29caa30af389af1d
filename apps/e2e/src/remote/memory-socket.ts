import type { ServerSocket, SocketListener, Upgrade } from "@turnkit/remote/server";

/**
 * WebSocket without a network, between our client and our server. Frames and closes arrive in later microtasks, in order.
 * `cut` ends it for both sides without a word; with `isHalfOpen` only the client notices.
 */
export class MemorySocket extends EventTarget {
  readyState = 0;
  readonly bufferedAmount = 0;
  #listener: SocketListener | undefined;
  #isDead = false;
  #last: Promise<void> = Promise.resolve();

  /** `upgrading` is the answer of the server; `passes` says whether a frame crosses, and may cut. */
  constructor(
    upgrading: Promise<Response | Upgrade>,
    readonly passes: (frame: string) => boolean,
  ) {
    super();
    void upgrading.then((upgrade) => {
      if (this.#isDead) return;
      if ("open" in upgrade) this.#open(upgrade);
      else this.#end(1006, `Unexpected server response: ${upgrade.status}`);
    });
  }

  /** Headers of the upgrade, as the library `ws` shows them. */
  on(event: string, listener: (value: { readonly headers: object }) => void): void {
    this.addEventListener(event, (fired) => listener(fired as unknown as { headers: object }));
  }

  send(text: string): void {
    this.#later(() => {
      if (this.passes(text)) this.#listener?.text(text);
    });
  }

  close(code = 1005): void {
    this.readyState = Math.max(this.readyState, 2);
    this.#later(() => {
      this.#listener?.closed(code);
      this.#end(code);
    });
  }

  cut(isHalfOpen = false): void {
    if (this.readyState === 3) return;
    const listener = this.#listener;
    this.#end(1006);
    if (!isHalfOpen) listener?.closed(1006);
  }

  #open(upgrade: Upgrade): void {
    const side: ServerSocket = {
      bufferedAmount: 0,
      send: (text) =>
        this.#later(() => {
          if (this.passes(text)) this.#fire("message", { data: text });
        }),
      close: (code) =>
        this.#later(() => {
          this.#listener?.closed(code);
          this.#end(code);
        }),
    };
    this.readyState = 1;
    this.#fire("upgrade", { headers: Object.fromEntries(upgrade.headers) });
    this.#listener = upgrade.open(side);
    this.#fire("open", {});
  }

  #later(act: () => void): void {
    this.#last = this.#last.then(() => {
      if (!this.#isDead) act();
    });
  }

  #end(code: number, message = ""): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.readyState = 3;
    if (message !== "") this.#fire("error", { message });
    this.#fire("close", { code, reason: "" });
  }

  #fire(type: string, fields: object): void {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}
