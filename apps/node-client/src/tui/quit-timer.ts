/** Time in which a second press of a key ends the program, in milliseconds. */
const QUIT_MS = 5_000;

/** Returns a function that calls `expire` after the time for a second press. Each call begins the time again. */
export function createQuitTimer(expire: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(expire, QUIT_MS);
    timer.unref();
  };
}
