import type { OpenQuestion } from "@turnkit/react";
import { readValue } from "../entry/tool-input.js";
import { visibleText } from "../visible.js";
import { CoveredContent } from "./covered-content.js";

type Permission = Extract<OpenQuestion, { type: "permission" }>;

/**
 * Permission question with everything that the permission covers, and all options. Nothing is cut or folded, and hidden
 * characters can be seen.
 */
export function PermissionQuestion({ asked }: { readonly asked: Permission }) {
  const { question, answer } = asked;
  const { title, description, options } = question;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard. */}
      <div className="covered" tabIndex={0}>
        <p className="asked-title">{visibleText(title)}</p>
        {description == null ? null : <p className="plain">{visibleText(description)}</p>}
        <Covered asked={asked} />
      </div>
      <div className="options">
        {options.map(({ optionId, name, kind }) => (
          <button
            key={optionId}
            type="button"
            data-kind={kind}
            onClick={() => answer({ outcome: "selected", optionId })}
          >
            {visibleText(name)}
          </button>
        ))}
      </div>
    </>
  );
}

/** The command, or the tool call with its places, input and content. */
function Covered({ asked: { question, toolCall, session } }: { readonly asked: Permission }) {
  const { subject, title } = question;
  if (subject?.type === "command" && "command" in subject) {
    return (
      <>
        <pre className="command">{visibleText(subject.command)}</pre>
        <p className="quiet">in {visibleText(subject.cwd)}</p>
      </>
    );
  }
  const isCall = subject?.type === "tool_call" && "toolCall" in subject;
  if (subject != null && !isCall) return <pre className="command">{visibleText(JSON.stringify(subject, null, 2))}</pre>;
  const patch = isCall ? subject.toolCall : undefined;
  const call = { ...patch, ...toolCall };
  const { command, rest } = readValue(call.rawInput);
  const about = call.title == null || title.includes(call.title) ? "" : call.title;
  const tool = [call.kind, call.name].filter(Boolean).join(" ");
  return (
    <>
      {about === "" ? null : <p>{visibleText(about)}</p>}
      {tool === "" ? null : <p className="quiet">{visibleText(tool)}</p>}
      {call.locations?.map(({ path, line }) => (
        <p key={`${path}:${line}`}>
          <code>{visibleText(line == null ? path : `${path}:${line}`)}</code>
        </p>
      ))}
      {[command, rest].filter(Boolean).map((text) => (
        <pre key={text} className="command">
          {visibleText(text)}
        </pre>
      ))}
      {[...(call.content ?? [])].map((item, index) => (
        <CoveredContent key={index} item={item} session={session} />
      ))}
    </>
  );
}
