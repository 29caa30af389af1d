import * as v1 from "@turnkit/schema/v1";
import * as v2 from "@turnkit/schema/v2";
import type {
  DialectName,
  ElicitationAnswer,
  ElicitationForm,
  ElicitationQuestion,
  ElicitationScope,
  Implementation,
} from "@turnkit/session";
import { type ClientCodec, jsonCopy } from "@turnkit/session/codec";
import { checkFormAnswer } from "@turnkit/session/form";
import {
  AcpError,
  checkArgument,
  checkOptions,
  type InboundCall,
  InvalidMessageError,
  type Route,
  RpcError,
  type StandardSchemaV1,
} from "@turnkit/transport";
import type { HandlerHost } from "./host/hosted-session.js";
import { type Decision, NOTHING, type QuestionKind } from "./pending-questions.js";
import type { Session } from "./session.js";

type Awaitable<T> = T | Promise<T>;

/**
 * Message and origin of a question. A question of a session has a `requestId` for `session.answer`. A question without a
 * session belongs to a call of the client, such as a login.
 */
type Asked = {
  readonly message: string;
  /** Name and version of the agent. Show them to the person. */
  readonly agent: Implementation;
} & (
  | {
      readonly requestId: string;
      readonly session: Session;
      readonly toolCallId?: string | null;
    }
  | { readonly session?: undefined }
);

/**
 * Request to fill in a form.
 *
 * - Show the form with its defaults (`formDefaults` of `@turnkit/session/form`).
 * - Offer buttons to decline and to cancel.
 * - Show the answers to the person before they are sent.
 * - Answers must conform to the form. `checkFormAnswer` returns the errors by field.
 */
export type FormRequest = Asked & { readonly mode: "form"; readonly requestedSchema: ElicitationForm };

/**
 * Request to visit a URL.
 *
 * - Show the full URL and its host. Do not fetch the URL beforehand.
 * - Open the URL where no model can read the page.
 * - `accept` is only the consent to open the URL. After `accept`, the question stays in the state until the agent reports
 *   completion.
 */
export type UrlRequest = Asked & { readonly mode: "url"; readonly elicitationId: string; readonly url: string };

/**
 * Asks the person. The question is also settled in these cases:
 *
 * - `"wait"`: the question waits in the state for `session.answer`. A question without a session is cancelled.
 * - `undefined`: the same, and the question is reported as `unanswered`, because the handler may lack a `return`.
 * - An exception, or an `accept` whose content does not conform to the form: the question is cancelled, and the failure is
 *   reported.
 *
 * @param signal aborts when the question was settled in another way: by a cancel, an answer, the agent, or the end of the
 *   session. The reason of the signal is the answer
 */
export type ElicitationHandler<R> = (
  request: R,
  signal: AbortSignal,
) => Awaitable<ElicitationAnswer | "wait" | undefined>;

/** Handlers by mode. The client advertises these modes. */
export type ElicitationHandlers = {
  readonly form?: ElicitationHandler<FormRequest>;
  readonly url?: ElicitationHandler<UrlRequest>;
};

/** Question of a session. */
export type SessionQuestion = ElicitationQuestion & { readonly toolCallId?: string | null };

/** Part of a client that elicitations use. */
export type ElicitationHost = HandlerHost & { readonly agent: Implementation };

/** Elicitation handlers of a client, made by {@link createElicitations}. */
export interface Elicitations {
  /** Modes that the client advertises. */
  readonly modes: { readonly form: boolean; readonly url: boolean };
  /**
   * Returns the routes of the dialect.
   * @internal
   */
  routes(host: ElicitationHost, codec: ClientCodec): { readonly [method: string]: Route };
}

/**
 * Makes elicitation handlers for the option `elicitations`. Only a bundle that calls this function contains the code for
 * forms.
 *
 * @example
 * const elicitations = createElicitations({ form: (question) => dialog.show(question) });
 */
export function createElicitations(handlers: ElicitationHandlers): Elicitations {
  const remedy = "pass handlers such as { form: (question) => dialog.show(question) }";
  checkArgument(typeof handlers === "object" && handlers !== null, "createElicitations", { got: handlers, remedy });
  checkOptions("createElicitations", handlers, { form: "function", url: "function" });
  return {
    modes: { form: handlers.form !== undefined, url: handlers.url !== undefined },
    routes: (host, codec) => routesOf(handlers, host, codec),
  };
}

const CANCEL: ElicitationAnswer = { action: "cancel" };
const ACTIONS: readonly string[] = ["accept", "decline", "cancel"];

function elicitationKind(
  handlers: ElicitationHandlers,
  agent: Implementation,
): QuestionKind<SessionQuestion, ElicitationAnswer> {
  return {
    name: "elicitation",
    dismissed: CANCEL,
    asked: (requestId, question) => ({ type: "elicitation_asked", requestId, ...question }),
    answered: (requestId, answer) => ({ type: "elicitation_answered", requestId, answer }),
    isShown: ({ state }, requestId) => state.pendingElicitations.some((shown) => shown.requestId === requestId),
    workOf: ({ toolCallId }) => ({ toolCallId }),
    answerOf: checked,
    decide: (requestId, question, session, signal) => ask(handlers, { ...question, agent, requestId, session }, signal),
  };
}

