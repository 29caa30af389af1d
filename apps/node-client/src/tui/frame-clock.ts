/** Draws when something has changed, but not more often than can be seen. */
export interface FrameClock {
  /** Something has changed; `soon` is for what a person did. */
  request(pace?: "soon"): void;
  stop(): void;
}

/** Milliseconds between two frames: 15 a second while an agent talks, at once for a key. */
const GAP = { usual: 66, soon: 16 } as const;

/** Makes a {@link FrameClock}. The first change after a rest is drawn at once. */
export function createFrameClock(draw: () => void): FrameClock {
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
    request(pace) {
      if (isStopped) return;
      const wanted = Math.max(performance.now(), last + GAP[pace ?? "usual"]);
      if (wanted >= due) return;
      clearTimeout(timer);
      due = wanted;
      timer = setTimeout(run, Math.max(0, wanted - performance.now()));
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
