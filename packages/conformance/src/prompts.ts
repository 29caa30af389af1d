/** Prompts that cause the behaviour that the checks judge. */
export const defaultPrompts = {
  /** A short answer. */
  say: "Say hello in one short sentence. Change nothing.",
  /** Work that goes on until it is cancelled. */
  long: "Count slowly from 1 to 5000, a number a line, without tools. Change nothing.",
  /** A plan and tool calls without a question. */
  work: "Make a plan of two steps, then read the file note.txt with your tool and say what it is about. Change nothing.",
  /** A tool call that needs a permission. */
  permission: "Create the file conformance.txt with the text hi. Use your tool, and ask for permission first.",
  /** A read of a file through the client, where the dialect has it. */
  read: "Read the file note.txt with your tool and say what it is about. Change nothing.",
  /** A write of a file through the client, where the dialect has it. */
  write: "Write the text hi into the file conformance.txt with your tool.",
  /** A command in a terminal. */
  terminal: "Run the command `echo conformance` with your tool.",
  /** A command in a terminal that runs until it is cancelled. */
  "long-terminal": "Run the command `sleep 600` with your tool, and wait for its end.",
  /** Work of a child session. */
  child: "Let a subagent say hello in one short sentence. Change nothing.",
} as const;

/** Name of a prompt. */
export type PromptName = keyof typeof defaultPrompts;

/** Texts of the prompts by name. */
export type Prompts = Readonly<Record<PromptName, string>>;
