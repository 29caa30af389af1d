import type { Mutation } from "./mutation.js";

/** Known defects of the rules for protected files, of watches and of stores. */
export const sessionDefectMutations: readonly Mutation[] = [
  {
    id: "S51",
    file: "paths/path-rules.ts",
    find: " simple-git-hooks.* .nano-staged*",
    replace: " simple-git-hooks.json .nano-staged*",
    what: "hooks that a file in JavaScript configures are not protected",
  },
  {
    id: "S51",
    file: "paths/path-rules.ts",
    find: " ansible.cfg .ansible.cfg",
    replace: "",
    what: "the settings of Ansible are not protected",
  },
  {
    id: "S55",
    file: "paths/path-rules.ts",
    find: ".sourcekit-lsp/**",
    replace: ".sourcekit-lsp",
    what: "a folder is protected, and the settings in it are not",
  },
  {
    id: "S55",
    file: "paths/path-rules.ts",
    find: ".releaserc* .goreleaser.y*ml",
    replace: ".releaserc .goreleaser.yml",
    what: "only one ending of a name is protected",
  },
  {
    id: "N94",
    file: "watch/connection-watch.ts",
    find: "if (!this.#openings.keepEarly(sessionId, event)) this.#misuse.unknownSession();",
    replace: "this.#openings.keepEarly(sessionId, event);",
    what: "a watch that gets only updates stays empty without a word",
  },
  {
    id: "N94",
    file: "watch/misuse.ts",
    find: "    this.#told.add(why);\n",
    replace: "",
    what: "each message of a wrong call is reported",
  },
  {
    id: "N94",
    file: "store.ts",
    find: "type === undefined && (sessionUpdate !== undefined || jsonrpc !== undefined);",
    replace: "type === undefined && jsonrpc !== undefined;",
    what: "a store that gets updates of the protocol stays empty without a word",
  },
];
