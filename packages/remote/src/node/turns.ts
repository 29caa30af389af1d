/** Requests of one connection that begin in one turn of the event loop. Others wait for the next turns, in order. */
const MOST = 16;

/** Runs the work of a request, now or in a later turn of the event loop. */
export type Turns = (work: () => Promise<void>) => Promise<void>;

/** Creates the turns of one connection. Thousands of requests in one read would keep all other clients waiting. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  let begun = 0;
  const next = () => {
    begun = 0;
    for (const begin of waiting.splice(0, MOST)) count(begin);
  };
  const count = (begin: () => void) => {
    begun += 1;
    if (begun === 1) setImmediate(next);
    begin();
  };
  return (work) =>
    new Promise<void>((resolve, reject) => {
      const begin = () => void work().then(resolve, reject);
      if (begun < MOST && waiting.length === 0) count(begin);
      else waiting.push(begin);
    });
}
