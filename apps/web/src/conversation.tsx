import type { Client, Session } from "@turnkit/client";
import { useQuestions, useSelector, useTurn } from "@turnkit/react";
import { visiblePlan } from "@turnkit/session";
import { useEffect, useState } from "react";
import { TimelineOfTree } from "./children-view.js";
import { FaultBoundary } from "./fault-boundary.js";
import type { PageServer } from "./link/page-server.js";
import { usePageTitle } from "./page-title.js";
import { PlanView } from "./plan-view.js";
import { PromptBox } from "./prompt/prompt-box.js";
import { QuestionView } from "./question/question-view.js";
import { SessionSettings } from "./session-settings.js";
import type { EarlierEntries } from "./sessions/newest-first.js";
import { StatusLine } from "./status-line.js";
import { drawnState } from "./timeline/drawn-state.js";

type ConversationProps = {
  readonly session: Session;
  readonly earlier: EarlierEntries | undefined;
  readonly client: Client;
  /** `false` while the page has no connection. */
  readonly isConnected: boolean;
  /** Lists the files that a mention can name. */
  readonly listFiles: PageServer["files"];
};

/** One session: its conversation, plan, questions and prompt box. */
export function Conversation({ session, earlier, client, isConnected, listFiles }: ConversationProps) {
  const title = useSelector(session, (state) => state.title);
  const plan = useSelector(drawnState(session), visiblePlan);
  const questions = useQuestions(session);
  const turn = useTurn(session);
  const [sent, setSent] = useState(0);
  const { status, cancel } = turn;
  const isBusy = status !== "ready" && status !== "closed";
  usePageTitle(title, status);
  useEffect(() => {
    if (!isBusy) return undefined;
    const stop = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.isComposing && !event.defaultPrevented) cancel();
    };
    document.addEventListener("keydown", stop);
    return () => document.removeEventListener("keydown", stop);
  }, [isBusy, cancel]);
  const [question] = questions;
  return (
    <>
      <header className="session-head">
        <h2>{title || "New session"}</h2>
        <bdi className="quiet">{session.cwd}</bdi>
        <SessionSettings session={session} />
      </header>
      <TimelineOfTree session={session} earlier={earlier} isAsked={question !== undefined} sent={sent} />
      <footer className="session-foot">
        {plan === undefined ? null : <PlanView plan={plan} />}
        {question === undefined ? null : (
          <FaultBoundary key={question.question.requestId}>
            <QuestionView asked={question} count={questions.length} />
          </FaultBoundary>
        )}
        <StatusLine session={session} turn={turn} isConnected={isConnected} />
        <PromptBox
          session={session}
          turn={turn}
          takesImages={client.peer.capabilities.prompt.image}
          listFiles={listFiles}
          isFocused={question === undefined}
          isConnected={isConnected}
          onSend={() => setSent((count) => count + 1)}
        />
      </footer>
    </>
  );
}
