import { useState } from "react";

/** Says that a text was copied, or could not be. */
type Outcome = "Copied" | "Not copied";

/** Button that copies a text. A page without encryption on another machine has no clipboard, and no button. */
export function CopyButton({ text }: { readonly text: string }) {
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  if (clipboard === undefined) return null;
  const copy = () =>
    clipboard.writeText(text).then(
      () => setOutcome("Copied"),
      () => setOutcome("Not copied"),
    );
  return (
    <button type="button" className="copy" onClick={() => void copy()} onBlur={() => setOutcome(undefined)}>
      <span aria-live="polite">{outcome ?? "Copy"}</span>
    </button>
  );
}
