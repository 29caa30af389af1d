import type { Implementation, PermissionSubject, ToolCallEntry, ToolCallPatch, ToolKind } from "@turnkit/session";
import type { PermissionRequest } from "../permissions.js";
import { rootOf } from "../root-of.js";
import { type CommandFacts, commandFacts, commandIn } from "./command-facts.js";
import { absolutePath, pathsInInput } from "./input-paths.js";

type Awaitable<T> = T | Promise<T>;

/** Check whether a path is inside one of the roots. */
export type IsInside = (path: string, roots: readonly string[]) => Awaitable<boolean>;

/**
 * Machine-readable facts of a permission question. Titles, descriptions and names of options are texts for people, and are
 * left out.
 *
 * All facts come from the agent. A rule therefore limits an honest agent, but does not stop an agent that lies.
 */
export type PermissionFacts = CommandFacts & {
  readonly agent: Implementation;
  readonly sessionId: string;
  /**
   * Folder of the session and its additional directories. For a child session, these are the folders of the session at
   * the root of its tree, because the agent chooses the folders of a child session.
   */
  readonly roots: readonly string[];
  /**
   * Subject of the question. Only a person can allow an `unknown` subject. The subject is `unknown` in these cases:
   *
   * - This version of turnkit does not support the type of the subject.
   * - The members of the tool call contradict each other, or those of the call in the session's state.
   * - The tool call is nested too deeply.
   */
  readonly subject: "tool_call" | "command" | "none" | "unknown";
  readonly toolCallId?: string;
  /** Kind of the tool that the agent states. With a command, the kind is always `execute`. */
  readonly kind?: ToolKind;
  /** Name under which the model calls the tool. */
  readonly tool?: string;
  /** Files of the tool call: its locations, the paths in its diffs, and members of its input such as `file_path`. */
  readonly paths: readonly string[];
  /**
   * Place of the paths and of the command's folder.
   *
   * - `inside`: all of these are inside the roots.
   * - `outside`: at least one of these is outside the roots.
   * - `none`: the question names neither a path nor a folder.
   */
  readonly place: "inside" | "outside" | "none";
  /** Input of the tool, unchanged. */
  readonly input?: unknown;
};

/** Collects the facts of a question and of its tool call. */
export async function factsOf(request: PermissionRequest, isInside: IsInside): Promise<PermissionFacts> {
  const { session, agent } = request;
  const subject = (request.subject ?? undefined) as Known | undefined;
  const { roots } = rootOf(session);
  const base = { agent, sessionId: session.id, roots };
  if (subject?.type === "command") {
    const { command, cwd, toolCallId } = subject;
    const of = toolCallId == null ? {} : { toolCallId };
    const asked = askedCall(request);
    const other = asked?.rawInput != null ? commandIn(asked.rawInput) : {};
    const line = other?.commandLine ?? command;
    const isClear = other !== undefined && line === command && (other.argv === undefined || isSame(other, command));
    const facts = isClear
      ? { subject: "command" as const, ...commandFacts(command), cwd }
      : { subject: "unknown" as const };
    const place = await placeOf(typeof cwd === "string" ? [cwd] : [], roots, isInside);
    return { ...base, ...of, paths: [], place, ...facts };
  }
  if (subject?.type !== "tool_call") {
    return { ...base, subject: subject === undefined ? "none" : "unknown", paths: [], place: "none" };
  }
  const { toolCall } = subject;
  const asked = askedCall(request);
  const kind = toolCall.kind ?? asked?.kind;
  const tool = toolCall.name ?? asked?.name;
  const input = toolCall.rawInput ?? asked?.rawInput;
  const command = commandIn(input);
  const runs = command?.argv !== undefined || command?.commandLine !== undefined;
  const named = command === undefined || runs ? [] : pathsInInput(input, rootOf(session).cwd);
  const cwd = folderOf(command?.cwd, input, rootOf(session).cwd);
  const paths = [...new Set([...pathsOf(toolCall), ...(asked ? pathsOf(asked) : []), ...named])];
  const isClear =
    command !== undefined &&
    !differs(toolCall, asked) &&
    !(isReading(kind) && (changes(toolCall) || (asked && changes(asked))));
  return {
    ...base,
    subject: isClear ? "tool_call" : "unknown",
    toolCallId: toolCall.toolCallId,
    paths,
    place: await placeOf(cwd === undefined ? paths : [...paths, cwd], roots, isInside),
    ...(runs ? { kind: "execute" as const } : kind !== undefined && { kind }),
    ...(tool !== undefined && { tool }),
    ...(isClear && command),
    ...(isClear && cwd !== undefined && { cwd }),
    ...(isClear && input != null && { input }),
  };
}

