import type { ElicitationAnswer } from "@turnkit/session";

/** Buttons that refuse a question: `Decline` says no, and `Cancel` gives no answer. */
export function RefuseButtons({ answer }: { readonly answer: (answer: ElicitationAnswer) => void }) {
  return (
    <>
      <button type="button" onClick={() => answer({ action: "decline" })}>
        Decline
      </button>
      <button type="button" onClick={() => answer({ action: "cancel" })}>
        Cancel
      </button>
    </>
  );
}
