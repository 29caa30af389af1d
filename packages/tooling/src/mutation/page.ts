import type { Mutation } from "./mutation.js";

/** Behaviours that a person meets most often in the page of turnkit. */
export const pageMutations: readonly Mutation[] = [
  {
    id: "E2",
    file: "prompt/prompt-box.tsx",
    find: "event.shiftKey || isTouched()",
    replace: "event.shiftKey",
    what: "Enter of a touch keyboard sends",
  },
  {
    id: "E5",
    file: "timeline/followed-end.ts",
    find: "if (sent > 0) toEnd();",
    replace: "",
    what: "a prompt that was sent after scrolling up stays out of view",
  },
  {
    id: "E6",
    file: "timeline/followed-end.ts",
    find: " && client <= last.client",
    replace: "",
    what: "an answered question ends the following of new text",
  },
  {
    id: "E7",
    file: "link/link.ts",
    find: "if (isKnown || !isOpen(client)) return;",
    replace: "return;",
    what: "a page without a login says that the network is cut",
  },
  {
    id: "E9",
    file: "link/page-server.ts",
    find: "new Set([204, 401, 403])",
    replace: "new Set([401, 403])",
    what: "a page without a login opens a connection, which is refused",
  },
  {
    id: "E10",
    file: "prompt/drafts.ts",
    find: "sessionStorage.setItem(nameOf(sessionId), text);",
    replace: "",
    what: "a reload loses the draft",
  },
  {
    id: "E11",
    file: "prompt/mentioned-files.ts",
    find: "known.has(path) ||",
    replace: "",
    what: "a mentioned file is not linked",
  },
  {
    id: "E12",
    file: "workspace.tsx",
    find: "if (!(await folders.hasFolder(cwd)))",
    replace: "if (cwd === undefined)",
    what: "a session begins in a folder that does not exist",
  },
  {
    id: "E13",
    file: "page-title.ts",
    find: 'asking: "Question: ",',
    replace: "",
    what: "a person in another tab sees no question",
  },
];
