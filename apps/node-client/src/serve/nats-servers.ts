import { isLoopbackHost } from "@turnkit/remote/server";
import { UsageError } from "../exit-code.js";

/** Environment variables with the login of `--nats`. */
export const natsVariables = {
  user: "TURNKIT_NATS_USER",
  pass: "TURNKIT_NATS_PASSWORD",
  token: "TURNKIT_NATS_TOKEN",
} as const;

export type NatsLogin = { readonly user: string; readonly pass: string } | { readonly token: string };

export type NatsServers = {
  /** Addresses `host:port`, without secrets. */
  readonly addresses: readonly string[];
  /** True if one of the addresses begins with `tls:`. */
  readonly isEncrypted: boolean;
  /** True if all servers are on this machine. */
  readonly isLoopback: boolean;
  /** True if an address has a login. Other users of this machine can read it in the list of processes. */
  readonly isLoginVisible: boolean;
  readonly login?: NatsLogin;
};

/**
 * Removes the login of `--nats` from the environment, so that the agent does not get it, and returns the servers with it.
 *
 * @throws UsageError as {@link parseNatsServers} does
 */
export function takeNatsServers(text: string, env: NodeJS.ProcessEnv): NatsServers {
  const servers = parseNatsServers(text, env);
  for (const name of Object.values(natsVariables)) delete env[name];
  return servers;
}

/**
 * Parses the value of `--nats`, such as `nats://a:4222,tls://b:4222`. A login is in an address or in the variables.
 *
 * @throws UsageError for a text that is not an address, and for different logins. The message contains no secret.
 */
export function parseNatsServers(text: string, env: NodeJS.ProcessEnv): NatsServers {
  const found = text.split(",").map((part, at) => parseServer(part.trim(), at));
  const logins = [loginOf(env), ...found.map(({ login }) => login)].filter((login) => login !== undefined);
  const [login] = logins;
  if (logins.some((other) => JSON.stringify(other) !== JSON.stringify(login)))
    throw new UsageError("--nats has several logins. Use one for all servers, in the variables or in the addresses.");
  return {
    addresses: found.map(({ address }) => address),
    isEncrypted: found.some(({ isTls }) => isTls),
    isLoopback: found.every(({ host }) => isLoopbackHost(host)),
    isLoginVisible: found.some((server) => server.login !== undefined),
    login,
  };
}

type Server = { readonly address: string; readonly host: string; readonly isTls: boolean; readonly login?: NatsLogin };

function parseServer(text: string, at: number): Server {
  const full = text.includes("://") ? text : `nats://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  const isKnown = url !== undefined && /^(nats|tls):$/.test(url.protocol) && url.hostname !== "";
  if (!isKnown || !/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "") {
    throw new UsageError(
      `--nats: server ${at + 1} is not an address such as nats://127.0.0.1:4222 or tls://host:4222.`,
    );
  }
  const user = decoded(url.username);
  const pass = decoded(url.password);
  const login = user === "" ? undefined : pass === "" ? { token: user } : { user, pass };
  const address = `${url.hostname}:${url.port || "4222"}`;
  return { address, host: url.hostname, isTls: url.protocol === "tls:", login };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function loginOf(env: NodeJS.ProcessEnv): NatsLogin | undefined {
  const user = env[natsVariables.user] ?? "";
  const pass = env[natsVariables.pass] ?? "";
  const token = env[natsVariables.token] ?? "";
  if ((user === "") !== (pass === ""))
    throw new UsageError(`${natsVariables.user} and ${natsVariables.pass} belong together. Set both, or none.`);
  if (user !== "" && token !== "")
    throw new UsageError(`Set either ${natsVariables.user} or ${natsVariables.token}, not both.`);
  if (user !== "") return { user, pass };
  return token === "" ? undefined : { token };
}
