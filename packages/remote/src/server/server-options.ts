import type { Channel, Diagnostic } from "@turnkit/transport";

/** Owner of a connection. Two requests have the same owner if the ids of their principals are equal. */
export type Principal = { readonly id: string };

/** Agent that serves channels, for example the result of `createAgent` of `@turnkit/agent`. */
export interface ServedAgent {
  serve(channel: Channel): { readonly closed: Promise<unknown> };
}

/** Messages that stay available for a resume after a reader has taken them. */
export type RetentionOptions = {
  /**
   * Number of messages of each stream.
   *
   * @defaultValue 1 000
   */
  readonly messages: number;
  /**
   * Time, in seconds.
   *
   * @defaultValue 300
   */
  readonly seconds: number;
  /**
   * Size of the messages of each stream, in characters.
   *
   * @defaultValue 4 Mi
   */
  readonly characters: number;
};

/** Bounds of a server. */
export type RemoteLimits = {
  /**
   * Size of the body of a POST, in bytes, and of a text frame, in characters. A larger body is answered with 413, a
   * larger frame closes the WebSocket with 1009.
   *
   * @defaultValue 16 Mi
   */
  readonly bodyBytes: number;
  /**
   * Time to receive the body of a POST, in milliseconds. Afterwards it is answered with 408.
   *
   * @defaultValue 75 000
   */
  readonly bodyMs: number;
  /**
   * Size of all bodies that are being received, in bytes. With `authorize`, a principal has a quarter of it.
   *
   * - At the bound for all, the largest body of the principal with the largest total is answered with 503.
   * - At the bound of a principal, its largest body is answered with 429.
   *
   * @defaultValue 256 Mi
   */
  readonly readingBytes: number;
  /**
   * Time for each of these, in milliseconds: `open`, the answer of the agent to `initialize`, and the first frame of a
   * WebSocket.
   *
   * @defaultValue 30 000
   */
  readonly initializeMs: number;
  /**
   * Time for `authorize`, in milliseconds. Afterwards the request is answered with 503.
   *
   * @defaultValue 30 000
   */
  readonly authorizeMs: number;
  /**
   * Number of requests that wait for `authorize`. Further ones are answered with 503.
   *
   * @defaultValue 10 000
   */
  readonly authorizing: number;
  /**
   * Time for the agents to end after `close`, in milliseconds. Afterwards `close` settles, and agents that have not
   * ended are reported.
   *
   * @defaultValue 15 000
   */
  readonly closeMs: number;
  /**
   * Number of connections. Further ones are answered with 503, or close the WebSocket with 1013. The same bound holds for
   * WebSockets that have sent no first frame, and whose upgrade named no connection.
   *
   * @defaultValue 10 000
   */
  readonly connections: number;
  /**
   * Number of connections of a principal, with `authorize`. Further ones are answered with 429, or close the WebSocket
   * with 1013. The same bound holds for its WebSockets that have sent no first frame, and whose upgrade named no connection.
   *
   * @defaultValue 1 000
   */
  readonly connectionsOfPrincipal: number;
  /**
   * Number of event streams of sessions that are open on a connection. Further ones are answered with 429. The same bound
   * holds for sessions with messages and without a reader: one more ends the connection.
   *
   * @defaultValue 1 024
   */
  readonly sessions: number;
  /**
   * Number of open requests of a connection. Further ones are answered with 429, or on a WebSocket with an error.
   *
   * @defaultValue 10 000
   */
  readonly openRequests: number;
  /**
   * Size of the messages of one stream that no reader has taken, in characters. At this bound the agent waits.
   *
   * @defaultValue 16 Mi
   */
  readonly streamCharacters: number;
  /**
   * Size of the messages of all streams of a connection that no reader has taken, in characters. At this bound the agent
   * waits.
   *
   * @defaultValue 64 Mi
   */
  readonly connectionCharacters: number;
  /**
   * Size of the open requests of a connection, in characters. Further ones are answered with 429, or on a WebSocket with an
   * error.
   *
   * @defaultValue 64 Mi
   */
  readonly requestCharacters: number;
  /**
   * Size of everything that waits or is kept for a principal, with `authorize`, in characters. It counts open requests, frames
   * before the agent is opened, unread messages, and messages that are kept for a resume. At this bound:
   *
   * - Requests are answered with 429, or on a WebSocket with an error.
   * - Frames before the agent is opened close the WebSocket with 1013.
   * - For messages of the agent, the largest connection of the principal drops the messages that it keeps for a resume.
   *   If it keeps none, it ends.
   *
   * @defaultValue 256 Mi
   */
  readonly principalCharacters: number;
  /**
   * Maximum size of the same data of all principals together. At this bound, the principal with the largest total loses
   * its largest connection. Its requests are refused as above, and its `initialize` with 503.
   *
   * @defaultValue 1 Gi
   */
  readonly serverCharacters: number;
  /**
   * Time that an agent waits without progress of a reader, in milliseconds. Afterwards the largest stream fails. The stream
   * of a session is then answered with 409 until the session is restored. The stream of a connection ends the connection.
   *
   * @defaultValue 60 000
   */
  readonly stalledMs: number;
};

type Admission<P extends Principal> = P | Response | undefined | null;

/** Options of a server. */
export type RemoteServerOptions<P extends Principal = Principal> = (
  | {
      /** Agent that serves all connections. */
      readonly agent: ServedAgent;
      readonly open?: undefined;
    }
  | {
      /** Opens a channel to an agent for a new connection. The server closes the channel when the connection ends. */
      readonly open: (principal: P) => Channel | Promise<Channel>;
      readonly agent?: undefined;
    }
) & {
  /**
   * Decides about each request before anything is allocated. Must not read the body.
   *
   * - A principal admits the request. Other principals get 404 for the connections of this one.
   * - A `Response` refuses it, for example with 401 or 403. `undefined` and `null` refuse it with 401.
   * - An exception, or any other value, refuses it with 500, without details. Both are reported.
   * - A promise that does not settle within `authorizeMs` refuses it with 503.
   *
   * @defaultValue every request has the principal `{ id: "" }`, and only loopback hosts are served
   */
  readonly authorize?: (request: Request) => Admission<P> | Promise<Admission<P>>;
  /**
   * Hosts that are served besides loopback ones, in small letters, such as `agents.example` or `agents.example:8443`. With
   * `authorize` and without this list, every host is served.
   */
  readonly hosts?: readonly string[];
  /**
   * Origins of web pages that may use the server, in small letters, such as `https://app.example`. Pages that the host
   * of the server itself has served need no entry. A request without the header `Origin` does not come from a page of
   * another origin.
   */
  readonly origins?: readonly string[];
  /**
   * Interval of comments and pings, in milliseconds. A reader that takes nothing for five intervals counts as dead.
   *
   * @defaultValue 15 000
   */
  readonly keepAliveMs?: number;
  /**
   * Time without an open stream after which a connection ends, in milliseconds. Each message of the client restarts the
   * time. The sessions stay in the agent's log.
   *
   * @defaultValue 60 000
   */
  readonly graceMs?: number;
  /** Retention for clients that ask for resumption. `false` disables resumption. */
  readonly resumption?: Partial<RetentionOptions> | false;
  /** Bounds that replace their defaults. */
  readonly limits?: Partial<RemoteLimits>;
  /**
   * Receives faults that no answer reports, and refusals by host, by origin and by `authorize`: each cause once. They contain no
   * bodies, tokens or ids.
   */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
};
