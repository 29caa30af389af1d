import type { Diff } from "@turnkit/session";
import { lazy, Suspense } from "react";

// The code that compares texts is loaded later.
const DiffView = lazy(async () => ({ default: (await import("./diff-view.js")).DiffView }));

/** Draws a change of files. `folder` is that of the session. */
export function LazyDiffView({ diff, folder }: { readonly diff: Diff; readonly folder: string }) {
  return (
    <Suspense fallback={<p className="quiet">Comparing…</p>}>
      <DiffView diff={diff} folder={folder} />
    </Suspense>
  );
}
