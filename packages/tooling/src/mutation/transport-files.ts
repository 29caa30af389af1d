import type { Mutation } from "./mutation.js";

/** Files and folders inside roots that a link replaces. */
export const transportFileMutations: readonly Mutation[] = [
  {
    id: "S94",
    file: "node/rooted-path.ts",
    find: "if (expected !== undefined && ",
    replace: "if (expected === path && ",
    what: "a file is opened although a link has replaced it since its check",
  },
  {
    id: "S100",
    file: "node/held-folder.ts",
    find: "checkReal(found ?? (await realpath(place)), real, path);",
    replace: "",
    what: "a write follows a link that has replaced the folder of the file since its check",
  },
];
