/** Milliseconds between two frames: 66 while an agent sends text, 16 after a key. */
const GAP = { usual: 66, soon: 16 } as const;

/** Creates a clock that limits the number of frames per second. The first change after a pause is drawn immediately. */
export function createFrameClock(draw: () => void) {
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const run = () => {
    timer = undefined;
    due = Number.POSITIVE_INFINITY;
    if (isStopped) return;
    draw();
    last = performance.now();
  };
  return {
    /** Requests a frame. `soon` means that the person pressed a key. */
    request(pace?: "soon"): void {
      // A change does not delay a frame that is already planned, because an agent may send thousands of changes in a
      // second.
      if (isStopped || (timer !== undefined && pace === undefined)) return;
      const wanted = Math.max(performance.now(), last + GAP[pace ?? "usual"]);
      if (wanted >= due) return;
      clearTimeout(timer);
      due = wanted;
      timer = setTimeout(run, Math.max(0, wanted - performance.now()));
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