/** Schemas of the elicitation messages, by dialect. */
const schemas: Readonly<
  Record<DialectName, { readonly create: StandardSchemaV1; readonly complete: StandardSchemaV1 }>
> = {
  v1: { create: v1.createElicitationRequest, complete: v1.completeElicitationNotification },
  v2: { create: v2.createElicitationRequest, complete: v2.completeElicitationNotification },
  seed: { create: v2.createElicitationRequest, complete: v2.completeElicitationNotification },
};

function routesOf(
  handlers: ElicitationHandlers,
  host: ElicitationHost,
  codec: ClientCodec,
): { readonly [method: string]: Route } {
  const create = codec.answer.elicit;
  const complete = codec.answer.completeElicitation;
  const { [codec.dialect]: schema } = schemas;
  return {
    ...(create && {
      "elicitation/create": {
        params: schema.create,
        async receive(params: object, call: InboundCall) {
          const { scope, ...question } = create.decodeParams(params);
          return create.encodeResult(await receive(handlers, host, { scope, question, call }));
        },
      },
    }),
    ...(complete && {
      "elicitation/complete": {
        params: schema.complete,
        receive: (params: object) => completed(host, complete.decodeParams(params).elicitationId),
      },
    }),
  };
}

/** Publishes that the work at a URL is done. */
function completed(host: ElicitationHost, elicitationId: string): void {
  for (const session of host.sessions.all) {
    const { pendingElicitations } = session.state;
    const asked = pendingElicitations.some((one) => "elicitationId" in one && one.elicitationId === elicitationId);
    if (asked) session.feed.publish({ type: "elicitation_completed", elicitationId });
  }
}

type ElicitationCall = {
  readonly scope: ElicitationScope;
  readonly question: ElicitationQuestion;
  readonly call: InboundCall;
};

/** @throws RpcError `-32602` for a mode that the client does not advertise */
// V1-ELIC-08, V2-ELI-03
async function receive(
  handlers: ElicitationHandlers,
  host: ElicitationHost,
  { scope, question, call }: ElicitationCall,
): Promise<ElicitationAnswer> {
  if (!isMode(question.mode) || handlers[question.mode] === undefined) {
    throw RpcError.invalidParams("this client does not ask in that mode", { mode: question.mode });
  }
  if ("sessionId" in scope) {
    const { sessionId, toolCallId } = scope;
    const asked = { ...question, ...(toolCallId != null && { toolCallId }) };
    return host.sessions.get(sessionId).ask(elicitationKind(handlers, host.agent), asked, call);
  }
  const withdrawn = new Promise<undefined>((resolve) => {
    call.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    const answer = await Promise.race([ask(handlers, { ...question, agent: host.agent }, call.signal), withdrawn]);
    if (answer === undefined && !call.signal.aborted) {
      const message = `An elicitation without a session was cancelled, because ${NOTHING.elicitation}`;
      host.report({ code: "unanswered", method: "elicitation/create", message });
    }
    if (answer === undefined || answer === "wait") return CANCEL;
    return checked("outside of a session", question, answer);
  } catch (error) {
    const message = "The elicitation policy failed, and the question was cancelled.";
    host.report({ code: "listener_failed", method: "elicitation/create", message, error });
    return CANCEL;
  }
}

const isMode = (mode: string): mode is "form" | "url" => mode === "form" || mode === "url";

/**
 * Checks an answer. `decline` and `cancel` always pass.
 *
 * @throws AcpError `state` for an unknown action
 * @throws InvalidMessageError for content that does not conform to the form
 */
// V1-ELIC-13, V2-ELI-06
function checked(name: string, question: SessionQuestion, answer: Decision): ElicitationAnswer {
  if (!("action" in answer && ACTIONS.includes(answer.action))) {
    throw new AcpError("state", `The answer to question ${name} must be accept, decline or cancel.`);
  }
  if (answer.action === "accept" && question.mode === "form") {
    const issues = checkFormAnswer(question.requestedSchema as ElicitationForm, answer.content ?? {});
    if (issues.length > 0) throw new InvalidMessageError("elicitation/create", "answer", issues);
  }
  return jsonCopy(answer);
}

async function ask(
  handlers: ElicitationHandlers,
  question: ElicitationQuestion & {
    readonly agent: Implementation;
    readonly requestId?: string;
    readonly session?: Session;
  },
  signal: AbortSignal,
): Promise<ElicitationAnswer | "wait" | undefined> {
  return question.mode === "form"
    ? handlers.form?.(question as FormRequest, signal)
    : handlers.url?.(question as UrlRequest, signal);
}
