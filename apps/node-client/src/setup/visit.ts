import {
  type AuthMethod,
  type Client,
  createElicitations,
  type ElicitationHandler,
  type EventListener,
  type FormRequest,
  isRpcError,
  type LoginOptions,
  type PermissionPolicy,
  type RestoreFailure,
  type RestoreOutcome,
  rpcErrorCode,
  type Session,
  type UrlRequest,
  withLogin,
} from "@turnkit/client";
import { loginOnTerminal, terminalLoginFault } from "@turnkit/client/node";
import { plainWarning } from "../agents/remote-agent.js";
import { type Interrupts, unlessAborted, whenAborted } from "../interrupts.js";
import type { AgentChoice, SettingWish } from "../invocation.js";
import { oneLine } from "../sanitise.js";
import { newSessionCommand, showCommand } from "../sessions/resume-command.js";
import type { View } from "../view.js";
import { applySettings } from "./apply-settings.js";
import { type CutListener, notesOfCuts } from "./connection-cuts.js";
import type { Spawn } from "./early-agent.js";
import { firstOfEachKind } from "./first-of-each-kind.js";
import { agentPlace, commandOrAddress, type Setup } from "./setup.js";
import { startAgent } from "./start-agent.js";

export type VisitOptions = {
  readonly setup: Setup;
  readonly view: Pick<View, "note" | "choose"> & {
    /** Shows a command that this client runs for the agent. Absent if the conversation shows such commands. */
    readonly ran?: (text: string) => void;
    /** Gives the terminal to a login until `work` settles. Absent if nothing else uses the terminal. */
    readonly lend?: <T>(work: () => Promise<T>) => Promise<T>;
    /** Answers an elicitation. If absent, the elicitation waits in the state of its session. */
    readonly elicit?: ElicitationHandler<FormRequest | UrlRequest>;
    /** Shows the cuts of the connection to a remote agent. If absent, cuts are shown as notes. */
    readonly cut?: CutListener;
  };
  readonly interrupts: Interrupts;
  /** Answers permission questions. If absent, the questions wait in the state of their session. */
  readonly permissions?: PermissionPolicy;
  /** Takes over a process of the agent that was started before. */
  readonly spawn?: Spawn;
};

/** Agent that this program has started, or has connected to. */
export interface Visit {
  /** Current client. A login on the terminal replaces it with a new one. */
  readonly client: Client;
  /** Runs `work` and returns its result. If the agent requires a login first, logs in and runs `work` once more. */
  attempt<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** Ends the agent. After `quit`, the promise settles within 300 ms, and the exit of this process ends the agent. */
  close(): Promise<void>;
}

/**
 * Starts the agent. Before the first turn, a Ctrl-C ends the program and the agent, even if the agent is still
 * starting.
 *
 * @throws Interrupted after a Ctrl-C, and the errors of `launch`
 */
export async function visitAgent({ setup, view, interrupts, permissions, spawn }: VisitOptions): Promise<Visit> {
  const start = (begun?: Spawn) =>
    startAgent(setup, {
      ...{ spawn: begun, permissions, terminalLogin: view.choose !== undefined },
      elicitations: view.elicit && createElicitations({ form: view.elicit, url: view.elicit }),
      work: view,
      onCut: view.cut ?? notesOfCuts(view.note),
      onDiagnostic: firstOfEachKind((message) => view.note(message)),
    });
  const { command, remote } = setup;
  const warning = remote && plainWarning(remote);
  if (warning !== undefined) view.note(warning);
  let client = await unlessAborted(start(spawn), interrupts.cancel);
  /**
   * Returns the options of a login: the person chooses a method, and the method runs. Without a person, the login fails
   * with a list of the methods.
   */
  const login = (offered: readonly AuthMethod[], refusal: () => string): LoginOptions => ({
    signal: interrupts.cancel,
    async choose(usable) {
      const methods = usable.filter((method) => {
        const fault = terminalLoginFault(method);
        if (fault !== undefined) view.note(`The login ${JSON.stringify(method.name)} is not offered: ${fault}.`);
        return fault === undefined;
      });
      const choices = methods.map((method) => ({
        name: loginName(method),
        description: loginText(commandOrAddress(setup), method),
      }));
      if (methods.length > 0 && view.choose !== undefined && isAdvice(refusal())) {
        view.note(`The agent says: ${oneLine(refusal())}`);
      }
      const chosen =
        methods.length > 0
          ? await view.choose?.("The agent requires a login first.", choices, interrupts.cancel)
          : undefined;
      const method = methods[chosen ?? -1];
      if (method === undefined) throw new LoginNeededError(offered, refusal());
      return method;
    },
    // A login on the terminal runs the agent's program, and a remote agent has no program on this machine.
    ...(command !== undefined && {
      async onTerminal(method) {
        const { lend = (work) => work() } = view;
        await lend(() => loginOnTerminal(command, { method, signal: interrupts.cancel, ...agentPlace(setup) }));
        client = await start();
        return client;
      },
    }),
  });
  return {
    get client() {
      return client;
    },
    async attempt(work) {
      const { peer } = client;
      let refusal = "";
      const attempt = (one: Client) =>
        work(one).catch((error: unknown) => {
          if (isRpcError(error, rpcErrorCode.authRequired)) refusal = error.message;
          throw error;
        });
      const options = login(peer.authMethods, () => refusal);
      return (await unlessAborted(withLogin(client, attempt, options), interrupts.cancel)).result;
    },
    async close() {
      const patience = new Promise<void>((resolve) => {
        whenAborted(interrupts.quit, () => setTimeout(resolve, 300));
      });
      await Promise.race([client.close(), patience]);
      const failure = await setup.trace?.close();
      if (failure !== undefined) view.note(`--trace: the log is not complete: ${failure.message}`);
    },
  };
}

