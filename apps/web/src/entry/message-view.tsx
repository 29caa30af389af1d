import { type MessageEntry, messageText, selectAuthor } from "@turnkit/session";
import { Fold } from "../timeline/folds.js";
import { BlocksView } from "./blocks-view.js";

/** Message of a person or of the agent, or a thought of the agent, which is folded. */
export function MessageView({ entry }: { readonly entry: MessageEntry }) {
  const { role, content, prompt, dropped } = entry;
  const cut = dropped === undefined ? null : <p className="quiet">The beginning is no longer in memory.</p>;
  if (role === "thought") {
    const [first = ""] = messageText(entry).trimStart().split("\n", 1);
    return (
      <Fold
        name="thought"
        className="entry thought"
        summary={
          <>
            Thought <bdi className="quiet">{first.replace(/[*#`]/g, "").slice(0, 120)}</bdi>
          </>
        }
      >
        {cut}
        <BlocksView content={content} />
      </Fold>
    );
  }
  if (role === "agent") {
    return (
      <article className="entry agent" aria-label="Agent">
        {cut}
        <BlocksView content={content} />
      </article>
    );
  }
  const author = selectAuthor(entry);
  return (
    <article className="entry user" aria-label={author || "You"}>
      {author ? <p className="author">{author}</p> : null}
      {cut}
      <BlocksView content={content} isPlain />
      {prompt?.status === "failed" ? (
        <p className="failure">Not delivered{prompt.error ? `: ${prompt.error.message}` : ""}</p>
      ) : null}
    </article>
  );
}
