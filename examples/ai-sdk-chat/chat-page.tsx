import { useChat } from "@ai-sdk/react";
import { type AcpUIMessage, approvalsAnswered, createChatTransport, selectMessages } from "@turnkit/ai-sdk";
import type { Session } from "@turnkit/client";
import { memo, type SubmitEvent, useState } from "react";

type Part = AcpUIMessage["parts"][number];
type Decide = (approvalId: string, approved: boolean, optionId?: string) => void;

export function ChatPage({ session }: { session: Session }) {
  // The message that an answer in progress belongs to is part of the history, and goes on with `resume`.
  const [start] = useState(() => ({
    transport: createChatTransport(session),
    messages: selectMessages(session.state),
  }));
  const { messages, status, error, sendMessage, addToolApprovalResponse, stop } = useChat<AcpUIMessage>({
    ...start,
    resume: true,
    sendAutomaticallyWhen: approvalsAnswered,
  });
  const decide: Decide = (id, approved, reason) => void addToolApprovalResponse({ id, approved, reason });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = event.currentTarget.elements.namedItem("prompt") as HTMLInputElement;
    if (input.value.trim() !== "") void sendMessage({ text: input.value });
    input.value = "";
  };
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <article key={id} className={role}>
          {parts.map((part, index) => (
            <PartView key={keyOf(part, index)} part={part} decide={decide} />
          ))}
        </article>
      ))}
      <p role="status">{error?.message ?? status}</p>
      <form onSubmit={submit}>
        <input name="prompt" aria-label="Prompt" autoComplete="off" />
        <button type="submit">Send</button>
        <button type="button" onClick={() => void stop()}>
          Stop
        </button>
      </form>
    </main>
  );
}

const keyOf = (part: Part, index: number): string => ("id" in part && part.id !== undefined ? part.id : `${index}`);

const PartView = memo(({ part, decide }: { part: Part; decide: Decide }) => {
  if (part.type === "text" || part.type === "reasoning") return <p className={part.type}>{part.text}</p>;
  if (part.type === "dynamic-tool") return <p className="tool">{`${part.title ?? part.toolName}: ${part.state}`}</p>;
  if (part.type !== "data-acp-permission" || part.data.status === "settled") return null;
  const { requestId, title, options } = part.data;
  return (
    <fieldset>
      <legend>{title}</legend>
      {options.map(({ optionId, name, kind }) => (
        <button
          key={optionId}
          type="button"
          onClick={() => decide(requestId, !`${kind}`.startsWith("reject"), optionId)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
});
