import type { PermissionOption, SessionEvent } from "@turnkit/session";
import { oneLine } from "../../sanitise.js";
import type { Line } from "../text/line.js";

/** Questions whose answers are waited for, at most; the state bounds them already. */
const MAX_OPEN = 512;

/** Keeps what was asked, to say in one line what was decided, by whomever: a person, a rule, a cancel. */
export function createDecisionNotes(): (event: SessionEvent) => Line | undefined {
  const asked = new Map<string, { readonly title: string; readonly options: readonly PermissionOption[] }>();
  const keep = (requestId: string, title: string, options: readonly PermissionOption[] = []) => {
    asked.set(requestId, { title: oneLine(title).slice(0, 100), options });
    const [oldest] = asked.keys();
    if (asked.size > MAX_OPEN && oldest !== undefined) asked.delete(oldest);
  };
  const settled = (requestId: string) => {
    const question = asked.get(requestId);
    asked.delete(requestId);
    return question;
  };
  return (event) => {
    switch (event.type) {
      case "permission_asked":
        keep(event.requestId, event.title, event.options);
        return undefined;
      case "elicitation_asked":
        keep(event.requestId, event.message);
        return undefined;
      case "permission_answered": {
        const question = settled(event.requestId);
        const { outcome } = event;
        if (outcome.outcome === "cancelled") return note("yellow", "no option chosen", question?.title);
        const option = question?.options.find(({ optionId }) => optionId === outcome.optionId);
        const style = String(option?.kind).startsWith("allow") ? "green" : "red";
        return note(style, option?.name ?? outcome.optionId, question?.title);
      }
      case "elicitation_answered": {
        const { action } = event.answer;
        const words = { accept: "answered", decline: "declined", cancel: "cancelled" } as const;
        return note(action === "accept" ? "green" : "yellow", words[action], settled(event.requestId)?.title);
      }
      default:
        return undefined;
    }
  };
}

function note(style: "green" | "red" | "yellow", decision: string, title: string | undefined): Line {
  return [
    ["dim", `? ${title ?? "A question"} `],
    [style, `→ ${decision}`],
  ];
}
