import { createFileHandlers, createTerminalHandlers, type FileHost, type TerminalHost } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost } from "@turnkit/client/node";
import { createPathCheck } from "@turnkit/session/paths";
import { RpcError } from "@turnkit/transport";
import { isSteeringVariable, resolveRooted } from "@turnkit/transport/node";
import { isSecretName } from "@turnkit/transport/trace";

/** Limits of the client's work for an agent. */
export type HostLimits = {
  /** `true` if the client writes no files. */
  readonly readOnly?: boolean;
  /** `true` if the client runs no commands. */
  readonly noTerminals?: boolean;
};

/**
 * Listeners for the client's work: `note` gets a line for each refusal and each write, `ran` a line for each command.
 */
export type WorkNotes = { readonly note: (text: string) => void; readonly ran?: (text: string) => void };

/**
 * Creates the files and terminals of the client that an agent can use. The agent cannot write files that start programs
 * or instruct agents, and cannot read secrets. Agents need no permission for these calls, so the client refuses them
 * itself.
 */
export function createClientHosts(limits: HostLimits, notes: WorkNotes) {
  return {
    files: createFileHandlers(createGuardedFiles(limits, notes)),
    ...(limits.noTerminals !== true && { terminals: createTerminalHandlers(createGuardedTerminals(notes)) }),
  };
}

/** Creates terminals that note each command. They refuse variables with which a command would run something else. */
export function createGuardedTerminals({ note, ran }: WorkNotes): TerminalHost {
  const terminals = createLocalTerminalHost();
  return {
    async create(request, session) {
      const { command, args = [], env = [], cwd } = request;
      const line = [...env.map(shownVariable), command, ...args].join(" ");
      const steering = env.filter(({ name, value }) => isSteeringVariable(name, value)).map(({ name }) => name);
      if (steering.length > 0) {
        note(`The agent was refused ${line}: it sets ${steering.join(", ")}, which can start other programs.`);
        throw RpcError.invalidParams(`${steering.join(", ")} cannot be set: it can start other programs`);
      }
      ran?.(`The agent runs ${line} in ${cwd ?? session.cwd}`);
      return terminals.create(request, session);
    },
  };
}

/** Returns a variable in the form of a shell. The value is hidden if the name is that of a secret. */
function shownVariable({ name, value }: { readonly name: string; readonly value: string }): string {
  return `${name}=${isSecretName(name) ? "[hidden]" : value}`;
}

/** Creates files that refuse protected paths, also if a link leads to them. Each write is noted. */
export function createGuardedFiles({ readOnly }: HostLimits, { note }: WorkNotes): FileHost {
  const files = createLocalFileHost({ missingAsEmpty: true });
  const { protectedBy, secretBy } = createPathCheck();
  const guard = async (check: typeof protectedBy, path: string, roots: readonly string[]) => {
    const real = await resolveRooted(path, roots).catch(() => undefined);
    const rule = check(path) ?? (real && check(real.path));
    if (rule === undefined) return;
    note(`The agent was refused ${path}: it is protected (${rule}).`);
    throw RpcError.invalidParams(
      `${path} is protected (${rule}): this client neither writes such files nor reads secrets`,
    );
  };
  return {
    async readTextFile(request, session) {
      await guard(secretBy, request.path, session.roots);
      return files.readTextFile(request, session);
    },
    ...(readOnly !== true && {
      async writeTextFile(request, session) {
        await guard(protectedBy, request.path, session.roots);
        await files.writeTextFile(request, session);
        note(`The agent wrote ${request.path} (${request.content.length} characters).`);
      },
    }),
  };
}
