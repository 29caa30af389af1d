import { useLayoutEffect, useRef } from "react";
import type { EarlierEntries } from "../sessions/newest-first.js";

type NoticeProps = {
  readonly earlier: EarlierEntries;
  /** Moves the focus away from the button, when the notice is removed. */
  readonly giveFocus: () => void;
};

/** Says at the start of the conversation that earlier entries exist, and loads them. */
export function EarlierNotice({ earlier: { count, status, load }, giveFocus }: NoticeProps) {
  const button = useRef<HTMLButtonElement>(null);
  const give = useRef(giveFocus);
  give.current = giveFocus;
  useLayoutEffect(() => {
    const { current: own } = button;
    // Otherwise, the focus would be lost with the button.
    return () => void (own !== null && own === document.activeElement && give.current());
  }, []);
  const isLoading = status === "loading";
  const texts = {
    absent: `Load ${count} earlier entries`,
    loading: `${count} earlier entries are being loaded…`,
    failed: "Try again",
  };
  return (
    <p className="earlier" role={status === "failed" ? "alert" : "status"}>
      {status === "failed" ? "The earlier entries could not be loaded. " : null}
      <button type="button" ref={button} aria-disabled={isLoading} onClick={isLoading ? undefined : load}>
        {texts[status]}
      </button>
    </p>
  );
}
