import type { Implementation, PermissionSubject, ToolCallEntry, ToolCallPatch, ToolKind } from "@turnkit/session";
import type { PermissionRequest } from "../permissions.js";

type Awaitable<T> = T | Promise<T>;

/** Checks if a path lies in one of the roots. */
export type IsInside = (path: string, roots: readonly string[]) => Awaitable<boolean>;

/**
 * Machine-readable facts of a permission question. Titles, descriptions and names of options are for people and left
 * out. All facts come from the agent: rules keep an honest agent in bounds, and stop no liar.
 */
export type PermissionFacts = {
  readonly agent: Implementation;
  readonly sessionId: string;
  /** Folder of the session and its additional directories. */
  readonly roots: readonly string[];
  /** Subject of the question. `unknown` is a type that this version cannot read. */
  readonly subject: "tool_call" | "command" | "none" | "unknown";
  readonly toolCallId?: string;
  readonly kind?: ToolKind;
  /** Name of the tool for the model. */
  readonly tool?: string;
  /** Files of the tool call: its locations, and the paths in its diffs. */
  readonly paths: readonly string[];
  /**
   * Place of the paths. `inside`: all lie in the roots. `outside`: at least one does not. `none`: there are no paths.
   */
  readonly place: "inside" | "outside" | "none";
  /** Program and arguments, if the input separates them: `command` or `argv` as a list, or `command` with `args`. */
  readonly argv?: readonly string[];
  /** Command line for a shell. Do not search it for words. */
  readonly commandLine?: string;
  /** Folder in which the command runs. */
  readonly cwd?: string;
  /** Input of the tool, unchanged. */
  readonly input?: unknown;
};

/** Collects the facts of a question and of its tool call. */
export async function factsOf(request: PermissionRequest, isInside: IsInside): Promise<PermissionFacts> {
  const { session, agent } = request;
  const subject = (request.subject ?? undefined) as Known | undefined;
  const base = { agent, sessionId: session.id, roots: session.roots };
  if (subject?.type === "command") {
    const { command, cwd, toolCallId } = subject;
    const of = toolCallId == null ? {} : { toolCallId };
    return { ...base, ...of, subject: "command", paths: [], place: "none", commandLine: command, cwd };
  }
  if (subject?.type !== "tool_call") {
    return { ...base, subject: subject === undefined ? "none" : "unknown", paths: [], place: "none" };
  }
  const { toolCall } = subject;
  const entry = session.state.timeline.get(`tool_call:${toolCall.toolCallId}`);
  const told = entry?.type === "tool_call" ? entry : undefined;
  const paths = [...new Set([...pathsOf(toolCall), ...(told ? pathsOf(told) : [])])];
  const kind = toolCall.kind ?? told?.kind;
  const tool = toolCall.name ?? told?.name;
  const input = toolCall.rawInput ?? told?.rawInput;
  return {
    ...base,
    subject: "tool_call",
    toolCallId: toolCall.toolCallId,
    paths,
    place: await placeOf(paths, session.roots, isInside),
    ...(kind !== undefined && { kind }),
    ...(tool !== undefined && { tool }),
    ...commandIn(input),
    ...(input != null && { input }),
  };
}

type Known = Extract<PermissionSubject, { type: "tool_call" | "command" }>;

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
    // A path that cannot be checked is not safe.
    return "outside";
  }
  return paths.length > 0 ? "inside" : "none";
}

function commandIn(input: unknown): Pick<PermissionFacts, "argv" | "commandLine" | "cwd"> {
  if (typeof input !== "object" || input === null) return {};
  const { command, argv, args, cwd } = input as Readonly<Record<string, unknown>>;
  const where = typeof cwd === "string" ? { cwd } : {};
  if (isTexts(command)) return { argv: command, ...where };
  if (isTexts(argv)) return { argv, ...where };
  if (typeof command !== "string") return {};
  return isTexts(args) ? { argv: [command, ...args], ...where } : { commandLine: command, ...where };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/**
 * Returns true if an absolute path lies in one of the roots, by its text alone.
 *
 * - `..` is resolved.
 * - Whole segments are compared.
 * - Windows paths are compared without case.
 * - Links are not followed: use `isInsideRoots` of `./node` for that.
 */
export function liesInside(path: string, roots: readonly string[]): boolean {
  const place = segmentsOf(path);
  if (place === undefined) return false;
  return roots.some((root) => {
    const start = segmentsOf(root);
    return start?.every((segment, index) => place[index] === segment) === true;
  });
}

/** Returns the drive or server, then the segments. `undefined` for a path of no known form. */
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
