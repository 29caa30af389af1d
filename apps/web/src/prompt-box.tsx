import type { Session } from "@turnkit/client";
import type { TurnControl } from "@turnkit/react";
import { type KeyboardEvent, type SubmitEvent, useState } from "react";

/** Texts that were typed and not sent, by session. They outlive a lost connection. */
const drafts = new Map<string, string>();

/** Field for prompts. Enter sends, Shift+Enter makes a new line. Escape stops the work; the conversation handles it. */
export function PromptBox({ session, turn }: { readonly session: Session; readonly turn: TurnControl }) {
  const [text, setText] = useState(() => drafts.get(session.id) ?? "");
  const { status, send, cancel } = turn;
  const isBusy = status !== "ready" && status !== "closed";
  const type = (next: string) => {
    setText(next);
    if (next === "") drafts.delete(session.id);
    else drafts.set(session.id, next);
  };
  const submit = () => {
    if (text.trim() !== "" && status !== "closed" && send(text) !== undefined) type("");
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    submit();
  };
  return (
    <form className="prompt" onSubmit={onSubmit}>
      <textarea
        aria-label="Prompt"
        placeholder={isBusy ? "Write the next prompt. It waits for the end of this turn" : "Write to the agent"}
        rows={1}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={press}
        disabled={status === "closed"}
      />
      <button type="submit" disabled={text.trim() === "" || status === "closed"}>
        Send
      </button>
      {isBusy ? (
        <button type="button" onClick={cancel} title="Escape" disabled={status === "cancelling"}>
          Stop
        </button>
      ) : null}
    </form>
  );
}
