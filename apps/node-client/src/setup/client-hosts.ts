import { createFileHandlers, createTerminalHandlers, type FileHost } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost } from "@turnkit/client/node";
import { createPathCheck } from "@turnkit/session/paths";
import { RpcError } from "@turnkit/transport";
import { resolveRooted } from "@turnkit/transport/node";

/** Limits of the work that the client does for an agent. */
export type HostLimits = {
  /** `true` to write no files. */
  readonly readOnly?: boolean;
  /** `true` to run no commands. */
  readonly noTerminals?: boolean;
};

/** Receivers of a line for each refusal and write, and for each command. */
export type WorkNotes = { readonly note: (text: string) => void; readonly ran?: (text: string) => void };

/**
 * Makes the client's files and terminals for an agent. Files that start programs or instruct agents are not written, and
 * secrets are not read: the agent does not have to ask for these calls.
 */
export function createClientHosts(limits: HostLimits, notes: WorkNotes) {
  const terminals = createLocalTerminalHost();
  return {
    files: createFileHandlers(createGuardedFiles(limits, notes)),
    ...(limits.noTerminals !== true && {
      terminals: createTerminalHandlers({
        async create(request, session) {
          const { command, args = [], cwd } = request;
          notes.ran?.(`The agent runs ${[command, ...args].join(" ")} in ${cwd ?? session.cwd}`);
          return terminals.create(request, session);
        },
      }),
    }),
  };
}

/** Makes files that refuse protected paths, also behind links, and note each write. */
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
