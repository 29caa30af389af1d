import type { Mutation } from "./mutation.js";

/** Known defects of `turnkit-agent`. */
export const cliAgentMutations: readonly Mutation[] = [
  {
    id: "S47",
    file: "git/read-git.ts",
    find: 'findProgram("git", { env: process.env, distrusted: roots })',
    replace: 'findProgram("git", { env: process.env, distrusted: "nothing" })',
    what: "a Git that a command wrote into a folder of PATH starts outside of the sandbox",
  },
  {
    id: "S47",
    file: "checkpoints/shadow-git.ts",
    find: "distrusted: [root, ...roots]",
    replace: "distrusted: [root]",
    what: "the store of one root starts the Git of another root",
  },
  {
    id: "S53",
    file: "sandbox/session-mounts.ts",
    find: "Promise.all([search(root), sockets.in(root)])",
    replace: "Promise.all([search(root), [] as string[]])",
    what: "a sandboxed command uses a socket deep inside of node_modules",
  },
  {
    id: "S53",
    file: "sandbox/session-mounts.ts",
    find: "await sockets.known();",
    replace: "[] as string[];",
    what: "a sandboxed command uses a socket that was created in node_modules between two commands",
  },
  {
    id: "S53",
    file: "sandbox/bubblewrap.ts",
    find: "await sockets.known(), found",
    replace: "[], found",
    what: "a sandboxed command uses a socket in a package of a tool",
  },
  {
    id: "S54",
    file: "mcp/server-start.ts",
    find: "new Set([cwd, ...roots])",
    replace: "new Set([cwd])",
    what: "a server that names a file of another root starts without trust",
  },
  {
    id: "P19",
    file: "mcp/mcp-tool.ts",
    find: "return { ...output, end: { content,",
    replace: "await call.finish();\n        return { ...output, end: { content,",
    what: "a call of an MCP server's tool changes after its end",
  },
  {
    id: "S48",
    file: "git/own-files.ts",
    find: "waiting.push(...lines.map((line) => resolve(objects, line)));",
    replace: "",
    what: "alternates lead to a private repository",
  },
  {
    id: "S48",
    file: "git/own-files.ts",
    find: "entry.isSymbolicLink() && !walk.isOurs(path)",
    replace: "false",
    what: "links among branches and objects lead to a private repository",
  },
  {
    id: "S49",
    file: "git/read-git.ts",
    find: "if (endless !== undefined)",
    replace: "if (false)",
    what: "Git reads a device until its memory ends",
  },
  {
    id: "S50",
    file: "tools/run-command.ts",
    find: "JSON.stringify(program).replace(",
    replace: "program.replace(",
    what: "a value of a setting of Git takes several lines of a question",
  },
  {
    id: "S52",
    file: "checkpoints/snapshots.ts",
    find: "return found?.isSymbolicLink() === true;",
    replace: "return false;",
    what: "one link in the place of a folder prevents every undo",
  },
];
