import { lazy, Suspense, useState } from "react";
import { FaultBoundary } from "../fault-boundary.js";
import type { KeptFrames } from "../link/kept-frames.js";

// With the rules of redaction, it is not part of the first load.
const Inspector = lazy(async () => ({ default: (await import("./inspector.js")).Inspector }));

/** Button that opens the inspector. */
export function InspectorButton({ kept }: { readonly kept: KeptFrames }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Inspector
      </button>
      {isOpen ? (
        <FaultBoundary>
          <Suspense fallback={<p className="quiet">Opening…</p>}>
            <Inspector kept={kept} onClose={() => setOpen(false)} />
          </Suspense>
        </FaultBoundary>
      ) : null}
    </>
  );
}
