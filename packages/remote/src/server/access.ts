import { checkArgument, textOf, withinGrace } from "@turnkit/transport";
import { isLoopbackHost } from "../wire/loopback.js";
import { refuse, retryLater } from "./answers.js";
import { hostForm, originForm } from "./host-form.js";
import type { Principal, RemoteServerOptions } from "./server-options.js";
import type { Settings } from "./settings.js";

/** Maximum number of hosts, and of origins, whose refusals are reported. */
const MAX_TOLD = 16;

/** Decides who may use the server: by host, by origin, and by `authorize`. */
export class Access<P extends Principal> {
  readonly #authorize: RemoteServerOptions<P>["authorize"];
  /** Absent if every host is served. */
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string>;
  readonly #settings: Settings;
  /** Reports of refusals. Each is made once, because anyone can send requests. */
  readonly #told = { host: new Set<string>(), origin: new Set<string>(), authorize: new Set<string>() };
  /** Number of requests for which `authorize` has not settled. */
  #deciding = 0;

  /** @throws TypeError for an entry of `hosts` or `origins` of another form */
  constructor({ authorize, hosts, origins = [] }: RemoteServerOptions<P>, settings: Settings) {
    for (const [name, got] of Object.entries({ hosts: hosts ?? [], origins }))
      checkArgument(Array.isArray(got), `createRemoteServer ${name}`, { got, remedy: "pass a list" });
    for (const got of hosts ?? [])
      checkArgument(hostForm.test(got), "createRemoteServer hosts", {
        got,
        remedy: "pass names such as agents.example",
      });
    for (const got of origins)
      checkArgument(originForm.test(got), "createRemoteServer origins", {
        got,
        remedy: "pass texts such as https://a.example",
      });
    this.#authorize = authorize;
    this.#hosts = authorize !== undefined && hosts === undefined ? undefined : new Set(hosts);
    this.#origins = new Set(origins);
    this.#settings = settings;
  }

  /** Refuses a request to a host that is not served, or from a page of an unknown origin. */
  // REM-21: without it, any page could use a server of this machine, by its address or by a name that leads there.
  refusal(request: Request): Response | undefined {
    const host = hostOf(request);
    if (!hostForm.test(host) || !this.#serves(host)) {
      this.#tell("host", `its host ${shown(host)} is not served. To serve it, list it in the option \`hosts\`.`);
      return refuse(403, "This host is not served. The server lists its hosts in the option `hosts`.");
    }
    const origin = request.headers.get("Origin");
    if (origin === null || this.#origins.has(origin) || isOwn(origin, host)) return undefined;
    this.#tell(
      "origin",
      `pages of ${shown(origin)} are not admitted. To admit them, list it in the option \`origins\`.`,
    );
    return refuse(403, "Pages of this origin are refused. The server lists origins in the option `origins`.");
  }

  #tell(by: "host" | "origin" | "authorize", why: string): void {
    const told = this.#told[by];
    if (told.has(why) || told.size === MAX_TOLD) return;
    told.add(why);
    this.#settings.report({
      code: "refused",
      message: `A request was refused: ${why} Its repetitions are not reported.`,
    });
  }

  #serves(host: string): boolean {
    const name = host.replace(/:\d+$/, "");
    return this.#hosts === undefined || this.#hosts.has(host) || this.#hosts.has(name) || isLoopbackHost(name);
  }

  /** Returns the principal of a request, or its refusal. */
  // REM-20
  async admit(request: Request): Promise<P | Response> {
    const authorize = this.#authorize;
    if (authorize === undefined) return { id: "" } as P;
    const { report, limits } = this.#settings;
    const { authorizeMs, authorizing } = limits;
    if (this.#deciding >= authorizing) {
      this.#tell("authorize", `${authorizing} requests wait for authorize.`);
      return refuse(503, "Too many requests wait for their authorization. Try again later.", retryLater);
    }
    this.#deciding += 1;
    try {
      const deciding = Promise.resolve(authorize(request));
      if (!(await withinGrace(deciding, authorizeMs))) {
        report({ code: "handler_failed", message: `authorize did not settle within ${authorizeMs} ms.` });
        return refuse(503, "The authorization took too long. Try again later.", retryLater);
      }
      const principal = await deciding;
      if (principal === undefined || principal === null) {
        this.#tell(
          "authorize",
          `authorize returned ${principal}, so the answer is 401.${principal === null ? "" : UNDEFINED}`,
        );
        return refuse(401, "This request is not authorized.", { "WWW-Authenticate": "Bearer" });
      }
      const isObject = typeof principal === "object";
      if (isObject && isResponse(principal)) {
        this.#tell("authorize", `authorize returned a Response with the status ${principal.status}.`);
        return refusalFrom(principal);
      }
      if (isObject && typeof principal.id === "string") return principal;
      const got = isObject ? "an object without the text `id`" : String(principal);
      throw new TypeError(`authorize returned ${got}. Return an object with the text \`id\`, a Response or nothing.`);
    } catch (error) {
      report({ code: "handler_failed", message: `authorize failed: ${textOf(error)}`, error });
      return refuse(500, "The authorization failed.");
    } finally {
      this.#deciding -= 1;
    }
  }
}

/** A function without `return` refuses everyone. */
const UNDEFINED = " If authorize returns nothing to anyone, its `return` is missing: return { id } to admit a request.";

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

/**
 * Returns a copy of a `Response` of `authorize`, which may return the same one for each request.
 *
 * @throws TypeError for a `Response` that cannot be sent
 */
function refusalFrom(response: Response): Response {
  if (response.status < 200) throw new TypeError(`authorize returned a Response with the status ${response.status}.`);
  if (response.bodyUsed) throw new TypeError("authorize returned a Response whose body was read. Return a new one.");
  return response.clone();
}

/** Returns `true` for a `Response`. Frameworks may bring a class of their own in place of the global one. */
export function isResponse(value: object): value is Response {
  return value instanceof Response || ("status" in value && "headers" in value);
}

/** Host that a request is for, in small letters. */
function hostOf(request: Request): string {
  return (request.headers.get("Host") ?? new URL(request.url).host).toLowerCase();
}

/** Returns `true` for pages that the server's own host has served. */
function isOwn(origin: string, host: string): boolean {
  // A header can have the form of an origin and still be no address, for example with the port 99999.
  const isAddress = /^https?:/.test(origin) && originForm.test(origin) && URL.canParse(origin);
  return isAddress && new URL(origin).host === host;
}
