import type { Conversation } from "./conversation.js";
import type { Dialect } from "./dialects/dialect.js";
import {
  type Entry,
  type Frame,
  frameOf,
  membersOf,
  paramsOf,
  type Side,
  textOf,
  updateKind,
  updateOf,
} from "./entry.js";

/** One whole conversation of a run, for checks that judge all of them. */
export class Talk {
  readonly dialect: Dialect;
  readonly entries: readonly Entry[];

  constructor(dialect: Dialect, { entries }: Pick<Conversation, "entries">) {
    this.dialect = dialect;
    this.entries = entries;
  }

  of(by: Side): readonly Entry[] {
    return this.entries.filter((entry) => entry.by === by);
  }

  /** Returns the calls of a method by one side. */
  calls(by: Side, method: string): readonly Entry[] {
    return this.of(by).filter(
      (entry) => (entry.kind === "request" || entry.kind === "notification") && entry.method === method,
    );
  }

  /** Returns the successful answers of the agent to a method. */
  results(method: string): readonly Entry[] {
    return this.of("agent").filter((entry) => entry.kind === "result" && entry.method === method);
  }

  /** Returns the updates of some kinds, or all updates. */
  updates(...kinds: readonly string[]): readonly Entry[] {
    return this.of("agent").filter((entry) => {
      const kind = updateKind(entry);
      return kind !== undefined && (kinds.length === 0 || kinds.includes(kind));
    });
  }

  /** Returns the capabilities that the client announced, or `{}`. */
  clientCapabilities(): Frame {
    return membersOf(this.dialect.clientCapabilities(paramsOf(this.calls("client", "initialize").at(-1))));
  }

  /** Returns the tool call that an entry reports, in an update or as the subject of a permission question. */
  toolCallOf(entry: Entry): Frame | undefined {
    const update = updateOf(entry);
    if (update !== undefined) return /^tool_call(_update)?$/.test(textOf(update.sessionUpdate)) ? update : undefined;
    return entry.method === "session/request_permission" && entry.kind === "request"
      ? this.dialect.toolCallOfQuestion(paramsOf(entry))
      : undefined;
  }
}

/** Returns the id of the session that a call names. */
export function sessionOf(entry: Entry): unknown {
  return paramsOf(entry).sessionId;
}

/** Returns the id of a request or an answer. */
export function idOf(entry: Entry): unknown {
  return frameOf(entry).id;
}
