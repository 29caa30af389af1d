import type { ForeignText } from "./foreign-text.js";

const pieces = (...all: readonly string[]) => all.map((piece) => ({ piece }));

/** Parsers of the packages for texts that a rule or a person decides by, and of keys and logs. */
export const decisionParsers: readonly ForeignText[] = [
  {
    name: "pathsInInput",
    file: "packages/client/src/broker/input-paths.ts",
    text: "inputs of tools of an agent",
    bound: "64 levels and 10 000 values; 4096 characters of a path",
    run: ({ pathsInInput }, text) => [
      pathsInInput({ path: text }, "/a"),
      pathsInInput({ [text]: "a" }, "/a"),
      pathsInInput({ paths: text.split(" ").slice(0, 10_000) }, "/a"),
      pathsInInput({ uri: `file://${text.slice(0, 4_000)}` }, "/a"),
    ],
    hostile: pieces("a", "a ", "/", "%2f", "a-", "_", "file", "pathpath", "a:", "a+"),
  },
  {
    name: "isSteeringVariable",
    file: "packages/transport/src/node/steering-variables.ts",
    text: "variables of commands, servers and logins",
    bound: "the size of a message, 16 MiB",
    run: ({ isSteeringVariable }, text) => [isSteeringVariable(text), isSteeringVariable("PAGER", text)],
    hostile: pieces("A", "_", "A_", "_DIR", "PATH", "PROXY", "_CA_", "_HOOK", "FILE", "OPTS"),
  },
  {
    name: "isDataVariable",
    file: "packages/transport/src/node/data-variables.ts",
    text: "variables of commands, servers and logins",
    bound: "the size of a message, 16 MiB",
    run: ({ isDataVariable }, text) => ["A", "TERM", text].map((name) => isDataVariable(name, text)),
    hostile: pieces("A", "_", "A_", "_KEY", "a", "1", "a/", "."),
  },
  {
    name: "isSecretName",
    file: "packages/transport/src/trace/redact-names.ts",
    text: "names of variables, headers and members of a peer",
    bound: "200 characters; a longer name is that of no secret",
    run: ({ isSecretName, isSecretFlag }, text) => [isSecretName(text), isSecretFlag(`--${text}`)],
    hostile: pieces("A", "_", "A_", "Aa", "KEY", "SEED", "_KEYSTORE"),
    length: 200,
  },
  {
    name: "terminalLoginFault",
    file: "packages/client/src/node/terminal-login-fault.ts",
    text: "login methods of an agent",
    bound: "4096 characters; a longer method is refused",
    run: ({ terminalLoginFault }, text) =>
      terminalLoginFault({ type: "terminal", args: [text], env: [{ name: text, value: text }] }),
    hostile: pieces("a", "_", "\u200b", "A_KEY"),
  },
  {
    name: "isInside",
    file: "packages/transport/src/node/path-form.ts",
    text: "paths of a peer",
    bound: "the size of a message, 16 MiB",
    run: ({ isInside }, text) => isInside(`/${text}`, ["/a"]),
    hostile: pieces("/", "a/", "../", "./", "a"),
  },
  {
    name: "fitsCommandPattern",
    file: "packages/session/src/command/plain-commands.ts",
    text: "commands of an agent",
    bound: "the size of a message, 16 MiB",
    run: ({ fitsCommandPattern }, text) => [
      fitsCommandPattern(["git", ...text.split(" ")], ["git", "*"]),
      fitsCommandPattern(["a", "--", text], ["a", "*"]),
    ],
    hostile: pieces("a ", "a", "../", "bisect ", "-- ", "/"),
  },
  {
    name: "watchVariables",
    file: "packages/client/src/node/withheld-variables.ts",
    text: "stderr of an agent",
    bound: "one piece of stderr at a time",
    run: ({ watchVariables }, text) => {
      const watch = watchVariables({}, () => undefined);
      for (let at = 0; at < text.length; at += 4_096) watch.stderr(text.slice(at, at + 4_096));
    },
    hostile: pieces("A", "A_", "A ", "_", "a", "="),
  },
  {
    name: "promptHash",
    file: "packages/agent/src/prompt-keys.ts",
    text: "prompts of a client",
    bound: "the size of a message, 16 MiB",
    run: ({ promptHash }, text) => promptHash([{ type: "text", text, _meta: { [text]: text.split(" ") } }]),
    hostile: pieces("a", "aaaaaaaaaaaaaaa ", "\u{1f600}", "\\", '"'),
  },
  {
    name: "readWireLog",
    file: "packages/transport/src/trace/wire-log.ts",
    text: "logs of the wire",
    bound: "the size of the file",
    run: ({ readWireLog }, text) => {
      try {
        return readWireLog(text);
      } catch (error) {
        return error;
      }
    },
    hostile: pieces("{}\n", "\n", "{", "a\n", '{"ms":1,"sent":{}}\n'),
  },
];
