import type { Client } from "@turnkit/client";
import { useRef, useState } from "react";
import { fragmentOf } from "../address.js";
import { ageText } from "../age.js";
import { visibleText } from "../visible.js";
import type { ListedSession } from "./listed-sessions.js";

const marks = { asks: "Waits for an answer", works: "Works", news: "New" } as const;

/** Length of a title in the list, in characters. The title is drawn three times, and an agent can give one of a MiB. */
const LONGEST = 200;

type RowProps = {
  readonly info: ListedSession;
  readonly isCurrent: boolean;
  /** Time of the drawing in ms, for the age. */
  readonly now: number;
  /** Deletes sessions. `undefined` if the server cannot. */
  readonly client: Client | undefined;
  readonly onDelete: (sessionId: string) => void;
};

/** Session of the list: a link to it, its mark, and a button that deletes it after a question. */
export function SessionRow({ info, isCurrent, now, client, onDelete }: RowProps) {
  const { sessionId, cwd, updatedAt, mark } = info;
  const title = shortTitle(info.title || "Without a title");
  const [isAsking, setAsking] = useState<boolean | undefined>();
  return (
    <li>
      <a href={fragmentOf({ sessionId, cwd })} aria-current={isCurrent ? "page" : undefined}>
        <span className="title">{title}</span>
        <span className="quiet">
          <bdi>{cwd}</bdi> <time dateTime={updatedAt ?? undefined}>{ageText(updatedAt, now)}</time>
        </span>
        {mark === undefined ? null : (
          <span className="session-mark" data-mark={mark}>
            {marks[mark]}
          </span>
        )}
      </a>
      {client === undefined ? null : isAsking ? (
        <DeleteQuestion
          title={title}
          isWorking={mark === "works" || mark === "asks"}
          remove={() => client.deleteSession(sessionId).then(() => onDelete(sessionId))}
          onKeep={() => setAsking(false)}
        />
      ) : (
        // After the person has kept the session, the focus is where it was before the question.
        <button
          type="button"
          className="delete"
          title="Delete"
          // biome-ignore lint/a11y/noAutofocus: see above.
          autoFocus={isAsking === false}
          onClick={() => setAsking(true)}
        >
          <span aria-hidden="true">×</span>
          <span className="unseen">Delete {visibleText(title)}</span>
        </button>
      )}
    </li>
  );
}

function shortTitle(title: string): string {
  // A cut can leave half of a character.
  return title.length > LONGEST ? `${title.slice(0, LONGEST).replace(/\p{Cs}$/u, "")}…` : title;
}

type DeleteProps = {
  readonly title: string;
  readonly isWorking: boolean;
  readonly remove: () => Promise<void>;
  readonly onKeep: () => void;
};

/** Question before a session is deleted. The first button keeps it, and so does Escape. */
function DeleteQuestion({ title, isWorking, remove, onKeep }: DeleteProps) {
  const [fault, setFault] = useState<string | undefined>();
  const [isBusy, setBusy] = useState(false);
  const dialog = useRef<HTMLDivElement>(null);
  const start = async () => {
    setBusy(true);
    const row = dialog.current?.closest("li");
    const next = (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector("a");
    try {
      await remove();
      // The focus would be lost with the row.
      (next ?? document.querySelector<HTMLElement>(".new-session button"))?.focus();
    } catch (error) {
      setFault((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <div
      className="delete-question"
      ref={dialog}
      role="alertdialog"
      aria-label={`Delete ${visibleText(title)}?`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Elsewhere, Escape stops the work of the agent.
        event.stopPropagation();
        onKeep();
      }}
    >
      <p>Delete this session for everyone?{isWorking ? " Its work ends." : ""}</p>
      {fault === undefined ? null : (
        <p role="alert" className="failure">
          {fault}
        </p>
      )}
      {/* biome-ignore lint/a11y/noAutofocus: the person has just pressed the button that opens this question. */}
      <button type="button" autoFocus onClick={onKeep}>
        Keep
      </button>
      <button type="button" data-kind="reject_once" onClick={() => void start()} disabled={isBusy}>
        Delete
      </button>
    </div>
  );
}