/**
 * Returns the folder of a command. A `path` starts at the session's folder. Where another relative folder starts is not
 * known.
 */
function folderOf(cwd: string | undefined, input: unknown, root: string): string | undefined {
  if (cwd === undefined) return undefined;
  const { path, ...others } = input as Readonly<Record<string, unknown>>;
  return path === cwd && !Object.values(others).includes(cwd) ? absolutePath(cwd, root) : cwd;
}

type Known = Extract<PermissionSubject, { type: "tool_call" | "command" }>;

/** Returns the tool call of a question as the session's state shows it now. */
export function askedCall({ session, subject }: PermissionRequest): ToolCallEntry | undefined {
  const about = (subject?.type === "tool_call" ? subject.toolCall : subject) as { toolCallId?: string } | undefined;
  const entry = about?.toolCallId && session.state.timeline.get(`tool_call:${about.toolCallId}`);
  return entry && entry.type === "tool_call" ? entry : undefined;
}

/**
 * Returns true if a later update has replaced members of the call that the question contains. A person then sees the
 * update.
 */
function differs(toolCall: ToolCallPatch, asked: ToolCallEntry | undefined): boolean {
  if (asked === undefined) return false;
  const members = ["kind", "name", "rawInput"] as const;
  return members.some((one) => toolCall[one] != null && JSON.stringify(toolCall[one]) !== JSON.stringify(asked[one]));
}

function pathsOf({ locations, content }: ToolCallPatch | ToolCallEntry): readonly string[] {
  const diffs = [...(content ?? [])].flatMap((item) => (item.type === "diff" && "changes" in item ? item.changes : []));
  return [
    ...(locations ?? []).map(({ path }) => path),
    ...diffs.flatMap(({ path, oldPath }) => (oldPath == null ? [path] : [path, oldPath])),
  ].filter((path) => typeof path === "string");
}

async function placeOf(
  paths: readonly string[],
  roots: readonly string[],
  isInside: IsInside,
): Promise<PermissionFacts["place"]> {
  try {
    for (const path of paths) {
      if (!(await isInside(path, roots))) return "outside";
    }
  } catch {
    // A path that cannot be checked counts as outside.
    return "outside";
  }
  return paths.length > 0 ? "inside" : "none";
}

function isSame({ commands }: CommandFacts, line: string): boolean {
  return commands !== undefined && JSON.stringify(commands) === JSON.stringify(commandFacts(line).commands);
}

function isReading(kind: ToolKind | undefined): boolean {
  return kind === "read" || kind === "search" || kind === "fetch" || kind === "think";
}

/** Returns true if a tool call shows a change of a file. A call that only reads shows no change. */
function changes({ content }: ToolCallPatch | ToolCallEntry): boolean {
  return [...(content ?? [])].some(({ type }) => type === "diff");
}

/**
 * Returns true if an absolute path is inside one of the roots. Only the text is compared:
 *
 * - `..` is resolved.
 * - Whole segments are compared.
 * - Windows paths are compared without case.
 * - Links are not followed. `isInsideRoots` of `./node` follows links.
 */
export function liesInside(path: string, roots: readonly string[]): boolean {
  const place = segmentsOf(path);
  if (place === undefined) return false;
  return roots.some((root) => {
    const start = segmentsOf(root);
    return start?.every((segment, index) => place[index] === segment) === true;
  });
}

/** Returns the drive or server of a path, followed by its segments. Returns `undefined` for a path of unknown form. */
function segmentsOf(path: string): readonly string[] | undefined {
  if (path.includes("\0")) return undefined;
  if (path.startsWith("/")) return resolved("/", path.split("/"));
  const windows = path.replaceAll("/", "\\").toLowerCase();
  const [, drive, ofDrive] = /^([a-z]:)\\(.*)$/s.exec(windows) ?? [];
  // A second colon names a stream of a file, or a device.
  if (drive !== undefined) return ofDrive?.includes(":") ? undefined : resolved(drive, (ofDrive ?? "").split("\\"));
  const [, share, ofShare] = /^(\\\\[^\\?.:][^\\:]*\\[^\\:]+)(?:\\([^:]*))?$/s.exec(windows) ?? [];
  return share === undefined ? undefined : resolved(share, (ofShare ?? "").split("\\"));
}

function resolved(start: string, segments: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  }
  return [start, ...kept];
}
