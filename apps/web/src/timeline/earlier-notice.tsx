import type { EarlierEntries } from "../sessions/newest-first.js";

/** Says at the start of the conversation that earlier entries exist, and loads them. */
export function EarlierNotice({ earlier: { count, status, load } }: { readonly earlier: EarlierEntries }) {
  if (status === "loading") {
    return (
      <p className="earlier" role="status">
        {count} earlier entries are being loaded…
      </p>
    );
  }
  return (
    <p className="earlier" role={status === "failed" ? "alert" : undefined}>
      {status === "failed" ? "The earlier entries could not be loaded. " : null}
      <button type="button" onClick={load}>
        {status === "failed" ? "Try again" : `Load ${count} earlier entries`}
      </button>
    </p>
  );
}
