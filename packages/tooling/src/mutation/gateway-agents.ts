import type { Mutation } from "./mutation.js";

/** Defects of a gateway with hostile agents, clients and programs that were found and fixed. */
export const gatewayAgentMutations: readonly Mutation[] = [
  {
    id: "G39",
    file: "agent-intake.ts",
    find: "const event = isOwner ? received : withoutMarks(received);",
    replace: "const event = received;",
    what: "an agent speaks and answers in the name of a person",
  },
  {
    id: "G39",
    file: "agent-marks.ts",
    find: 'if (clean.type === "permission_asked" && ',
    replace: 'if (clean.type === "permission_asked" && clean.requestId === "" && ',
    what: "the tool call of a question names a person who has answered it",
  },
  {
    id: "G39",
    file: "shared-prompt.ts",
    find: "isOwner ? error : withoutLeaving(error);",
    replace: "error;",
    what: "an agent keeps prompts of other gateways open",
  },
  {
    id: "G39",
    file: "agent-marks.ts",
    find: "return { ...clean, error: withoutLeaving(clean.error) } as SessionEvent;",
    replace: "return clean;",
    what: "an agent of version 2 keeps prompts of other gateways open",
  },
  {
    id: "G40",
    file: "served-client.ts",
    find: "this.#listing = listing.catch(() => undefined);",
    replace: "",
    what: "many lists of one client take the storage from all sessions",
  },
  {
    id: "G41",
    file: "jetstream/nats-values.ts",
    find: ".filter((key) => KEY.test(key));",
    replace: ";",
    what: "a key that another program has written ends every list",
  },
];
