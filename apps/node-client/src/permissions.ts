import type { PermissionPolicy } from "@turnkit/client";
import { createPermissionBroker, type DecisionStore, type PermissionBrokerOptions } from "@turnkit/client/broker";
import { isInsideRoots } from "@turnkit/client/node";
import { isDeep } from "./output/safe-json.js";
import { isGuarded } from "./permission-judges.js";
import { alwaysText } from "./permission-scope.js";
import type { Judge } from "./policy-file.js";
import type { View } from "./view.js";

/**
 * Creates the policy for `--permissions`. A person is asked in two cases:
 * - the judge leaves the question open;
 * - the judge allows it, and the agent does not offer exactly one option of the kind `allow_once`.
 *
 * If there is no person, the question is cancelled.
 */
export function createPermissionPolicy(
  judge: Judge,
  view: Pick<View, "ask" | "note">,
  store?: DecisionStore,
): PermissionPolicy {
  const person = view.ask;
  const ask: AskPerson = person
    ? (question, signal, { always }) => {
        const lasting = store && { always: alwaysText(always, question.session.cwd) };
        return person({ ...question, ...lasting }, signal);
      }
    : nobody(view);
  return createBroker({ judge, ask, store, note: view.note });
}

type AskPerson = PermissionBrokerOptions["ask"];

/** Judge, person and memory of a broker. Without a store, nothing is remembered. */
export type BrokerParts = {
  readonly judge: Judge;
  readonly ask: AskPerson;
  readonly store?: DecisionStore | undefined;
  readonly note: View["note"];
};

/**
 * Creates a broker that tries the judge, then the remembered decisions of the store, then the person. No decision is
 * remembered about files that start programs or instruct agents, and about files that may hold secrets.
 */
export function createBroker({ judge, ask, store, note }: BrokerParts): PermissionPolicy {
  return createPermissionBroker({
    policy: (facts) => judge(facts) ?? (isGuarded(facts) ? "ask" : undefined),
    isInside: isInsideRoots,
    ask: ifShownWhole(ask, note),
    remember: store && { scope: "project", store },
  });
}

/**
 * Returns a function that cancels questions which cannot be shown completely, because their tool call has more than 200
 * levels.
 */
function ifShownWhole(ask: AskPerson, note: View["note"]): AskPerson {
  return (question, signal, about) => {
    const { subject, session } = question;
    const known = subject?.type === "tool_call" ? (subject.toolCall as { readonly toolCallId?: unknown }) : undefined;
    const entry = session.state?.timeline.get(`tool_call:${String(known?.toolCallId)}`);
    const told = entry?.type === "tool_call" ? [entry.rawInput, ...entry.content] : [];
    if (![subject, ...told].some(isDeep)) return ask(question, signal, about);
    note("A question was cancelled, because its tool call has more than 200 levels and cannot be shown.");
    return { outcome: "cancelled" };
  };
}

function nobody(view: Pick<View, "note">): PermissionPolicy {
  return () => {
    view.note("Standard input or output is not a terminal, so the question is cancelled. See --permissions.");
    return { outcome: "cancelled" };
  };
}
