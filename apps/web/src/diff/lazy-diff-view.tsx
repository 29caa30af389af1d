import { lazy, Suspense } from "react";
import type { DiffProps } from "./diff-view.js";

// The code that compares texts is loaded later.
const DiffView = lazy(async () => ({ default: (await import("./diff-view.js")).DiffView }));

/** Draws a change of files. */
export function LazyDiffView(props: DiffProps) {
  return (
    <Suspense fallback={<p className="quiet">Comparing…</p>}>
      <DiffView {...props} />
    </Suspense>
  );
}
