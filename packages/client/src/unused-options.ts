import type { SessionWorkspace } from "@turnkit/session";
import { type Diagnostic, type OptionTypes, uncalledExtensions, unknownOptions } from "@turnkit/transport";
import type { ByteStreamLimits } from "@turnkit/transport/channels";
import type { ClientOptions } from "./client-options.js";
import type { Dialect } from "./driver/driver.js";
import type { PromptOptions } from "./session.js";

type Report = (diagnostic: Diagnostic) => void;

/** Every option of `connect`, with its type. */
export const OPTIONS: OptionTypes<ClientOptions> = {
  ...{
    info: "any",
    omitLegacyFields: "boolean",
    permissions: "function",
    whilePrompting: ["queue", "reject", "replace"],
    cancelGraceMs: "number",
  },
  ...{
    elicitations: "any",
    terminalLogin: "boolean",
    files: "any",
    terminals: "any",
    extensions: "object",
    fallback: "function",
  },
  ...{
    batches: ["refuse", "unpack"],
    limits: "object",
    customCapabilities: "object",
    metaMode: ["patch", "replace"],
    validateOutgoing: "object",
  },
  ...{ onDiagnostic: "function", promptKeys: "boolean", nullSessionIds: ["clear", "keep"] },
};

/** Remedies that several names share. */
const INSTEAD = {
  files: "Pass files: createFileHandlers({ readTextFile, writeTextFile }).",
  terminals: "Pass terminals: createTerminalHandlers(host).",
  events: "Listen with session.onEvent, or pass a listener to newSession and restore.",
};

/** Remedies for names of the protocol and of other libraries. */
const OF_CLIENT = {
  ...{ requestPermission: "Pass permissions.", readTextFile: INSTEAD.files, writeTextFile: INSTEAD.files },
  ...{ createTerminal: INSTEAD.terminals, sessionUpdate: INSTEAD.events, onEvent: INSTEAD.events },
  ...{ onUpdate: INSTEAD.events, onSessionUpdate: INSTEAD.events, onMessage: INSTEAD.events },
  clientCapabilities: "Do you mean customCapabilities? The other capabilities follow from the handlers.",
};

const LISTENER = "Pass the listener as an argument of its own, after this object.";

/** Options that only `launch` and `launchWith` read, with their types. */
export const LAUNCH = {
  cwd: "string",
  env: "any",
  stderrBytes: "number",
  onStderr: "function",
  graceMs: "number",
  startTimeoutMs: "number",
  wrapChannel: "function",
  spawn: "function",
} as const;

/** Every member of `limits`. Only `launch` uses the limits of a channel. */
const LIMITS: {
  readonly [name in keyof Required<NonNullable<ClientOptions["limits"]> & ByteStreamLimits>]: true;
} = {
  ...{ waitingMessages: true, waitingBytes: true, outgoingRequests: true, incomingRequests: true },
  ...{ stateBytes: true, entryBytes: true, terminalBytes: true, frame: true, unsent: true },
  ...{ highWater: true, message: true },
};

/** Every option of a prompt, with its type. */
export const PROMPT: OptionTypes<PromptOptions> = {
  ...{ signal: "any", idempotencyKey: "string", _meta: "any" },
};

const WORKSPACE: { readonly [name in keyof Required<SessionWorkspace>]: true } = {
  ...{ cwd: true, additionalDirectories: true, mcpServers: true, systemPrompt: true, _meta: true },
};

/** A client may pass a row of `listSessions` to `restore`. */
const KNOWN_OF = {
  limits: LIMITS,
  prompt: PROMPT,
  newSession: WORKSPACE,
  restore: { ...WORKSPACE, sessionId: true, title: true, updatedAt: true },
};

/** Members of the options that are hosts, with their types. */
export const HOSTS: Readonly<Record<string, Readonly<Record<string, "function">>>> = {
  files: { readTextFile: "function", writeTextFile: "function", fileRoutes: "function" },
  terminals: { create: "function", terminalRoutes: "function" },
};

/** Reports members that are not options of `connect`. */
export function reportUnknown(options: ClientOptions, report: Report): void {
  const others = { "launch of @turnkit/client/node": LAUNCH };
  const names = { known: OPTIONS, others, remedies: OF_CLIENT };
  for (const message of unknownOptions("the client", options, names)) report({ code: "unused_option", message });
  for (const message of uncalledExtensions(options.extensions ?? {})) report({ code: "unused_option", message });
  reportMembers("limits", options.limits ?? {}, report);
  for (const option of ["files", "terminals"] as const) {
    for (const message of unknownOptions(option, options[option] ?? {}, { known: HOSTS[option] ?? {} })) {
      report({ code: "unused_option", message });
    }
  }
}

/** Reports members that a call does not read. */
export function reportMembers(call: keyof typeof KNOWN_OF, members: object, report: Report): void {
  // The bounds are options of the client.
  const isOwn = call === "limits";
  const known = KNOWN_OF[call];
  const remedies =
    call === "prompt" ? { onEvent: "Loop over the turn, or listen with session.onEvent." } : { onEvent: LISTENER };
  const names = isOwn ? { known } : { known, others: { connect: OPTIONS }, remedies };
  for (const message of unknownOptions(call, members, names)) report({ code: "unused_option", message });
}

/** Reports options that have no effect in the agreed dialect. */
export function reportUnused({ servesHost, dialect }: Dialect, options: ClientOptions, report: Report): void {
  const unused = (option: string, why: string) =>
    report({ code: "unused_option", message: `The option ${option} is not used: ${why}` });
  for (const option of ["files", "terminals"] as const) {
    if (servesHost || options[option] === undefined) continue;
    const remedy = "To make the agent use yours, speak version 1 only: connectWith([v1Dialect], …) or launchWith.";
    unused(option, `in ${dialect} the agent uses its own ${option}. ${remedy}`);
  }
  const { files, elicitations, validateOutgoing } = options;
  if (servesHost && files && !files.readTextFile && !files.writeTextFile) {
    unused("files", "it has neither readTextFile nor writeTextFile. Pass one of them to createFileHandlers.");
  }
  if (elicitations?.modes.form === false && !elicitations.modes.url) {
    unused("elicitations", "it has no handler. Pass form, url or both to createElicitations.");
  }
  if (validateOutgoing !== undefined && validateOutgoing[dialect] === undefined) {
    unused("validateOutgoing", `it has no schemas for ${dialect}. Pass outgoingContracts.`);
  }
}