/** Returns the name of a login method. The name is in quotes, because an agent could write a command into it. */
function loginName({ type, name }: AuthMethod): string {
  return type === "terminal" ? JSON.stringify(oneLine(name).slice(0, 100)) : name;
}

/**
 * Returns everything that a login on the terminal runs, followed by the agent's own text. The text is not cut, because
 * a decision of the person depends on it.
 */
export function loginText(command: readonly string[], method: AuthMethod): string {
  const about = method.description ?? "";
  if (method.type !== "terminal") return about;
  const variables = method.env.map(({ name, value }) => `${name}=${JSON.stringify(value)}`);
  const words = [...command, ...method.args].map((word) => JSON.stringify(word));
  return ["runs", ...variables, ...words, ...(about === "" ? [] : ["· the agent says:", about])].join(" ");
}

/** Error if the agent requires a login and there is no person who could log in. */
export class LoginNeededError extends Error {
  override readonly name = "LoginNeededError";

  /**
   * Creates an error with the agent's refusal and the names of the login methods. Adds advice if the refusal contains
   * none.
   */
  constructor(methods: readonly AuthMethod[], refusal: string) {
    const names = methods.map(({ name }) => name).join(", ");
    const own = isAdvice(refusal) ? "" : " Log in with the agent's own program first.";
    const offer = names === "" ? "" : ` It offers: ${names}.`;
    super(
      `${isAdvice(refusal) ? refusal : "Authentication required"}${own || offer ? `\n${(own + offer).trim()}` : ""}`,
    );
  }
}

/** Returns `true` for a refusal that contains more than the fact that a login is required. */
function isAdvice(refusal: string): boolean {
  return !/^(?:authentication required)?\W*$/i.test(refusal);
}

/** Session to open: a new session, or the session with an id. */
export type Opening = {
  readonly setup: Pick<Setup, "directory" | "mcpServers" | "choice">;
  readonly sessionId?: string | undefined;
  /** Options of the agent to set after the session is open. */
  readonly settings?: readonly SettingWish[] | undefined;
  readonly listener?: EventListener;
  readonly note: View["note"];
};

/** Session that was opened. `restored` is absent for a new session. */
export type OpenedSession = { readonly session: Session; readonly restored?: Restored["status"] };

type Restored = Exclude<RestoreOutcome, { status: "unavailable" }>;

/**
 * Opens a new session, or restores the session with the id. Shows a note if the agent does not send the conversation of
 * the session. Then sets the options of the agent.
 *
 * @throws UsageError for an option or a value that the agent does not offer
 * @throws Error with advice. If a login would help, throws the agent's refusal.
 */
export async function openSession(client: Client, opening: Opening): Promise<OpenedSession> {
  const { setup, sessionId, settings = [], listener, note } = opening;
  const place = { cwd: setup.directory, mcpServers: acceptedServers(setup.mcpServers, client, note) };
  const opened: OpenedSession = await (async () => {
    if (sessionId === undefined) return { session: await client.newSession(place, listener) };
    const { status, session } = restored(sessionId, await client.restore(sessionId, place, listener), setup.choice);
    if (status === "resumed") note("The agent continues the session, but does not send its earlier messages.");
    return { session, restored: status };
  })();
  await applySettings(opened.session, settings, client.peer.info.title ?? client.peer.info.name).catch(
    async (error: unknown) => {
      // The new session is deleted. Otherwise, each misspelled option would leave an empty session.
      if (sessionId === undefined && client.peer.capabilities.delete) {
        await client.deleteSession(opened.session.id).catch(() => undefined);
      }
      throw error;
    },
  );
  return opened;
}

/** Agents for which the notes about MCP servers were shown. */
const informed = new WeakSet<Client>();

/**
 * Returns the MCP servers with a transport that the agent supports. The first call for an agent shows a note about the
 * other servers.
 */
function acceptedServers(servers: Setup["mcpServers"], client: Client, note: View["note"]): Setup["mcpServers"] {
  const { capabilities, info } = client.peer;
  const accepted: { readonly [type: string]: boolean } = capabilities.mcp;
  const refused = servers.filter(({ type }) => accepted[type] !== true);
  if (!informed.has(client)) {
    for (const { name, type } of refused) {
      note(`The MCP server ${name} is left out: ${info.title ?? info.name} supports no MCP servers over ${type}.`);
    }
  }
  informed.add(client);
  return servers.filter((server) => !refused.includes(server));
}

/**
 * Returns the session of a restore. Throws Error with advice if there is none. If a login would help, throws the
 * agent's refusal.
 */
export function restored(sessionId: string, outcome: RestoreOutcome, choice?: AgentChoice): Restored {
  if (outcome.status !== "unavailable") return outcome;
  const { reason, error } = outcome;
  if (reason === "login") throw error;
  if (choice !== undefined && isRpcError(error) && (error.data as { problem?: unknown })?.problem === "locked") {
    const lines = [
      `The session ${sessionId} is open in another program. Close it there, or use one of these commands.`,
      `To read it: ${showCommand(choice, sessionId)}`,
      `To begin a new session: ${newSessionCommand(choice)}`,
    ];
    throw new Error(lines.join("\n"), { cause: error });
  }
  throw new Error(`Session ${sessionId} was not restored: ${error.message}\n${advice[reason]}`, { cause: error });
}

const advice: Readonly<Record<RestoreFailure, string>> = {
  unsupported: "This agent cannot restore sessions, or not with this directory and these MCP servers.",
  busy: "The session is already being restored.",
  unknown:
    "The agent has no such session; turnkit sessions list shows those that it has. Some agents find a session only in its own directory: see --cwd.",
  login: "The agent requires a login first.",
  refused: "The agent refused.",
  ended: "The agent has ended.",
};
