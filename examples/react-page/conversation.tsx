import type { Client, Session } from "@turnkit/client";
import { type OpenQuestion, useConnection, useQuestions, useSelector, useSession, useTurn } from "@turnkit/react";
import { type Entry, messageText } from "@turnkit/session";
import { memo, type SubmitEvent } from "react";

export function Page({ client, cwd }: { client: Client; cwd: string }) {
  const { session, error } = useSession(client, { cwd });
  const { reason } = useConnection(client);
  return (
    <main>
      {reason && <p role="alert">The connection is lost: {reason.message}</p>}
      {session ? <Conversation session={session} /> : <p role="status">{error?.message ?? "Opening…"}</p>}
    </main>
  );
}

function Conversation({ session }: { session: Session }) {
  const timeline = useSelector(session, (state) => state.timeline);
  const questions = useQuestions(session);
  const { status, error, send, cancel } = useTurn(session);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem("prompt") as HTMLInputElement;
    if (input.value.trim() !== "" && send(input.value)) input.value = "";
  };
  return (
    <>
      {[...timeline].map((entry) => (
        <EntryView key={entry.key} entry={entry} />
      ))}
      {questions.map((one) => (
        <QuestionView key={one.question.requestId} one={one} />
      ))}
      <p role="status">{error?.message ?? status}</p>
      <form onSubmit={submit}>
        <input name="prompt" aria-label="Prompt" autoComplete="off" />
        <button type="submit">Send</button>
        <button type="button" disabled={status === "ready" || status === "closed"} onClick={cancel}>
          Stop
        </button>
      </form>
    </>
  );
}

// Unchanged entries are the same objects, so React draws only the entry that grows.
const EntryView = memo(({ entry }: { entry: Entry }) => {
  if (entry.type === "message") return <p className={entry.role}>{messageText(entry)}</p>;
  if (entry.type === "tool_call") return <p className="tool">{`${entry.title}: ${entry.status}`}</p>;
  return null;
});

const QuestionView = memo(({ one }: { one: OpenQuestion }) => (
  <fieldset>
    <legend>{one.type === "permission" ? one.question.title : one.question.message}</legend>
    {one.type === "permission" ? (
      one.question.options.map(({ optionId, name }) => (
        <button key={optionId} type="button" onClick={() => one.answer({ outcome: "selected", optionId })}>
          {name}
        </button>
      ))
    ) : (
      <button type="button" onClick={() => one.answer({ action: "decline" })}>
        Decline
      </button>
    )}
  </fieldset>
));
