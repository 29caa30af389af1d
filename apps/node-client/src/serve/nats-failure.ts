import { UsageError } from "../exit-code.js";
import { natsVariables } from "./nats-servers.js";

export type FailedNats = {
  /** Addresses of the servers, without secrets. */
  readonly addresses: readonly string[];
  readonly replicas: number;
  readonly credsFile?: string | undefined;
};

/** Codes of JetStream for more replicas than servers. */
const TOO_FEW_SERVERS = new Set([10_005, 10_074]);

/** Errors of TLS for a certificate whose authority this machine does not know. */
const UNKNOWN_AUTHORITY = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)/;

/**
 * Returns the error for a person: what failed, on which servers, and what to do. Mistakes in the command line are a
 * `UsageError`.
 */
export function natsFailure(error: unknown, failed: FailedNats): Error {
  if (error instanceof UsageError) return error;
  const { name, message, code } = error as { name?: string; message?: string; code?: unknown };
  const where = failed.addresses.join(", ");
  const about = (what: string, remedy: string): string => `--nats: ${where} ${what}. ${remedy}`;
  const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  if (isMissing) {
    const packages = "@nats-io/transport-node @nats-io/jetstream @nats-io/kv";
    return new UsageError(`--nats needs packages that are not installed. Run: npm install ${packages}`);
  }
  if (name === "JetStreamNotEnabled")
    return new UsageError(
      about("has no JetStream", "Start nats-server with -js, or enable JetStream for this account."),
    );
  if (name === "AuthorizationError" || name === "UserAuthenticationExpiredError") {
    const ways = `--nats-creds FILE, ${natsVariables.user} and ${natsVariables.pass}, or ${natsVariables.token}`;
    return new UsageError(about(`refuses the login (${message})`, `Pass a valid login with ${ways}.`));
  }
  if (/unable to parse credentials/.test(message ?? ""))
    return new UsageError(
      `--nats-creds: ${failed.credsFile} has no credentials. Make the file with nsc generate creds.`,
    );
  if (/does not support 'tls'/.test(message ?? ""))
    return new UsageError(about("has no TLS", "Give the server a certificate, or pass nats:// and no --nats-ca."));
  if (typeof code === "string" && UNKNOWN_AUTHORITY.test(code))
    return new UsageError(about("has a certificate of an unknown authority", "Name its file with --nats-ca FILE."));
  if (/loses stored messages/.test(message ?? ""))
    return new UsageError(about(`is too old: ${message}`, "Or pass --replicas 1."));
  if (/made with \d+ streams/.test(message ?? ""))
    return new UsageError(about(`cannot be used: ${message}`, "Pass the --stream-count of the first start."));
  const [, stream, found, asked] = /stream (\S+) has (\d+) replicas?, not (\d+)/.exec(message ?? "") ?? [];
  if (stream !== undefined) {
    const edit = `nats stream edit ${stream} --replicas ${asked}`;
    const remedy = `Pass --replicas ${found}, or change this and each other stream of turnkit: ${edit}`;
    return new UsageError(about(`has other copies: ${message}`, remedy));
  }
  if (typeof code === "number" && TOO_FEW_SERVERS.has(code)) {
    const remedy = "Start more servers of the cluster, or pass a smaller --replicas.";
    return new UsageError(about(`cannot store ${failed.replicas} replicas: ${message}`, remedy));
  }
  if (isSilent(error as { readonly status?: unknown }))
    return new Error(
      about("does not store anything now", "Most servers of the cluster must run. Then start this again."),
      {
        cause: error,
      },
    );
  if (name === "JetStreamApiError")
    return new Error(about(`refuses the storage: ${message}`, "Look at the limits of the account and of the server."), {
      cause: error,
    });
  const other = message === "timeout" ? "Perhaps another program has this port. " : "";
  const remedy = `${other}Check the address, and that nats-server runs there. To start one: nats-server -js`;
  return new Error(about(`cannot be reached: ${message || name}`, remedy), { cause: error });
}

/** Returns true for servers of a cluster without a majority, which has no leader. */
const isSilent = ({ status }: { readonly status?: unknown }): boolean => status === 503;
