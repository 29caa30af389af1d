import type { Session } from "@turnkit/client";
import { useSelector } from "@turnkit/react";
import type { ExitStatus } from "@turnkit/session";
import { useMemo } from "react";
import { drawnState } from "../timeline/drawn-state.js";
import { visibleText } from "../visible.js";
import { readAnsi } from "./ansi.js";

/** Newest characters of an output that are drawn. */
const SHOWN = 60_000;

/** Output of a terminal of the agent, and the end of its process. */
export function TerminalView({ terminalId, session }: { readonly terminalId: string; readonly session: Session }) {
  const terminal = useSelector(drawnState(session), (state) => state.terminals.get(terminalId));
  const text = terminal?.text ?? "";
  const pieces = useMemo(() => readAnsi(text.slice(-SHOWN)), [text]);
  if (terminal === undefined) return null;
  const { command, exitStatus, droppedBytes } = terminal;
  const isCut = droppedBytes > 0 || text.length > SHOWN;
  return (
    <figure className="terminal">
      {command === undefined ? null : (
        <figcaption>
          <code>$ {visibleText(command)}</code>
        </figcaption>
      )}
      {isCut ? <p className="quiet">The beginning of the output is left out.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {pieces.map(({ text, style }, index) => (
          <span key={index} className={style || undefined}>
            {text}
          </span>
        ))}
      </pre>
      {exitStatus === undefined ? null : <p className="quiet">{endText(exitStatus)}</p>}
    </figure>
  );
}

function endText({ exitCode, signal }: ExitStatus): string {
  if (signal != null) return `Ended by the signal ${signal}`;
  return exitCode == null ? "Ended" : `Ended with code ${exitCode}`;
}
