import { createFileHandlers, createTerminalHandlers, type FileHost, type TerminalHost } from "@turnkit/client";
import { createLocalFileHost, createLocalTerminalHost } from "@turnkit/client/node";
import type { NamedValue } from "@turnkit/session";
import { createPathCheck } from "@turnkit/session/paths";
import { RpcError } from "@turnkit/transport";
import { findRepositoryFolder, isDataVariable, isSteeringVariable } from "@turnkit/transport/node";
import { isSecretName } from "@turnkit/transport/trace";
import type { View } from "../view.js";

/** Limits of the client's work for an agent. */
export type HostLimits = {
  /** `true` if the client neither reads nor writes files. */
  readonly noFiles?: boolean;
  /** `true` if the client writes no files. */
  readonly readOnly?: boolean;
  /** `true` if the client runs no commands. */
  readonly noTerminals?: boolean;
  /** `true` runs a command with variables of unknown effect without a question. */
  readonly anyVariables?: boolean;
};

/**
 * Listeners for the client's work: `note` gets a line for each refusal and each write, `ran` a line for each command.
 * `choose` asks a person about a command.
 */
export type WorkNotes = Pick<View, "note" | "choose"> & { readonly ran?: (text: string) => void };

/**
 * Creates the files and terminals of the client that an agent can use. The agent cannot write files that start programs
 * or instruct agents, and cannot read secrets. Agents need no permission for these calls, so the client refuses them
 * itself.
 */
export function createClientHosts(limits: HostLimits, notes: WorkNotes) {
  return {
    files: limits.noFiles ? undefined : createFileHandlers(createGuardedFiles(limits, notes)),
    terminals: limits.noTerminals ? undefined : createTerminalHandlers(createGuardedTerminals(notes, limits)),
  };
}

/**
 * Creates terminals that note each command.
 *
 * - Variables with which a command would run another program are refused.
 * - Variables that certainly hold data are allowed. A person is asked about all other variables. Without a person, they
 *   are refused.
 */
export function createGuardedTerminals(
  { note, ran, choose }: WorkNotes,
  { anyVariables = false }: HostLimits = {},
): TerminalHost {
  const terminals = createLocalTerminalHost();
  return {
    async create(request, session) {
      const { command, args = [], env = [], cwd } = request;
      const words = args.length > 0 ? [command, ...args].map(shownWord) : [command];
      // Logs contain no secrets. The question to a person shows every value.
      const line = [...env.map(withoutSecret), ...words].join(" ");
      const wholeLine = [...env.map(shownVariable), ...words].join(" ");
      const place = cwd ?? session.cwd;
      const steering = env.filter(({ name, value }) => isSteeringVariable(name, value)).map(({ name }) => name);
      if (steering.length > 0) {
        note(`The agent was refused ${line}: it sets ${steering.join(", ")}, which can start other programs.`);
        throw RpcError.invalidParams(`${steering.join(", ")} cannot be set: it can start other programs`);
      }
      const unknown = anyVariables ? [] : env.filter((one) => !isKnown(one)).map(({ name }) => name);
      if (unknown.length > 0) {
        const title = `The agent wants to run ${wholeLine} in ${place}. It sets ${unknown.join(", ")}, which could start other programs.`;
        const answer = await choose?.(title, [{ name: "Run it" }, { name: "Do not run it" }], session.signal);
        if (answer !== 0) {
          note(
            `The agent was refused ${line}: it sets ${unknown.join(", ")}, and nobody allowed that. See --permissions.`,
          );
          throw RpcError.invalidParams(`${unknown.join(", ")} cannot be set without the permission of the user`);
        }
      }
      ran?.(`The agent runs ${line} in ${place}`);
      return terminals.create(request, session);
    },
  };
}

/** Returns `true` for a variable that certainly holds data, or has a value without an effect on other programs. */
function isKnown({ name, value }: NamedValue): boolean {
  return isDataVariable(name, value) || (isSteeringVariable(name) && !isSteeringVariable(name, value));
}

/** Returns a word of a command. Words that a person could read as several words are in quotes. */
const shownWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word));

/** Returns a variable in the form of a shell. */
const shownVariable = ({ name, value }: NamedValue): string => `${name}=${shownWord(value)}`;

/** Returns a variable in the form of a shell. The value is hidden if the variable has the name of a secret. */
const withoutSecret = (one: NamedValue): string =>
  isSecretName(one.name) ? `${one.name}=[hidden]` : shownVariable(one);

/** Creates files that refuse protected paths, even if a link leads to them. Each write is noted. */
export function createGuardedFiles({ readOnly }: HostLimits, { note }: WorkNotes): FileHost {
  const { protectedBy, secretBy } = createPathCheck();
  const refuse = (path: string, rule: string): never => {
    note(`The agent was refused ${path}: it is protected (${rule}).`);
    throw RpcError.invalidParams(
      `${path} is protected (${rule}): this client neither writes such files nor reads secrets`,
    );
  };
  const files = createLocalFileHost({
    missingAsEmpty: true,
    async guard({ operation, path, real, roots }) {
      const isRead = operation === "read";
      const repository = isRead ? undefined : await findRepositoryFolder(real, roots);
      const rule = (isRead ? secretBy : protectedBy)(real) ?? (repository && "a repository of Git");
      if (rule !== undefined) refuse(path, rule);
    },
  });
  /** Refuses a path by its name, even if it is outside of the roots or leads to a harmless file. */
  const checkName = (check: typeof protectedBy, path: string): void => {
    const rule = check(path);
    if (rule !== undefined) refuse(path, rule);
  };
  return {
    async readTextFile(request, session) {
      checkName(secretBy, request.path);
      return files.readTextFile(request, session);
    },
    ...(readOnly !== true && {
      async writeTextFile(request, session) {
        checkName(protectedBy, request.path);
        await files.writeTextFile(request, session);
        note(`The agent wrote ${request.path} (${request.content.length} characters).`);
      },
    }),
  };
}
