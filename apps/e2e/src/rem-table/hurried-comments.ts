import { AsyncLocalStorage } from "node:async_hooks";

/** Interval of the comments of the SDK, which has no setting for it. */
const KEEP_ALIVE_MS = 15_000;

const wanted = new AsyncLocalStorage<number | undefined>();
const { setInterval: start } = globalThis;
let users = 0;

/** Makes the SDK's interval of comments changeable, until the returned function is called. Nobody waits 15 s for one. */
export function hurryComments(): () => void {
  users += 1;
  globalThis.setInterval = ((run: () => void, ms?: number) =>
    start(run, ms === KEEP_ALIVE_MS ? (wanted.getStore() ?? ms) : ms)) as typeof setInterval;
  return () => {
    users -= 1;
    if (users === 0) globalThis.setInterval = start;
  };
}

/** Handles a request whose stream has this interval. */
export function withInterval(ms: number | undefined, handle: () => void): void {
  wanted.run(ms, handle);
}
