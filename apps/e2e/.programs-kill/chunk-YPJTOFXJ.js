import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);

// packages/agent/src/node/file-log.ts
import { rmdir } from "node:fs/promises";
import { join as join5, resolve } from "node:path";

// packages/transport/src/channel.ts
var MAX_ID_DIGITS = 1e3;

// packages/transport/src/check-argument.ts
var MAX_SHOWN = 60;
function checkArgument(isSound, call, { got, remedy }) {
  if (!isSound) throw new TypeError(`${call} got ${shown(got)}: ${remedy}.`);
}
function checkChannel(call, got) {
  const { start, send } = got ?? {};
  const isPromise2 = typeof got?.then === "function";
  const remedy = isPromise2 ? "await the promise of the channel" : "pass a channel, such as createWebSocketChannel makes one";
  checkArgument(typeof start === "function" && typeof send === "function", call, { got, remedy });
}
function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_SHOWN));
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object of another form" : String(value);
}

// packages/transport/src/errors.ts
var MARK = /* @__PURE__ */ Symbol.for("turnkit.error");
function mark(error, as) {
  error[MARK] = as;
}
var AcpError = class extends Error {
  code;
  constructor(code, message, options3) {
    super(message, options3);
    mark(this, "acp");
    this.name = new.target.name;
    this.code = code;
  }
};
function isAcpError(error, code) {
  return hasMark(error, "acp", code);
}
function hasMark(error, as, code) {
  if (!(error instanceof Error) || error[MARK] !== as) return false;
  return code === void 0 || error.code === code;
}
var ConnectionClosedError = class extends AcpError {
  constructor(what, reason) {
    super("connection_closed", `${what}: ${closeText(reason)}`, { cause: reason.cause });
    Object.defineProperty(this, "reason", { value: reason });
  }
};
var FrameError = class extends AcpError {
  constructor(message, options3) {
    super("frame", message, options3);
  }
};
var RequestAbortedError = class extends AcpError {
  method;
  constructor(method, cause) {
    super("aborted", `${method} was aborted by its caller.`, { cause });
    this.method = method;
  }
};
var InvalidMessageError = class extends AcpError {
  method;
  issues;
  constructor(method, what, issues) {
    const first = issues[0];
    const where = first && first.path.length > 0 ? ` at ${first.path.map(String).join(".")}` : "";
    super("invalid_message", `${method}: invalid ${what}${where}: ${first?.message ?? "unknown fault"}.`);
    this.method = method;
    this.issues = issues;
  }
};
function invalidParams(method, issues) {
  const listed = issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
  return RpcError.invalidParams(new InvalidMessageError(method, "params", issues).message, { issues: listed });
}
var CapabilityError = class extends AcpError {
  constructor(message) {
    super("capability", message);
  }
};
var rpcErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  requestCancelled: -32800,
  authRequired: -32e3,
  resourceNotFound: -32002,
  /** Version 2 only. A peer of version 1 answers with a version that it supports instead. */
  unsupportedProtocolVersion: -32022
};
var RpcError = class _RpcError extends Error {
  code;
  data;
  constructor(code, message, data) {
    super(message);
    mark(this, "rpc");
    this.name = "RpcError";
    this.code = code;
    if (data != null) this.data = data;
  }
  /** `-32700`: the text is not JSON. */
  static parseError(details) {
    return new _RpcError(rpcErrorCode.parseError, `Parse error: ${details}`);
  }
  /** `-32600`: the message is invalid, or not allowed at this moment. */
  static invalidRequest(details) {
    return new _RpcError(rpcErrorCode.invalidRequest, `Invalid request: ${details}`);
  }
  /** `-32601`: the method has no handler. */
  static methodNotFound(method) {
    return new _RpcError(rpcErrorCode.methodNotFound, `Method not found: ${method}`, { method });
  }
  /** `-32602`: the params are not valid for the method. */
  static invalidParams(details, data) {
    return new _RpcError(rpcErrorCode.invalidParams, `Invalid params: ${details}`, data);
  }
  /** `-32603`: a handler failed. */
  static internalError(details) {
    return new _RpcError(rpcErrorCode.internalError, `Internal error: ${details}`, { details });
  }
  /** `-32800`: the call was cancelled. */
  static requestCancelled() {
    return new _RpcError(rpcErrorCode.requestCancelled, "Request cancelled");
  }
  /** `-32000`: a login is required. */
  static authRequired() {
    return new _RpcError(rpcErrorCode.authRequired, "Authentication required");
  }
  /** `-32002`: the session, file or terminal does not exist. `data` identifies it, as `{ sessionId }` or `{ uri }`. */
  static resourceNotFound(data) {
    return new _RpcError(rpcErrorCode.resourceNotFound, "Resource not found", data);
  }
  /** `-32022`, version 2 only: this side supports neither the requested version nor a lower one. */
  static unsupportedProtocolVersion(requested, supported) {
    const data = { requested, supported };
    return new _RpcError(rpcErrorCode.unsupportedProtocolVersion, "Unsupported protocol version", data);
  }
};
function isErrorCode(code) {
  return typeof code === "number" && code === (code | 0);
}
function isRpcError(error, code) {
  return hasMark(error, "rpc", code);
}
function toRpcError(error, cancelled = false) {
  if (isRpcError(error) && isErrorCode(error.code)) return error;
  if (cancelled || isAcpError(error, "aborted")) return RpcError.requestCancelled();
  return RpcError.internalError(error instanceof Error ? error.message : "a handler failed");
}
function respondError(id, error, cancelled = false) {
  const { code, message, data } = toRpcError(error, cancelled);
  return { jsonrpc: "2.0", id, error: data === void 0 ? { code, message } : { code, message, data } };
}
function closeText(reason) {
  const lines = reason.stderr?.trimEnd();
  return lines ? `${reason.message}
${lines}` : reason.message;
}
function textOf(cause) {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return "an error without a readable message";
  }
}

// packages/transport/src/routes.ts
function createRoutes(contract, side, handlers) {
  const remedy = "pass a contract, the side of this program, and an object of functions by method";
  checkArgument(typeof handlers === "object" && handlers !== null, "createRoutes handlers", { got: handlers, remedy });
  const table = /* @__PURE__ */ new Map();
  for (const [method, receive] of Object.entries(handlers)) {
    if (receive === void 0) continue;
    const row = Object.hasOwn(contract, method) ? contract[method] : void 0;
    if (row === void 0 && !method.startsWith("_")) throw new TypeError(`${method} is not in the contract.`);
    const incoming = row?.from === side ? row.notification : row;
    if (row !== void 0 && (incoming === void 0 || incoming.from === side)) {
      throw new TypeError(`${method} is sent by the ${side}, which cannot handle it.`);
    }
    const route = { receive };
    table.set(method, incoming?.params === void 0 ? route : { ...route, params: incoming.params });
  }
  return (method) => table.get(method);
}
var ReceivedCall = class {
  message;
  bytes;
  #after;
  #controller;
  #abortion;
  #onAbort;
  constructor(message, bytes) {
    this.message = message;
    this.bytes = bytes;
  }
  // The signal is created when it is first read, because most calls end without a cancel.
  get signal() {
    if (this.#controller === void 0) {
      this.#controller = new AbortController();
      if (this.#abortion !== void 0) this.#controller.abort(this.#abortion.reason);
    }
    return this.#controller.signal;
  }
  get isCancelled() {
    return this.#abortion !== void 0;
  }
  onAbort(then) {
    this.#onAbort ??= [];
    this.#onAbort.push(then);
  }
  afterResponse(then) {
    this.#after ??= [];
    this.#after.push(then);
  }
  abort(reason) {
    if (this.#abortion !== void 0) return;
    this.#abortion = { reason };
    for (const then of this.#onAbort ?? []) then();
    this.#controller?.abort(reason);
  }
  /** Runs the functions that were passed to {@link afterResponse}. */
  done(room) {
    const after = this.#after;
    if (after === void 0) return;
    this.#after = void 0;
    for (const then of after) then(room);
  }
};

// packages/transport/src/standard-schema.ts
var ASYNCHRONOUS = "the validator is asynchronous";
function checkIncoming(schema, value) {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return { issues: [{ path: [], message: ASYNCHRONOUS }] };
  if (result.issues !== void 0) return { issues: result.issues.map(flatten) };
  if (!("issues" in result)) return result;
  const { issues: _, ...rest } = result;
  return rest;
}
function checkOutgoing(schema, value) {
  const checked = checkIncoming(schema, value);
  return checked.salvaged?.length ? { issues: checked.salvaged.map(flatten) } : checked;
}
function flatten(issue) {
  const path = (issue.path ?? []).map((step) => typeof step === "object" ? step.key : step);
  return { path, message: issue.message };
}

// packages/transport/src/waiting.ts
var COMPACT_FROM = 1024;
var Fifo = class {
  #items = [];
  #head = 0;
  get length() {
    return this.#items.length - this.#head;
  }
  push(item) {
    this.#items.push(item);
  }
  /** Removes and returns the oldest item. Returns `undefined` if the queue is empty. */
  shift() {
    if (this.#head === this.#items.length) return void 0;
    const item = this.#items[this.#head];
    this.#items[this.#head] = void 0;
    this.#head += 1;
    if (this.#head === this.#items.length) this.clear();
    else if (this.#head > COMPACT_FROM && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
  clear() {
    this.#items = [];
    this.#head = 0;
  }
};
var PendingRoom = class {
  #promise;
  #resolve;
  get isAwaited() {
    return this.#promise !== void 0;
  }
  /** Returns a promise that the next call of {@link open} resolves. */
  wait() {
    this.#promise ??= new Promise((resolve2) => {
      this.#resolve = resolve2;
    });
    return this.#promise;
  }
  /** Resolves the promise, so that all waiting senders continue. */
  open() {
    this.#resolve?.();
    this.#promise = void 0;
    this.#resolve = void 0;
  }
};
function isPromise(value) {
  return typeof value?.then === "function";
}
var MAX_TIMER_MS = 2 ** 31 - 1;
function withinGrace(work, graceMs) {
  return new Promise((resolve2, reject2) => {
    const timer = graceMs > MAX_TIMER_MS ? void 0 : setTimeout(resolve2, graceMs, false);
    const stop = () => clearTimeout(timer);
    work.then(stop, stop);
    work.then(() => resolve2(true), reject2);
  });
}

// packages/transport/src/inbound-calls.ts
var InboundCalls = class {
  #host;
  #open = /* @__PURE__ */ new Map();
  /** Number of notifications whose routes have not settled. */
  #openNotifications = 0;
  /**
   * Methods that arrived as notifications and whose routes returned a promise. They are probably requests that lack an
   * id.
   */
  #slowMethods = /* @__PURE__ */ new Set();
  #isDropping = false;
  #held;
  #heldBytes = 0;
  constructor(host) {
    this.#host = host;
  }
  has(id) {
    return this.#open.has(id) || this.#heldAt(id) >= 0;
  }
  /** Runs the route of a call. After {@link hold}, stores the call instead. */
  handle(call, bytes) {
    if (this.#held !== void 0) this.#keep(call, bytes);
    else if ("id" in call) this.#request(call, bytes);
    else this.#notification(call, bytes);
  }
  #request(message, bytes) {
    if (this.#isFull) return this.#sendError(message.id, RpcError.internalError("too many requests are open"));
    const request = new ReceivedCall(message, bytes);
    this.#open.set(message.id, request);
    try {
      const route = this.#host.route(message.method);
      if (route === void 0) throw RpcError.methodNotFound(message.method);
      const outcome = route.receive(readRequest(route, message), request);
      if (!isPromise(outcome)) return this.#answer(request, outcome);
      outcome.then(
        (result) => this.#answer(request, result),
        (error) => this.#fail(request, error)
      );
    } catch (error) {
      this.#fail(request, error);
    }
  }
  #notification(message, bytes) {
    const { method } = message;
    const route = this.#host.route(method);
    if (route === void 0 || this.#mustDrop(method)) return;
    const call = new ReceivedCall(message, bytes);
    try {
      const outcome = route.receive(readParams(route, message), call);
      if (isPromise(outcome)) return this.#doneAfter(outcome, call);
    } catch (error) {
      this.#dropped(method, error);
    }
    call.done();
  }
  /**
   * Aborts an open request, or answers a delayed request without running its route. Unknown and finished ids are
   * ignored.
   */
  // V1-CANCEL-16
  abort(id, reason) {
    const at = this.#heldAt(id);
    if (at < 0) return this.#open.get(id)?.abort(reason);
    for (const { bytes } of this.#held?.splice(at, 1) ?? []) this.#heldBytes -= bytes;
    this.#sendError(id, reason);
  }
  /**
   * Aborts every open and delayed request, and answers each of them with `error` at once. Results that come later are
   * ignored.
   */
  cancelAll(error) {
    const held2 = this.#held ?? [];
    this.#held = void 0;
    for (const { call } of held2) if ("id" in call) this.#sendError(call.id, error);
    for (const request of [...this.#open.values()]) {
      request.abort(error);
      this.#fail(request, error);
    }
  }
  /** Aborts every open request without an answer, and drops delayed calls. */
  abortAll(reason) {
    const open2 = [...this.#open.values()];
    this.#open.clear();
    this.#held = void 0;
    for (const request of open2) request.abort(reason);
  }
  /** Delays all further calls. Call the returned function to handle the delayed calls in order. */
  hold() {
    this.#held ??= [];
    return () => {
      const held2 = this.#held ?? [];
      this.#held = void 0;
      this.#heldBytes = 0;
      for (const { call, bytes } of held2) this.handle(call, bytes);
    };
  }
  #heldAt(id) {
    return this.#held?.findIndex(({ call }) => "id" in call && call.id === id) ?? -1;
  }
  #doneAfter(outcome, call) {
    const { method } = call.message;
    this.#openNotifications += 1;
    if (method.length <= MAX_METHOD && this.#slowMethods.size < MAX_METHODS) this.#slowMethods.add(method);
    const done = () => {
      this.#openNotifications -= 1;
      call.done();
    };
    outcome.then(done, (error) => {
      this.#dropped(method, error);
      done();
    });
  }
  get #isFull() {
    return this.#open.size + this.#openNotifications >= this.#host.limits.incomingRequests;
  }
  /**
   * Returns `true` if a method is one of `#slowMethods` and the bound of open requests is reached. Reports the first of
   * a burst.
   */
  #mustDrop(method) {
    const open2 = this.#open.size + this.#openNotifications;
    if (this.#isDropping && open2 <= this.#host.limits.incomingRequests / 2) this.#isDropping = false;
    if (!this.#isFull) return false;
    const isKnown = method.length <= MAX_METHOD && this.#slowMethods.size < MAX_METHODS;
    if (isKnown && !this.#slowMethods.has(method)) return false;
    if (!this.#isDropping) {
      const message = "Requests without an id were dropped: too many requests are open.";
      this.#host.report({ code: "too_many_requests", method: method.slice(0, MAX_METHOD), message });
    }
    this.#isDropping = true;
    return true;
  }
  #keep(call, bytes) {
    const held2 = this.#held ?? [];
    const { waitingMessages, waitingBytes } = this.#host.limits;
    if (held2.length < waitingMessages && this.#heldBytes < waitingBytes) {
      held2.push({ call, bytes });
      this.#heldBytes += bytes;
      return;
    }
    const { method } = call;
    this.#host.report({ code: "dropped", method, message: `${method} was dropped: too many calls wait already.` });
    if ("id" in call) this.#sendError(call.id, RpcError.internalError("too many calls wait"));
  }
  #dropped(method, error) {
    const code = isFault(error) ? "notification_failed" : "invalid_message";
    this.#host.report({
      code,
      method,
      error,
      message: `A ${method} of the peer was dropped: ${causeOf(error, method)}.`
    });
  }
  #answer(request, outcome) {
    const { id, method } = request.message;
    const result = outcome ?? {};
    try {
      this.#host.checkResult(method, result);
    } catch (error) {
      return this.#respond(request, this.#invalidAnswer(request, error, "not valid"));
    }
    this.#respond(request, { jsonrpc: "2.0", id, result });
  }
  #fail(request, error) {
    const { method } = request.message;
    if (isFault(error) && !request.isCancelled) {
      this.#host.report({
        code: "handler_failed",
        method,
        error,
        message: `The handler of ${method} failed: ${textOf(error)}`
      });
    }
    this.#respond(request, respondError(request.message.id, error, request.isCancelled));
  }
  #respond(request, response) {
    if (!this.#open.delete(request.message.id)) return;
    let room;
    try {
      room = this.#host.send(response);
    } catch (error) {
      const fault = isAcpError(error, "too_large") ? "too large" : "not valid";
      this.#send(this.#invalidAnswer(request, error, fault));
    }
    request.done(room);
  }
  /** Reports an answer that cannot be sent. Returns the error answer that replaces it. */
  #invalidAnswer({ message: { id, method } }, error, fault) {
    this.#host.report({ code: "outgoing_invalid", method, error, message: `Our answer to ${method} was ${fault}.` });
    return respondError(id, RpcError.internalError(`the answer was ${fault}`));
  }
  #sendError(id, error) {
    this.#send(respondError(id, error));
  }
  /** Sends an error answer. A failure to send it is reported. */
  #send(response) {
    try {
      this.#host.send(response);
    } catch (cause) {
      this.#host.report({ code: "outgoing_invalid", error: cause, message: "An error answer could not be sent." });
    }
  }
};
var isFault = (error) => !isRpcError(error) && !isAcpError(error);
var MAX_METHODS = 1e3;
var MAX_METHOD = 200;
function readParams(route, message) {
  const params = message.params ?? {};
  if (typeof params !== "object" || Array.isArray(params)) throw RpcError.invalidParams("params are an object");
  if (route.params === void 0) return params;
  const checked = checkIncoming(route.params, params);
  if ("issues" in checked) throw new InvalidMessageError(message.method, "params", checked.issues);
  return checked.value;
}
function readRequest(route, message) {
  try {
    return readParams(route, message);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    throw invalidParams(message.method, error.issues);
  }
}
function causeOf(error, method) {
  if (!isAcpError(error) && !isRpcError(error)) return `its handler failed: ${textOf(error)}`;
  return error.message.replace(`${method}: `, "").replace(/\.$/, "");
}

// packages/transport/src/budget.ts
var Budget = class {
  #limits;
  #onChange;
  #messages = 0;
  #bytes = 0;
  #full = false;
  #times = 1;
  constructor(limits, onChange) {
    this.#limits = limits;
    this.#onChange = onChange;
  }
  /**
   * Raises the bound by its first value, up to `most` times this value. The bound has its first value again when the
   * count is zero.
   */
  widen(most) {
    if (this.#times >= most) return;
    this.#times += 1;
    if (this.#isOver) return;
    this.#full = false;
    this.#onChange(false);
  }
  get full() {
    return this.#full;
  }
  take(bytes) {
    this.#messages += 1;
    this.#bytes += bytes;
    if (this.#full || !this.#isOver) return;
    this.#full = true;
    this.#onChange(true);
  }
  give(bytes) {
    this.#messages -= 1;
    this.#bytes -= bytes;
    if (this.#messages === 0) this.#times = 1;
    if (!this.#full) return;
    const { waitingMessages, waitingBytes } = this.#limits;
    if (this.#messages > waitingMessages / 2 || this.#bytes > waitingBytes / 2) return;
    this.#full = false;
    this.#onChange(false);
  }
  get #isOver() {
    const { waitingMessages, waitingBytes } = this.#limits;
    return this.#messages >= waitingMessages * this.#times || this.#bytes >= waitingBytes * this.#times;
  }
};

// packages/transport/src/lane.ts
var SessionLane = class {
  sessionId;
  oldest;
  #host;
  /** Waiting items. The queue is created when the first item has to wait, because most items do not wait. */
  #queue;
  /** Number of handlers in the queue. */
  #handlers = 0;
  /** Number of timed marks in the queue. */
  #timedMarks = 0;
  /** Highest `after` of the marks in the queue. */
  #newestMark = -1;
  #isStarting = false;
  /**
   * Listeners that started while the oldest listener was running. The oldest listener is not in this set. To add and
   * remove it for each message would leave 120 bytes in V8's old generation each time.
   */
  #others = /* @__PURE__ */ new Set();
  /** Functions that settle the calls of {@link settled} which wait for running listeners. */
  #waiting;
  #isGivenUp = false;
  constructor(host, sessionId) {
    this.#host = host;
    this.sessionId = sessionId;
  }
  tell(bytes, work) {
    this.#push("listener", bytes, work);
  }
  begin(bytes, work) {
    this.#push("handler", bytes, work);
  }
  mark(work) {
    this.#push("mark", 0, work);
  }
  get isSettled() {
    return this.oldest === void 0 && !this.#isStarting && !this.#queue?.length;
  }
  now() {
    return this.#host.issued();
  }
  settled(after = 0) {
    return new Promise((resolve2) => {
      const work = () => {
        if (this.oldest === void 0) return resolve2();
        this.#waiting ??= /* @__PURE__ */ new Set();
        this.#waiting.add(resolve2);
        void this.runningNow(after).then(() => {
          this.#waiting?.delete(resolve2);
          resolve2();
        });
      };
      this.#push("mark", 0, work, after);
    });
  }
  /** Settles when all listeners have finished that run at this moment and began at the moment `after` or later. */
  async runningNow(after = 0) {
    const running = [...this.oldest === void 0 ? [] : [this.oldest], ...this.#others];
    await Promise.allSettled(running.filter(({ since }) => since >= after).map(({ done }) => done));
  }
  /** Starts all waiting items. Running listeners are ignored from now on. */
  giveUp() {
    this.#isGivenUp = true;
    this.oldest = void 0;
    this.#others.clear();
    for (const resolve2 of this.#waiting ?? []) resolve2();
    this.#waiting = void 0;
    this.reconsider();
  }
  /**
   * Checks whether something waits for the oldest listener. At the second such check, the listener counts as stuck.
   * `isFull` is `true` if reading has stopped.
   */
  check(isFull) {
    const oldest = this.oldest;
    if (oldest === void 0 || !(isFull || this.#handlers > 0 || oldest.since < this.#newestMark)) return;
    oldest.checks += 1;
    if (oldest.checks !== STUCK_CHECKS) return;
    this.#host.onStuck(oldest, this.sessionId);
    this.reconsider();
  }
  #push(kind, bytes, work, after) {
    if (this.isSettled) {
      this.#start(kind, bytes, work);
    } else {
      this.#queue ??= new Fifo();
      this.#queue.push(after === void 0 ? { kind, bytes, work } : { kind, bytes, work, after });
      if (after !== void 0) this.#newestMark = Math.max(this.#newestMark, after);
      if (kind === "handler" || after !== void 0) this.#countWait(kind, 1);
      this.#host.budget.take(bytes);
    }
    this.reconsider();
  }
  /** Starts the waiting items that may start. */
  reconsider() {
    while (this.#queue?.length && !this.#isStarting && this.#mayStart) {
      const item = this.#queue.shift();
      if (item.kind === "handler" || item.after !== void 0) this.#countWait(item.kind, -1);
      this.#start(item.kind, item.bytes, item.work);
      this.#host.budget.give(item.bytes);
    }
  }
  get #mayStart() {
    const oldest = this.oldest;
    if (oldest === void 0) return true;
    const isStuck = oldest.checks >= STUCK_CHECKS;
    const isUrgent = this.#handlers > 0 || isStuck && oldest.since < this.#newestMark;
    return this.#host.mayPass({ since: oldest.since, isStuck }, isUrgent);
  }
  #countWait(kind, change) {
    if (kind === "handler") this.#handlers += change;
    else this.#timedMarks += change;
    if (this.#timedMarks === 0) this.#newestMark = -1;
    this.#host.onWait(change);
  }
  #start(kind, bytes, work) {
    const began = this.#host.issued();
    this.#isStarting = true;
    try {
      const pending = work(began);
      if (kind === "listener" && pending !== void 0) this.#run(pending, began, bytes);
    } catch (error) {
      this.#host.onError(error);
    }
    this.#isStarting = false;
  }
  #run(pending, began, bytes) {
    const { done, since, by, on: on2 } = "since" in pending ? pending : { done: pending, since: began };
    const running = { done, since: Math.min(began, since), by, on: on2, bytes, checks: 0 };
    if (this.#isGivenUp) {
    } else if (this.oldest === void 0) {
      this.oldest = running;
      this.#host.onBusy(this);
    } else {
      this.#others.add(running);
      this.#host.overlap.take(bytes);
    }
    running.done.then(
      () => this.#finished(running),
      (error) => {
        this.#host.onError(error);
        this.#finished(running);
      }
    );
  }
  #finished(running) {
    if (this.#isGivenUp) return;
    let removed = running;
    if (running === this.oldest) {
      removed = this.#others.values().next().value;
      this.oldest = removed;
    }
    if (removed !== void 0) {
      this.#others.delete(removed);
      this.#host.overlap.give(removed.bytes);
    }
    this.reconsider();
    if (this.oldest === void 0) this.#host.onIdle(this);
  }
};
var STUCK_CHECKS = 2;

// packages/transport/src/lanes.ts
var OVERLAP = 10;
var MAX_OVERLAP = 10;
var CHECK_MS = 2e3;
var LANE_GRACE_MS = 5e3;
var Lanes = class {
  budget;
  /** Open requests, sends and turns of this side. */
  calls = new OpenCalls();
  #channel;
  #limits;
  #report;
  #busy = /* @__PURE__ */ new Set();
  #overlap;
  #waiting = 0;
  #watch;
  #isClosed = false;
  /** Creates the lanes of a channel. The channel is paused at the budget, and resumed at half of the budget. */
  constructor(channel, limits, report) {
    this.#channel = channel;
    this.#limits = limits;
    this.#report = report;
    this.budget = new Budget(limits, (full) => this.#onBudget(full));
  }
  open(sessionId) {
    return new SessionLane(this, sessionId);
  }
  /** Starts the items that may start after a new call was opened. */
  reconsider() {
    if (!this.#standsStill) return;
    for (const lane of this.#busy) lane.reconsider();
  }
  /** Settles when the listeners that run at this moment have finished. */
  async runningNow() {
    await Promise.all([...this.#busy].map((lane) => lane.runningNow()));
  }
  /** Settles when every lane has finished, or after 5 s. Listeners that still run after 5 s are reported. */
  async closed() {
    this.#isClosed = true;
    this.#watchLanes();
    const settled3 = Promise.all([...this.#busy].map((lane) => lane.settled()));
    if (await withinGrace(settled3, LANE_GRACE_MS)) return;
    for (const lane of this.#busy) {
      const { oldest, sessionId } = lane;
      const message = `${listenerText(oldest, sessionId)} still runs ${LANE_GRACE_MS / 1e3} s after the connection closed.`;
      this.#reportStuck(message, sessionId);
      lane.giveUp();
    }
    this.#busy.clear();
  }
  /** Count of the listeners that run while earlier ones run, with its bound. */
  get overlap() {
    const { waitingMessages, waitingBytes } = this.#limits;
    const most = { waitingMessages: waitingMessages * OVERLAP, waitingBytes: waitingBytes * OVERLAP };
    this.#overlap ??= new Budget(most, () => this.reconsider());
    return this.#overlap;
  }
  issued() {
    return this.calls.issued;
  }
  mayPass({ since, isStuck }, isUrgent) {
    if (!(isUrgent || this.budget.full) || this.#overlap?.full) return false;
    return isStuck || this.calls.anyAfter(since);
  }
  onError(error) {
    this.#report({ code: "listener_failed", message: `A listener failed: ${textOf(error)}`, error });
  }
  onWait(change) {
    this.#waiting += change;
    this.#watchLanes();
  }
  onStuck(listener, sessionId) {
    const event = listener.on?.type ?? "an event";
    const effect = this.budget.full ? "Reading has stopped meanwhile" : "A request of the peer or the end of a turn waits behind it";
    const who = listenerText(listener, sessionId);
    const message = `${who} has been handling ${event} for at least 2 s. ${effect}. Later events now start beside it.`;
    this.#reportStuck(message, sessionId);
  }
  onBusy(lane) {
    this.#busy.add(lane);
  }
  onIdle(lane) {
    this.#busy.delete(lane);
  }
  #onBudget(full) {
    this.#watchLanes();
    if (!full) return this.#channel.resume();
    this.#channel.pause();
    this.reconsider();
  }
  /** `true` while listeners delay reading, a handler or the end of a turn. */
  get #standsStill() {
    return this.budget.full || this.#waiting > 0;
  }
  /** Checks the lanes every 2 s while {@link #standsStill}. */
  #watchLanes() {
    if (!this.#standsStill || this.#isClosed) {
      clearInterval(this.#watch);
      this.#watch = void 0;
    } else {
      this.#watch ??= setInterval(() => {
        for (const lane of this.#busy) lane.check(this.budget.full);
        if (this.#overlap?.full) this.#overlap.widen(MAX_OVERLAP);
      }, CHECK_MS);
    }
  }
  #reportStuck(message, sessionId) {
    this.#report({ code: "listener_stuck", message, ...sessionId !== void 0 && { sessionId } });
  }
};
function listenerText(listener, sessionId) {
  const name = listener?.by?.name;
  return `${name ? `Listener ${name}` : "A listener"}${sessionId === void 0 ? "" : ` of session ${sessionId}`}`;
}
var OpenCalls = class {
  #issued = 0;
  #newest;
  /** The latest sends that waited for room. */
  #sends;
  /** Number of the newest call. */
  get issued() {
    return this.#issued;
  }
  open() {
    return this.#issue({ number: 0, older: void 0, newer: void 0 });
  }
  /**
   * Opens a send that ends when there is room. Sends that wait for the same room share one promise and one call. This
   * call has the number of the newest send.
   */
  openUntil(room) {
    const sends = this.#sends;
    if (sends?.room === room) {
      this.close(sends.call);
      this.#issue(sends.call);
      return sends.over;
    }
    const call = this.open();
    const over = room.then(() => {
      this.close(call);
      if (this.#sends?.call === call) this.#sends = void 0;
    });
    this.#sends = { room, call, over };
    return over;
  }
  close(call) {
    const { older, newer } = call;
    if (older !== void 0) older.newer = newer;
    if (newer !== void 0) newer.older = older;
    else this.#newest = older;
    call.newer = void 0;
  }
  /** Returns `true` if a call is open that began after `moment`. */
  anyAfter(moment) {
    return this.#newest !== void 0 && this.#newest.number > moment;
  }
  #issue(call) {
    this.#issued += 1;
    call.number = this.#issued;
    call.older = this.#newest;
    if (this.#newest !== void 0) this.#newest.newer = call;
    this.#newest = call;
    return call;
  }
};

// packages/transport/src/pending-requests.ts
var MAX_ABANDONED = 1e3;
var PendingRequests = class {
  #nextId = 0;
  #pending = /* @__PURE__ */ new Map();
  /** Ids of abandoned requests. Late answers to abandoned requests are dropped without a report. */
  #abandoned = /* @__PURE__ */ new Set();
  get size() {
    return this.#pending.size;
  }
  /** Adds a request. `done` is called once, when the request is answered or has failed. */
  add(method, options3, done) {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer2 = new Promise((resolve2, reject2) => {
      this.#pending.set(id, { method, options: options3, resolve: resolve2, reject: reject2, done });
    });
    return { id, answer: answer2 };
  }
  /** Rejects a request at once. A late answer is dropped. */
  abandon(id) {
    const pending = this.#take(id);
    if (pending === void 0) return;
    this.#abandoned.add(id);
    const [oldest] = this.#abandoned.size > MAX_ABANDONED ? this.#abandoned : [];
    if (oldest !== void 0) this.#abandoned.delete(oldest);
    reject(pending, new RequestAbortedError(pending.method, pending.options.signal?.reason));
  }
  /** Rejects a request that was never sent. {@link RequestOptions.failed} is not called. */
  fail(id, error) {
    const pending = this.#take(id);
    pending?.reject(error);
    pending?.done();
  }
  /** Settles the request that `response` answers. Returns `false` if there is no such request. */
  settle(response) {
    const pending = this.#take(response.id);
    if (pending === void 0) return this.#abandoned.delete(response.id);
    try {
      const result = read(pending, response);
      pending.options.received?.(result);
      pending.resolve(result);
      pending.done();
    } catch (error) {
      reject(pending, error);
    }
    return true;
  }
  #take(id) {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
  /** Rejects all open requests, oldest first. */
  failAll(makeError) {
    const open2 = [...this.#pending.values()];
    this.#pending.clear();
    for (const pending of open2) {
      reject(pending, makeError(pending.method));
    }
  }
};
function reject(pending, error) {
  pending.options.failed?.(error);
  pending.reject(error);
  pending.done();
}
function read(pending, response) {
  const { result, error } = response;
  if ("result" in response === "error" in response) {
    const fault = "result" in response ? "it has both a result and an error" : "it has neither result nor error";
    throw new InvalidMessageError(pending.method, "response", [{ path: [], message: fault }]);
  }
  if ("error" in response) throw readError(pending.method, error);
  if (pending.options.result === void 0) return result;
  const checked = checkIncoming(pending.options.result, result);
  if ("issues" in checked) throw new InvalidMessageError(pending.method, "result", checked.issues);
  return checked.value;
}
var MAX_DETAILS = 2e3;
function withDetails(message, data) {
  const { details } = data ?? {};
  if (typeof details !== "string" || details === "") return message;
  const shown3 = details.slice(0, MAX_DETAILS);
  return message.includes(shown3) ? message : `${message}: ${shown3}`;
}
function readError(method, error) {
  if (typeof error === "object" && error !== null) {
    const { code, message, data } = error;
    if (isErrorCode(code) && typeof message === "string") return new RpcError(code, withDetails(message, data), data);
  }
  return new InvalidMessageError(method, "response", [{ path: ["error"], message: "it is no error object" }]);
}

// packages/transport/src/reporter.ts
var PRINTED = /* @__PURE__ */ new Set([
  "handler_failed",
  "notification_failed",
  "listener_failed",
  "unused_option",
  "unanswered",
  "unfinished",
  "late_change",
  "listener_stuck",
  "log_failed"
]);
var MAX_PRINTED = 100;
var MAX_MESSAGE = 500;
var MAX_STACK = 4e3;
function shown2(text2, most) {
  const cut = text2.length > most ? `${text2.slice(0, most)}\u2026` : text2;
  return cut.replace(/[^\P{Cc}\n\t]/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
function stackOf(error) {
  const stack = String(error.stack ?? "");
  const start = stack.search(/^ +at /m);
  return start === -1 ? String(error.name) : stack.slice(start);
}
function reporter(hook) {
  let printed;
  const print = ({ code, message, error }) => {
    if (!PRINTED.has(code)) return;
    const text2 = shown2(message, MAX_MESSAGE);
    printed ??= /* @__PURE__ */ new Set();
    if (printed.has(text2) || printed.size === MAX_PRINTED) return;
    printed.add(text2);
    const stack = error instanceof Error ? `
${shown2(stackOf(error), MAX_STACK)}` : "";
    console.error(`turnkit: ${text2}${stack}`);
  };
  return (diagnostic) => {
    try {
      if (hook === void 0) print(diagnostic);
      else hook(diagnostic);
    } catch (error) {
      print({ code: "listener_failed", message: `onDiagnostic failed: ${textOf(error)}`, error });
    }
  };
}

// packages/transport/src/channel-connection.ts
var DEFAULT_LIMITS = {
  waitingMessages: 1e3,
  waitingBytes: 4 * 1024 * 1024,
  outgoingRequests: 1e4,
  incomingRequests: 1e4
};
var MAX_BATCH = 1e3;
var CALLER_GRACE_MS = 250;
function createConnection(channel, options3 = {}) {
  checkChannel("createConnection", channel);
  return new ChannelConnection(channel, options3);
}
var ChannelConnection = class {
  route;
  closed;
  #channel;
  #options;
  #limits;
  #report;
  #pending = new PendingRequests();
  #inbound;
  #lanes;
  /** Settles when all open calls are rejected. Listeners may still be running. */
  #ended;
  #closing = false;
  #reason;
  constructor(channel, options3) {
    this.#channel = channel;
    this.#options = options3;
    this.#limits = { ...DEFAULT_LIMITS, ...options3.limits };
    this.route = options3.route ?? (() => void 0);
    this.#report = reporter(options3.onDiagnostic);
    this.#lanes = new Lanes(channel, this.#limits, this.#report);
    this.#inbound = new InboundCalls({
      limits: this.#limits,
      route: (method) => this.route(method),
      send: (response) => channel.send(response),
      checkResult: (method, result) => this.#checkOutgoing(method, "result", result),
      report: this.#report
    });
    this.#ended = channel.closed.then((reason) => this.#onClosed(reason));
    this.closed = this.#ended.then(async (reason) => {
      await this.#lanes.closed();
      return reason;
    });
    channel.start({
      message: (message, bytes) => this.#receive(message, bytes),
      invalidLine: (sample) => this.#onInvalidLine(sample)
    });
  }
  async request(method, params, options3 = {}) {
    const { signal } = options3;
    if (this.#reason !== void 0) throw new ConnectionClosedError(method, this.#reason);
    if (signal?.aborted) throw new RequestAbortedError(method, signal.reason);
    const open2 = this.#pending.size;
    if (open2 >= this.#limits.outgoingRequests) {
      const text2 = `${method} was not sent: ${open2} requests are open. Wait for some to end.`;
      throw new AcpError("too_many_requests", text2);
    }
    this.#checkOutgoing(method, "params", params);
    const call = this.#lanes.calls.open();
    const { id, answer: answer2 } = this.#pending.add(method, options3, () => {
      this.#lanes.calls.close(call);
      signal?.removeEventListener("abort", onAbort);
    });
    const onAbort = () => {
      this.notify("$/cancel_request", { requestId: id });
      if (options3.onAbort === "abandon") this.#pending.abandon(id);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      this.#channel.send({ jsonrpc: "2.0", id, method, params });
    } catch (error) {
      this.#pending.fail(id, error);
    }
    this.#lanes.reconsider();
    return answer2;
  }
  notify(method, params) {
    if (this.#reason !== void 0) return void 0;
    this.#checkOutgoing(method, "params", params);
    const room = this.#channel.send({ jsonrpc: "2.0", method, params });
    if (room === void 0) return void 0;
    const over = this.#lanes.calls.openUntil(room);
    this.#lanes.reconsider();
    return over;
  }
  hold() {
    return this.#inbound.hold();
  }
  expectEnd() {
    const call = this.#lanes.calls.open();
    this.#lanes.reconsider();
    return () => this.#lanes.calls.close(call);
  }
  openLane(sessionId) {
    return this.#lanes.open(sessionId);
  }
  async close() {
    this.#closing = true;
    const running = Promise.resolve().then(() => this.#lanes.runningNow());
    this.#inbound.cancelAll(RpcError.requestCancelled());
    await this.#channel.close();
    await this.#ended;
    if (await withinGrace(running, CALLER_GRACE_MS)) await this.closed;
  }
  [Symbol.asyncDispose]() {
    return this.close();
  }
  #receive(message, bytes) {
    if (Array.isArray(message)) {
      this.#onBatch(message, bytes);
    } else if (typeof message !== "object" || message === null) {
      this.#refuse("a message is an object");
    } else if (!("method" in message)) {
      this.#onResponse(message);
    } else {
      this.#onCall(message, bytes);
    }
  }
  #onBatch(entries, bytes) {
    if (this.#options.batches !== "unpack") return this.#refuse("batches are not supported");
    if (entries.length === 0 || entries.length > MAX_BATCH) {
      return this.#refuse(`a batch holds 1 to ${MAX_BATCH} messages`);
    }
    const share = Math.ceil(bytes / entries.length);
    for (const entry2 of entries) {
      if (this.#closing) return;
      if (Array.isArray(entry2)) this.#refuse("a batch holds no batches");
      else this.#receive(entry2, share);
    }
  }
  #onResponse(message) {
    const isAnswer = "id" in message || "result" in message || "error" in message;
    if (!isAnswer) return this.#refuse("a message is a call or an answer");
    if (message.id !== void 0 && this.#pending.settle(message)) return;
    this.#report({ code: "unknown_response", message: "An answer to no question of ours was dropped." });
  }
  #onCall(message, bytes) {
    const { method, id } = message;
    if (message.jsonrpc !== "2.0" || typeof method !== "string") return this.#refuse("it is no JSON-RPC 2.0 call");
    const isId = isRequestId(id) && (id !== null || this.#options.nullIds?.() !== false);
    if ("id" in message && !isId)
      return this.#refuse(
        `an id is a string of at most ${MAX_ID_LENGTH} characters, or an integer of at most ${MAX_ID_DIGITS} digits`
      );
    if (method === "$/cancel_request" && !("id" in message)) this.#onCancel(message.params);
    else if ("id" in message && this.#inbound.has(id)) this.#refuse("an open request has this id already");
    else this.#inbound.handle(message, bytes);
  }
  #onCancel(params) {
    const id = params?.requestId;
    if (isRequestId(id)) this.#inbound.abort(id, RpcError.requestCancelled());
  }
  /** Reports an invalid message. Sends one error answer without an id. */
  // V1-RPC-14, V1-RPC-15
  #refuse(details) {
    this.#report({ code: "invalid_message", message: `A message was refused: ${details}.` });
    this.#channel.send(respondError(null, RpcError.invalidRequest(details)));
  }
  #onInvalidLine(sample) {
    const shown3 = looksLikeMessage.test(sample) ? "(a part of a message, not shown)" : JSON.stringify(sample);
    this.#report({ code: "invalid_line", message: `The peer wrote a line that is no JSON: ${shown3}` });
    if (this.#options.invalidLines === "answer") this.#channel.send(respondError(null, RpcError.parseError("no JSON")));
  }
  #checkOutgoing(method, part2, value) {
    const contract = this.#options.validateOutgoing?.();
    if (contract === void 0 || !Object.hasOwn(contract, method)) return;
    const schema = contract[method]?.[part2];
    const checked = schema === void 0 ? { value } : checkOutgoing(schema, value);
    if ("issues" in checked) throw new InvalidMessageError(method, part2, checked.issues);
  }
  #onClosed(reason) {
    this.#reason = reason;
    this.#pending.failAll((method) => new ConnectionClosedError(method, reason));
    this.#inbound.abortAll(new ConnectionClosedError("The call ended", reason));
    return reason;
  }
};
var looksLikeMessage = /\{\s*"|"\s*:/;
var MAX_ID_LENGTH = 65536;
var MAX_ID = 10n ** BigInt(MAX_ID_DIGITS);
function isRequestId(id) {
  if (typeof id === "string") return id.length <= MAX_ID_LENGTH;
  if (typeof id === "bigint") return id < MAX_ID && id > -MAX_ID;
  return id === null || Number.isInteger(id);
}

// packages/transport/src/unknown-options.ts
var MAX_REPORTED = 20;
var MAX_NAME = 60;
function unknownOptions(call, options3, {
  known,
  others = {}
}) {
  if (typeof options3 !== "object" || options3 === null) return [];
  const prototype = Object.getPrototypeOf(options3);
  if (prototype !== Object.prototype && prototype !== null) return [];
  const unknown = Object.keys(options3).filter(
    (name) => options3[name] !== void 0 && !known.includes(name)
  );
  const all = [...known, ...Object.values(others).flat()];
  return unknown.slice(0, MAX_REPORTED).map((name) => {
    const owner = Object.keys(others).find((other) => others[other]?.includes(name));
    const near = nearest(name, all);
    const hint = near === void 0 ? "Remove it." : `Do you mean ${near}?`;
    const why = owner === void 0 ? `there is no such option. ${hint}` : `it is an option of ${owner}.`;
    return `The option ${name.slice(0, MAX_NAME)} of ${call} is not used: ${why}`;
  });
}
function printUnknownOptions(call, options3, known) {
  const report = reporter(void 0);
  for (const message of unknownOptions(call, options3, { known: Object.keys(known) })) {
    report({ code: "unused_option", message });
  }
}
function nearest(name, known) {
  if (name.length > MAX_NAME) return void 0;
  const ranked = known.map((one) => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) })).filter(({ one, far }) => far <= Math.max(one.length, name.length) / 3).sort((left, right) => left.far - right.far);
  return ranked[0]?.one ?? known.find((one) => one.length > 2 && name.toLowerCase().includes(one.toLowerCase()));
}
function distance(from, to) {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced3 = (row[at - 1] ?? 0) + (to[at - 1] === letter ? 0 : 1);
      next.push(Math.min(replaced3, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

// packages/session/src/bytes.ts
var HOLDER = 24;
var SLOT = 8;
var TEXT = 16;
var MOST = 268435456;
var held = /* @__PURE__ */ Symbol("held");
var counted = /* @__PURE__ */ new WeakMap();
function bytesOf(value) {
  if (typeof value === "string") return TEXT + 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  let bytes = 0;
  const open2 = [];
  for (let next = value; next !== void 0 && bytes < MOST; next = open2.pop()) {
    const holder = next;
    const known = holder[held];
    if (known !== void 0) {
      bytes += known;
      continue;
    }
    if (holder.length !== 0) bytes += HOLDER;
    if (Array.isArray(next)) {
      for (const item of next) {
        if (item === void 0) continue;
        bytes += SLOT;
        if (typeof item === "string") bytes += TEXT + 2 * item.length;
        else if (typeof item === "object" && item !== null) open2.push(item);
      }
      continue;
    }
    for (const key in holder) {
      const member = holder[key];
      if (member === void 0) continue;
      bytes += slotOf(key);
      if (typeof member === "string") bytes += TEXT + 2 * member.length;
      else if (typeof member === "object" && member !== null) open2.push(member);
    }
  }
  return bytes;
}
function grownBy(before, after) {
  const [old, now] = [before, after];
  let grown2 = 0;
  for (const key in now) {
    const member = now[key];
    const was = old[key];
    if (member !== was) grown2 += memberBytes(key, member) - memberBytes(key, was);
  }
  return grown2;
}
var countedBytes = (value) => counted.get(value) ?? bytesOf(value);
function countGrown(before, after, grown2) {
  const isOdd = !Array.isArray(after) && ("length" in before || "length" in after);
  counted.set(after, isOdd ? bytesOf(after) : countedBytes(before) + grown2);
  return after;
}
var slotOf = (key) => SLOT + (key.length > SLOT ? key.length : 0);
function memberBytes(key, value) {
  if (value === void 0) return 0;
  return slotOf(key) + (key === "_meta" ? countedBytes(value) : bytesOf(value));
}

// packages/session/src/patch.ts
var DEPTH = 64;
var META_KEYS = 1e3;
function same(left, right, depth = DEPTH) {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (depth === 0 || held in left || Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left)) return sameItems(left, right, depth - 1);
  const before = left;
  const after = right;
  let more = 0;
  for (const key in before) {
    if (!Object.hasOwn(after, key) || !same(before[key], after[key], depth - 1)) return false;
    more += 1;
  }
  for (const _ in after) more -= 1;
  return more === 0;
}
function sameItems(left, right, depth) {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (!same(left[at], right[at], depth)) return false;
  return true;
}
function kept(current, next) {
  return same(current, next) ? current : next;
}
function patchedMeta(current, patch) {
  if (patch === null) return void 0;
  if (typeof patch !== "object") return current;
  const before = current ?? {};
  const currentOf = (key) => Object.hasOwn(before, key) ? before[key] : void 0;
  const news = Object.keys(patch).filter((key) => !same(currentOf(key) ?? null, patch[key] ?? null));
  if (news.length === 0) return current;
  const gone = news.filter((key) => patch[key] == null).length;
  let room = META_KEYS - Object.keys(before).length + gone;
  const taken = news.filter((key) => patch[key] == null || Object.hasOwn(before, key) || room-- > 0);
  if (taken.length === 0) return current;
  const whole2 = { ...before, ...Object.fromEntries(taken.map((key) => [key, patch[key]])) };
  const next = gone === 0 ? whole2 : stated(whole2);
  if (gone > 0 && Object.keys(next).length === 0) return void 0;
  let grown2 = 0;
  for (const key of taken) grown2 += memberBytes(key, patch[key] ?? void 0) - memberBytes(key, currentOf(key));
  return countGrown(current ?? EMPTY, next, grown2);
}
function lacksKeys(meta2, patch) {
  if (meta2 === void 0 || typeof patch !== "object" || patch === null) return false;
  const isLacking = ([key, value]) => value != null && !Object.hasOwn(meta2, key);
  return Object.entries(patch).some(isLacking) && Object.keys(meta2).length >= META_KEYS;
}
var EMPTY = {};
function stated(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value != null));
}

// packages/session/src/codec/read.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var text = (value) => typeof value === "string" ? value : void 0;
var textOrNull = (value) => value === null ? null : text(value);
var required = (value) => typeof value === "string" ? value : "";
var number = (value) => typeof value === "number" && Number.isFinite(value) ? value : void 0;
var isMarked = (value) => isObject(value);
var mark2 = (offered2) => offered2 ? {} : void 0;
var meta = (value) => isObject(value) ? value : void 0;
var metaOrNull = (value) => value === null ? null : meta(value);
function list(value, item) {
  if (!Array.isArray(value)) return [];
  const read2 = value.map((one) => item(one)).filter((one) => one !== void 0);
  return read2.length === value.length && read2.every((one, at) => one === value[at]) ? value : read2;
}
var texts = (value) => Array.isArray(value) ? list(value, text) : void 0;
var part = (wire, key) => {
  const value = wire[key];
  return isObject(value) ? value : {};
};
function without(wire, drop) {
  if (!drop.some((key) => key in wire)) return wire;
  return Object.fromEntries(Object.entries(wire).filter(([key]) => !drop.includes(key)));
}
function compact(wire) {
  const out = {};
  for (const key in wire) if (wire[key] !== void 0 && key !== "__proto__") out[key] = wire[key];
  return out;
}

// packages/session/src/codec/shape.ts
// @__NO_SIDE_EFFECTS__
function shape(members) {
  let listed;
  return () => listed ??= listMembers(members);
}
var RULES = ["required", "nullable", "strict", "optional"];
function listMembers({ older = {}, ...members }) {
  const { nullable, optional } = members;
  const all = { ...members, optional: nullable?._meta ? optional : { ...optional, _meta: meta } };
  return RULES.flatMap(
    (rule) => Object.entries(all[rule] ?? {}).map(([name, read2]) => ({ name, older: older[name], rule, read: read2 }))
  );
}
function readShape(members, wire, into) {
  let read2 = into;
  for (const { name, older, rule, read: reader } of members()) {
    const isOld = older !== void 0 && older in wire && !(name in wire);
    const given = wire[isOld ? older : name];
    if (rule !== "required" && (given === void 0 || given === null && rule === "optional")) continue;
    const value = given === null && rule !== "required" ? null : reader(given, wire);
    if (value === void 0 && (rule === "required" || rule === "strict")) return `${name} does not read`;
    if (value === read2[name]) continue;
    if (read2 === wire) read2 = { ...wire };
    if (isOld) delete read2[older];
    if (value === void 0) delete read2[name];
    else read2[name] = value;
  }
  return read2;
}
// @__NO_SIDE_EFFECTS__
function record(members) {
  const known = /* @__PURE__ */ shape(members);
  return (wire) => {
    const read2 = isObject(wire) ? readShape(known, wire, wire) : "";
    return typeof read2 === "string" ? void 0 : read2;
  };
}
var own = (table, name) => typeof name === "string" && Object.hasOwn(table, name) ? table[name] : void 0;
// @__NO_SIDE_EFFECTS__
function tagged(kinds, tag = "type") {
  return (wire) => {
    if (!isObject(wire) || typeof wire[tag] !== "string") return void 0;
    const read2 = own(kinds, wire[tag]);
    return read2 === void 0 ? wire : read2(wire);
  };
}
// @__NO_SIDE_EFFECTS__
function listOf(read2) {
  return (value) => Array.isArray(value) ? list(value, read2) : void 0;
}
// @__NO_SIDE_EFFECTS__
function integer(least, most) {
  return (value) => {
    const read2 = value;
    return Number.isInteger(read2) && read2 >= (least ?? read2) && read2 <= (most ?? read2) ? read2 : void 0;
  };
}

// packages/session/src/codec/content.ts
var link = /* @__PURE__ */ record({ required: { uri: text }, optional: { mimeType: text } });
var resource = (value) => {
  const read2 = link(value);
  return read2 && (text(read2.text) ?? text(read2.blob)) !== void 0 ? read2 : void 0;
};
var annotations = /* @__PURE__ */ record({ optional: { audience: texts, lastModified: text, priority: number } });
var icons = /* @__PURE__ */ listOf(/* @__PURE__ */ record({ required: { src: text } }));
var size = /* @__PURE__ */ integer(0);
// @__NO_SIDE_EFFECTS__
function blockWith(required2) {
  const optional = { uri: text, title: text, description: text, mimeType: text, size, annotations, icons };
  return record({ required: required2, optional });
}
var media = /* @__PURE__ */ blockWith({ data: text, mimeType: text });
var block = /* @__PURE__ */ tagged({
  text: /* @__PURE__ */ blockWith({ text }),
  image: media,
  audio: media,
  resource_link: /* @__PURE__ */ blockWith({ uri: text, name: text }),
  resource: /* @__PURE__ */ blockWith({ resource })
});
function contentBlock(value) {
  const isPlain5 = isObject(value) && value.type === "text" && !("annotations" in value || "_meta" in value);
  return isPlain5 && typeof value.text === "string" ? value : block(value);
}

// packages/session/src/plan.ts
var DEFAULT_PLAN_ID = "main";

// packages/session/src/codec/updates.ts
var tokenUsage = /* @__PURE__ */ record({
  required: {
    totalTokens: /* @__PURE__ */ integer(0),
    inputTokens: /* @__PURE__ */ integer(0),
    outputTokens: /* @__PURE__ */ integer(0)
  },
  optional: {
    thoughtTokens: /* @__PURE__ */ integer(0),
    cachedReadTokens: /* @__PURE__ */ integer(0),
    cachedWriteTokens: /* @__PURE__ */ integer(0)
  }
});
function withStatus(event, { after }) {
  if (event.type !== "compaction_update" || event.status != null) return event;
  const entry2 = after.timeline.get(`compaction:${event.compactionId}`);
  return { ...event, status: entry2?.type === "compaction" ? entry2.status : "in_progress" };
}

// packages/session/src/codec/settings.ts
var command = /* @__PURE__ */ record({ required: { name: text, description: text } });
var input = /* @__PURE__ */ tagged({ text: /* @__PURE__ */ record({ required: { hint: text } }) });
// @__NO_SIDE_EFFECTS__
function commandBy(typed2) {
  const sorts = tagged({
    command: record({ optional: { input: (value) => input(typed2(value, "text")) } })
  });
  return (value) => sorts(typed2(command(value), "command"));
}
var option = /* @__PURE__ */ record({
  required: { configId: text, name: text },
  optional: { description: text, category: text },
  older: { configId: "id" }
});
var choice = /* @__PURE__ */ record({
  required: { value: text, name: text },
  optional: { description: text }
});
var group = /* @__PURE__ */ record({
  required: { groupId: text, name: text, options: (value) => list(value, choice) },
  older: { groupId: "group" }
});
var isGroup = (value) => isObject(value) && ("groupId" in value || "group" in value);
// @__NO_SIDE_EFFECTS__
function optionWith(least) {
  const sorts = tagged({
    boolean: record({ required: { currentValue: (value) => typeof value === "boolean" ? value : void 0 } }),
    select: record({
      required: {
        currentValue: text,
        options: (value) => {
          if (!Array.isArray(value) || value.length < least) return void 0;
          if (!value.some(isGroup)) return list(value, choice);
          return value.every(isGroup) ? list(value, group) : void 0;
        }
      }
    })
  });
  return (value) => sorts(option(value));
}

// packages/session/src/codec/v1/decode.ts
var configOption = /* @__PURE__ */ optionWith(0);
// @__NO_SIDE_EFFECTS__
function anyListOf(read2) {
  return (value) => value === void 0 ? void 0 : list(value, read2);
}

// packages/session/src/codec/v2/decode.ts
var readCommand = /* @__PURE__ */ commandBy(
  (value, type) => isObject(value) && value.type === void 0 ? { ...value, type } : value
);
var configOption2 = /* @__PURE__ */ optionWith(1);

// packages/session/src/change.ts
var ANOMALIES = 100;
var ABOUT_LENGTH = 100;
var SHARE = 16;
var UNREFUSED = /^(?:activity|lastTurn|internal|anomalies)$/;
function copyOf(state2) {
  const copy = {
    sessionId: state2.sessionId,
    cwd: state2.cwd,
    additionalDirectories: state2.additionalDirectories,
    title: state2.title,
    updatedAt: state2.updatedAt,
    _meta: state2._meta,
    timeline: state2.timeline,
    terminals: state2.terminals,
    plans: state2.plans,
    activity: state2.activity,
    lastTurn: state2.lastTurn,
    replaying: state2.replaying,
    history: state2.history,
    cancelling: state2.cancelling,
    closed: state2.closed,
    usage: state2.usage,
    availableCommands: state2.availableCommands,
    configOptions: state2.configOptions,
    pendingPermissions: state2.pendingPermissions,
    pendingElicitations: state2.pendingElicitations,
    subagents: state2.subagents,
    anomalies: state2.anomalies,
    bytes: state2.bytes,
    limits: state2.limits,
    internal: state2.internal
  };
  return copy;
}
function changed(state2, change) {
  let next = state2;
  for (const member in change) {
    const was = state2[member];
    const is = change[member];
    if (same(was, is)) continue;
    const bytes = countedBytes(is);
    const isTooLarge2 = bytes > state2.limits.stateBytes / SHARE && !UNREFUSED.test(member);
    if (isTooLarge2 && is[held] === void 0) {
      next = noted(next, "too large to keep", member);
      continue;
    }
    const copy = copyOf(next);
    copy[member] = is;
    if (member !== "anomalies") copy.bytes += bytes - countedBytes(was);
    next = copy;
  }
  return next;
}
function withItems(state2, list3, items) {
  const next = copyOf(state2);
  next.bytes += items[held] - state2[list3][held];
  next[list3] = items;
  return next;
}
function remember(state2, change) {
  const { internal } = state2;
  for (const member in change) {
    if (same(internal[member], change[member])) continue;
    const next = copyOf(state2);
    next.internal = { ...internal, ...change };
    next.bytes += grownBy(internal, change);
    return next;
  }
  return state2;
}
var isLarge = (state2, fact) => bytesOf(fact) > state2.limits.stateBytes / SHARE;
function noted(state2, what, about) {
  const anomaly = typeof about === "string" ? { what, about: about.slice(0, ABOUT_LENGTH) } : { what };
  return withAnomalies(state2, [anomaly]);
}
function withAnomalies(state2, more) {
  return changed(state2, { anomalies: [...state2.anomalies, ...more.slice(-ANOMALIES)].slice(-ANOMALIES) });
}
function withKeysNoted(state2, meta2, patch) {
  return lacksKeys(meta2, patch) ? noted(state2, "metadata has too many keys to keep all") : state2;
}

// packages/session/src/text-page.ts
var SLOTS = 63;
var EMPTY2 = 640;
var BLOCKS = 5120;
var CONTENTS = 9600;
var LONG = 32768;
function packed(items) {
  const inContent = hasOnly(items[0], "content");
  const texts2 = [];
  for (const item of items) {
    if (inContent && !hasOnly(item, "content")) return void 0;
    const block2 = inContent ? item.content : item;
    if (!hasOnly(block2, "text") || typeof block2.text !== "string") return void 0;
    texts2.push(block2.text);
  }
  let end = 0;
  const ends = texts2.map((text2) => {
    end += text2.length;
    return end;
  });
  return { text: end > LONG ? texts2 : texts2.join(""), ends, inContent };
}
function pieceAt({ text: text2, ends, inContent }, slot) {
  const own2 = typeof text2 === "string" ? text2.slice(ends[slot - 1] ?? 0, ends[slot]) : text2[slot];
  const piece = { type: "text", text: own2 };
  return inContent ? { type: "content", content: piece } : piece;
}
var bytesOfPage = (page) => Array.isArray(page) ? 0 : EMPTY2 + 2 * page.ends[SLOTS];
var savedBy = ({ inContent }) => (inContent ? CONTENTS : BLOCKS) - EMPTY2;
function hasOnly(value, type) {
  const members = value;
  for (const member in members) if (member !== "type" && member !== type && members[member] !== void 0) return false;
  return members?.type === type;
}

// packages/session/src/vector.ts
var BITS = 6;
var arrays = /* @__PURE__ */ new WeakMap();
var Vector = class _Vector {
  length;
  #line;
  #last;
  constructor(line, length = 0, last, bytes = 0) {
    this.#line = line;
    this.length = length;
    this.#last = last;
    this[held] = bytes;
  }
  /** Returns an object that lists share if each is the beginning of the next. */
  get line() {
    return this.#line;
  }
  at(index) {
    const position = index < 0 ? index + this.length : index;
    if (position === this.length - 1) return this.#last;
    if (!(position >= 0 && position < this.length)) return void 0;
    return itemOf(this.#line.pages[position >> BITS], position & SLOTS);
  }
  indexOf(key) {
    const { naming, positions } = this.#line;
    const position = positions?.get(key) ?? -1;
    const item = position < 0 ? void 0 : this.at(position);
    return item !== void 0 && naming?.names(item).includes(key) ? position : -1;
  }
  get(key) {
    const position = this.indexOf(key);
    return position < 0 ? void 0 : this.at(position);
  }
  has(key) {
    return this.indexOf(key) >= 0;
  }
  push(item) {
    const weigh = this.#line.naming?.weigh ?? bytesOf;
    return this.pushAll([item], weigh(item)).#named(this.length, item);
  }
  /**
   * Returns the list with several more items, which have a size of `grown` bytes in total. Their keys are not added.
   */
  pushAll(items, grown2) {
    let { length } = this;
    let line = this.#line;
    let last = this.#last;
    let bytes = this[held] + grown2;
    for (const item of items) {
      line = length === 0 ? lineFor(line.naming) : extended(line, length - 1, last);
      bytes -= line.saved;
      last = item;
      length++;
    }
    return new _Vector(line, length, last, bytes);
  }
  /**
   * Replaces the item at a position. `grown` is the change of its size in bytes, if it is known and the keys are the
   * same.
   */
  set(position, item, grown2) {
    const { length } = this;
    const isLast = position === length - 1;
    const line = isLast ? this.#line : replaced(this.#line, length - 1, position, item);
    const more = grown2 ?? bytesOf(item) - bytesOf(this.at(position));
    const next = new _Vector(line, length, isLast ? item : this.#last, this[held] + more);
    return grown2 === void 0 ? next.#named(position, item) : next;
  }
  /**
   * Returns the list without its oldest pages of text if these pages exceed `most` bytes. At least three quarters of
   * `most` stay.
   */
  withoutOldText(most) {
    const line = this.#line;
    if (line.saved === 0 || this[held] <= most) return this;
    let text2 = 0;
    for (const page of line.pages) text2 += bytesOfPage(page);
    if (text2 <= most) return this;
    let left = text2;
    const pages = line.pages.filter((page) => {
      const bytes = bytesOfPage(page);
      if (bytes === 0 || left <= most * 3 / 4 || left === bytes) return true;
      left -= bytes;
      return false;
    });
    const gone = line.pages.length - pages.length << BITS;
    const shorter = lineLike(line, pages, line.length - gone);
    return gone === 0 ? this : new _Vector(shorter, this.length - gone, this.#last, this[held] - text2 + left);
  }
  /** Returns a new list of other items with the same rules for keys. */
  of(items) {
    let next = new _Vector(this.#line);
    for (const item of items) next = next.push(item);
    return next;
  }
  toArray() {
    const known = arrays.get(this) ?? Object.freeze([...this]);
    arrays.set(this, known);
    return known;
  }
  toJSON() {
    return this.toArray();
  }
  *[Symbol.iterator]() {
    for (let position = 0; position < this.length; position++) yield this.at(position);
  }
  /**
   * Returns the list with the keys of one item added. If another list of the same line uses one of these keys for
   * another position, all keys are added to a new line.
   */
  #named(position, item) {
    if (claim(this.#line, position, item)) return this;
    const line = { ...forked(this.#line, this.length - 1), positions: /* @__PURE__ */ new Map() };
    let at = 0;
    for (const each of this) claim(line, at++, each);
    return new _Vector(line, this.length, this.#last, this[held]);
  }
};
function lineFor(naming) {
  return lineLike({ naming, positions: naming && /* @__PURE__ */ new Map() }, [], 0);
}
function lineLike({ naming, positions }, pages, length) {
  return { pages, length, saved: 0, naming, positions };
}
function claim({ naming, positions }, position, item) {
  for (const name of naming?.names(item) ?? []) {
    const known = positions?.get(name);
    if (known === void 0) positions?.set(name, position);
    else if (known !== position) return false;
  }
  return true;
}
function extended(line, position, item) {
  const next = line.length === position ? line : forked(line, position);
  const at = position >> BITS;
  const page = next.pages[at] ?? [];
  page.push(item);
  const text2 = page.length > SLOTS && line.naming === void 0 ? packed(page) : void 0;
  next.pages[at] = text2 ?? page;
  next.saved = text2 === void 0 ? 0 : savedBy(text2);
  next.length++;
  return next;
}
function replaced(line, length, position, item) {
  const pages = line.pages.slice(0, (length >> BITS) + 1);
  const page = itemsOf(pages[position >> BITS], SLOTS + 1);
  page[position & SLOTS] = item;
  pages[position >> BITS] = page;
  return lineLike(line, pages, -1);
}
function forked(line, length) {
  const pages = line.pages.slice(0, length >> BITS);
  const rest = length & SLOTS;
  if (rest > 0) pages.push(itemsOf(line.pages[length >> BITS], rest));
  return lineLike(line, pages, length);
}
var itemOf = (page, slot) => page === void 0 || Array.isArray(page) ? page?.[slot] : pieceAt(page, slot);
var itemsOf = (page, length) => Array.isArray(page) ? page.slice(0, length) : Array.from({ length }, (_, slot) => pieceAt(page, slot));

// packages/session/src/persistent-list.ts
var EMPTY3 = /* @__PURE__ */ new Vector(/* @__PURE__ */ lineFor());
function emptySequence() {
  return EMPTY3;
}
function sequenceOf(items) {
  return EMPTY3.of(items);
}
function append(sequence, item) {
  return sequence.push(item);
}
function appendAll(sequence, items, bytes) {
  return sequence.pushAll(items, bytes);
}
function withoutOldText(sequence, most) {
  return sequence.withoutOldText(most);
}

// packages/session/src/keyed-list.ts
function keyedOf(naming, items = []) {
  return new Vector(lineFor(naming)).of(items);
}
function keyedBy(member) {
  return keyedOf({ names: (item) => [item[member]] });
}
function filtered(keyed, keep) {
  return keyed.of([...keyed].filter(keep));
}

// packages/session/src/timeline.ts
var messageKey = (role, messageId) => `${role}:${messageId}`;
var promptKey = (promptId) => `prompt:${promptId}`;
var toolCallKey = (toolCallId) => `tool_call:${toolCallId}`;
var entryNaming = {
  names: (entry2) => entry2.type === "message" && entry2.prompt !== void 0 && entry2.messageId !== void 0 ? [entry2.key, messageKey(entry2.role, entry2.messageId)] : [entry2.key],
  // The entry that counts the dropped entries must fit into any bound.
  weigh: (entry2) => entry2.type === "trimmed" ? 0 : bytesOf(entry2)
};
var COMPLETE = { openMessage: void 0 };
function withEntry(state2, entry2, grown2) {
  const timeline = state2.timeline;
  const last = timeline.at(-1);
  const position = last?.key === entry2.key ? timeline.length - 1 : timeline.indexOf(entry2.key);
  if (position >= 0 && timeline.at(position) === entry2) return state2;
  const after = position < 0 ? timeline.push(entry2) : timeline.set(position, entry2, grown2);
  const next = copyOf(state2);
  next.timeline = after;
  next.bytes += after[held] - timeline[held];
  return next;
}
function withNew(state2, entry2, memory2 = COMPLETE) {
  return remember(withEntry(state2, entry2), memory2);
}
function withNumbered(state2, entry2) {
  const serial = state2.internal.serial + 1;
  return withNew(state2, { ...entry2, key: `${entry2.type}:#${serial}` }, { serial });
}
function withUnknown(state2, raw, reason, at) {
  return withNumbered(state2, { type: "unknown", raw, reason, at });
}

// packages/session/src/create-session-state.ts
var MIB = 1048576;
var finite = (bound) => Math.min(bound, Number.MAX_SAFE_INTEGER);
var noEntries = /* @__PURE__ */ keyedOf(entryNaming);
var noTerminals = /* @__PURE__ */ keyedBy("terminalId");
var noPlans = /* @__PURE__ */ keyedBy("planId");
var noSubagents = /* @__PURE__ */ keyedBy("sessionId");
function createSessionState({
  stateBytes = 64 * MIB,
  entryBytes = MIB,
  terminalBytes = MIB
} = {}) {
  const most = finite(stateBytes);
  return copyOf({
    additionalDirectories: [],
    timeline: noEntries,
    terminals: noTerminals,
    plans: noPlans,
    activity: { state: "idle", origin: "request" },
    replaying: false,
    cancelling: false,
    closed: false,
    pendingPermissions: [],
    pendingElicitations: [],
    subagents: noSubagents,
    anomalies: [],
    bytes: 0,
    limits: {
      stateBytes: most,
      entryBytes: Math.min(entryBytes, most / 2),
      terminalBytes: finite(terminalBytes)
    },
    internal: {
      openMessage: void 0,
      stateReported: false,
      updatedLists: { commands: false, options: false },
      serial: 0,
      unechoed: [],
      openTurns: [],
      earlyMode: void 0
    }
  });
}

// packages/session/src/metadata.ts
var TARGETS = /* @__PURE__ */ new Map([
  ["terminal_update", ["terminals", "terminalId", ""]],
  ["subagent_update", ["subagents", "sessionId", ""]],
  ["tool_call_update", ["timeline", "toolCallId", "tool_call:"]],
  ["compaction_update", ["timeline", "compactionId", "compaction:"]],
  ["session_message", ["timeline", "messageId", "session_message:"]],
  ["user_message", ["timeline", "messageId", "user:"]],
  ["agent_message", ["timeline", "messageId", "agent:"]],
  ["agent_thought", ["timeline", "messageId", "thought:"]]
]);
function metadataAbout(state2, event) {
  if (event.type === "session_info_update") return state2._meta;
  const target = TARGETS.get(event.type);
  if (target === void 0) return void 0;
  const [list3, id, prefix] = target;
  const patched = state2[list3].get(`${prefix}${event[id]}`);
  return patched?._meta;
}

// packages/session/src/settings.ts
var selectOf = (options3, category) => options3.find((option2) => option2.category === category && option2.type === "select");
var choicesOf = ({ options: options3 }) => options3.flatMap((choice2) => "groupId" in choice2 ? choice2.options : [choice2]);

// packages/session/src/entry-bound.ts
function withinEntryBound(entry2, list3, { limits }) {
  const items = entry2[list3];
  const left = withoutOldText(items, limits.entryBytes);
  return left === items ? entry2 : shortened(entry2, list3, left);
}
function shortened(entry2, list3, left, others = []) {
  const { [list3]: items, dropped = { items: 0, bytes: 0 } } = entry2;
  const lost = {
    items: dropped.items + items.length - left.length + others.length,
    bytes: dropped.bytes + bytesOf(items) - bytesOf(left) + bytesOf(others)
  };
  return { ...entry2, [list3]: left, dropped: lost };
}

// packages/session/src/entity.ts
var NO_LISTS = { __proto__: null };
var APART = /* @__PURE__ */ new Set([
  "__proto__",
  "type",
  "key",
  "at",
  "extra",
  "role",
  "prompt",
  "dropped",
  "text",
  "textBytes",
  "droppedBytes",
  "pendingBytes"
]);
function patchedBy(entity, patch, { fresh = {}, lists = NO_LISTS } = {}) {
  const before = entity;
  let next;
  for (const member in patch) {
    const said = patch[member];
    if (said === void 0 || APART.has(member)) continue;
    const current = before[member];
    const fits2 = lists[member];
    const value = member === "_meta" ? patchedMeta(current, said) : fits2 ? replacedList(current, said, fits2) : kept(current, said ?? fresh[member]);
    if (value === current) continue;
    next ??= { ...before };
    next[member] = value;
    if (fits2 && before.type !== "tool_call") next.dropped = void 0;
  }
  return next ?? entity;
}
function replacedList(current, said, fits2) {
  if (!Array.isArray(said) && said !== null) return current;
  const items = (said ?? []).filter(fits2);
  if (Array.isArray(current)) return kept(current, items);
  const sequence = current;
  let next = emptySequence();
  let differs = items.length !== sequence.length;
  for (const item of items) {
    const before = sequence.at(next.length);
    const stays = same(before, item);
    differs ||= !stays;
    next = append(next, stays ? before : item);
  }
  return differs ? next : current;
}
var hasPath = (value) => typeof value?.path === "string";
function isContentBlock(value) {
  const block2 = value;
  return typeof block2?.type === "string" && (block2.type !== "text" || typeof block2.text === "string");
}
function isToolCallContent(value) {
  const item = value;
  if (typeof item?.type !== "string") return false;
  if (item.type === "content") return isContentBlock(item.content);
  if (item.type === "diff") return Array.isArray(item.changes) && item.changes.every(hasPath);
  return item.type !== "terminal" || typeof item.terminalId === "string";
}

// packages/session/src/kind.ts
var TOOL_CALL = {
  list: "timeline",
  id: "toolCallId",
  fresh: {
    type: "tool_call",
    key: "",
    toolCallId: "",
    name: void 0,
    title: void 0,
    kind: "other",
    status: "pending",
    cancelledLocally: void 0,
    content: /* @__PURE__ */ emptySequence(),
    locations: [],
    rawInput: void 0,
    rawOutput: void 0,
    capabilities: void 0,
    dropped: void 0,
    _meta: void 0,
    at: void 0
  },
  lists: { __proto__: null, content: isToolCallContent, locations: hasPath }
};
var COMPACTION = {
  list: "timeline",
  id: "compactionId",
  fresh: { type: "compaction", status: "in_progress", summary: /* @__PURE__ */ emptySequence() },
  lists: { __proto__: null, summary: isContentBlock }
};
var SESSION_MESSAGE_KIND = {
  list: "timeline",
  id: "messageId",
  fresh: { type: "session_message", content: /* @__PURE__ */ emptySequence() },
  lists: { __proto__: null, content: isContentBlock }
};
var TERMINAL = {
  list: "terminals",
  id: "terminalId",
  most: 1e3,
  surplus: 250,
  fresh: { text: "", textBytes: 0, droppedBytes: 0, pendingBytes: [] }
};
var PLAN = { list: "plans", id: "planId", most: 100, surplus: 1 };
var SUBAGENT = { list: "subagents", id: "sessionId", most: 1024, surplus: 256 };
function upserted(state2, event, kind, change) {
  const { list: list3, id, fresh } = kind;
  const name = event[id];
  const isEntry = list3 === "timeline";
  const items = state2[list3];
  const last = items.at(-1);
  const isLast = last?.[id] === name && last?.type === fresh?.type;
  const key = isEntry && !isLast ? `${fresh.type}:${name}` : name;
  const position = isLast ? items.length - 1 : items.indexOf(key);
  if (position >= 0) {
    const before = items.at(position);
    const after = change(before);
    if (after === before) return state2;
    const grown2 = kind === PLAN ? void 0 : grownBy(before, after);
    return withItems(state2, list3, items.set(position, after, grown2));
  }
  const made = { ...fresh };
  made[id] = name;
  if (isEntry) {
    made.key = key;
    made.at = event.at;
  }
  const next = withNewItem(state2, change(made), kind);
  return isEntry ? remember(next, COMPLETE) : next;
}
function withNewItem(state2, item, kind) {
  const { list: list3, most = Number.POSITIVE_INFINITY } = kind;
  const items = state2[list3];
  const isFull = items.length >= most;
  const room = isFull ? items.of([...items].slice(kind.surplus)) : items;
  const next = withItems(state2, list3, room.push(item));
  return isFull ? noted(next, `more than ${most} ${list3}`) : next;
}
function patchKind(state2, event, kind, patch = (known) => patchedBy(known, event, kind)) {
  let meta2;
  const next = upserted(state2, event, kind, (known) => {
    const after = patch(known);
    meta2 = after._meta;
    return after;
  });
  return withKeysNoted(next, meta2, event._meta);
}
function addToKind(state2, event, kind) {
  const [list3] = Object.keys(kind.lists);
  return upserted(state2, event, kind, (known) => {
    const grown2 = { ...known, [list3]: append(known[list3], event.content) };
    return kind === TOOL_CALL ? grown2 : withinEntryBound(grown2, list3, state2);
  });
}

// packages/session/src/slice/tool-calls.ts
function isFinal(status) {
  return status === "completed" || status === "failed" || status === "cancelled";
}
function foldToolCall(state2, patch) {
  let isReopened = false;
  const next = patchKind(state2, patch, TOOL_CALL, (before) => {
    const isNews = before.cancelledLocally && patch.status !== void 0;
    const after = patchedBy(before, isNews ? { ...patch, cancelledLocally: null } : patch, TOOL_CALL);
    isReopened = !isNews && isFinal(before.status) && !isFinal(after.status);
    return after;
  });
  return isReopened ? noted(next, "a finished tool call was reopened", patch.toolCallId) : next;
}
function cancelToolCalls(state2) {
  const background = /* @__PURE__ */ new Set();
  for (const work of state2.activity.background ?? []) if (work.type === "tool_call") background.add(work.toolCallId);
  return changeToolCalls(state2, (entry2) => {
    if (isFinal(entry2.status) || background.has(entry2.toolCallId)) return entry2;
    return { ...entry2, status: "cancelled", cancelledLocally: { reported: entry2.status } };
  });
}
function uncancelToolCalls(state2) {
  if (!state2.cancelling) return state2;
  return changeToolCalls(
    state2,
    (entry2) => entry2.cancelledLocally ? { ...entry2, status: entry2.cancelledLocally.reported, cancelledLocally: void 0 } : entry2
  );
}
function changeToolCalls(state2, change) {
  let next = state2;
  for (const entry2 of state2.timeline) if (entry2.type === "tool_call") next = withEntry(next, change(entry2));
  return next;
}

// packages/session/src/bound.ts
var STEPS = [
  // Notices do not belong to the conversation.
  ["timeline", (entry2) => entry2.type === "notice" ? void 0 : entry2],
  ["timeline", (entry2, state2) => isDisposable(entry2, state2) ? void 0 : entry2],
  ["timeline", withoutContent],
  ["terminals", (terminal) => terminal.exitStatus === void 0 ? terminal : withoutText(terminal)],
  ["terminals", withoutText],
  ["timeline", () => void 0]
];
function withinBound(state2) {
  const goal = Math.floor(state2.limits.stateBytes * 3 / 4);
  let next = state2;
  for (const [list3, ease] of STEPS) if (next.bytes > goal) next = eased(next, list3, next.bytes - goal, ease);
  return next.bytes > goal ? withoutRest(next) : next;
}
function isDisposable(entry2, { timeline, internal }) {
  if (entry2 === timeline.at(-1) || entry2.key === internal.openMessage) return false;
  if (entry2.type === "tool_call") return isFinal(entry2.status);
  if (entry2.type === "compaction") return entry2.status !== "in_progress";
  return entry2.type !== "message" || entry2.prompt?.status !== "sent";
}
function eased(state2, list3, excess, ease) {
  const items = state2[list3];
  const head = items.at(0);
  const counted2 = {
    type: "trimmed",
    key: "trimmed",
    messages: 0,
    toolCalls: 0,
    others: 0,
    bytes: 0,
    ...head?.type === "trimmed" && head
  };
  let left = excess;
  const stay = [...items].flatMap((item) => {
    const { type } = item;
    if (type === "trimmed") return [];
    const after = left > 0 ? ease(item, state2) : item;
    const freed = after === item ? 0 : bytesOf(item) - bytesOf(after);
    left -= freed;
    if (after !== void 0) return [after];
    counted2.bytes += freed;
    counted2[type === "message" ? "messages" : type === "tool_call" ? "toolCalls" : "others"]++;
    return [];
  });
  if (left === excess) return state2;
  return withItems(state2, list3, items.of(counted2.bytes > 0 ? [counted2, ...stay] : stay));
}
function withoutContent(entry2) {
  const list3 = entry2.type === "compaction" ? "summary" : "content";
  const { [list3]: items, rawInput, rawOutput } = entry2;
  const raws = [rawInput, rawOutput].filter((raw) => raw !== void 0);
  if (!items?.length && raws.length === 0) return entry2;
  const bare = shortened(entry2, list3, emptySequence(), raws);
  return raws.length > 0 ? { ...bare, rawInput: void 0, rawOutput: void 0 } : bare;
}
function withoutText(terminal) {
  if (terminal.textBytes === 0) return terminal;
  return { ...terminal, text: "", textBytes: 0, droppedBytes: terminal.droppedBytes + terminal.textBytes };
}
function withoutRest(state2) {
  const { terminals, plans, subagents, activity, lastTurn, pendingPermissions, pendingElicitations, internal } = createSessionState();
  const { stateReported, serial } = state2.internal;
  const fresh = { terminals, plans, subagents, activity, lastTurn, pendingPermissions, pendingElicitations };
  const empty3 = remember(changed(state2, fresh), { ...internal, stateReported, serial });
  return noted(empty3, "too little room for what is no conversation");
}

// packages/session/src/slice/message-entry.ts
function messageEntry(entry2, { content, messageId, prompt: prompt3 }) {
  const next = {
    type: "message",
    key: entry2.key,
    role: entry2.role,
    messageId: messageId ?? entry2.messageId,
    content: content ?? entry2.content,
    prompt: prompt3 ?? entry2.prompt,
    dropped: entry2.dropped,
    _meta: entry2._meta,
    chunkMeta: entry2.chunkMeta,
    at: entry2.at
  };
  return next;
}

// packages/session/src/slice/prompts.ts
var UNECHOED = 100;
var promptOf = ({ timeline }, promptId) => timeline.get(promptKey(promptId));
function foldPromptSent(state2, { promptId, content, at, idempotencyKey }) {
  const known = promptOf(state2, promptId);
  const keyed = idempotencyKey === void 0 ? void 0 : { idempotencyKey };
  const sent = { promptId, status: "sent", ...keyed };
  if (known !== void 0) {
    const isAttempt = keyed !== void 0 && known.prompt.idempotencyKey === idempotencyKey;
    if (!isAttempt) return noted(state2, "prompt sent twice", promptId);
    if (known.prompt.status !== "failed") return state2;
    const unechoed2 = [...state2.internal.unechoed.slice(1 - UNECHOED), known.key];
    return remember(withEntry(state2, { ...known, prompt: sent }), { unechoed: unechoed2 });
  }
  const key = promptKey(promptId);
  const shown3 = sequenceOf(content.filter(isContentBlock));
  const entry2 = messageEntry({ key, role: "user", at }, { content: shown3, prompt: sent });
  const unechoed = [...state2.internal.unechoed.slice(1 - UNECHOED), key];
  return withNew(state2, entry2, { openMessage: void 0, unechoed });
}
function foldPromptAccepted(state2, { promptId, messageId: named2 }) {
  const entry2 = promptOf(state2, promptId);
  if (entry2 === void 0) return state2;
  const messageId = typeof named2 === "string" ? named2 : entry2.messageId;
  if (entry2.messageId !== void 0 && messageId !== entry2.messageId) {
    return noted(state2, "prompt accepted under another id than its echo had", messageId);
  }
  const prompt3 = { ...entry2.prompt, status: "accepted" };
  const echo = messageId === void 0 ? entry2 : state2.timeline.get(messageKey("user", messageId)) ?? entry2;
  if (echo === entry2) {
    const grown2 = messageId === entry2.messageId ? bytesOf(prompt3) - bytesOf(entry2.prompt) : void 0;
    return grown2 === 0 ? state2 : withEntry(state2, messageEntry(entry2, { messageId, prompt: prompt3 }), grown2);
  }
  const next = without2(withEntry(state2, { ...echo, prompt: prompt3 }), entry2);
  return expectingNoEcho(next, entry2.key);
}
function foldPromptFailed(state2, { promptId, error }) {
  const entry2 = promptOf(state2, promptId);
  if (entry2 === void 0) return state2;
  const next = withEntry(state2, { ...entry2, prompt: { ...entry2.prompt, status: "failed", error } });
  return expectingNoEcho(next, entry2.key);
}
function settlePrompt(state2, promptId) {
  if (promptOf(state2, promptId)?.prompt.status === "failed") return state2;
  return expectingNoEcho(foldPromptAccepted(state2, { promptId }), promptKey(promptId));
}
var isLocal = ({ internal }, { key }) => internal.unechoed.includes(key);
function unechoedPrompt({ internal, timeline }) {
  const prompts = internal.unechoed.map((key) => timeline.get(key));
  return prompts.find((entry2) => entry2 !== void 0 && entry2.messageId === void 0);
}
function withEcho(state2, entry2, messageId, content = entry2.content) {
  const prompt3 = { ...entry2.prompt, status: "accepted" };
  const merged = messageEntry(entry2, { messageId, content, prompt: prompt3 });
  const next = inAgentsOrder(expectingNoEcho(withEntry(state2, merged), entry2.key), merged);
  return remember(next, { openMessage: messageId === void 0 ? entry2.key : void 0 });
}
function inAgentsOrder(state2, echoed) {
  const timeline = state2.timeline;
  if (!state2.internal.stateReported) return state2;
  const start = timeline.indexOf(echoed.key);
  const prompts = [echoed];
  const others = [];
  let end = start + 1;
  for (; end < timeline.length; end++) {
    const entry2 = timeline.at(end);
    const waits = entry2.type === "message" && isLocal(state2, entry2);
    if (waits && entry2.messageId !== void 0) break;
    (waits || isRefused(entry2) ? prompts : others).push(entry2);
  }
  if (others.length === 0) return state2;
  const all = timeline.toArray();
  return changed(state2, { timeline: timeline.of([...all.slice(0, start), ...others, ...prompts, ...all.slice(end)]) });
}
var isRefused = (entry2) => entry2.type === "message" && entry2.prompt?.status === "failed" && entry2.messageId === void 0;
function without2(state2, entry2) {
  return changed(state2, { timeline: filtered(state2.timeline, (other) => other !== entry2) });
}
function expectingNoEcho(state2, key) {
  if (!state2.internal.unechoed.includes(key)) return state2;
  return remember(state2, { unechoed: state2.internal.unechoed.filter((other) => other !== key) });
}

// packages/session/src/slice/activity.ts
var CANCELLED = -32800;
var OPEN_TURNS = 100;
var KNOWN = ["idle", "running", "requires_action"];
function foldStateUpdate(state2, event) {
  const { activity: before, replaying, lastTurn } = state2;
  const activity = activityOf(event, before);
  const { stopReason, error, usage } = activity;
  const next = remember(changed(state2, { activity }), { stateReported: true });
  if (activity.state !== "idle") return next;
  const unseen = before.origin === "request" && stopReason !== void 0 && hasPrompt(state2);
  const ends = !replaying && (before.state !== "idle" || unseen);
  return changed(uncancelToolCalls(next), {
    lastTurn: ends ? { stopReason, error, usage } : lastTurn,
    cancelling: false
  });
}
function hasPrompt({ timeline }) {
  return [...timeline].some((entry2) => entry2.type === "message" && entry2.prompt && entry2.prompt.status !== "failed");
}
function activityOf(event, before) {
  const { state: state2, stopReason, error, usage } = event;
  const background = Array.isArray(event.background) ? event.background : void 0;
  const report = { state: state2, origin: event.isMirrored ? "mirrored" : "reported", background };
  if (KNOWN.includes(state2)) return stated({ ...report, stopReason, error, usage });
  const lastKnown = KNOWN.includes(before.state) ? before.state : before.lastKnown;
  const isUnobserved = state2 === "unknown";
  return stated({ ...report, lastKnown, background: isUnobserved ? background : void 0 });
}
function foldTurnStarted(state2, { promptId }) {
  const { openTurns, stateReported } = state2.internal;
  if (openTurns.includes(promptId)) return state2;
  const next = remember(state2, { openTurns: [...openTurns.slice(1 - OPEN_TURNS), promptId], ...COMPLETE });
  return stateReported ? next : changed(next, { activity: { state: "running", origin: "request" } });
}
function foldTurnEnded(state2, event) {
  const { promptId, error } = event;
  const openTurns = state2.internal.openTurns.filter((open2) => promptId !== void 0 && open2 !== promptId);
  const failed2 = error && (state2.cancelling && error.code === CANCELLED ? "cancelled" : "error");
  const end = stated({ stopReason: event.stopReason ?? failed2, error, usage: event.usage });
  let next = remember(state2, { openTurns, ...COMPLETE });
  if (promptId !== void 0) next = settlePrompt(next, promptId);
  if (state2.internal.stateReported) return next;
  const lastTurn = { promptId, ...end };
  if (openTurns.length > 0) return changed(next, { lastTurn });
  if (end.stopReason === "cancelled") next = cancelToolCalls(next);
  return changed(next, { lastTurn, activity: { state: "idle", origin: "request", ...end }, cancelling: false });
}
function foldCancelAsked(state2) {
  const isWorking = state2.activity.state !== "idle" || state2.internal.openTurns.length > 0;
  return changed(cancelToolCalls(state2), { cancelling: state2.cancelling || isWorking });
}
function foldSessionClosed(state2) {
  const { activity } = state2;
  const next = changed(state2, {
    closed: true,
    cancelling: false,
    replaying: false,
    pendingPermissions: [],
    pendingElicitations: [],
    activity: activity.state === "idle" ? activity : { state: "idle", origin: activity.origin }
  });
  return remember(next, { openTurns: [], unechoed: [], ...COMPLETE });
}

// packages/session/src/slice/messages.ts
var EMPTY4 = /* @__PURE__ */ emptySequence();
var MESSAGE = { fresh: { content: EMPTY4 }, lists: { __proto__: null, content: isContentBlock } };
function foldChunk(state2, event, role) {
  const block2 = event.content;
  const known = messageOf(state2, event, role);
  const isGrowing = known !== void 0 && !isLocal(state2, known);
  const next = isGrowing ? state2 : withMessage(state2, event, role, EMPTY4);
  const entry2 = isGrowing ? known : messageOf(next, event, role);
  const content = append(entry2.content, block2);
  const grown2 = messageEntry(entry2, { content });
  const bounded = withinEntryBound(grown2, "content", state2);
  return withEntry(
    next,
    bounded,
    bounded === grown2 ? bytesOf(content) - bytesOf(entry2.content) : grownBy(entry2, bounded)
  );
}
var ROLES = /* @__PURE__ */ new Map([
  ["agent_message_chunk", "agent"],
  ["agent_thought_chunk", "thought"],
  ["user_message_chunk", "user"]
]);
var ChunkRun = class _ChunkRun {
  #first;
  #entry;
  #state;
  #blocks = [];
  #room;
  #bytes = 0;
  constructor(state2, first, entry2) {
    this.#state = state2;
    this.#first = first;
    this.#entry = entry2;
    const { stateBytes, entryBytes } = state2.limits;
    this.#room = Math.min(stateBytes - state2.bytes, entryBytes - bytesOf(entry2.content));
  }
  /**
   * Returns a run that continues the chunk that was reduced last. Returns `undefined` if the state does not end with
   * this chunk.
   */
  static after(state2, event) {
    try {
      const role = ROLES.get(event?.type);
      if (role === void 0) return void 0;
      const chunk3 = event;
      const entry2 = messageOf(state2, chunk3, role);
      const isOpen = entry2 !== void 0 && entry2 === state2.timeline.at(-1) && !isLocal(state2, entry2);
      return isOpen ? new _ChunkRun(state2, chunk3, entry2) : void 0;
    } catch {
      return void 0;
    }
  }
  /**
   * Adds the event if it belongs to the run, and returns `true`. Returns `false` if it does not belong, or if the state
   * or message would exceed its bound.
   */
  takes(event) {
    try {
      const { type, messageId, content } = event ?? {};
      if (type !== this.#first.type || messageId !== this.#first.messageId || !isContentBlock(content)) return false;
      const bytes = this.#bytes + bytesOf(content);
      if (bytes > this.#room) return false;
      this.#bytes = bytes;
      this.#blocks.push(content);
      return true;
    } catch {
      return false;
    }
  }
  /**
   * Adds several blocks at once, or none of them. The blocks are valid for the message and have a size of `bytes` in
   * total.
   */
  takesAll(blocks, bytes) {
    if (this.#bytes + bytes > this.#room) return false;
    this.#bytes += bytes;
    for (const block2 of blocks) this.#blocks.push(block2);
    return true;
  }
  /** Returns the state with the added chunks. */
  end() {
    if (this.#blocks.length === 0) return this.#state;
    const entry2 = this.#entry;
    const content = appendAll(entry2.content, this.#blocks, this.#bytes);
    return withEntry(this.#state, messageEntry(entry2, { content }), bytesOf(content) - bytesOf(entry2.content));
  }
};
function foldMessage(state2, event, role) {
  const { content, _meta } = event;
  const next = withMessage(state2, event, role);
  const entry2 = messageOf(next, event, role);
  const after = patchedBy(entry2, { content, _meta }, MESSAGE);
  return withKeysNoted(withEntry(next, after, grownBy(entry2, after)), after._meta, _meta);
}
var idOf = ({ messageId }) => typeof messageId === "string" ? messageId : void 0;
function withMessage(state2, update3, role, fresh) {
  const known = messageOf(state2, update3, role);
  if (known !== void 0 && !isLocal(state2, known)) return state2;
  const messageId = idOf(update3);
  const echoed = known === void 0 && role === "user" ? unechoedPrompt(state2) : known;
  if (echoed) return withEcho(state2, echoed, messageId, fresh);
  const serial = state2.internal.serial + 1;
  const key = messageId === void 0 ? `message:#${serial}` : messageKey(role, messageId);
  const memory2 = messageId === void 0 ? { openMessage: key, serial } : void 0;
  const chunkMeta = (fresh && update3._meta) ?? void 0;
  return withNew(state2, messageEntry({ key, role, chunkMeta, at: update3.at }, { messageId, content: EMPTY4 }), memory2);
}
function messageOf(state2, update3, role) {
  const { timeline, internal } = state2;
  const messageId = idOf(update3);
  const last = timeline.at(-1);
  if (last?.type === "message" && last.role === role) {
    const isMeant = messageId === void 0 ? last.key === internal.openMessage : last.messageId === messageId;
    if (isMeant) return last;
  }
  const key = messageId === void 0 ? internal.openMessage : messageKey(role, messageId);
  const entry2 = key === void 0 ? void 0 : timeline.get(key);
  return entry2?.type === "message" && entry2.role === role ? entry2 : void 0;
}

// packages/session/src/slice/plans.ts
function foldPlan(state2, { plan }) {
  const next = upserted(state2, plan, PLAN, (before) => kept(before, plan));
  return state2.plans.has(plan.planId) ? next : remember(next, COMPLETE);
}
function foldPlanRemoved(state2, { planId }) {
  const { plans } = state2;
  return plans.has(planId) ? changed(state2, { plans: filtered(plans, (plan) => plan.planId !== planId) }) : state2;
}

// packages/session/src/slice/questions.ts
var PENDING = 256;
function foldPermissionAsked(state2, { type: _, extra: __, ...asked }) {
  const { requestId, title, subject, options: options3, at } = asked;
  const toolCall = subject?.type === "tool_call" ? subject.toolCall : void 0;
  let next = typeof toolCall?.toolCallId === "string" ? foldToolCall(state2, { ...toolCall, at }) : state2;
  const fits2 = !isLarge(state2, asked);
  if (!fits2) next = noted(next, "a permission question is too large to keep whole", requestId);
  const question2 = fits2 ? stated(asked) : { requestId, title, options: options3, at };
  return withQuestion(next, "pendingPermissions", question2);
}
function foldElicitationAsked(state2, { type: _, ...question2 }) {
  return withQuestion(state2, "pendingElicitations", { ...stated(question2), status: "asked" });
}
function foldPermissionAnswered(state2, { requestId }) {
  return changed(state2, { pendingPermissions: state2.pendingPermissions.filter((one) => one.requestId !== requestId) });
}
function foldElicitationAnswered(state2, event) {
  const isAccepted = event.answer?.action === "accept";
  return stepped(state2, (pending) => {
    if (pending.requestId !== event.requestId) return pending.status;
    return isAccepted && pending.mode === "url" && pending.status === "asked" ? "accepted" : void 0;
  });
}
function foldElicitationCompleted(state2, { elicitationId }) {
  return stepped(state2, (pending) => {
    if (pending.mode !== "url" || pending.elicitationId !== elicitationId) return pending.status;
    return pending.status === "accepted" ? void 0 : "completed";
  });
}
function stepped(state2, step) {
  const pendingElicitations = state2.pendingElicitations.flatMap((pending) => {
    const status = step(pending);
    return status === void 0 ? [] : [{ ...pending, status }];
  });
  return changed(state2, { pendingElicitations });
}
function withQuestion(state2, list3, question2) {
  let others = state2[list3].filter(({ requestId }) => requestId !== question2.requestId);
  if (others.length >= PENDING) {
    const watched = others.find(({ status }) => status === "accepted");
    others = others.filter((other) => other !== watched);
  }
  if (others.length < PENDING) return changed(state2, { [list3]: [...others, question2] });
  return changed(noted(state2, "a question could not be kept", question2.requestId), { [list3]: others });
}

// packages/session/src/slice/restored.ts
var KEYED = {
  __proto__: null,
  timeline: { list: "timeline", id: "key" },
  terminals: TERMINAL,
  plans: PLAN,
  subagents: SUBAGENT
};
var OPTIONAL = {
  sessionId: "",
  cwd: "",
  title: "",
  updatedAt: "",
  _meta: {},
  lastTurn: {},
  usage: { used: 0, size: 0 },
  history: {},
  availableCommands: [],
  configOptions: []
};
var GROWING = /* @__PURE__ */ new Set([
  "pendingPermissions",
  "pendingElicitations",
  "anomalies"
]);
function foldRestored(state2, { member, value }) {
  const fresh = createSessionState(state2.limits);
  const wanted = fresh[member] ?? OPTIONAL[member];
  if (member === "bytes" || member === "limits" || wanted === void 0) return unfit(state2, member);
  if (value === null && member !== "internal") return changed(state2, { [member]: fresh[member] });
  if (member in KEYED) return isObject(value) ? withItem(state2, member, value) : unfit(state2, member);
  if (value === null || typeof value !== typeof wanted || Array.isArray(value) !== Array.isArray(wanted))
    return unfit(state2, member);
  if (member === "internal") return remember(state2, memory(value, wanted));
  if (member === "anomalies") return withAnomalies(state2, value.flatMap(anomalyOf));
  if (member === "pendingPermissions" || member === "pendingElicitations") {
    const questions4 = [...state2[member], ...value];
    const next = changed(state2, { [member]: questions4.slice(0, PENDING) });
    return questions4.length > PENDING ? noted(next, `more than ${PENDING} ${member}`) : next;
  }
  return changed(state2, { [member]: value });
}
function anomalyOf(value) {
  const { what, about } = isObject(value) ? value : {};
  if (typeof what !== "string") return [];
  const short = what.slice(0, ABOUT_LENGTH);
  return [typeof about === "string" ? { what: short, about: about.slice(0, ABOUT_LENGTH) } : { what: short }];
}
function memory(wire, fresh) {
  const entries = Object.entries(restored(wire, fresh)).map(
    ([name, value]) => Array.isArray(value) ? [name, value.slice(-UNECHOED)] : [name, value]
  );
  return Object.fromEntries(entries);
}
var unfit = (state2, member) => noted(state2, "no such part of a state", member);
function withItem(state2, list3, wire) {
  const items = state2[list3];
  const { id } = KEYED[list3];
  const key = wire[id];
  const found = typeof key === "string" ? items.indexOf(key) : -1;
  const known = items.at(found)?.[id] === key && found >= 0;
  const fresh = freshItem(list3, wire);
  const before = known ? items.at(found) : fresh;
  if (typeof key !== "string" || list3 === "timeline" && typeof before.type !== "string") return unfit(state2, list3);
  const next = { ...before, ...restored(wire, fresh) };
  const { [listOf2(before)]: more } = wire;
  if (list3 === "timeline") {
    const had2 = before[listOf2(before)];
    if (had2 !== void 0) next[listOf2(before)] = (Array.isArray(more) ? more : []).reduce(append, had2);
  }
  const had = known ? namesOf(list3, before) : [];
  const names = namesOf(list3, next);
  const fits2 = had.every((name) => names.includes(name));
  if (!fits2 || names.some((name) => !had.includes(name) && items.has(name))) return unfit(state2, list3);
  if (!known) return withNewItem(state2, next, KEYED[list3]);
  const grown2 = names.length === had.length ? grownBy(before, next) : void 0;
  return withItems(state2, list3, items.set(found, next, grown2));
}
var namesOf = (list3, item) => list3 === "timeline" ? entryNaming.names(item) : [item[KEYED[list3].id]];
var listOf2 = ({ type }) => type === "compaction" ? "summary" : "content";
function freshItem(list3, { type, key }) {
  if (list3 === "terminals") return { ...TERMINAL.fresh };
  if (list3 !== "timeline") return {};
  if (type === "tool_call") return { ...TOOL_CALL.fresh, type, key };
  const grows = type === "message" || type === "session_message" || type === "compaction";
  return { type, key, ...grows && { [listOf2({ type })]: emptySequence() } };
}
function restored(members, fresh) {
  return Object.fromEntries(
    Object.entries(members).flatMap(
      ([name, value]) => name === "__proto__" ? [] : [[name, name === "raw" ? value : value ?? fresh[name]]]
    )
  );
}

// packages/session/src/slice/settings.ts
var NOT_UPDATED = { commands: false, options: false };
function foldCommands(state2, event) {
  const next = changed(state2, { availableCommands: event.availableCommands.filter(isNamed) });
  return remember(next, { updatedLists: { ...state2.internal.updatedLists, commands: true } });
}
function foldConfigOptions(state2, event) {
  const configOptions = withOwn(state2.configOptions ?? [], event.configOptions.filter(isOption));
  const { earlyMode, updatedLists } = state2.internal;
  return remember(changed(state2, { configOptions }), {
    earlyMode: configOptions.some(isMode) ? void 0 : earlyMode,
    updatedLists: { ...updatedLists, options: true }
  });
}
function foldMode(state2, { currentModeId }) {
  if (state2.configOptions === void 0) return remember(state2, { earlyMode: currentModeId });
  return withValue(state2, isMode, currentModeId, "mode");
}
function foldConfigOptionSet(state2, { configId, value }) {
  return withValue(state2, (option2) => option2.configId === configId, value, configId);
}
function foldOpened(state2, event) {
  const { updatedLists, earlyMode } = state2.internal;
  const { sessionId, availableCommands, configOptions } = event;
  const cwd = event.cwd ?? state2.cwd;
  const additionalDirectories = event.additionalDirectories ?? state2.additionalDirectories;
  let next = changed(state2, { sessionId, cwd, additionalDirectories, closed: false });
  if (availableCommands && !updatedLists.commands) next = foldCommands(next, { availableCommands });
  if (configOptions && updatedLists.options) {
    next = changed(next, { configOptions: withOwn(configOptions, state2.configOptions ?? []) });
  } else if (configOptions) next = foldConfigOptions(next, { configOptions });
  next = remember(next, { earlyMode: void 0, updatedLists: NOT_UPDATED });
  return earlyMode === void 0 ? next : foldMode(next, { currentModeId: earlyMode });
}
function foldInfo(state2, { title, updatedAt, _meta }) {
  const after = patchedBy(state2, { title, updatedAt, _meta });
  return withKeysNoted(changed(state2, after), after._meta, _meta);
}
function foldUsage(state2, { used, size: size2, cost, _meta }) {
  const before = state2.usage ?? { used, size: size2 };
  const usage = patchedBy(before, { used, size: size2, cost, _meta });
  return withKeysNoted(changed(state2, { usage }), usage._meta, _meta);
}
function withOwn(others, list3) {
  const categories = new Set(list3.map(({ category }) => category));
  const isLacking = (option2) => !categories.has(option2.category);
  return [...others.filter((option2) => isOption(option2) && option2.setBy && isLacking(option2)), ...list3];
}
function withValue(state2, isMeant, value, about) {
  const option2 = state2.configOptions?.find(isMeant);
  if (option2 === void 0) return noted(state2, "an unknown option was set", about);
  if (typeof value !== (option2.type === "boolean" ? "boolean" : "string")) {
    return noted(state2, "an option got a value of another type", about);
  }
  const next = { ...option2, currentValue: value };
  const configOptions = state2.configOptions?.map((other) => other === option2 ? next : other) ?? [];
  countGrown(state2.configOptions ?? [], configOptions, bytesOf(next) - bytesOf(option2));
  return changed(state2, { configOptions });
}
var isMode = (option2) => option2.category === "mode";
var isNamed = (command2) => typeof command2?.name === "string";
var isOption = (option2) => typeof option2?.configId === "string";

// packages/session/src/terminal-bytes.ts
function bytesOfBase64(text2, before) {
  try {
    const binary = /\s/.test(text2) ? void 0 : atob(text2);
    if (binary === void 0) return void 0;
    const bytes = new Uint8Array(before.length + binary.length);
    bytes.set(before);
    for (let index = 0; index < binary.length; index++) bytes[before.length + index] = binary.charCodeAt(index);
    return bytes;
  } catch {
    return void 0;
  }
}
function toBase64(bytes) {
  let binary = "";
  for (let start = 0; start < bytes.length; start += 8192) {
    binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  }
  return btoa(binary);
}
function decodeUtf8(bytes) {
  const tail = new TextDecoder();
  tail.decode(bytes.subarray(-3), { stream: true });
  let end = bytes.length;
  if (tail.decode() !== "") while (bytes[--end] < 192) ;
  const decoder2 = new TextDecoder("utf-8", { ignoreBOM: true });
  return { text: decoder2.decode(bytes.subarray(0, end)), pending: [...bytes.subarray(end)] };
}
var utf8Length = (text2) => new TextEncoder().encode(text2).length;
function withoutFirstBytes(text2, drop) {
  const bytes = new TextEncoder().encode(text2);
  let dropped = Math.min(drop, bytes.length);
  while (isContinued(bytes[dropped])) dropped++;
  return { text: decodeUtf8(bytes.subarray(dropped)).text, dropped };
}
var isContinued = (byte = 0) => (byte & 192) === 128;

// packages/session/src/slice/terminals.ts
function foldTerminal(state2, { output, ...patch }) {
  const next = patchKind(state2, patch, TERMINAL);
  if (output === void 0) return next;
  const data = output === null ? "" : output.data;
  return withOutput(next, patch, data, (before) => ({ ...before, ...TERMINAL.fresh }));
}
function foldTerminalOutput(state2, event) {
  return withOutput(state2, event, event.data, (before) => before);
}
function withOutput(state2, event, data, begin) {
  let isSound = true;
  const next = upserted(state2, event, TERMINAL, (before) => {
    const terminal = begin(before);
    const bytes = typeof data === "string" ? bytesOfBase64(data, terminal.pendingBytes) : void 0;
    isSound = bytes !== void 0;
    return bytes === void 0 ? before : kept(before, grown(terminal, bytes, state2.limits.terminalBytes));
  });
  return isSound ? next : noted(next, "terminal output is not base64", event.terminalId);
}
function grown(terminal, bytes, most) {
  const { text: added, pending: pendingBytes } = decodeUtf8(bytes);
  const whole2 = terminal.text + added;
  const size2 = terminal.textBytes + utf8Length(added);
  const excess = size2 - keptOf(terminal.droppedBytes + size2, most);
  const { text: text2, dropped } = excess > 0 ? withoutFirstBytes(whole2, excess) : { text: whole2, dropped: 0 };
  return {
    ...terminal,
    text: text2,
    textBytes: size2 - dropped,
    droppedBytes: terminal.droppedBytes + dropped,
    pendingBytes
  };
}
function keptOf(bytes, most) {
  const quarter = Math.max(1, Math.floor(most / 4));
  return bytes > most ? bytes - Math.ceil((bytes - most) / quarter) * quarter : bytes;
}

// packages/session/src/reduce.ts
function reduce(state2, event) {
  try {
    const next = fold(state2, event);
    return next.bytes > next.limits.stateBytes ? withinBound(next) : next;
  } catch {
    return noted(state2, "an event could not be folded", typeOf(event));
  }
}
function reduceAll(state2, events) {
  let next = state2;
  let run;
  for (const event of events) {
    if (run?.takes(event)) continue;
    next = reduce(run?.end() ?? next, event);
    run = ChunkRun.after(next, event);
  }
  return run?.end() ?? next;
}
function typeOf(event) {
  try {
    return event?.type;
  } catch {
    return void 0;
  }
}
function fold(state2, event) {
  if (event.isImplied === true) return state2;
  const row = FOLDS[event.type];
  if (row === void 0) return withUnknown(state2, event, "no such event");
  const { 0: change, 1: needs, 2: about } = row;
  for (const member in needs) {
    if (!needs[member]?.(event[member])) {
      return withUnknown(state2, event, `${member} does not read`, event.at);
    }
  }
  return change(state2, event, about);
}
var isText = (value) => typeof value === "string";
var isNumber = (value) => typeof value === "number";
function isPlan(value) {
  const plan = value;
  return isText(plan?.planId) && isText(plan?.type) && (plan?.type !== "items" || Array.isArray(plan.entries));
}
var MESSAGE2 = { messageId: isText };
var CHUNK = { content: isContentBlock };
var FOLDS = {
  __proto__: null,
  agent_message_chunk: [foldChunk, CHUNK, "agent"],
  agent_thought_chunk: [foldChunk, CHUNK, "thought"],
  user_message_chunk: [foldChunk, CHUNK, "user"],
  agent_message: [foldMessage, MESSAGE2, "agent"],
  agent_thought: [foldMessage, MESSAGE2, "thought"],
  user_message: [foldMessage, MESSAGE2, "user"],
  tool_call_update: [foldToolCall, { toolCallId: isText }],
  tool_call_content_chunk: [addToKind, { toolCallId: isText, content: isToolCallContent }, TOOL_CALL],
  terminal_update: [foldTerminal, { terminalId: isText }],
  terminal_output_chunk: [foldTerminalOutput, { terminalId: isText }],
  plan_update: [foldPlan, { plan: isPlan }],
  plan_removed: [foldPlanRemoved],
  state_update: [foldStateUpdate, { state: isText }],
  usage_update: [foldUsage, { used: isNumber, size: isNumber }],
  // A notice is shown at its place. Equal notices are separate entries.
  notice: [(state2, { extra: _, ...notice }) => withNumbered(state2, stated(notice)), { title: isText }],
  compaction_update: [patchKind, { compactionId: isText }, COMPACTION],
  compaction_summary_chunk: [addToKind, { compactionId: isText, content: isContentBlock }, COMPACTION],
  session_message: [patchKind, MESSAGE2, SESSION_MESSAGE_KIND],
  session_message_chunk: [addToKind, { messageId: isText, content: isContentBlock }, SESSION_MESSAGE_KIND],
  subagent_update: [
    // The activity is replaced as a whole.
    (state2, { state: activity, ...patch }) => patchKind(state2, { ...patch, activity }, SUBAGENT),
    { sessionId: isText }
  ],
  available_commands_update: [foldCommands, { availableCommands: Array.isArray }],
  config_option_update: [foldConfigOptions, { configOptions: Array.isArray }],
  config_option_set: [foldConfigOptionSet],
  current_mode_update: [foldMode, { currentModeId: isText }],
  session_info_update: [foldInfo],
  unknown: [(state2, { raw, reason, at }) => withUnknown(state2, raw, reason, at)],
  session_opened: [foldOpened],
  session_closed: [foldSessionClosed],
  session_data: [(state2) => state2],
  prompt_sent: [foldPromptSent, { promptId: isText }],
  prompt_accepted: [foldPromptAccepted],
  prompt_failed: [foldPromptFailed],
  turn_started: [foldTurnStarted],
  turn_ended: [foldTurnEnded],
  cancel_asked: [foldCancelAsked],
  permission_asked: [foldPermissionAsked, { requestId: isText, title: isText, options: Array.isArray }],
  permission_answered: [foldPermissionAnswered],
  elicitation_asked: [foldElicitationAsked, { requestId: isText, message: isText, mode: isText }],
  elicitation_answered: [foldElicitationAnswered],
  elicitation_completed: [foldElicitationCompleted],
  replay_started: [foldReplayStarted],
  state_restored: [foldRestored, { member: isText }],
  replay_complete: [foldReplayComplete],
  replay_ended: [foldReplayEnded]
};
function foldReplayStarted(state2, { keeps }) {
  const { timeline, terminals, plans, subagents } = keeps === true ? state2 : createSessionState();
  const next = changed(state2, { timeline, terminals, plans, subagents, replaying: true, history: void 0 });
  const unechoed = keeps === true ? state2.internal.unechoed : [];
  return remember(next, { unechoed, updatedLists: NOT_UPDATED, ...COMPLETE });
}
function foldReplayComplete(state2) {
  if (!state2.replaying || state2.history) return noted(state2, "an unexpected end of a replay");
  const end = state2.timeline.at(-1)?.key;
  return changed(state2, { history: end === void 0 ? {} : { end } });
}
function foldReplayEnded(state2) {
  const complete = state2.replaying && !state2.history ? foldReplayComplete(state2) : state2;
  return remember(changed(complete, { replaying: false }), COMPLETE);
}

// packages/session/src/json-bytes.ts
var JSON_CHARACTER_BYTES = 6;
var JSON_MEMBER_BYTES = 26;
var DEPTH2 = 100;
var LONG2 = 4194304;
var PLAIN = /^[ !#-[\]-~]*$/;
var PRINTED2 = /^[\t\n\r -~]*$/;
var encoder = /* @__PURE__ */ new TextEncoder();
var jsonBytes = (value) => encoder.encode(JSON.stringify(value) ?? "").length;
var fitsAsJson = (value, most) => mostBytes(value, most, 0) <= most;
function mostBytes(value, most, depth) {
  if (depth > DEPTH2) return Number.POSITIVE_INFINITY;
  if ("toJSON" in value) return JSON_CHARACTER_BYTES * bytesOf(value);
  const isList = Array.isArray(value);
  let bytes = 0;
  for (const key in value) {
    const member = value[key];
    bytes += JSON_MEMBER_BYTES + (isList ? 0 : JSON_CHARACTER_BYTES * key.length);
    if (typeof member === "string") bytes += mostBytesOfText(member);
    else if (typeof member === "object" && member !== null) bytes += mostBytes(member, most - bytes, depth + 1);
    if (bytes > most) return bytes;
  }
  return bytes;
}
function mostBytesOfText(text2) {
  if (text2.length < LONG2) return JSON_CHARACTER_BYTES * text2.length;
  return text2.length * (PLAIN.test(text2) ? 1 : PRINTED2.test(text2) ? 2 : JSON_CHARACTER_BYTES);
}

// packages/session/src/join-text-blocks.ts
var isBareText = (block2) => block2?.type === "text" && "text" in block2 && Object.keys(block2).length === 2;
var MAX_JOINED_LENGTH = 65536;
function joinTextBlocks(blocks, { letters = MAX_JOINED_LENGTH, bytes: most = Number.POSITIVE_INFINITY } = {}) {
  const isCounted = most < JSON_CHARACTER_BYTES * letters;
  const whole2 = [];
  let last;
  let text2 = "";
  let bytes = 0;
  const flush = () => {
    if (last !== void 0) whole2.push(text2.length === last.text.length ? last : { type: "text", text: text2 });
  };
  for (const block2 of blocks) {
    if (!isBareText(block2)) {
      flush();
      last = void 0;
      whole2.push(block2);
      continue;
    }
    const more = isCounted ? jsonBytes(block2.text) : 0;
    if (last !== void 0 && text2.length + block2.text.length <= letters && bytes + more <= most) {
      text2 += block2.text;
      bytes += more;
      continue;
    }
    flush();
    last = block2;
    text2 = block2.text;
    bytes = more;
  }
  flush();
  return whole2;
}

// packages/session/src/json-copy.ts
var DEPTH3 = 100;
function jsonCopy(value) {
  return isHolder(value) ? measuredCopy(value).copy : value;
}
function measuredCopy(value) {
  const size2 = { most: JSON_MEMBER_BYTES };
  const copy = copyOf2(value, 0, size2);
  if (copy !== void 0) return { copy, mostBytes: size2.most };
  return { copy: copyOfGraph(value), mostBytes: Number.POSITIVE_INFINITY };
}
var isHolder = (value) => typeof value === "object" && value !== null;
function copyOf2(value, depth, size2) {
  if (depth > DEPTH3) return void 0;
  const source = written(value);
  if (!isHolder(source)) {
    if (typeof source === "string") size2.most += JSON_CHARACTER_BYTES * source.length;
    return source;
  }
  const copy = Array.isArray(source) ? [...source] : { ...source };
  for (const key of Object.keys(copy)) {
    const member = copy[key];
    size2.most += JSON_MEMBER_BYTES + JSON_CHARACTER_BYTES * key.length;
    if (typeof member === "string") size2.most += JSON_CHARACTER_BYTES * member.length;
    if (!isHolder(member)) continue;
    const inner = copyOf2(member, depth + 1, size2);
    if (inner === void 0) return void 0;
    put(copy, key, inner);
  }
  return copy;
}
function copyOfGraph(value) {
  const copies = /* @__PURE__ */ new Map();
  const open2 = [];
  const copied = (member) => {
    if (!isHolder(member)) return member;
    if (copies.has(member)) return copies.get(member);
    const source = written(member);
    const copy = isHolder(source) ? emptyLike(source) : source;
    copies.set(member, copy);
    if (isHolder(source)) open2.push([source, copy]);
    return copy;
  };
  const whole2 = copied(value);
  for (let next = open2.pop(); next !== void 0; next = open2.pop()) {
    const [source, copy] = next;
    for (const key of Object.keys(source)) put(copy, key, copied(source[key]));
  }
  return whole2;
}
function written(value) {
  const { toJSON } = value;
  return typeof toJSON === "function" ? toJSON.call(value) ?? null : value;
}
var emptyLike = (source) => Array.isArray(source) ? [] : {};
function put(copy, key, member) {
  if (key !== "__proto__") copy[key] = member;
  else Object.defineProperty(copy, key, { value: member, enumerable: true, configurable: true, writable: true });
}

// packages/session/src/lazy-state.ts
var MOST_QUEUED = 65536;
var SHARE2 = 8;
var PIECE = 64;
var TURN = 7282;
function createLazyState(state2) {
  return new QueuedEvents(state2);
}
var QueuedEvents = class {
  /** State before the queued events. After the queue was reduced, the state before the newest event. */
  #state;
  #queue = [];
  /** Last item of the queue, if further pieces can be added to it. */
  #pieces;
  #weight = 0;
  #most;
  #newest;
  #after;
  constructor(state2) {
    this.#state = state2;
    this.#most = Math.min(MOST_QUEUED, state2.limits.stateBytes / SHARE2);
  }
  /** Reduces the queue and returns the state before the newest event. */
  get before() {
    if (this.#queue.length > 0) {
      for (const each of this.#queue) {
        this.#state = each instanceof Pieces ? each.addedTo(this.#state) : reduce(this.#state, each);
      }
      this.#queue = [];
      this.#pieces = void 0;
    }
    this.#weight = 0;
    return this.#state;
  }
  /** Reduces the queue and the newest event, and returns the state. */
  get after() {
    if (this.#newest === void 0) return this.#state;
    this.#after ??= reduce(this.before, this.#newest);
    return this.#after;
  }
  add(event) {
    if (this.#after !== void 0) this.#state = this.#after;
    else if (this.#newest !== void 0) this.#enqueue(this.#newest);
    this.#after = void 0;
    this.#newest = event ?? null;
    if (this.#weight >= this.#most || !mayQueue(event)) void this.after;
    return this;
  }
  #enqueue(event) {
    let bytes = 0;
    try {
      bytes = this.#pieces?.take(event) || 0;
      if (bytes === 0) {
        const pieces = isPiece(event) ? new Pieces(event) : void 0;
        bytes = pieces === void 0 ? 0 : bytesOf(event);
        this.#pieces = pieces;
        this.#queue.push(pieces ?? event);
      }
    } catch {
      this.#pieces = void 0;
      this.#queue.push(event);
    }
    this.#weight += this.#pieces ? PIECE + bytes : TURN;
  }
};
var isPiece = (event) => event.type === "agent_message_chunk" || event.type === "agent_thought_chunk" || event.type === "user_message_chunk";
function mayQueue(event) {
  try {
    return isLight(event);
  } catch {
    return false;
  }
}
function isLight(event) {
  if (isPiece(event)) return true;
  switch (event.type) {
    case "turn_started":
      return true;
    case "turn_ended":
      return event.error === void 0 && isSmall(event.stopReason);
    case "prompt_accepted":
      return isSmall(event.messageId);
    case "prompt_sent":
      return isSmall(event.content);
    case "user_message":
    case "state_update":
      return isSmall(event);
    default:
      return false;
  }
}
var isSmall = (value) => bytesOf(value) <= TURN;
var Pieces = class {
  #first;
  #blocks = [];
  #bytes = 0;
  constructor(first) {
    this.#first = first;
  }
  /**
   * Adds the block of an event, and returns its size in bytes. Returns 0 if the event is not the next block of the
   * message.
   */
  take(event) {
    const { type, messageId, content, _meta, at } = event;
    if (type !== this.#first.type || messageId !== this.#first.messageId || (_meta ?? at) !== void 0) return 0;
    if (!isContentBlock(content)) return 0;
    const bytes = bytesOf(content);
    this.#bytes += bytes;
    this.#blocks.push(content);
    return bytes;
  }
  /** Returns the state with all pieces. They are added in one step unless a bound would be exceeded. */
  addedTo(state2) {
    const next = reduce(state2, this.#first);
    const run = ChunkRun.after(next, this.#first);
    if (run?.takesAll(this.#blocks, this.#bytes)) return run.end();
    const { type, messageId } = this.#first;
    return this.#blocks.reduce((grown2, content) => reduce(grown2, { type, messageId, content }), next);
  }
};

// packages/session/src/split-event.ts
var SPLITS = {
  user_message: [["messageId"], "content", "user_message_chunk"],
  agent_message: [["messageId"], "content", "agent_message_chunk"],
  agent_thought: [["messageId"], "content", "agent_thought_chunk"],
  tool_call_update: [["toolCallId"], "content", "tool_call_content_chunk"],
  compaction_update: [["compactionId", "status"], "summary", "compaction_summary_chunk"],
  session_message: [["messageId"], "content", "session_message_chunk"],
  terminal_update: [["terminalId"]],
  subagent_update: [["sessionId"]],
  session_info_update: [[]]
};
var LISTS = /* @__PURE__ */ new Map([
  ["message", "content"],
  ["tool_call", "content"],
  ["session_message", "content"],
  ["compaction", "summary"]
]);
var NAMES = ["key", "terminalId", "planId", "sessionId"];
function splitEvent(event, maxBytes) {
  if (maxBytes === Number.POSITIVE_INFINITY || jsonBytes(event) <= maxBytes) return [event];
  if (event.type === "state_restored") return splitRestored(event, maxBytes);
  const [needed, list3, adding] = SPLITS[event.type] ?? [];
  if (needed === void 0) return [event];
  const base = picked(event, ["type", ...needed]);
  const parts = splitMembers(event, { base, list: list3, maxBytes, wrap: (members) => members });
  if (list3 === void 0) return parts;
  const items = event[list3];
  return [
    ...parts,
    ...splitList(Array.isArray(items) ? items : [], { base, list: list3, adding, maxBytes })
  ];
}
function splitRestored({ type, member, value }, maxBytes) {
  const wrap = (part2) => ({ type, member, value: part2 });
  if (Array.isArray(value)) return value.map((item) => wrap([item]));
  if (typeof value !== "object" || value === null) return [wrap(value)];
  const isEntry = member === "timeline";
  const { type: kind } = value;
  const list3 = isEntry ? LISTS.get(kind) : void 0;
  const names = NAMES.filter((name) => isEntry ? name === "key" : name !== "key");
  const base = picked(value, isEntry ? [...names, "type", "role"] : names);
  const parts = splitMembers(value, { base, list: list3, maxBytes, wrap });
  const items = (list3 === void 0 ? void 0 : value[list3]) ?? [];
  const more = items.map((item) => wrap({ ...picked(value, names), [list3]: [item] }));
  return [...parts, ...more];
}
function splitMembers(members, { base, list: list3, maxBytes, wrap }) {
  const least = jsonBytes(wrap(base));
  const parts = [];
  let part2 = { ...base };
  let bytes = least;
  const flush = () => {
    parts.push(wrap(part2));
    part2 = { ...base };
    bytes = least;
  };
  const add = (name, value) => {
    const more = jsonBytes({ [name]: value });
    if (bytes + more > maxBytes && bytes > least) flush();
    part2[name] = value;
    bytes += more;
  };
  for (const [name, value] of Object.entries(members)) {
    if (name === list3 || name in base || value === void 0) continue;
    const isLargeMeta = name === "_meta" && value !== null && least + jsonBytes(value) + 10 > maxBytes;
    if (!isLargeMeta) add(name, value);
    else for (const [key, one] of Object.entries(value)) addKey(key, one);
  }
  function addKey(key, one) {
    if (bytes > least) flush();
    add("_meta", { [key]: one });
  }
  if (bytes > least || parts.length === 0) flush();
  return parts;
}
function splitList(items, { base, list: list3, adding, maxBytes }) {
  if (items.length === 0) return [];
  let bytes = jsonBytes({ ...base, [list3]: [] });
  let told = 0;
  for (; told < items.length; told++) {
    bytes += jsonBytes(items[told]) + 1;
    if (bytes > maxBytes && (told > 0 || isBareText(items[0]))) break;
  }
  const { status: _, ...name } = base;
  const hasRoom = jsonBytes({ ...name, type: adding, content: { type: "text", text: "" } }) < maxBytes;
  const add = (content) => {
    const event = { ...name, type: adding, content };
    if (!hasRoom || !isBareText(content) || jsonBytes(event) <= maxBytes) return [event];
    const parts = halves(content.text);
    return parts.length < 2 ? [event] : parts.flatMap((text2) => add({ type: "text", text: text2 }));
  };
  return [{ ...base, [list3]: items.slice(0, told) }, ...items.slice(told).flatMap(add)];
}
function halves(text2) {
  const middle = text2.length >> 1;
  const at = /[\ud800-\udbff]/.test(text2.charAt(middle - 1)) ? middle + 1 : middle;
  return [text2.slice(0, at), text2.slice(at)].filter((half) => half !== "");
}
function picked(members, names) {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
}

// packages/session/src/same-as-read.ts
function sameAsRead(one, other) {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return Number.isNaN(one) && Number.isNaN(other);
  }
  const [left, right] = [itemsOf2(one), itemsOf2(other)];
  if (left === void 0 && right === void 0) return sameMembers(one, other);
  if (left === void 0 || right === void 0) return false;
  return sameItems2(left, right) || left.some((item) => isBareText(item)) && sameItems2(whole(left), whole(right));
}
var whole = (items) => joinTextBlocks(items, { letters: Number.POSITIVE_INFINITY });
var sameItems2 = (one, other) => one.length === other.length && one.every((item, position) => sameAsRead(item, other[position]));
function sameMembers(one, other) {
  for (const name in one) if (!sameAsRead(one[name], other[name])) return false;
  for (const name in other) if (!(name in one) && other[name] !== void 0) return false;
  return true;
}
function itemsOf2(value) {
  if (Array.isArray(value)) return value;
  const { toArray } = value;
  return typeof toArray === "function" ? value.toArray() : void 0;
}

// packages/session/src/state-events.ts
function stateEvents(state2, { maxEventBytes = Number.POSITIVE_INFINITY } = {}) {
  const made = new EventBuilder(state2, maxEventBytes);
  made.lists();
  for (const terminal of state2.terminals) made.item("terminals", terminal, terminalEvents(terminal, maxEventBytes));
  for (const entry2 of state2.timeline) made.item("timeline", entry2, entryEvents(entry2, maxEventBytes));
  for (const plan of state2.plans) made.item("plans", plan, [{ type: "plan_update", plan }]);
  for (const subagent of state2.subagents) {
    const { activity, ...others } = subagent;
    made.item("subagents", subagent, [{ type: "subagent_update", ...others, ...activity && { state: activity } }]);
  }
  made.rest();
  return made.isExact ? made.events : void 0;
}
var LISTS2 = ["terminals", "timeline", "plans", "subagents"];
var APART2 = /^(?:terminals|timeline|plans|subagents|bytes|limits|internal)$/;
var EventBuilder = class {
  events = [];
  #wanted;
  #maxBytes;
  #state;
  constructor(wanted, maxBytes) {
    this.#wanted = wanted;
    this.#maxBytes = maxBytes;
    this.#state = createSessionState(wanted.limits);
  }
  /** Returns `true` if the events lead to the whole state, and each event is within the bound. */
  get isExact() {
    if (this.#maxBytes !== Number.POSITIVE_INFINITY) {
      if (this.events.some((event) => jsonBytes(event) > this.#maxBytes)) return false;
    }
    const lists = LISTS2.every((list3) => sameAsRead(this.#state[list3], this.#wanted[list3]));
    return lists && this.#differing().length === 0 && sameAsRead(this.#state.internal, this.#wanted.internal);
  }
  /** Adds the event that opened the session, and its lists. */
  lists() {
    const { sessionId, cwd, additionalDirectories, configOptions, availableCommands, internal } = this.#wanted;
    const opened = { type: "session_opened", sessionId, cwd, additionalDirectories };
    const { commands: commands4, options: options3 } = internal.updatedLists;
    const whole2 = { ...opened, ...!options3 && { configOptions }, ...!commands4 && { availableCommands } };
    const fits2 = this.#fits(whole2);
    this.#add([fits2 ? whole2 : opened]);
    if (configOptions && (options3 || !fits2)) this.#add([{ type: "config_option_update", configOptions }]);
    if (availableCommands && (commands4 || !fits2)) this.#add([{ type: "available_commands_update", availableCommands }]);
  }
  /**
   * Adds one item. Events of the conversation create as much of it as possible, and its other members are restored
   * directly.
   */
  item(list3, item, said) {
    const isUnread = item.type === "unknown";
    const events = isUnread ? said : said.flatMap((event) => splitEvent(event, this.#maxBytes));
    const next = reduceAll(this.#state, events);
    const made = next[list3].at(-1);
    const isNew = next[list3].length === this.#state[list3].length + 1;
    const differing = made && isNew ? differences(list3, made, item) : void 0;
    if (differing === void 0) return this.#restore(list3, plain(item));
    for (const event of events) this.events.push(withoutUndefined(event));
    this.#state = next;
    if (differing !== "none") this.#restore(list3, differing);
  }
  /** Adds everything that is not an item: turns, title, usage, questions, and the memory of the reducer. */
  rest() {
    const { title, updatedAt, _meta, usage, lastTurn, internal } = this.#wanted;
    if ((title ?? updatedAt ?? _meta) !== void 0) {
      this.#add(splitEvent({ type: "session_info_update", title, updatedAt, _meta }, this.#maxBytes));
    }
    if (usage !== void 0) this.#add([{ type: "usage_update", ...usage }]);
    const turns = internal.openTurns.map((promptId) => ({ type: "turn_started", promptId }));
    if (lastTurn !== void 0) turns.unshift({ type: "turn_ended", ...lastTurn });
    if (reduceAll(this.#state, turns).timeline === this.#state.timeline) this.#add(turns);
    for (const member of this.#differing()) this.#restoreMember(member);
    const memory2 = differences("internal", this.#state.internal, internal);
    if (typeof memory2 === "object") this.#restore("internal", memory2);
  }
  #differing() {
    const [is, wanted] = [this.#state, this.#wanted];
    return Object.keys(wanted).filter((member) => !APART2.test(member) && !sameAsRead(is[member], wanted[member]));
  }
  #restoreMember(member) {
    const value = this.#wanted[member];
    const isList = GROWING.has(member);
    if (isList && this.#state[member].length > 0) {
      this.#add([{ type: "state_restored", member, value: null }]);
    }
    this.#restore(member, value ?? null);
  }
  #restore(member, value) {
    const event = { type: "state_restored", member, value };
    const isItem = LISTS2.includes(member);
    const isList = GROWING.has(member);
    this.#add(isItem || isList ? splitEvent(event, this.#maxBytes) : [event]);
  }
  #add(events) {
    for (const event of events) this.events.push(withoutUndefined(event));
    this.#state = reduceAll(this.#state, events);
  }
  #fits(event) {
    return this.#maxBytes === Number.POSITIVE_INFINITY || jsonBytes(event) <= this.#maxBytes;
  }
};
function differences(list3, made, wanted) {
  const [is, should] = [made, wanted];
  const patch = {};
  for (const member of /* @__PURE__ */ new Set([...Object.keys(is), ...Object.keys(should)])) {
    if (sameAsRead(is[member], should[member])) continue;
    if (/^(?:key|type|role|content|summary)$/.test(member)) return void 0;
    patch[member] = should[member] ?? null;
  }
  if (Object.keys(patch).length === 0) return "none";
  const name = { timeline: "key", terminals: "terminalId", plans: "planId", subagents: "sessionId" }[list3];
  return name === void 0 ? patch : { [name]: should[name], ...patch };
}
var upsertOf = { user: "user_message", agent: "agent_message", thought: "agent_thought" };
var chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" };
function entryEvents(entry2, maxBytes) {
  switch (entry2.type) {
    case "message":
      return messageEvents(entry2, maxBytes);
    case "tool_call": {
      const { type: _, key: __, content, locations, cancelledLocally: ___, dropped: ____, ...members } = entry2;
      const list3 = content.length > 0 && { content: content.toArray() };
      return [{ type: "tool_call_update", ...members, ...list3, ...locations.length > 0 && { locations } }];
    }
    case "compaction": {
      const { type: _, key: __, summary, dropped: ___, ...members } = entry2;
      return [{ type: "compaction_update", ...members, ...summary.length > 0 && { summary: summary.toArray() } }];
    }
    case "session_message": {
      const { key: _, content, dropped: __, ...members } = entry2;
      return [{ ...members, ...content.length > 0 && { content: content.toArray() } }];
    }
    case "notice": {
      const { key: _, ...notice } = entry2;
      return [notice];
    }
    case "unknown": {
      const { key: _, ...unknown } = entry2;
      return [isObject(entry2.raw) && jsonBytes(unknown) > maxBytes ? entry2.raw : unknown];
    }
    default:
      return [];
  }
}
function messageEvents({ role, messageId, content, _meta, at }, maxBytes) {
  const blocks = joinTextBlocks(content, { bytes: maxBytes - 200 - jsonBytes(messageId ?? "") });
  if (messageId !== void 0) return [{ type: upsertOf[role], messageId, content: blocks, _meta, at }];
  return blocks.map((block2, position) => ({ type: chunkOf[role], content: block2, ...position === 0 && { at } }));
}
function terminalEvents(terminal, maxBytes) {
  const { text: text2, textBytes: _, droppedBytes: __, pendingBytes, ...members } = terminal;
  const { terminalId } = terminal;
  const written2 = new TextEncoder().encode(text2);
  const bytes = new Uint8Array(written2.length + pendingBytes.length);
  bytes.set(written2);
  bytes.set(pendingBytes, written2.length);
  const whole2 = { type: "terminal_update", ...members };
  if (bytes.length === 0) return [whole2];
  const withOutput2 = { ...whole2, output: { data: toBase64(bytes) } };
  if (maxBytes === Number.POSITIVE_INFINITY || jsonBytes(withOutput2) <= maxBytes) return [withOutput2];
  const room = maxBytes - jsonBytes({ type: "terminal_output_chunk", terminalId, data: "" });
  const step = Math.max(3, Math.floor(room / 4) * 3);
  const events = [whole2];
  for (let from = 0; from < bytes.length; from += step) {
    events.push({ type: "terminal_output_chunk", terminalId, data: toBase64(bytes.subarray(from, from + step)) });
  }
  return events;
}
function plain(item) {
  const { content, summary } = item;
  const isGrown = (list3) => typeof list3?.toArray === "function";
  return {
    ...item,
    ...isGrown(content) && { content: content?.toArray() },
    ...isGrown(summary) && { summary: summary?.toArray() }
  };
}
var withoutUndefined = (event) => Object.fromEntries(Object.entries(event).filter(([, value]) => value !== void 0));

// packages/session/src/codec/losses.ts
function lostIn(to, event, onLoss) {
  return (id, entity) => onLoss?.(entity === void 0 ? { id, to, event } : { id, to, event, entity });
}

// packages/session/src/codec/calls.ts
var readNothing = (wire) => wire ?? {};
var asIs = (result) => result;
var nothing = { encodeResult: asIs, decodeResult: readNothing };
var on = /* @__NO_SIDE_EFFECTS__ */ (method, ...ids) => ({
  method,
  encodeParams: (params) => pick(params, ids),
  decodeParams: (wire) => pick(wire, ids),
  ...nothing
});
function pick(wire, ids) {
  const members = {};
  for (const id of ids) members[id] = required(wire[id]);
  return compact({ ...members, _meta: metaOrNull(wire._meta) });
}
var completeElicitation = /* @__PURE__ */ on(
  "elicitation/complete",
  "elicitationId"
);
var info = /* @__PURE__ */ record({
  required: { sessionId: text, cwd: text },
  optional: { additionalDirectories: texts },
  nullable: { title: text, updatedAt: text }
});
var listSessions = {
  method: "session/list",
  encodeParams: ({ cwd, cursor, _meta }) => compact({ cwd, cursor, _meta }),
  decodeParams: (wire) => {
    const { cwd, cursor, _meta } = wire;
    return compact({ cwd: textOrNull(cwd), cursor: textOrNull(cursor), _meta: meta(_meta) });
  },
  encodeResult: ({ sessions: sessions3, nextCursor, _meta }) => compact({ sessions: sessions3, nextCursor, _meta }),
  decodeResult: (wire) => {
    const { sessions: sessions3, nextCursor, _meta } = wire;
    return compact({ sessions: list(sessions3, info), nextCursor: textOrNull(nextCursor), _meta: meta(_meta) });
  }
};
var commonCommands = /* @__NO_SIDE_EFFECTS__ */ (methods, options3) => ({
  login: /* @__PURE__ */ on(methods.login, "methodId"),
  logout: /* @__PURE__ */ on(methods.logout),
  listSessions,
  closeSession: /* @__PURE__ */ on("session/close", "sessionId"),
  deleteSession: /* @__PURE__ */ on("session/delete", "sessionId"),
  setConfigOption: /* @__PURE__ */ setOptionCall(options3)
});
var neededCapability = {
  logout: "logout",
  loadSession: "load",
  resumeSession: "resume",
  listSessions: "list",
  closeSession: "close",
  deleteSession: "delete"
};
var SESSION_MARKS = ["delete", "additionalDirectories"];
var AUTH_MARKS = ["logout"];
var auth = { login: "auth/login", logout: "auth/logout" };
var olderAuth = { login: "authenticate", logout: "logout" };
var withElicitations = /* @__NO_SIDE_EFFECTS__ */ (askPermission3) => ({ askPermission: askPermission3, elicit, completeElicitation });
var elicit = {
  method: "elicitation/create",
  encodeParams: ({ scope, ...question2 }) => compact({ ...question2, ...scope }),
  decodeParams: (wire) => ({ ...question(wire), scope: scopeOf(wire) }),
  encodeResult: asIs,
  decodeResult: (wire) => {
    const { action, content, _meta } = wire;
    if (action === "accept") {
      return compact({ action, content: isObject(content) ? content : void 0, _meta: meta(_meta) });
    }
    return compact({ action: action === "decline" ? action : "cancel", _meta: meta(_meta) });
  }
};
function question(wire) {
  const { mode } = wire;
  const base = compact({ message: required(wire.message), _meta: meta(wire._meta) });
  const { elicitationId, url } = wire;
  if (mode === "url" && typeof elicitationId === "string" && typeof url === "string") {
    return { ...base, mode, elicitationId, url };
  }
  const form = part(wire, "requestedSchema");
  if (mode === "form") {
    return {
      ...base,
      mode,
      requestedSchema: { ...form, type: "object", properties: part(form, "properties") }
    };
  }
  const others = without(wire, ["sessionId", "toolCallId", "requestId"]);
  return { ...others, ...base, mode: text(mode) ?? "" };
}
function scopeOf({ sessionId, toolCallId, requestId }) {
  if (typeof sessionId === "string") return compact({ sessionId, toolCallId: textOrNull(toolCallId) });
  return { requestId: typeof requestId === "string" || typeof requestId === "number" ? requestId : null };
}
var setOptionCall = /* @__NO_SIDE_EFFECTS__ */ ({
  dialect,
  encodeParams,
  decodeParams,
  readOption,
  writeOptions
}) => ({
  method: "session/set_config_option",
  encodeParams,
  decodeParams,
  encodeResult: ({ configOptions }, peer, onLoss) => ({
    configOptions: writeOptions(configOptions, lostIn(dialect, "setConfigOption", onLoss), peer)
  }),
  decodeResult: (wire) => ({ configOptions: list(wire.configOptions, readOption) })
});

// packages/session/src/codec/fallback/terminals.ts
var LEAST = 256;
var SHARE3 = 4;
var outputOf = (terminal) => terminal.droppedBytes + terminal.textBytes;
function showTerminal(terminalId, toolCallId, after, shown3) {
  const terminal = after?.terminals.get(terminalId);
  if (after !== void 0) noteShown(terminalId, toolCallId, after, shown3);
  if (terminal === void 0) return void 0;
  const text2 = terminalText(terminal);
  return text2 === "" ? void 0 : { type: "content", content: { type: "text", text: text2 } };
}
function noteShown(terminalId, toolCallId, after, shown3) {
  const { users, sent } = shown3;
  const isCall = (id) => after.timeline.has(toolCallKey(id));
  const toolCalls = users.get(terminalId) ?? /* @__PURE__ */ new Set();
  if (toolCalls.size === 0) users.set(terminalId, toolCalls, (id) => after.terminals.has(id));
  toolCalls.add(toolCallId);
  const terminal = after.terminals.get(terminalId);
  const outputs = sent.get(toolCallId) ?? /* @__PURE__ */ new Map();
  if (outputs.size === 0) sent.set(toolCallId, outputs, isCall);
  outputs.set(terminalId, terminal === void 0 ? 0 : outputOf(terminal));
}
function showNothing(toolCallId, { users, sent, behind }) {
  for (const terminalId of sent.get(toolCallId)?.keys() ?? []) {
    const toolCalls = users.get(terminalId);
    toolCalls?.delete(toolCallId);
    if (toolCalls?.size === 0) users.delete(terminalId);
  }
  sent.delete(toolCallId);
  behind.delete(toolCallId);
}
function dueToolCalls(terminalId, { before, after }, shown3) {
  const { users, sent, behind } = shown3;
  const terminal = after.terminals.get(terminalId);
  const old = before.terminals.get(terminalId);
  if (terminal === void 0 || terminal === old) return [];
  const output = outputOf(terminal);
  const due = [];
  for (const toolCallId of users.get(terminalId) ?? []) {
    if (!after.timeline.has(toolCallKey(toolCallId))) {
      showNothing(toolCallId, shown3);
      continue;
    }
    const had = sent.get(toolCallId)?.get(terminalId) ?? 0;
    const anew = output < had || old?.exitStatus !== terminal.exitStatus || old?.command !== terminal.command;
    const isEnough = output - had >= Math.max(LEAST, Math.min(had, TAIL) / SHARE3) || had === 0 && output > 0;
    if (anew || isEnough) due.push(toolCallId);
    else if (output !== had) behind.set(toolCallId, true, (id) => after.timeline.has(toolCallKey(id)));
  }
  return due;
}
function isBehind(toolCallId, after, { sent, behind }) {
  if (!behind.has(toolCallId)) return false;
  for (const [terminalId, had] of sent.get(toolCallId) ?? []) {
    const terminal = after.terminals.get(terminalId);
    if (terminal !== void 0 && outputOf(terminal) !== had) return true;
  }
  return false;
}
var TAIL = 16384;
function terminalText({ command: command2, text: text2, droppedBytes, exitStatus }) {
  const parts = [];
  if (command2 !== void 0) parts.push(`$ ${plainText(command2)}`);
  const shown3 = tailOf(text2);
  const output = plainText(shown3);
  if (output !== "") parts.push(shown3.length < text2.length || droppedBytes > 0 ? `\u2026
${output}` : output);
  if (exitStatus !== void 0) parts.push(endOf(exitStatus));
  return parts.map((part2, index) => index === 0 || parts[index - 1]?.endsWith("\n") ? part2 : `
${part2}`).join("");
}
function endOf({ exitCode, signal }) {
  if (typeof signal === "string") return `[ended by ${plainText(signal)}]`;
  return typeof exitCode === "number" ? `[exit code ${exitCode}]` : "[ended]";
}
function tailOf(text2) {
  if (text2.length <= TAIL) return text2;
  const tail = text2.slice(-TAIL);
  const line = tail.indexOf("\n");
  if (line >= 0 && line < TAIL - 1) return tail.slice(line + 1);
  const first = tail.charCodeAt(0);
  return first >= 56320 && first < 57344 ? tail.slice(1) : tail;
}
var STRING_SEQUENCE = (
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what has to go.
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)/g
);
var SEQUENCE = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;
var CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
function plainText(text2) {
  const said = text2.replace(STRING_SEQUENCE, "").replace(SEQUENCE, "").replaceAll("\r\n", "\n");
  const lines = said.includes("\r") ? said.split("\n").map(lastWritten).join("\n") : said;
  return lines.replace(CONTROL, "");
}
function lastWritten(line) {
  const written2 = line.endsWith("\r") ? line.slice(0, -1) : line;
  return written2.slice(written2.lastIndexOf("\r") + 1);
}

// packages/session/src/codec/fallback/content.ts
function encodeContent(content, toolCallId, after, told) {
  if (after !== void 0) showNothing(toolCallId, told.terminals);
  return [...content].flatMap((item) => encodeItem(item, toolCallId, after, told));
}
function wholeContent(toolCallId, after, told) {
  const entry2 = after.timeline.get(toolCallKey(toolCallId));
  return entry2?.type === "tool_call" ? encodeContent(entry2.content, toolCallId, after, told) : void 0;
}
function encodeItem(item, toolCallId, after, { lost, terminals, clientTerminals, linksSessions }) {
  if (item.type === "session" && !linksSessions) {
    lost("subagent", item.sessionId);
    return [textItem(after?.subagents.get(item.sessionId)?.title ?? `Session ${item.sessionId}`)];
  }
  if (item.type === "diff") {
    if (!isPlain(item)) lost("diff", toolCallId);
    return encodeDiff(item);
  }
  if (item.type !== "terminal") return [item];
  const text2 = showTerminal(item.terminalId, toolCallId, after, terminals);
  if (clientTerminals && !after?.terminals.has(item.terminalId)) return [item];
  lost("terminal", item.terminalId);
  return text2 === void 0 ? [] : [text2];
}
var PLAIN2 = ["operation", "path", "oldText", "newText"];
function isPlain({ changes, patch }) {
  const [change, ...others] = changes;
  if (change === void 0 || others.length > 0 || patch != null || !isWhole(change)) return false;
  if (Object.entries(change).some(([key, value]) => value !== void 0 && !PLAIN2.includes(key))) return false;
  return change.operation === "add" === (typeof change.oldText !== "string");
}
var isWhole = (change) => (change.operation === "add" || change.operation === "modify") && typeof change.newText === "string";
function encodeDiff({ changes, patch, _meta }) {
  const items = changes.map((change) => {
    if (isWhole(change)) {
      const { path, oldText, newText } = change;
      return compact({ type: "diff", path, oldText: oldText ?? void 0, newText, _meta: _meta ?? void 0 });
    }
    if (change.operation === "delete" && typeof change.oldText === "string") {
      return { type: "diff", path: change.path, oldText: change.oldText, newText: "" };
    }
    return textItem(describe(change));
  });
  const untold2 = changes.some((change) => !isWhole(change)) || changes.length === 0;
  return patch && untold2 ? [...items, textItem(`\`\`\`diff
${patch.text}
\`\`\``)] : items;
}
function describe({ operation, path, oldPath }) {
  return oldPath === void 0 ? `${operation} ${path}`.trim() : `${operation} ${oldPath} \u2192 ${path}`;
}
function textItem(text2) {
  return { type: "content", content: { type: "text", text: text2 } };
}

// packages/session/src/codec/fallback/sending.ts
var LEAST2 = 1024;
var Sent = class {
  /** The map is created for the first record. An encoder has six of these maps, and most sessions use none. */
  #records;
  #least;
  #most;
  #rounds = 0;
  /** Creates an empty collection of records. With fewer than `least` records, no record is removed. */
  constructor(least = LEAST2) {
    this.#least = least;
    this.#most = least;
  }
  /**
   * Returns the number of removals until now. New names contain this number, so that they never equal the name of a
   * removed record.
   */
  get rounds() {
    return this.#rounds;
  }
  get size() {
    return this.#records?.size ?? 0;
  }
  get(id) {
    return this.#records?.get(id);
  }
  has(id) {
    return this.#records?.has(id) === true;
  }
  /**
   * Stores a record. At a limit, also removes old records. `isKept` returns `true` for an id that is still in the
   * state.
   */
  set(id, record2, isKept) {
    this.#records ??= /* @__PURE__ */ new Map();
    const records = this.#records.set(id, record2);
    if (records.size <= this.#most) return;
    for (const known of records.keys()) if (known !== id && !isKept(known)) records.delete(known);
    this.#most = Math.max(this.#least, 2 * records.size);
    this.#rounds += 1;
  }
  ids() {
    return this.#records?.keys() ?? [];
  }
  delete(id) {
    this.#records?.delete(id);
  }
};
var noTerminals2 = () => ({ users: new Sent(), sent: new Sent(), behind: new Sent() });

// packages/session/src/codec/fallback/settings.ts
function encodeCommands(event, lost) {
  const availableCommands = event.availableCommands.map((command2) => encodeCommand(command2, lost));
  return compact({
    sessionUpdate: event.type,
    availableCommands: availableCommands.filter((command2) => command2 !== void 0),
    _meta: event._meta ?? void 0
  });
}
function encodeCommand({ type, input: input2, ...command2 }, lost) {
  if (type !== "command") {
    lost("unknown", command2.name);
    return void 0;
  }
  if (input2 && input2.type !== "text") lost("unknown", command2.name);
  if (input2?.type !== "text") return command2;
  const { type: _, hint, ...others } = input2;
  return { ...command2, input: { ...others, hint: hint ?? "" } };
}
function encodeList(options3, lost, peer) {
  return options3.map((option2) => encodeOption(option2, lost, peer)).filter((option2) => option2 !== void 0);
}
function encodeOption({ setBy: _, ...option2 }, lost, peer) {
  const { configId: id, ...others } = option2;
  if (option2.type === "select") return { ...others, id, options: option2.options.map(encodeChoice) };
  if (option2.type !== "boolean") {
    lost("unknown", id);
    return void 0;
  }
  if (peer?.booleanOptions) return { ...others, id };
  lost("boolean-option", id);
  const options3 = [
    { value: "on", name: "On" },
    { value: "off", name: "Off" }
  ];
  return { ...others, id, type: "select", currentValue: option2.currentValue ? "on" : "off", options: options3 };
}
function encodeChoice(choice2) {
  if (!("groupId" in choice2)) return choice2;
  const { groupId: group2, ...others } = choice2;
  return { ...others, group: group2 };
}

// packages/session/src/codec/introduction.ts
var UNKNOWN = { name: "unknown", version: "unknown" };
var implementation = /* @__PURE__ */ record({
  required: { name: text, version: text },
  nullable: { title: text }
});
var version = (value) => typeof value === "number" ? value : 0;
var MODES = ["form", "url"];
function writeMarks(capabilities, names) {
  return compact(Object.fromEntries(names.map((name) => [name, mark2(capabilities[name])])));
}
function allMarks(names, isOffered) {
  return Object.fromEntries(names.map((name) => [name, isOffered]));
}
function readMarks(wire, names) {
  return Object.fromEntries(names.map((name) => [name, isMarked(wire[name])]));
}
function encodeClientCapabilities(capabilities) {
  const { files: files2, terminals, terminalLogin, elicitation, notices, compaction, booleanOptions, subagents, plans, _meta } = capabilities;
  const session = compact({
    compaction: mark2(compaction),
    configOptions: booleanOptions ? { boolean: {} } : void 0,
    notices: mark2(notices)
  });
  const asks = writeMarks(elicitation, MODES);
  return compact({
    fs: { readTextFile: files2.read, writeTextFile: files2.write },
    terminal: terminals,
    auth: { terminal: terminalLogin },
    session: Object.keys(session).length > 0 ? session : void 0,
    elicitation: Object.keys(asks).length > 0 ? asks : void 0,
    // P-CAP-03
    subagents: mark2(subagents),
    plan: mark2(plans),
    _meta
  });
}
function elicitationModes(wire) {
  return readMarks(part(wire, "elicitation"), MODES);
}
function readSystemPrompt(session) {
  if (!isMarked(session.systemPrompt)) return void 0;
  return { override: isMarked(part(part(session, "systemPrompt"), "mode").override) };
}
function writeSystemPrompt({ systemPrompt }) {
  if (systemPrompt === void 0) return {};
  return { systemPrompt: systemPrompt.override ? { mode: { override: {} } } : {} };
}

// packages/session/src/codec/permission.ts
function readOutcome(wire) {
  const outcome = part(wire ?? {}, "outcome");
  return outcome.outcome === "selected" && typeof outcome.optionId === "string" ? { outcome: compact({ outcome: "selected", optionId: outcome.optionId, _meta: meta(outcome._meta) }) } : { outcome: compact({ outcome: "cancelled", _meta: meta(outcome._meta) }) };
}
var askAboutToolCall = /* @__NO_SIDE_EFFECTS__ */ (shapes) => ({
  method: "session/request_permission",
  encodeParams: (question2, onLoss) => {
    const { sessionId, subject, _meta } = question2;
    const lost = lostIn(shapes.dialect, "askPermission", onLoss);
    const toolCall = subject?.type === "tool_call" ? shapes.writePatch(subject.toolCall, question2.title, lost) : standIn(question2, lost);
    if (subject?.type === "tool_call" && saysMore(question2, subject.toolCall)) {
      lost("permission", subject.toolCall.toolCallId);
    }
    return compact({ sessionId, toolCall, options: offered(question2, shapes.kinds, lost), _meta });
  },
  decodeResult: readOutcome
});
var saysMore = ({ title, description }, { title: own2, name }) => description != null || title !== (own2 ?? name);
function offered({ options: options3 }, kinds, lost) {
  const isKnown = ({ kind }) => kinds?.includes(kind) ?? true;
  for (const option2 of options3) if (!isKnown(option2)) lost("unknown", option2.optionId);
  return options3.filter(isKnown);
}
function standIn({ title, description, subject, options: options3, _meta }, lost) {
  const command2 = subject?.type === "command" ? subject : void 0;
  const texts2 = [description, command2 && `${command2.command}
(in ${command2.cwd})`].filter((one) => one != null);
  const toolCallId = `permission:${fingerprint(JSON.stringify([title, texts2, options3, _meta]))}`;
  lost("permission", toolCallId);
  return {
    toolCallId,
    title,
    kind: command2 === void 0 ? "other" : "execute",
    status: "pending",
    content: texts2.map((one) => ({ type: "content", content: { type: "text", text: one } }))
  };
}
function fingerprint(value) {
  let hash = 0;
  for (let index = 0; index < value.length; index++) hash = Math.imul(hash, 31) + value.charCodeAt(index) | 0;
  return (hash >>> 0).toString(36);
}

// packages/session/src/codec/session-calls.ts
// @__NO_SIDE_EFFECTS__
function sessionCalls({
  dialect,
  requiresServers,
  encodeServer: encodeServer3,
  decodeServer: decodeServer3,
  encodeLists,
  decodeLists
}) {
  function encodeWorkspace(workspace, lost) {
    const { cwd, additionalDirectories, mcpServers = [], systemPrompt, _meta } = workspace;
    const servers = mcpServers.flatMap((server) => encodeServer3(server, lost));
    return compact({
      cwd,
      additionalDirectories: additionalDirectories?.length ? additionalDirectories : void 0,
      mcpServers: requiresServers || servers.length > 0 ? servers : void 0,
      systemPrompt: systemPrompt ?? void 0,
      _meta
    });
  }
  function decodePlace({ cwd, additionalDirectories, mcpServers, systemPrompt, _meta }) {
    return compact({
      cwd: required(cwd),
      additionalDirectories: texts(additionalDirectories),
      mcpServers: Array.isArray(mcpServers) ? mcpServers.filter(isObject).map(decodeServer3) : void 0,
      // The schema has refused a system prompt that does not read.
      systemPrompt: systemPrompt ?? void 0,
      _meta: meta(_meta)
    });
  }
  const newSession = {
    method: "session/new",
    encodeParams: (workspace, onLoss) => encodeWorkspace(workspace, lostIn(dialect, "newSession", onLoss)),
    decodeParams: (wire) => decodePlace(wire),
    encodeResult: ({ sessionId, ...lists }, peer, onLoss) => ({
      sessionId,
      ...encodeLists(lists, lostIn(dialect, "newSession", onLoss), peer)
    }),
    decodeResult: (wire) => ({ sessionId: required(wire.sessionId), ...decodeLists(wire) })
  };
  const restore = (method, name) => ({
    method,
    encodeParams: ({ sessionId, replayFrom, ...workspace }, onLoss) => {
      const lost = lostIn(dialect, name, onLoss);
      if (replayFrom != null) lost("replay-from", replayFrom.type);
      return { sessionId, ...encodeWorkspace(workspace, lost) };
    },
    decodeParams: (wire) => ({ ...decodePlace(wire), sessionId: required(wire.sessionId) }),
    encodeResult: (lists, peer, onLoss) => encodeLists(lists, lostIn(dialect, name, onLoss), peer),
    // Older programs answer with `null` (V1-SESS-24).
    decodeResult: (wire) => decodeLists(wire ?? {})
  });
  return {
    newSession,
    loadSession: restore("session/load", "loadSession"),
    resumeSession: restore("session/resume", "resumeSession")
  };
}
var namedValue = /* @__PURE__ */ record({ required: { name: text, value: text } });
var namedValues = (value) => list(value, namedValue);

// packages/session/src/codec/v2/line-diff.ts
var MOST_EDITS = 400;
function changedLines(before, after) {
  const most = Math.min(before.length, after.length);
  let prefix = 0;
  while (prefix < most && before[prefix] === after[prefix]) prefix++;
  let suffix = 0;
  while (suffix < most - prefix && before.at(-1 - suffix) === after.at(-1 - suffix)) suffix++;
  const oldEnd = before.length - suffix;
  const newEnd = after.length - suffix;
  if (prefix === oldEnd && prefix === newEnd) return [];
  const matches = matchingLines(before.slice(prefix, oldEnd), after.slice(prefix, newEnd));
  if (matches === void 0) return [{ oldStart: prefix, oldEnd, newStart: prefix, newEnd }];
  return between(
    matches.map(([old, now]) => [old + prefix, now + prefix]),
    { oldStart: prefix, oldEnd, newStart: prefix, newEnd }
  );
}
function between(matches, whole2) {
  const changes = [];
  let { oldStart, newStart } = whole2;
  for (const [old, now] of [...matches, [whole2.oldEnd, whole2.newEnd]]) {
    if (old > oldStart || now > newStart) changes.push({ oldStart, oldEnd: old, newStart, newEnd: now });
    oldStart = old + 1;
    newStart = now + 1;
  }
  return changes;
}
function matchingLines(before, after) {
  const most = Math.min(before.length + after.length, MOST_EDITS);
  const reach = new Int32Array(2 * most + 2);
  const trace = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let old = nextReach(reach, most + k, k === -edits, k === edits);
      while (old < before.length && old - k < after.length && before[old] === after[old - k]) old++;
      reach[most + k] = old;
      if (old >= before.length && old - k >= after.length) return wayBack(trace, most, before.length, after.length);
    }
  }
  return void 0;
}
function nextReach(reach, at, isLowest, isHighest) {
  const down = reach[at + 1] ?? 0;
  const right = (reach[at - 1] ?? 0) + 1;
  return isLowest || !isHighest && right <= down ? down : right;
}
function wayBack(trace, most, oldLength, newLength) {
  const matches = [];
  let old = oldLength;
  let now = newLength;
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits];
    const k = old - now;
    const down = reach[most + k + 1] ?? 0;
    const right = (reach[most + k - 1] ?? 0) + 1;
    const tookDown = k === -edits || k !== edits && right <= down;
    const start = edits === 0 ? 0 : tookDown ? down : right;
    while (old > start) {
      old--;
      now--;
      matches.push([old, now]);
    }
    if (edits === 0) break;
    if (tookDown) now--;
    else old--;
  }
  return matches.reverse();
}

// packages/session/src/codec/v2/git-patch.ts
var CONTEXT = 3;
var NOTHING = "/dev/null";
function gitPatch(change) {
  const texts2 = textsOf(change);
  if (texts2 === void 0 || isBinary(texts2.before) || isBinary(texts2.after)) return void 0;
  if (change.operation === "modify" && texts2.before === texts2.after) return void 0;
  const path = quoted(change.path);
  const lines = [`diff --git ${path} ${path}`];
  if (change.operation === "add") lines.push("new file mode 100644");
  if (change.operation === "delete") lines.push("deleted file mode 100644");
  const hunks = hunksOf(linesOf(texts2.before), linesOf(texts2.after));
  if (hunks.length === 0) return `${lines.join("\n")}
`;
  const name = `${path}${path.includes(" ") ? "	" : ""}`;
  lines.push(`--- ${change.operation === "add" ? NOTHING : name}`);
  lines.push(`+++ ${change.operation === "delete" ? NOTHING : name}`);
  return `${[...lines, ...hunks].join("\n")}
`;
}
var isBinary = (content) => content.includes("\0");
function textsOf({ operation, oldText, newText }) {
  switch (operation) {
    case "add":
      return typeof newText === "string" ? { before: "", after: newText } : void 0;
    case "delete":
      return typeof oldText === "string" ? { before: oldText, after: "" } : void 0;
    case "modify":
      return typeof oldText === "string" && typeof newText === "string" ? { before: oldText, after: newText } : void 0;
    default:
      return void 0;
  }
}
function linesOf(text2) {
  const lines = text2.split("\n");
  const last = lines.pop();
  const ended = lines.map((line) => `${line}
`);
  return last === "" || last === void 0 ? ended : [...ended, last];
}
function hunksOf(before, after) {
  const hunks = [];
  for (const change of changedLines(before, after)) {
    const hunk = hunks.at(-1);
    if (hunk !== void 0 && change.oldStart - (hunk.at(-1)?.oldEnd ?? 0) <= 2 * CONTEXT) hunk.push(change);
    else hunks.push([change]);
  }
  return hunks.flatMap((hunk) => hunkOf(hunk, before, after));
}
function hunkOf(changes, before, after) {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === void 0 || last === void 0) return [];
  const head = Math.min(first.oldStart, CONTEXT);
  const tail = Math.min(before.length - last.oldEnd, CONTEXT);
  const lines = [];
  let shown3 = first.oldStart - head;
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    mark3(" ", before.slice(shown3, oldStart), lines);
    mark3("-", before.slice(oldStart, oldEnd), lines);
    mark3("+", after.slice(newStart, newEnd), lines);
    shown3 = oldEnd;
  }
  mark3(" ", before.slice(shown3, shown3 + tail), lines);
  const oldRange = range(first.oldStart - head, last.oldEnd + tail - (first.oldStart - head));
  const newRange = range(first.newStart - head, last.newEnd + tail - (first.newStart - head));
  return [`@@ -${oldRange} +${newRange} @@`, ...lines];
}
function range(start, length) {
  if (length === 0) return `${start},0`;
  return length === 1 ? `${start + 1}` : `${start + 1},${length}`;
}
function mark3(sign, lines, into) {
  for (const line of lines) {
    if (line.endsWith("\n")) into.push(`${sign}${line.slice(0, -1)}`);
    else into.push(`${sign}${line}`, "\\ No newline at end of file");
  }
}
var ESCAPES = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "	": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r"
};
function quoted(path) {
  if (!/[\u0000-\u001f"\\\u007f-\uffff]/.test(path)) return path;
  let out = "";
  for (const character of path) out += ESCAPES[character] ?? (isPlain2(character) ? character : octal(character));
  return `"${out}"`;
}
var isPlain2 = (character) => character >= " " && character <= "~";
function octal(character) {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

// packages/session/src/codec/v2/diff.ts
function encodeItem2(item, untold2) {
  return needsEncoding(item) ? encodeDiff2(item, untold2) : item;
}
function encodePatch(patch, lost) {
  const { content, toolCallId } = patch;
  if (content == null || !content.some(needsEncoding)) return patch;
  return { ...patch, content: content.map((item) => encodeItem2(item, () => lost("diff-text", toolCallId))) };
}
var needsEncoding = (item) => item.type === "diff" && item.changes.some(needsChange);
var needsChange = (change) => "oldText" in change || "newText" in change || change.path === "";
function encodeDiff2(diff, untold2) {
  const { changes, patch, _meta } = diff;
  const told = patch === void 0 || patch === null ? patchOf(changes, untold2) : patch;
  return compact({ ...diff, changes: changes.map(encodeChange), patch: told ?? patch, _meta: _meta ?? void 0 });
}
function patchOf(changes, untold2) {
  const sections = [];
  for (const change of changes) {
    const section = gitPatch(change);
    if (section !== void 0) sections.push(section);
    else if (change.oldText !== change.newText) untold2();
  }
  return sections.length === 0 ? void 0 : { format: "git_patch", text: sections.join("") };
}
function encodeChange(change) {
  const { oldText, newText, path, fileType, ...others } = change;
  const known = [oldText, newText].filter((text2) => typeof text2 === "string");
  const sort = known.length === 0 ? void 0 : known.some(isBinary) ? "binary" : "text";
  return compact({ ...others, path: path === "" ? void 0 : path, fileType: fileType ?? sort ?? fileType });
}

// packages/session/src/codec/v2/encode.ts
function createEncoder(_peer, onLoss) {
  let type = "";
  const lost = (id, entity) => lostIn("v2", type, onLoss)(id, entity);
  return (event, around) => {
    type = event.type;
    return encode(event, around, lost);
  };
}
function encode(event, around, lost) {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [encodeChunk(event, around, lost)];
    case "terminal_output_chunk":
      if (event._meta != null) return [update(event)];
      return [{ sessionUpdate: event.type, terminalId: event.terminalId, data: event.data }];
    case "tool_call_content_chunk": {
      const content = encodeItem2(event.content, () => lost("diff-text", event.toolCallId));
      return [content === event.content ? update(event) : { ...update(event), content }];
    }
    case "tool_call_update": {
      const said = encodePatch(event, lost);
      return [said === event ? update(event) : { ...update(event), content: said.content }];
    }
    case "compaction_update":
      return [update(withStatus(event, around))];
    case "available_commands_update":
      return [{ ...update(event), availableCommands: encodeCommands2(event.availableCommands) }];
    case "config_option_update":
      return [{ ...update(event), configOptions: encodeOptions(event.configOptions) }];
    case "current_mode_update": {
      const options3 = optionsByMode(event.currentModeId, around, lost);
      return options3 ? [{ sessionUpdate: "config_option_update", configOptions: encodeOptions(options3) }] : [];
    }
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    default:
      return [update(event)];
  }
}
function encodeChunk(event, around, lost) {
  const { type, content, _meta } = event;
  let { messageId } = event;
  if (messageId === void 0) {
    const { after } = around;
    messageId = after.internal.openMessage ?? after.timeline.at(-1)?.key ?? type;
    lost("message-id", messageId);
  }
  if (_meta != null) return { sessionUpdate: type, messageId, content, _meta };
  return { sessionUpdate: type, messageId, content };
}
function optionsByMode(mode, { before, after }, lost) {
  if (after.configOptions === void 0) lost("mode", mode);
  return after.configOptions === before.configOptions ? void 0 : after.configOptions;
}
var OURS = ["type", "at", "extra", "promptKey", "__proto__"];
function update(event) {
  const out = { sessionUpdate: event.type };
  for (const key in event) {
    const value = event[key];
    if (!OURS.includes(key) && value !== void 0) out[key] = value;
  }
  return out;
}
function encodeOptions(options3) {
  return options3.some((option2) => option2.setBy !== void 0) ? options3.map(encodeOption2) : options3;
}
function encodeOption2({ setBy: _, ...option2 }) {
  return option2;
}
function encodeCommands2(commands4) {
  return commands4.some(lacksHint) ? commands4.map(encodeCommand2) : commands4;
}
var lacksHint = ({ input: input2 }) => input2?.type === "text" && input2.hint === void 0;
function encodeCommand2(command2) {
  return lacksHint(command2) ? { ...command2, input: { ...command2.input, hint: "" } } : command2;
}

// packages/session/src/codec/v2/initialize.ts
var initialize = {
  method: "initialize",
  encodeParams: ({ protocolVersion, info: info2, capabilities, plain: plain2, _meta }) => compact({
    protocolVersion,
    info: info2,
    capabilities: encodeClient(capabilities),
    ...plain2 ? {} : superset(info2, capabilities),
    _meta
  }),
  // Only these members show the draft of the client (V2-SEED-20).
  decodeParams: (wire) => {
    const { protocolVersion, info: info2, clientInfo, _meta } = wire;
    const named2 = implementation(info2);
    return compact({
      protocolVersion: version(protocolVersion),
      info: named2 ?? implementation(clientInfo) ?? UNKNOWN,
      capabilities: decodeClient(part(wire, "capabilities"), named2 !== void 0),
      dialect: named2 === void 0 ? "seed" : "v2",
      _meta: meta(_meta)
    });
  },
  encodeResult: ({ protocolVersion, info: info2, capabilities, authMethods, _meta }) => compact({
    protocolVersion,
    info: info2,
    capabilities: compact({
      session: capabilities.sessions === false ? void 0 : { ...encodeSessionCapabilities(capabilities), ...writeSystemPrompt(capabilities) },
      _meta: capabilities._meta
    }),
    authMethods: authMethods.length > 0 ? authMethods : void 0,
    _meta
  }),
  decodeResult: (wire) => {
    const { protocolVersion, info: info2, agentInfo, authMethods, _meta } = wire;
    const seedLike = isSeedLike(wire);
    const methods = list(authMethods, authMethod);
    const agent = part(wire, "capabilities");
    const offered2 = seedLike ? seedOffers(agent) : offers(agent, methods.length > 0);
    return compact({
      protocolVersion: version(protocolVersion),
      info: implementation(info2) ?? implementation(agentInfo) ?? UNKNOWN,
      capabilities: decodeAgent(agent, offered2),
      authMethods: methods,
      dialect: seedLike ? "seed" : "v2",
      _meta: meta(_meta)
    });
  }
};
var superset = (info2, capabilities) => ({
  clientInfo: info2,
  clientCapabilities: encodeClientCapabilities(capabilities)
});
function encodeClient({ terminalLogin, elicitation, _meta }) {
  const asks = writeMarks(elicitation, MODES);
  return compact({
    auth: terminalLogin ? { terminal: {} } : void 0,
    elicitation: Object.keys(asks).length > 0 ? asks : void 0,
    _meta
  });
}
function decodeClient(wire, baseline) {
  return compact({
    files: { read: false, write: false },
    terminals: false,
    terminalLogin: isMarked(part(wire, "auth").terminal),
    elicitation: elicitationModes(wire),
    notices: baseline,
    compaction: baseline,
    subagents: baseline,
    plans: baseline,
    booleanOptions: baseline,
    _meta: meta(wire._meta)
  });
}
var BLOCKS2 = ["image", "audio", "embeddedContext"];
var TRANSPORTS = ["stdio", "http"];
var MARKERS = ["load", "list", "resume", "close"];
function isSeedLike(wire) {
  if (implementation(wire.info) !== void 0) return false;
  const capabilities = part(wire, "capabilities");
  const session = part(capabilities, "session");
  const { authMethods } = wire;
  return isObject(wire.agentInfo) || MARKERS.some((marker) => isMarked(session[marker])) || AUTH_MARKS.some((marker) => isMarked(part(capabilities, "auth")[marker])) || Array.isArray(authMethods) && authMethods.some((one) => isObject(one) && "id" in one && !("methodId" in one));
}
function offers(agent, login) {
  const sessions3 = isMarked(agent.session);
  const all = { ...allMarks(MARKERS, sessions3), ...allMarks(AUTH_MARKS, login) };
  return sessions3 ? all : { ...all, sessions: sessions3 };
}
function seedOffers(agent) {
  return { ...readMarks(part(agent, "session"), MARKERS), ...readMarks(part(agent, "auth"), AUTH_MARKS) };
}
function decodeAgent(wire, offered2) {
  const session = part(wire, "session");
  return compact({
    ...offered2,
    ...readMarks(session, SESSION_MARKS),
    systemPrompt: readSystemPrompt(session),
    prompt: readMarks(part(session, "prompt"), BLOCKS2),
    mcp: { ...readMarks(part(session, "mcp"), TRANSPORTS), sse: false },
    _meta: meta(wire._meta)
  });
}
function encodeSessionCapabilities(capabilities) {
  const { prompt: prompt3, mcp } = capabilities;
  return {
    prompt: writeMarks(prompt3, BLOCKS2),
    mcp: writeMarks(mcp, TRANSPORTS),
    ...writeMarks(capabilities, SESSION_MARKS)
  };
}
function authMethod(value) {
  if (!isObject(value)) return void 0;
  const methodId = "methodId" in value ? value.methodId : value.id;
  const { type = "agent" } = value;
  if (typeof methodId !== "string" || typeof value.name !== "string" || typeof type !== "string") return void 0;
  const { description, _meta } = value;
  const base = { methodId, name: value.name, description: textOrNull(description), _meta: meta(_meta) };
  if (type === "agent") return compact({ ...base, type });
  if (type !== "terminal") return compact({ ...value, ...base, type });
  const args = value.args ?? [];
  const env = value.env ?? [];
  const sound = Array.isArray(args) && args.every((arg) => typeof arg === "string");
  if (!sound || !Array.isArray(env) || !env.every(isNamed2)) return void 0;
  return compact({ ...base, type, args, env });
}
var isNamed2 = (value) => isObject(value) && required(value.name) !== "" && typeof value.value === "string";

// packages/session/src/codec/v2/calls.ts
var options = {
  dialect: "v2",
  readOption: configOption2,
  writeOptions: encodeOptions,
  encodeParams: ({ sessionId, configId, value, type }) => ({
    sessionId,
    configId,
    type: type ?? (typeof value === "boolean" ? "boolean" : "id"),
    value
  }),
  decodeParams: (wire) => {
    const { sessionId, configId, type = "id", value } = wire;
    const wanted = type === "boolean" ? "boolean" : "string";
    const known = (type === "id" || type === "boolean") && typeof value === wanted;
    return compact({
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : required(value),
      type: known ? void 0 : String(type)
    });
  }
};
var prompt = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt: prompt3, idempotencyKey, _meta }) => compact({ sessionId, prompt: prompt3, idempotencyKey, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt: prompt3, idempotencyKey, _meta } = wire;
    return compact({
      sessionId: required(sessionId),
      prompt: list(prompt3, contentBlock),
      idempotencyKey: text(idempotencyKey),
      _meta: meta(_meta)
    });
  },
  encodeResult: ({ messageId, _meta }) => compact({ messageId, _meta }),
  decodeResult: (wire) => {
    const { stopReason, messageId, usage, _meta } = wire ?? {};
    return compact({
      stopReason: text(stopReason),
      messageId: text(messageId),
      usage: tokenUsage(usage),
      _meta: meta(_meta)
    });
  }
};
var sessions = {
  dialect: "v2",
  requiresServers: false,
  encodeServer,
  decodeServer,
  encodeLists: ({ configOptions, availableCommands, _meta }) => compact({
    configOptions: configOptions == null ? void 0 : encodeOptions(configOptions),
    availableCommands: availableCommands == null ? void 0 : encodeCommands2(availableCommands),
    _meta
  }),
  decodeLists: ({ configOptions, availableCommands, _meta }) => compact({
    configOptions: Array.isArray(configOptions) ? list(configOptions, configOption2) : void 0,
    availableCommands: Array.isArray(availableCommands) ? list(availableCommands, readCommand) : void 0,
    _meta: meta(_meta)
  })
};
function openingCalls() {
  const { newSession, resumeSession: resume } = sessionCalls(sessions);
  const resumeSession = {
    ...resume,
    encodeParams: ({ replayFrom, ...params }, onLoss) => compact({ ...resume.encodeParams(params, onLoss), replayFrom: replayFrom ?? void 0 }),
    decodeParams: (wire) => compact({ ...resume.decodeParams(wire), replayFrom: readReplayFrom(wire.replayFrom) })
  };
  const loadSession = {
    ...resume,
    encodeParams: (params, onLoss) => resumeSession.encodeParams({ ...params, replayFrom: { type: "start" } }, onLoss)
  };
  return { newSession, loadSession, resumeSession };
}
var commands = /* @__PURE__ */ allCommands();
function allCommands() {
  return {
    ...commonCommands(auth, options),
    ...openingCalls(),
    initialize,
    prompt,
    cancelToolCall: on("tool_call/cancel", "sessionId", "toolCallId"),
    cancelTerminal: on("terminal/cancel", "sessionId", "terminalId")
  };
}
var askPermission = {
  method: "session/request_permission",
  encodeParams: ({ sessionId, title, description, subject, options: options3, _meta }, onLoss) => {
    const lost = lostIn("v2", "askPermission", onLoss);
    const about = subject?.type === "tool_call" ? { ...subject, toolCall: encodePatch(subject.toolCall, lost) } : subject;
    return compact({ sessionId, title, description, subject: about, options: options3, _meta });
  },
  decodeResult: readOutcome
};
var questions = /* @__PURE__ */ withElicitations(askPermission);
function encodeServer(server, lost) {
  if (server.type !== "sse") return [server];
  lost("mcp-server", server.name);
  return [];
}
function decodeServer(wire) {
  const named2 = wire;
  if (wire.type === "http" && typeof wire.url === "string") {
    return compact({
      ...named2,
      type: wire.type,
      url: wire.url,
      headers: wire.headers == null ? void 0 : namedValues(wire.headers)
    });
  }
  const stdio = wire.type === void 0 || wire.type === "stdio";
  if (!stdio || typeof wire.command !== "string") return wire;
  const args = wire.args == null ? void 0 : texts(wire.args) ?? [];
  const env = wire.env == null ? void 0 : namedValues(wire.env);
  const { args: _, env: __, ...others } = named2;
  return compact({ ...others, type: "stdio", command: wire.command, args, env });
}
function readReplayFrom(value) {
  if (value == null) return void 0;
  if (isObject(value) && typeof value.type === "string") return value;
  return { type: "" };
}

// packages/session/src/codec/seed/calls.ts
function allCommands2() {
  return {
    ...commonCommands(olderAuth, {
      ...options,
      dialect: "seed",
      writeOptions: (options3, lost) => encodeList(options3, lost)
    }),
    ...sessionCalls({
      ...sessions,
      dialect: "seed",
      // Seed requires every list (V2-SEED-05).
      requiresServers: true,
      encodeServer: (server, lost) => encodeServer(withLists(server), lost),
      // The commands follow in an update.
      encodeLists: ({ configOptions, _meta }, lost) => compact({
        configOptions: configOptions == null ? void 0 : encodeList(configOptions, lost),
        _meta
      })
    }),
    // The answer has older names for the agent and its capabilities (V2-SEED-24).
    initialize: { ...initialize, encodeResult: encodeHello },
    prompt: { ...prompt, encodeResult: encodeTurnEnd }
  };
}
var encodeHello = ({ protocolVersion, info: info2, capabilities, authMethods, _meta }, _peer, onLoss) => {
  const lost = lostIn("seed", "initialize", onLoss);
  const auth2 = writeMarks(authMethods.length > 0 ? allMarks(AUTH_MARKS, true) : capabilities, AUTH_MARKS);
  const session = {
    ...encodeSessionCapabilities(capabilities),
    ...writeMarks(capabilities, MARKERS)
  };
  return compact({
    protocolVersion,
    agentInfo: info2,
    capabilities: compact({
      session: capabilities.sessions === false ? void 0 : compact(session),
      auth: Object.keys(auth2).length > 0 ? auth2 : void 0,
      _meta: capabilities._meta
    }),
    authMethods: authMethods.flatMap((method) => encodeAuthMethod(method, lost)),
    _meta
  });
};
var encodeTurnEnd = ({ stopReason = "end_turn", messageId, usage, _meta }, _peer, onLoss) => {
  const lost = lostIn("seed", "prompt", onLoss);
  if (stopReason === "error") lost("stop-reason", stopReason);
  if (usage != null) lost("turn-usage");
  return compact({ stopReason, messageId, _meta });
};
function encodeAuthMethod(method, lost) {
  if (method.type === "agent") return [{ ...method, id: method.methodId }];
  lost(method.type === "terminal" ? "auth-method" : "unknown", method.methodId);
  return [];
}
function withLists(server) {
  if (server.type === "stdio") return { ...server, args: server.args ?? [], env: server.env ?? [] };
  return server.type === "http" ? { ...server, headers: server.headers ?? [] } : server;
}
function encodePatch2(patch, title, lost) {
  const { capabilities, content, ...others } = patch;
  const told = { lost, terminals: noTerminals2(), clientTerminals: false, linksSessions: false };
  if (capabilities != null) lost("tool-call-cancel", patch.toolCallId);
  const items = content == null ? content : encodeContent(content, patch.toolCallId, void 0, told);
  return compact({ ...others, title: patch.title ?? (patch.name == null ? title : patch.title), content: items });
}
var commands2 = /* @__PURE__ */ allCommands2();
var questions2 = {
  askPermission: /* @__PURE__ */ askAboutToolCall({ dialect: "seed", writePatch: encodePatch2 })
};

// packages/session/src/codec/fallback/updates.ts
function update2(event, ...members) {
  const told = event;
  const pairs = [...members, "_meta"].map((member) => [member, told[member]]);
  return compact({ sessionUpdate: event.type, ...Object.fromEntries(pairs) });
}
var USAGE = ["used", "size", "cost"];
function encodeOther(event, around, sending) {
  const { lost } = sending;
  switch (event.type) {
    case "available_commands_update":
      return [encodeCommands(event, lost)];
    case "usage_update":
      if (event.cost === null) lost("cost-clear");
      return [
        update2({ ...event, cost: event.cost ?? void 0, _meta: event._meta ?? void 0 }, ...USAGE)
      ];
    case "state_update": {
      const { after } = around;
      if (event.state !== "running" && event.state !== "idle" || event.background?.length) lost("state");
      return encodeLateOutput(after, sending);
    }
    case "unknown":
      if (isObject(event.raw) && typeof event.raw.sessionUpdate === "string") return [event.raw];
      lost("unknown");
      return [];
    case "replay_complete":
      return [];
    default:
      lost(...untold(event));
      return [];
  }
}
function untold(event) {
  switch (event.type) {
    case "notice":
      return ["notice", event.title];
    case "compaction_update":
    case "compaction_summary_chunk":
      return ["compaction", event.compactionId];
    case "subagent_update":
      return ["subagent", event.sessionId];
    case "session_message":
    case "session_message_chunk":
      return ["subagent", event.messageId];
    default:
      return ["unknown"];
  }
}
function encodeTerminal(terminalId, around, sending) {
  sending.lost("terminal", terminalId);
  return dueToolCalls(terminalId, around, sending.terminals).flatMap((id) => contentOf(id, around.after, sending));
}
function encodeLateOutput(after, sending) {
  const { behind } = sending.terminals;
  return [...behind.ids()].flatMap((id) => {
    const updates = isBehind(id, after, sending.terminals) ? contentOf(id, after, sending) : [];
    behind.delete(id);
    return updates;
  });
}
function contentOf(toolCallId, after, sending) {
  const content = wholeContent(toolCallId, after, sending);
  return content === void 0 ? [] : [{ sessionUpdate: "tool_call_update", toolCallId, content }];
}
var PLANS = 128;
function encodePlanText(plan, after, { planTexts }) {
  const { planId } = plan;
  const text2 = textOf2(plan);
  const before = planTexts.get(planId);
  if (text2 === void 0 || text2 === before?.text) return [];
  const remember3 = (messageId2, times2) => planTexts.set(planId, { messageId: messageId2, text: text2, times: times2 }, (id) => after.plans.has(id));
  if (before !== void 0 && text2.startsWith(before.text)) {
    remember3(before.messageId, before.times);
    return [chunk(before.messageId, text2.slice(before.text.length))];
  }
  const name = planTexts.rounds === 0 ? `plan:${planId}` : `plan:${planId}~~${planTexts.rounds}`;
  const times = (before?.times ?? 0) + 1;
  const messageId = times === 1 ? name : `plan:${planId}~${times === 2 ? "" : times - 1}`;
  remember3(messageId, times);
  return [chunk(messageId, text2, before && { "turnkit.supersedes": before.messageId })];
}
function textOf2(plan) {
  if (plan.type === "markdown") return plan.content;
  return plan.type === "file" ? `Plan: ${plan.uri}` : void 0;
}
function chunk(messageId, text2, _meta) {
  const said = { sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text: text2 } };
  return _meta === void 0 ? said : { ...said, _meta };
}

// packages/session/src/codec/seed/encode.ts
function createEncoder2(peer, onLoss) {
  let type = "";
  const sending = {
    peer,
    terminals: noTerminals2(),
    clientTerminals: false,
    linksSessions: false,
    planTexts: new Sent(PLANS),
    lost: (id, entity) => lostIn("seed", type, onLoss)(id, entity)
  };
  return (event, around) => {
    type = event.type;
    return encode2(event, around, sending);
  };
}
function encode2(event, around, sending) {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return [encodeChunk(event, around, sending.lost)];
    case "user_message":
    case "agent_message":
    case "agent_thought": {
      const { type, messageId, content } = event;
      return [compact({ sessionUpdate: type, messageId, content, _meta: wholeMeta(event, around) })];
    }
    case "tool_call_update":
      return [encodeToolCall(event, around, sending)];
    case "tool_call_content_chunk":
      return encodeItemChunk(event, around.after, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, around, sending);
    case "plan_update":
    case "plan_removed":
      return encodePlan(event, around, sending);
    case "config_option_update":
      return [optionList(around.after.configOptions, sending)];
    case "current_mode_update": {
      const options3 = optionsByMode(event.currentModeId, around, sending.lost);
      return options3 ? [optionList(options3, sending)] : [];
    }
    case "session_info_update": {
      const { type, title, updatedAt } = event;
      return [compact({ sessionUpdate: type, title, updatedAt, _meta: wholeMeta(event, around) })];
    }
    default:
      return encodeOther(event, around, sending);
  }
}
function optionList(options3 = [], { lost }) {
  return { sessionUpdate: "config_option_update", configOptions: encodeList(options3, lost) };
}
function encodePlan(event, { before, after }, sending) {
  const _meta = event._meta ?? void 0;
  if (event.type === "plan_update" && event.plan.type === "items") {
    const { planId: id2, ...plan } = event.plan;
    return [compact({ sessionUpdate: "plan_update", plan: { ...plan, id: id2 }, _meta })];
  }
  const id = event.type === "plan_update" ? event.plan.planId : event.planId;
  sending.lost("plan", id);
  const text2 = event.type === "plan_update" ? encodePlanText(event.plan, after, sending) : [];
  if (before.plans.get(id)?.type !== "items") return text2;
  return [...text2, compact({ sessionUpdate: "plan_update", plan: { type: "items", id, entries: [] }, _meta })];
}
function encodeToolCall(event, around, sending) {
  const { type, at: _, extra: __, capabilities, content, ...others } = event;
  if (capabilities != null) sending.lost("tool-call-cancel", event.toolCallId);
  return compact({
    sessionUpdate: type,
    ...others,
    content: contentOf2(event, around.after, sending),
    _meta: wholeMeta(event, around)
  });
}
function contentOf2({ toolCallId, content }, after, sending) {
  if (content !== void 0) return content && encodeContent(content, toolCallId, after, sending);
  return isBehind(toolCallId, after, sending.terminals) ? wholeContent(toolCallId, after, sending) ?? [] : void 0;
}
function encodeItemChunk({ type, toolCallId, content, _meta }, after, sending) {
  const items = content.type === "terminal" ? [] : encodeItem(content, toolCallId, after, sending);
  const [only] = items;
  if (only !== void 0 && items.length === 1) {
    return [compact({ sessionUpdate: type, toolCallId, content: only, _meta: _meta ?? void 0 })];
  }
  return [{ sessionUpdate: "tool_call_update", toolCallId, content: wholeContent(toolCallId, after, sending) ?? [] }];
}
function wholeMeta(event, { before, after }) {
  if (event._meta === void 0) return void 0;
  const whole2 = metadataAbout(after, event);
  if (whole2 === void 0) return null;
  const gone = Object.keys(metadataAbout(before, event) ?? {}).filter((key) => !Object.hasOwn(whole2, key));
  return gone.length === 0 ? whole2 : { ...whole2, ...Object.fromEntries(gone.map((key) => [key, null])) };
}

// packages/session/src/codec/turn-updates.ts
var turnUpdates = {
  begun: ({ messageId, content }) => [{ type: "user_message", messageId, content }, state("running")],
  waiting: (forUser) => state(forUser ? "requires_action" : "running"),
  ended: ({ stopReason = "error", error, usage }) => ({
    type: "state_update",
    state: "idle",
    stopReason,
    ...error && { error },
    ...usage && { usage }
  }),
  endIn(event, { activity }) {
    if (event.type !== "state_update" || event.state !== "idle") return void 0;
    const { stopReason, error, usage } = event;
    const isNew = stopReason != null && stopReason !== activity.stopReason;
    if (activity.state === "idle" && !isNew) return void 0;
    return { ...stopReason && { stopReason }, ...error && { error }, ...usage && { usage } };
  },
  unchanged: ({ activity }) => state(activity.state)
};
var state = (name) => ({ type: "state_update", state: name });

// packages/session/src/codec/v1/encode-message.ts
var roleOf = {
  user_message: "user",
  user_message_chunk: "user",
  agent_message: "agent",
  agent_message_chunk: "agent",
  agent_thought: "thought",
  agent_thought_chunk: "thought"
};
function wireMessageId(type, messageId, renamed) {
  return renamed.size === 0 ? messageId : renamed.get(messageKey(roleOf[type], messageId))?.wireId ?? messageId;
}
function encodeMessage(event, { before, after }, { renamed, lost }) {
  const { messageId, content, _meta } = event;
  const type = `${event.type}_chunk`;
  const key = messageKey(roleOf[event.type], messageId);
  const entry2 = before.timeline.get(key);
  const name = renamed.get(key);
  const known = name?.wireId ?? (wasSent(entry2) ? messageId : void 0);
  if (_meta !== void 0) lost("message-metadata", messageId);
  if (content === void 0) {
    if (_meta === void 0 && known === void 0) lost("message-metadata", messageId);
    return [];
  }
  const blocks = content ?? [];
  if (known === void 0) {
    if (blocks.length === 0) lost("message-metadata", messageId);
    return chunks(type, messageId, blocks);
  }
  const sent = entry2?.type === "message" ? entry2.content.toArray() : [];
  if (blocks.length >= sent.length && sent.every((block2, index) => same(block2, blocks[index]))) {
    return chunks(type, known, blocks.slice(sent.length));
  }
  lost("message-rewrite", messageId);
  const times = (name?.times ?? 0) + 1;
  const wireId = `${messageId}~${times === 1 ? "" : times}`;
  renamed.set(key, { wireId, times }, (other) => after.timeline.has(other));
  return chunks(type, wireId, blocks, { "turnkit.supersedes": known });
}
var wasSent = (entry2) => entry2?.type === "message" && (entry2.content.length > 0 || entry2.dropped !== void 0);
function chunks(type, messageId, blocks, meta2) {
  return blocks.map(
    (content, index) => compact({ sessionUpdate: type, messageId, content, _meta: index === 0 ? meta2 : void 0 })
  );
}

// packages/session/src/codec/v1/encode-tool-call.ts
var KINDS = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other"
];
var STATUSES = ["pending", "in_progress", "completed", "failed"];
var MEMBERS = ["name", "kind", "status", "locations", "rawInput", "rawOutput", "_meta"];
var CLEARABLE = ["name", "title", "rawInput", "rawOutput"];
function encodeToolCall2(event, { before, after }, sending) {
  const key = toolCallKey(event.toolCallId);
  const old = before.timeline.get(key);
  const entry2 = after.timeline.get(key);
  if (entry2?.type !== "tool_call") return [];
  const known = sending.toolCalls.has(event.toolCallId) && old?.type === "tool_call" ? old : void 0;
  if (event.type === "tool_call_update") {
    noteCleared(known, entry2, sending.lost);
    noteValues(event, sending.lost);
  }
  const behind = known !== void 0 && isBehind(event.toolCallId, after, sending.terminals);
  if (known === entry2 && !behind) return [];
  if (entry2.title === void 0) sending.lost("tool-call-title", event.toolCallId);
  if (!sending.toolCalls.has(event.toolCallId)) {
    sending.toolCalls.set(event.toolCallId, true, (id) => after.timeline.has(toolCallKey(id)));
  }
  const title = known === void 0 || titleOf(known) !== titleOf(entry2) ? titleOf(entry2) : void 0;
  const isShown = known?.content !== entry2.content || behind;
  const content = isShown ? encodeContent(entry2.content, event.toolCallId, after, sending) : void 0;
  const said = writeToolCall(
    { toolCallId: event.toolCallId, title, ...changed2(known, entry2) },
    known === void 0 && content?.length === 0 ? void 0 : content
  );
  if (known !== void 0 && Object.keys(said).length === 1) return [];
  return [{ sessionUpdate: known === void 0 ? "tool_call" : "tool_call_update", ...said }];
}
function changed2(known, entry2) {
  const members = {};
  for (const member of MEMBERS) if (known?.[member] !== entry2[member]) members[member] = entry2[member];
  if (known === void 0 && entry2.locations.length === 0) members.locations = void 0;
  const { status, _meta } = members;
  if (status != null && !STATUSES.includes(status)) members._meta = { ..._meta, "turnkit.status": status };
  return members;
}
function writeToolCall({ toolCallId, title, name, kind, status, locations, rawInput, rawOutput, _meta }, content) {
  return compact({
    toolCallId,
    title,
    name: name ?? void 0,
    kind: kind == null || KINDS.includes(kind) ? kind ?? void 0 : "other",
    status: status == null ? void 0 : statusOf(status),
    content,
    locations: locations ?? void 0,
    rawInput: rawInput ?? void 0,
    rawOutput: rawOutput ?? void 0,
    _meta: _meta ?? void 0
  });
}
function titleOf(entry2) {
  return entry2.title ?? entry2.name ?? entry2.kind ?? "other";
}
function statusOf(status) {
  if (STATUSES.includes(status)) return status;
  return status === "cancelled" ? "failed" : "in_progress";
}
function noteCleared(before, after, lost) {
  const cleared = CLEARABLE.some((member) => before?.[member] !== void 0 && after[member] === void 0);
  const forgotten = Object.keys(before?._meta ?? {}).some((key) => !Object.hasOwn(after._meta ?? {}, key));
  if (cleared || forgotten) lost("tool-call-clear", after.toolCallId);
}
function noteValues({ toolCallId, status, kind, capabilities }, lost) {
  if (status != null && !STATUSES.includes(status)) lost("tool-call-status", toolCallId);
  if (kind != null && !KINDS.includes(kind)) lost("tool-call-kind", toolCallId);
  if (capabilities != null) lost("tool-call-cancel", toolCallId);
}

// packages/session/src/codec/v1/encode.ts
function createEncoder3(peer, onLoss) {
  let event = "unknown";
  const sending = {
    peer,
    renamed: new Sent(),
    toolCalls: new Sent(),
    terminals: noTerminals2(),
    clientTerminals: true,
    // P-SUB1-02
    linksSessions: peer.subagents,
    planTexts: new Sent(PLANS),
    lost: (id, entity) => onLoss(compact({ id, to: "v1", event, entity }))
  };
  return (next, around) => {
    event = next.type;
    return encode3(next, around, sending);
  };
}
var NOTICE = ["severity", "title", "description"];
var COMPACTION2 = ["compactionId", "status", "summary", "content", "error"];
var SUBAGENT2 = [
  "sessionId",
  "title",
  "description",
  "capabilities",
  "state",
  "cwd",
  "additionalDirectories"
];
var SESSION_MESSAGE = [
  "messageId",
  "senderSessionId",
  "recipientSessionId",
  "senderMessageId",
  "recipientMessageId",
  "content"
];
function encode3(event, around, sending) {
  switch (event.type) {
    case "user_message_chunk":
    case "agent_message_chunk":
    case "agent_thought_chunk":
      return isOwnPrompt(event, around) ? [] : [chunk2(event, sending)];
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return isOwnPrompt(event, around) ? [] : encodeMessage(event, around, sending);
    case "tool_call_update":
    case "tool_call_content_chunk":
      return encodeToolCall2(event, around, sending);
    case "plan_update":
    case "plan_removed":
      return sending.peer.plans ? encodePlanById(event, around, sending) : encodePlans(event, around, sending);
    case "subagent_update":
      return sending.peer.subagents ? [update2(event, ...SUBAGENT2)] : encodeOther(event, around, sending);
    case "session_message":
    case "session_message_chunk":
      return sending.peer.subagents ? [update2(event, ...SESSION_MESSAGE)] : encodeOther(event, around, sending);
    case "config_option_update":
    case "current_mode_update":
      return encodeOptions2(event, around, sending);
    case "terminal_update":
    case "terminal_output_chunk":
      return encodeTerminal(event.terminalId, around, sending);
    case "session_info_update":
      return [update2(event, "title", "updatedAt")];
    case "notice":
      if (!sending.peer.notices) return encodeOther(event, around, sending);
      return [update2({ ...event, description: event.description ?? void 0 }, ...NOTICE)];
    case "compaction_update":
    case "compaction_summary_chunk":
      if (!sending.peer.compaction) return encodeOther(event, around, sending);
      return [update2(withStatus(event, around), ...COMPACTION2)];
    default:
      return encodeOther(event, around, sending);
  }
}
function isOwnPrompt({ type, messageId }, around) {
  if (messageId === void 0 || type !== "user_message" && type !== "user_message_chunk") return false;
  const entry2 = around.after.timeline.get(messageKey("user", messageId));
  return entry2?.type === "message" && entry2.prompt !== void 0;
}
function chunk2(event, sending) {
  const { type, messageId, content, _meta } = event;
  const wireId = messageId === void 0 ? void 0 : wireMessageId(type, messageId, sending.renamed);
  if (wireId !== void 0 && _meta == null) return { sessionUpdate: type, messageId: wireId, content };
  return compact({ sessionUpdate: type, messageId: wireId, content, _meta: _meta ?? void 0 });
}
var PRIORITIES = ["high", "medium", "low"];
var STATUSES2 = ["pending", "in_progress", "completed"];
function encodePlanById(event, { after }, sending) {
  if (event.type === "plan_removed") return [update2(event, "planId")];
  const { plan } = event;
  if (plan.type === "items" && "entries" in plan) {
    const entries = plan.entries.map(entry).filter((one) => one !== void 0);
    if (entries.some((one, index) => one !== plan.entries[index]) || entries.length < plan.entries.length)
      sending.lost("plan-entry", plan.planId);
    return [update2({ ...event, plan: { ...plan, entries } }, "plan")];
  }
  if (plan.type === "markdown") return [update2(event, "plan")];
  sending.lost("plan", plan.planId);
  return encodePlanText(plan, after, sending);
}
function encodePlans(event, { before, after }, sending) {
  const { lost } = sending;
  const planId = event.type === "plan_update" ? event.plan.planId : event.planId;
  const ofItems = event.type === "plan_update" && event.plan.type === "items";
  if (after.plans.length > 1 || planId !== DEFAULT_PLAN_ID || !ofItems) lost("plan", planId);
  const text2 = event.type === "plan_update" && !ofItems ? encodePlanText(event.plan, after, sending) : [];
  const hadItems = before.plans.get(planId)?.type === "items";
  if (!ofItems && !hadItems) return text2;
  const entries = [...after.plans].flatMap((plan) => plan.type === "items" ? plan.entries : []);
  const said = entries.map(entry).filter((one) => one !== void 0);
  if (said.some((one, index) => one !== entries[index]) || said.length < entries.length) lost("plan-entry", planId);
  return [...text2, compact({ sessionUpdate: "plan", entries: said, _meta: event._meta ?? void 0 })];
}
function entry(step) {
  if (step.status === "cancelled") return void 0;
  if (PRIORITIES.includes(step.priority) && STATUSES2.includes(step.status)) return step;
  const priority = PRIORITIES.includes(step.priority) ? step.priority : "medium";
  const status = STATUSES2.includes(step.status) ? step.status : "pending";
  return { ...step, priority, status };
}
function encodeOptions2(event, { before, after }, { peer, lost }) {
  const options3 = after.configOptions ?? [];
  const mode = modeOf(options3);
  const isNewMode = mode !== modeOf(before.configOptions ?? []);
  const updates = [];
  const listed = options3.some((option2) => option2.setBy === void 0);
  if (event.type === "config_option_update" || listed && isNewMode) {
    updates.push({ sessionUpdate: "config_option_update", configOptions: encodeListed(options3, lost, peer) });
  }
  const told = event.type === "current_mode_update" ? event.currentModeId : isNewMode ? mode : void 0;
  if (told !== void 0) updates.push({ sessionUpdate: "current_mode_update", currentModeId: told });
  return updates;
}
var modeOf = (options3) => selectOf(options3, "mode")?.currentValue;
function encodeListed(options3, lost, peer) {
  const listed = options3.filter((option2) => option2.setBy === void 0);
  return encodeList(listed, lost, peer);
}

// packages/session/src/codec/v1/initialize.ts
var initialize2 = {
  method: "initialize",
  encodeParams: ({ protocolVersion, info: info2, capabilities, _meta }) => compact({ protocolVersion, clientCapabilities: encodeClientCapabilities(capabilities), clientInfo: info2, _meta }),
  decodeParams: (wire) => {
    const { protocolVersion, clientInfo, info: info2, clientCapabilities, capabilities, _meta } = wire;
    return compact({
      protocolVersion: version(protocolVersion),
      // A client that requested a later version may have sent these values with their later names only (V2-INIT-19).
      info: implementation(clientInfo) ?? implementation(info2) ?? UNKNOWN,
      capabilities: clientCapabilities == null && isObject(capabilities) ? decodeLater(capabilities) : decodeClient2(part(wire, "clientCapabilities")),
      _meta: meta(_meta)
    });
  },
  encodeResult: ({ protocolVersion, info: info2, capabilities, authMethods, _meta }, _peer, onLoss) => {
    const lost = lostIn("v1", "initialize", onLoss);
    const known = authMethods.filter(({ type, methodId }) => {
      if (type !== "agent" && type !== "terminal") lost("unknown", methodId);
      return type === "agent" || type === "terminal";
    });
    return compact({
      protocolVersion,
      agentCapabilities: encodeAgent(capabilities),
      authMethods: known.map(encodeAuthMethod2),
      agentInfo: info2,
      _meta
    });
  },
  decodeResult: (wire) => {
    const { protocolVersion, agentInfo, authMethods, _meta } = wire;
    return compact({
      protocolVersion: version(protocolVersion),
      info: implementation(agentInfo) ?? UNKNOWN,
      capabilities: decodeAgent2(part(wire, "agentCapabilities")),
      authMethods: list(authMethods, authMethod2),
      _meta: meta(_meta)
    });
  }
};
function decodeClient2(wire) {
  const files2 = part(wire, "fs");
  const session = part(wire, "session");
  return compact({
    files: { read: files2.readTextFile === true, write: files2.writeTextFile === true },
    terminals: wire.terminal === true,
    terminalLogin: part(wire, "auth").terminal === true,
    elicitation: elicitationModes(wire),
    notices: isMarked(session.notices),
    compaction: isMarked(session.compaction),
    booleanOptions: isMarked(part(session, "configOptions").boolean),
    // P-SUB1-01, P-PLAN-02
    subagents: isMarked(wire.subagents),
    plans: isMarked(wire.plan),
    _meta: meta(wire._meta)
  });
}
function decodeLater({ auth: auth2, elicitation, _meta }) {
  const terminalLogin = isMarked(part({ auth: auth2 }, "auth").terminal);
  return { ...decodeClient2({ elicitation, _meta }), terminalLogin, booleanOptions: true };
}
var MARKS = ["list", "resume", "close"];
function encodeAgent(capabilities) {
  const { prompt: prompt3, mcp, _meta } = capabilities;
  return compact({
    loadSession: capabilities.load,
    promptCapabilities: prompt3,
    mcpCapabilities: { http: mcp.http, sse: mcp.sse },
    sessionCapabilities: {
      ...writeMarks(capabilities, MARKS),
      ...writeMarks(capabilities, SESSION_MARKS),
      ...writeSystemPrompt(capabilities)
    },
    auth: writeMarks(capabilities, AUTH_MARKS),
    _meta
  });
}
function decodeAgent2(wire) {
  const session = part(wire, "sessionCapabilities");
  const prompt3 = part(wire, "promptCapabilities");
  const mcp = part(wire, "mcpCapabilities");
  return compact({
    load: wire.loadSession === true,
    ...readMarks(session, MARKS),
    ...readMarks(session, SESSION_MARKS),
    systemPrompt: readSystemPrompt(session),
    ...readMarks(part(wire, "auth"), AUTH_MARKS),
    prompt: {
      image: prompt3.image === true,
      audio: prompt3.audio === true,
      embeddedContext: prompt3.embeddedContext === true
    },
    // Every version 1 agent supports servers over stdio (V1-SESS-15).
    mcp: { stdio: true, http: mcp.http === true, sse: mcp.sse === true },
    _meta: meta(wire._meta)
  });
}
function authMethod2(value) {
  if (!isObject(value) || typeof value.id !== "string" || typeof value.name !== "string") return void 0;
  const { id: methodId, name } = value;
  const base = { methodId, name, description: textOrNull(value.description), _meta: meta(value._meta) };
  if (value.type !== "terminal") return compact({ ...base, type: "agent" });
  const args = value.args ?? [];
  const env = value.env ?? {};
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string") || !isObject(env)) return void 0;
  const variables = Object.entries(env);
  if (!variables.every(([, one]) => typeof one === "string")) return void 0;
  const named2 = variables.map(([key, one]) => ({ name: key, value: text(one) ?? "" }));
  return compact({ ...base, type: "terminal", args, env: named2 });
}
function encodeAuthMethod2(method) {
  const { methodId: id, name, description, _meta } = method;
  if (method.type !== "terminal") return compact({ id, name, description, _meta });
  const env = Object.fromEntries(method.env.map((variable) => [variable.name, variable.value]));
  return compact({ type: "terminal", id, name, description, args: method.args, env, _meta });
}

// packages/session/src/codec/v1/calls.ts
var STOP_REASONS = ["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"];
var sessions2 = {
  dialect: "v1",
  // Version 1 requires every list (V1-SESS-14).
  requiresServers: true,
  encodeServer: encodeServer2,
  decodeServer: decodeServer2,
  encodeLists: ({ configOptions, _meta }, lost, peer) => {
    if (configOptions == null) return compact({ _meta });
    const listed = configOptions.some((option2) => option2.setBy === void 0) || configOptions.length === 0;
    return compact({
      ...encodeModes(configOptions),
      configOptions: listed ? encodeListed(configOptions, lost, peer) : void 0,
      _meta
    });
  },
  decodeLists: (wire) => compact({ configOptions: optionsOf(wire), _meta: meta(wire._meta) })
};
var options2 = {
  dialect: "v1",
  readOption: configOption,
  writeOptions: encodeListed,
  // Only boolean values have a type (V1-CFG-07).
  encodeParams: (params) => typeof params.value === "boolean" ? { ...params, type: "boolean" } : params,
  decodeParams: (wire) => {
    const { sessionId, configId, value } = wire;
    return {
      sessionId: required(sessionId),
      configId: required(configId),
      value: typeof value === "boolean" ? value : String(value)
    };
  }
};
var choose = /* @__NO_SIDE_EFFECTS__ */ (method, id) => ({
  method,
  encodeParams: ({ sessionId, value }) => ({ sessionId, [id]: value }),
  decodeParams: (wire) => ({ sessionId: required(wire.sessionId), value: required(wire[id]) }),
  encodeResult: asIs,
  // The specification of 2025 uses the name `meta` for the metadata of this answer (V1-MODEL-06).
  decodeResult: (wire) => {
    const { meta: older, _meta = older, ...others } = wire ?? {};
    return compact({ ...others, _meta: meta(_meta) });
  }
});
var prompt2 = {
  method: "session/prompt",
  encodeParams: ({ sessionId, prompt: prompt3, _meta }) => compact({ sessionId, prompt: prompt3, _meta }),
  decodeParams: (wire) => {
    const { sessionId, prompt: prompt3, _meta } = wire;
    return compact({ sessionId: required(sessionId), prompt: list(prompt3, contentBlock), _meta: meta(_meta) });
  },
  encodeResult: ({ stopReason = "end_turn", usage, _meta }, _peer, onLoss) => {
    const counts = usage ?? void 0;
    if (STOP_REASONS.includes(stopReason)) return compact({ stopReason, usage: counts, _meta });
    lostIn("v1", "prompt", onLoss)("stop-reason", stopReason);
    return compact({ stopReason: "end_turn", usage: counts, _meta: { ..._meta, "turnkit.stopReason": stopReason } });
  },
  decodeResult: (wire) => {
    const { stopReason, usage, _meta } = wire;
    return compact({
      stopReason: text(stopReason),
      usage: tokenUsage(usage),
      _meta: meta(_meta)
    });
  }
};
var askPermission2 = /* @__PURE__ */ askAboutToolCall({
  dialect: "v1",
  kinds: ["allow_once", "allow_always", "reject_once", "reject_always"],
  writePatch: encodePatch3
});
var commands3 = /* @__PURE__ */ allCommands3();
function allCommands3() {
  return {
    ...commonCommands(olderAuth, options2),
    initialize: initialize2,
    ...sessionCalls(sessions2),
    setMode: /* @__PURE__ */ choose("session/set_mode", "modeId"),
    setModel: /* @__PURE__ */ choose("session/set_model", "modelId"),
    prompt: prompt2
  };
}
var questions3 = /* @__PURE__ */ withElicitations(askPermission2);
function encodeServer2(server, lost) {
  if (server.type === "stdio") {
    const { type: _, args = [], env = [], ...others } = server;
    return [{ ...others, args, env }];
  }
  if (server.type === "http" || server.type === "sse") return [{ ...server, headers: server.headers ?? [] }];
  lost("unknown", server.name);
  return [server];
}
function decodeServer2(wire) {
  const named2 = wire;
  if (typeof wire.url === "string" && (wire.type === "http" || wire.type === "sse")) {
    return { ...named2, type: wire.type, url: wire.url, headers: namedValues(wire.headers) };
  }
  if (typeof wire.command !== "string") return wire;
  const args = Array.isArray(wire.args) ? wire.args.filter((arg) => typeof arg === "string") : [];
  return { ...named2, type: "stdio", command: wire.command, args, env: namedValues(wire.env) };
}
function encodePatch3(patch, title, lost) {
  const { capabilities, _meta, ...members } = patch;
  const { toolCallId, name, content } = members;
  const told = { lost, terminals: noTerminals2(), clientTerminals: true, linksSessions: false };
  noteValues(patch, lost);
  if (Object.values(members).includes(null)) lost("tool-call-clear", toolCallId);
  return writeToolCall(
    { ...patch, title: patch.title ?? (name == null ? title : void 0) },
    content == null ? void 0 : encodeContent(content, toolCallId, void 0, told)
  );
}
// @__NO_SIDE_EFFECTS__
function olderOption(name, idName) {
  const category = name.toLowerCase();
  const [current, available] = [`current${name}Id`, `available${name}s`];
  const choice2 = record({
    required: { value: text, name: text },
    optional: { description: text },
    older: { value: idName }
  });
  const read2 = record({ required: { [current]: text, [available]: anyListOf(choice2) } });
  return (value) => {
    const wire = read2(value);
    if (wire === void 0) return void 0;
    const { [current]: currentValue, [available]: options3 } = wire;
    const setBy = `session/set_${category}`;
    return { configId: category, name, category, setBy, type: "select", currentValue, options: options3 };
  };
}
var modes = /* @__PURE__ */ olderOption("Mode", "id");
var models = /* @__PURE__ */ olderOption("Model", "modelId");
function optionsOf(result) {
  const options3 = Array.isArray(result.configOptions) ? list(result.configOptions, configOption) : void 0;
  const has = (category) => options3?.some((option2) => option2.category === category) ?? false;
  const mode = has("mode") ? void 0 : modes(result.modes);
  const model = has("model") ? void 0 : models(result.models);
  const own2 = [mode, model].filter((option2) => option2 !== void 0);
  return options3 === void 0 && own2.length === 0 ? void 0 : [...own2, ...options3 ?? []];
}
function encodeModes(options3) {
  const mode = selectOf(options3, "mode");
  const model = selectOf(options3, "model");
  return compact({
    modes: mode && { currentModeId: mode.currentValue, availableModes: choicesOf(mode).map((one) => named(one, "id")) },
    models: model && {
      currentModelId: model.currentValue,
      availableModels: choicesOf(model).map((one) => named(one, "modelId"))
    }
  });
}
var named = ({ value, ...others }, idName) => ({ [idName]: value, ...others });

// packages/session/src/codec/dialects.ts
var v1AgentCodec = {
  dialect: "v1",
  createEncoder: createEncoder3,
  ask: questions3,
  answer: commands3
};
var v2AgentCodec = {
  dialect: "v2",
  turns: turnUpdates,
  createEncoder,
  ask: questions,
  answer: commands
};
var seedAgentCodec = {
  dialect: "seed",
  createEncoder: createEncoder2,
  ask: questions2,
  answer: commands2
};

// packages/session/src/codec/wire-handlers.ts
function wireHandlers(codec, handlers, to = {}) {
  const table = {};
  for (const name of Object.keys(handlers)) {
    const shape2 = codec.answer[name];
    const handle = handlers[name];
    if (shape2 === void 0 || handle === void 0) continue;
    table[shape2.method] = async (params, call) => {
      const neutral = shape2.decodeParams(params);
      const sessionId = "sessionId" in neutral ? String(neutral.sessionId) : void 0;
      return shape2.encodeResult(await handle(neutral, call), to.peer, (loss) => to.onLoss?.(loss, sessionId));
    };
  }
  return table;
}

// packages/agent/src/deferred.ts
var Deferred = class {
  #isSettled = false;
  #value;
  #promise;
  #resolve;
  get isSettled() {
    return this.#isSettled;
  }
  get promise() {
    this.#promise ??= this.#isSettled ? Promise.resolve(this.#value) : new Promise((resolve2) => {
      this.#resolve = resolve2;
    });
    return this.#promise;
  }
  /** Settles the value. Later calls do nothing. */
  resolve(value) {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#value = value;
    this.#resolve?.(value);
  }
};

// packages/agent/src/prompt-keys.ts
var MAX_KEYS = 1e4;
var PromptKeys = class {
  sessionId;
  // Made on the first use: most sessions of older clients have no keys.
  #inserted;
  #pending;
  constructor(sessionId) {
    this.sessionId = sessionId;
  }
  /**
   * Returns the message that was inserted with a key. With `original`, the message may have another content.
   *
   * @throws RpcError `-32602` for a key of a prompt with another content
   */
  // P-IDEM-10
  message({ key, hash }, onReuse) {
    const message = this.#inserted?.get(key);
    if (message !== void 0 && message.hash !== hash && onReuse === "error") throw this.#reused(key);
    return message;
  }
  /**
   * Returns a further attempt to send a prompt that is not inserted yet.
   *
   * @throws RpcError `-32602` for a key of a prompt with another content
   */
  // P-IDEM-08
  attempt({ key, hash }, onReuse) {
    const pending = this.#pending?.get(key);
    if (pending !== void 0 && pending.hash !== hash && onReuse === "error") throw this.#reused(key);
    return pending?.attempts.open();
  }
  /** Remembers a prompt until it is inserted or has failed, and returns its first attempt. */
  // P-IDEM-07
  begin({ key, hash }, prompt3) {
    this.#pending ??= /* @__PURE__ */ new Map();
    const attempts = new Attempts(prompt3);
    this.#pending.set(key, { hash, attempts });
    void prompt3.inserted.then(() => this.#pending?.delete(key));
    return attempts.open();
  }
  /** Adds the key of an inserted message. */
  add({ key, hash }, messageId, isTold = true) {
    this.#inserted ??= /* @__PURE__ */ new Map();
    remember2(this.#inserted, key, { messageId, hash, isTold });
  }
  /** Adds the keys of a log, unless this connection already has them. */
  restore(keys, isTold) {
    for (const [key, { messageId, hash }] of keys) {
      if (isTold || this.#inserted?.has(key) !== true) this.add({ key, hash }, messageId, isTold);
    }
  }
  #reused(idempotencyKey) {
    const data = { sessionId: this.sessionId, idempotencyKey, reason: "key_reused" };
    return RpcError.invalidParams("the idempotency key belongs to another prompt of this session", data);
  }
};
function remember2(keys, key, value) {
  keys.delete(key);
  keys.set(key, value);
  if (keys.size <= MAX_KEYS) return;
  const [oldest] = keys.keys();
  keys.delete(oldest);
}
function insertedBefore(messageId) {
  const ended = Promise.resolve({ stopReason: "end_turn" });
  const nothing2 = () => void 0;
  const controls = { cancel: nothing2, withdraw: nothing2, proceed: nothing2, release: nothing2 };
  return { inserted: Promise.resolve(messageId), ended, ...controls };
}
var Attempts = class {
  #prompt;
  #open = 0;
  constructor(prompt3) {
    this.#prompt = prompt3;
  }
  open() {
    const prompt3 = this.#prompt;
    const inserted = new Deferred();
    const ended = new Deferred();
    let isWithdrawn = false;
    this.#open += 1;
    void prompt3.inserted.then((messageId) => inserted.resolve(messageId));
    void prompt3.ended.then((end) => ended.resolve(end));
    return {
      inserted: inserted.promise,
      ended: ended.promise,
      cancel: () => prompt3.cancel(),
      withdraw: () => {
        if (isWithdrawn || inserted.isSettled) return;
        if (this.#open === 1) return prompt3.withdraw();
        isWithdrawn = true;
        this.#open -= 1;
        inserted.resolve(void 0);
        ended.resolve({ stopReason: "cancelled" });
      },
      proceed: () => {
        if (!isWithdrawn) prompt3.proceed();
      },
      release: () => {
        if (!isWithdrawn) prompt3.release();
      }
    };
  }
};
function promptHash(prompt3) {
  const json = JSON.stringify(prompt3, (_, value) => sorted(value));
  let [high, low] = [3735928559, 1103547991];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  const mixed = [high ^ low >>> 16, low ^ high >>> 13];
  return `${json.length.toString(36)}-${mixed.map((part2) => (part2 >>> 0).toString(36)).join("-")}`;
}
function sorted(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1));
}

// packages/agent/src/session-data.ts
var MAX_DATA_BYTES = 1024 * 1024;
var DEFAULT_DATA_VERSION = 1;
var AROUND_BYTES = 200;
function dataAfter(before, event) {
  if ("data" in event) return event;
  return event.isOutdated && before !== void 0 ? { ...before, isOutdated: true } : void 0;
}
function storedData(event) {
  if (event === void 0) return { data: void 0, dataVersion: void 0, isDataOutdated: void 0 };
  return { data: event.data, dataVersion: event.dataVersion, ...event.isOutdated && { isDataOutdated: true } };
}
var DataStore = class {
  #version;
  #onFault;
  /** Version and JSON of the stored data, joined by a space. */
  #stored;
  #isOutdated = false;
  constructor(version2, onFault, stored) {
    this.#version = version2;
    this.#onFault = onFault;
    if (stored !== void 0) this.#stored = `${stored.dataVersion} ${JSON.stringify(stored.data)}`;
    this.#isOutdated = stored?.isOutdated === true;
  }
  /** Stores the data if it is JSON within the bound. Otherwise the log keeps the older data. Never throws. */
  store(data, journal) {
    try {
      if (data === void 0) return this.#clear(journal);
      const json = jsonOf(data, Math.min(MAX_DATA_BYTES, journal.maxEventBytes - AROUND_BYTES));
      const stored = `${this.#version} ${json}`;
      if (stored === this.#stored && !this.#isOutdated) return;
      journal.append({ type: "session_data", data: JSON.parse(json), dataVersion: this.#version });
      this.#stored = stored;
      this.#isOutdated = false;
    } catch (error) {
      this.#fail(error, journal);
    }
  }
  #clear(journal) {
    if (this.#stored === void 0) return;
    journal.append({ type: "session_data", dataVersion: this.#version });
    this.#stored = void 0;
  }
  /** Marks the stored data as outdated. Reports the failure once, until a later store succeeds. */
  #fail(error, journal) {
    if (this.#isOutdated) return;
    this.#isOutdated = true;
    this.#onFault("The data of a session was not stored. The log keeps the older data.", error, "log_failed");
    if (this.#stored === void 0) return;
    try {
      journal.append({ type: "session_data", dataVersion: this.#version, isOutdated: true });
    } catch (fault) {
      this.#onFault("The data of a session could not be marked as outdated.", fault, "log_failed");
    }
  }
};
function jsonOf(value, most) {
  checkJson(value, { path: ["data"], around: /* @__PURE__ */ new Set(), left: most });
  const bytes = jsonBytes(value);
  if (bytes > most) throw new RangeError(`The data has ${bytes} bytes of JSON. The maximum is ${most}.`);
  return JSON.stringify(value);
}
function checkJson(value, walk) {
  walk.left -= 1;
  if (walk.left < 0) throw tooMany();
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
  if (typeof value !== "object" || !isPlain3(value)) throw notJson(walk);
  if (walk.around.has(value) || walk.around.size === MAX_DEPTH) throw notJson(walk);
  if (Array.isArray(value) && value.length > walk.left) throw tooMany();
  walk.around.add(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) checkMember(String(index), value[index], walk);
  } else {
    for (const [key, member] of Object.entries(value)) if (member !== void 0) checkMember(key, member, walk);
  }
  walk.around.delete(value);
}
function checkMember(name, member, walk) {
  walk.path.push(name);
  checkJson(member, walk);
  walk.path.pop();
}
var MAX_DEPTH = 500;
var tooMany = () => new RangeError("The data has too many values for its maximum size.");
var notJson = ({ path }) => new TypeError(
  `${path.slice(0, 10).join(".").slice(0, 200)} is no JSON. Only plain objects, lists, text, finite numbers, true, false and null are.`
);
function isPlain3(value) {
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

// packages/agent/src/session-log.ts
var SessionLogError = class extends AcpError {
  problem;
  constructor(problem, message, options3) {
    super("session_log", message, options3);
    this.problem = problem;
  }
};
function isSessionLogError(error, problem) {
  return isAcpError(error, "session_log") && (problem === void 0 || error.problem === problem);
}
var isTooLarge = (error) => isAcpError(error, "too_large") || isSessionLogError(error, "too_large");
function sessionInfoAfter(info2, event) {
  if (event.type === "session_opened") {
    const { cwd = info2.cwd, additionalDirectories = info2.additionalDirectories } = event;
    const { additionalDirectories: _, ...rest2 } = info2;
    return { ...rest2, cwd, ...additionalDirectories?.length && { additionalDirectories } };
  }
  if (event.type !== "session_info_update") return info2;
  const { title = info2.title, updatedAt = info2.updatedAt } = event;
  const { title: _title, updatedAt: _updatedAt, ...rest } = info2;
  return { ...rest, ...title != null && { title }, ...updatedAt != null && { updatedAt } };
}

// packages/agent/src/compact-events.ts
var MAX_FOLDED_BYTES = 512 * 1024 * 1024;
async function compactEvents(events, options3 = {}) {
  const { maxEventBytes, ...limits } = options3;
  const most = limits.stateBytes ?? MAX_FOLDED_BYTES;
  const log = await foldInSlices(events, createSessionState({ ...UNBOUNDED, ...limits }), (folded) => {
    if (folded.bytes > most) throw tooMuch(folded, `its events hold more than ${most} bytes`);
  });
  const { state: state2, data, keys } = log;
  const whole2 = stateEvents(state2, maxEventBytes === void 0 ? {} : { maxEventBytes });
  const fewer = whole2 && withKeys(whole2, keys, maxEventBytes);
  const isDataFitting = data === void 0 || maxEventBytes === void 0 || jsonBytes(data) <= maxEventBytes;
  if (fewer !== void 0 && isDataFitting) return data === void 0 ? fewer : [...fewer, data];
  throw tooMuch(state2, "a single value is larger than an event may be");
}
function withKeys(events, keys, maxEventBytes = Number.POSITIVE_INFINITY) {
  if (keys.size === 0) return events;
  const byMessage = new Map([...keys].map(([key, { messageId, hash }]) => [messageId, { key, hash }]));
  return events.flatMap((event) => {
    const promptKey2 = event.type === "user_message" ? byMessage.get(event.messageId) : void 0;
    if (promptKey2 === void 0 || event.type !== "user_message") return [event];
    byMessage.delete(event.messageId);
    const keyed = { ...event, promptKey: promptKey2 };
    if (maxEventBytes === Number.POSITIVE_INFINITY || jsonBytes(keyed) <= maxEventBytes) return [keyed];
    return [event, { type: event.type, messageId: event.messageId, promptKey: promptKey2 }];
  });
}
var tooMuch = (state2, why) => new SessionLogError(
  "too_large",
  `The log${state2.sessionId === void 0 ? "" : ` of session ${state2.sessionId}`} was not compacted: ${why}.`
);
var SLICE = 1e3;
var SLICE_BYTES = 1024 * 1024;
var later = globalThis.setTimeout;
async function foldInSlices(events, begin, check = () => void 0) {
  let state2 = begin;
  let data;
  const keys = /* @__PURE__ */ new Map();
  let slice = [];
  let bytes = 0;
  const fold2 = () => {
    state2 = reduceAll(state2, slice);
    slice = [];
    bytes = 0;
    check(state2);
  };
  for await (const event of events) {
    if (event.type === "session_data") {
      data = dataAfter(data, event);
      continue;
    }
    if (event.promptKey !== void 0) noteKey(keys, event);
    slice.push(event);
    bytes += bytesOf(event);
    if (slice.length < SLICE && bytes < SLICE_BYTES) continue;
    fold2();
    await new Promise((resolve2) => later(resolve2, 0));
  }
  fold2();
  return { state: state2, data, keys };
}
function noteKey(keys, event) {
  const { key, hash } = event.promptKey ?? {};
  if (event.type !== "user_message" || typeof key !== "string" || typeof hash !== "string") return;
  remember2(keys, key, { messageId: event.messageId, hash, isTold: false });
}
var UNBOUNDED = {
  stateBytes: Number.MAX_SAFE_INTEGER,
  entryBytes: Number.MAX_SAFE_INTEGER,
  terminalBytes: Number.MAX_SAFE_INTEGER
};
async function foldEvents(events, { stateBytes = 0, terminalBytes } = {}) {
  const most = { ...UNBOUNDED, stateBytes: Math.max(stateBytes, MAX_FOLDED_BYTES) };
  return foldInSlices(events, createSessionState({ ...most, terminalBytes }));
}

// packages/agent/src/config-value.ts
function findOption(options3, name) {
  const option2 = "configId" in name ? options3.find(({ configId }) => configId === name.configId) : options3.find(({ category, type }) => category === name.category && type === "select");
  if (option2 !== void 0) return option2;
  throw RpcError.invalidParams(
    "configId" in name ? `there is no option ${name.configId}` : `the session has no ${name.category} to choose`
  );
}
function readConfigValue(option2, value, { booleanOptions }) {
  if (option2.type === "boolean") {
    if (typeof value === "boolean") return value;
    if (!booleanOptions && (value === "on" || value === "off")) return value === "on";
  }
  if (option2.type === "select" && typeof value === "string" && choicesOf2(option2.options).includes(value)) return value;
  throw RpcError.invalidParams(`${JSON.stringify(value)} is no value of option ${option2.configId}`);
}
function checkOwnValue(options3, configId, value) {
  const option2 = options3.find((candidate) => candidate.configId === configId);
  if (option2 === void 0) {
    const known2 = options3.map((candidate) => candidate.configId).join(", ") || "none";
    throw new TypeError(`setConfigValue: there is no option ${configId}. The session has: ${known2}.`);
  }
  if (option2.type === "boolean" && typeof value === "boolean") return;
  const values = option2.type === "select" ? choicesOf2(option2.options) : [];
  if (values.includes(value)) return;
  const known = option2.type === "boolean" ? "true, false" : values.join(", ") || "none that can be set";
  throw new TypeError(`setConfigValue: option ${configId} has no value ${JSON.stringify(value)}. It has: ${known}.`);
}
function optionsWith(options3, configId, value) {
  const change = (option2) => option2.configId === configId ? { ...option2, currentValue: value } : option2;
  return options3.map(change);
}
function choicesOf2(options3) {
  return options3.flatMap((option2) => "value" in option2 ? [option2.value] : choicesOf2(option2.options));
}

// packages/agent/src/cut-text.ts
var REPLACEMENT = "\uFFFD";
var CutText = class {
  #half = "";
  /** True while the first half of a character waits. */
  get isCut() {
    return this.#half !== "";
  }
  /** Takes a piece and returns the complete characters. */
  take(piece) {
    if (piece === "" || this.#half === "" && !endsInHalf(piece)) return piece;
    const text2 = this.#half === "" ? piece : (isIn(piece.charCodeAt(0), LOW) ? this.#half : REPLACEMENT) + piece;
    this.#half = endsInHalf(text2) ? text2.slice(-1) : "";
    return this.#half === "" ? text2 : text2.slice(0, -1);
  }
  /** Ends the text. Returns the replacement for a waiting half, or an empty string if no half waits. */
  end() {
    const isCut = this.#half !== "";
    this.#half = "";
    return isCut ? REPLACEMENT : "";
  }
};
var endsInHalf = (text2) => isIn(text2.charCodeAt(text2.length - 1), HIGH);
function shortened2(text2, most) {
  return text2.length <= most ? text2 : `${text2.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}\u2026`;
}
var HIGH = 55296;
var LOW = 56320;
var isIn = (unit, range2) => (unit & 64512) === range2;

// packages/agent/src/turn-end.ts
var MAX_END_BYTES = 64 * 1024;
var MAX_STOP_REASON_LENGTH = 256;
var AROUND_BYTES2 = 500;
function sendableEnd(end, maxEventBytes, report) {
  const cut = withShortReason(end, report);
  try {
    return boundedEnd(jsonEnd(cut, report), Math.min(MAX_END_BYTES, maxEventBytes - AROUND_BYTES2));
  } catch (error) {
    report("The end of a turn could not be read.", error);
    return bareEnd(cut);
  }
}
function bareEnd(end) {
  if (!("error" in end)) return { stopReason: end.stopReason };
  return { error: new RpcError(codeOf(end.error), "The turn failed with an error that cannot be sent") };
}
var STOP_REASONS2 = /* @__PURE__ */ new Set([
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled",
  "error"
]);
function endOf2(result, report) {
  if (typeof result === "string") return endOf2({ stopReason: result }, report);
  const leftOut = (what, rest) => {
    report(`The handler of session/prompt returned ${what}. It was left out.`, void 0, "handler_failed");
    return endOf2(rest, report);
  };
  if (result != null && !isObject2(result)) return leftOut("a value that is neither a stop reason nor an object", {});
  for (const name of ["usage", "_meta"]) {
    const isSound = result?.[name] == null || isObject2(result[name]);
    if (!isSound) return leftOut(`${name} that is no object`, { ...result, [name]: void 0 });
  }
  const { stopReason = "end_turn", usage, _meta } = result ?? {};
  if (typeof stopReason === "string" && !STOP_REASONS2.has(stopReason) && !stopReason.startsWith("_")) {
    const name = JSON.stringify(shortened2(stopReason, MAX_STOP_REASON_LENGTH - 1));
    const message = `The handler of session/prompt returned ${name}, which is no stop reason of the protocol. The client gets end_turn.`;
    report(message, void 0, "handler_failed");
    return endOf2({ ...result, stopReason: "end_turn" }, report);
  }
  return { stopReason, ...usage !== void 0 && { usage }, ..._meta !== void 0 && { _meta } };
}
var isObject2 = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function failedEnd(error, report) {
  if (isRpcError(error) || isAcpError(error)) return { error };
  report(`The handler of session/prompt failed: ${textOf(error)}`, error, "handler_failed");
  return { error: RpcError.internalError(textOf(error)) };
}
function cancelledEnd(end) {
  if ("error" in end) return { stopReason: "cancelled" };
  return { ...end, stopReason: "cancelled" };
}
function describeEnd(end) {
  if ("stopReason" in end) {
    const { _meta, ...told } = end;
    return told;
  }
  const { code, message, data } = toRpcError(end.error);
  return { error: data === void 0 ? { code, message } : { code, message, data } };
}
function withShortReason(end, report) {
  if ("error" in end || typeof end.stopReason !== "string") return end;
  const { stopReason } = end;
  if (stopReason.length <= MAX_STOP_REASON_LENGTH) return end;
  const bound = new RangeError(
    `The stop reason has ${stopReason.length} characters. The maximum is ${MAX_STOP_REASON_LENGTH}.`
  );
  report("The stop reason of a turn was too long, and was cut.", bound);
  return { ...end, stopReason: shortened2(stopReason, MAX_STOP_REASON_LENGTH - 1) };
}
function jsonEnd(end, report) {
  if ("error" in end) return jsonError(end, report);
  if (typeof end.stopReason !== "string") return { error: RpcError.internalError("the stop reason is no text") };
  if (end.usage === void 0 && end._meta === void 0) return end;
  let copy;
  try {
    copy = jsonCopy(end);
  } catch (error) {
    report("The usage of a turn could not be read.", error);
    return end.stopReason === "cancelled" ? bareEnd(end) : jsonError({ error }, report);
  }
  try {
    JSON.stringify(copy);
    return copy;
  } catch (error) {
    report("The usage of a turn is no JSON, and was left out.", error);
    return bareEnd(end);
  }
}
function jsonError(end, report) {
  try {
    const { message, data } = toRpcError(end.error);
    JSON.stringify(data);
    if (typeof message !== "string") throw new TypeError("The message of the error is no text.");
    return end;
  } catch (fault) {
    report("The error of a turn is no JSON, and was left out.", fault);
    return bareEnd(end);
  }
}
function codeOf(error) {
  try {
    return toRpcError(error).code;
  } catch {
    return rpcErrorCode.internalError;
  }
}
function boundedEnd(end, most) {
  if (!("error" in end)) return (end.usage ?? end._meta) === void 0 || fits(end, most) ? end : bareEnd(end);
  const { code, message, data } = toRpcError(end.error);
  if (message.length <= most && fits([message, data], most)) return end;
  const length = Math.max(0, Math.floor(most / 2 / JSON_CHARACTER_BYTES));
  const { details } = data ?? {};
  const left = typeof details === "string" ? { details: shortened2(details, length) } : void 0;
  return { error: new RpcError(code, shortened2(message, length), left) };
}
function fits(value, most) {
  try {
    return jsonBytes(value) <= most;
  } catch {
    return true;
  }
}

// packages/agent/src/journal.ts
var MAX_COMMIT_MS = 3e4;
var passing = /* @__PURE__ */ new Set([
  "state_update",
  "turn_started",
  "turn_ended",
  "session_opened",
  "permission_asked",
  "permission_answered",
  "elicitation_asked",
  "elicitation_answered",
  "elicitation_completed"
]);
var Journal = class {
  #writer;
  #onFault;
  #closed;
  #failed = false;
  /** Events that wait while the log is read. `undefined` while no read is under way. */
  #waiting;
  #waitingBytes = 0;
  /**
   * Choices that could not be applied, by option id. The log stores such a choice and not the session's value, so the
   * next restore tries it again. If the choice has `instead`, the log does so only while the session has the value
   * `instead`.
   */
  #unmade = /* @__PURE__ */ new Map();
  constructor(writer, onFault) {
    this.#writer = writer;
    this.#onFault = onFault;
    writer.onProblem?.(onFault);
  }
  /** Maximum size of one event as JSON, in bytes. */
  get maxEventBytes() {
    return this.#writer.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }
  /** @throws RpcError `-32603` after a failed commit, because a further turn could not be stored */
  mustWork() {
    if (this.#failed)
      throw RpcError.internalError("the session cannot be stored any more; restore the session to continue");
  }
  /** Writes an event if a restore needs that event. */
  note(event) {
    return passing.has(event.type) ? void 0 : this.append(event);
  }
  /**
   * Writes an event. Does nothing after {@link close}.
   *
   * @throws AcpError `state` if more than 64 MiB of events wait while the log is read
   */
  append(event) {
    if (this.#closed !== void 0) return void 0;
    const stored = this.#unmade.size === 0 ? event : this.#withChoices(event);
    if (this.#waiting === void 0) return this.#writer.append(stored);
    this.#waitingBytes = mustWait(this.#waitingBytes + jsonBytes(stored));
    this.#waiting.push(stored);
    return void 0;
  }
  /** Stops writing until {@link resume}. Until then, the log holds exactly the events that were written before. */
  pause() {
    this.#waiting ??= [];
  }
  /** Writes the events that arrived since {@link pause}. Never throws. */
  resume() {
    const events = this.#waiting ?? [];
    this.#waiting = void 0;
    this.#waitingBytes = 0;
    for (const event of events) {
      try {
        this.#writer.append(event);
      } catch (error) {
        this.#onFault("An event that was sent during a restore could not be stored.", error);
      }
    }
  }
  /** Sets the choices that the log stores in place of the session's values. */
  keepChoices(unmade) {
    this.#unmade = new Map(unmade);
  }
  /** Removes the stored choice of an option after a new choice of the user. Returns true if there was a stored choice. */
  dropChoice(configId) {
    return this.#unmade.delete(configId);
  }
  #withChoices(event) {
    if (!("configOptions" in event) || event.configOptions == null) return event;
    let options3 = event.configOptions;
    for (const option2 of options3) {
      const choice2 = this.#unmade.get(option2.configId);
      if (choice2 === void 0 || !("currentValue" in option2)) continue;
      if (choice2.instead !== void 0 && choice2.instead !== option2.currentValue) continue;
      options3 = optionsWith(options3, option2.configId, choice2.value);
    }
    return { ...event, configOptions: options3 };
  }
  /** Stores the end of a turn. Returns the end, or an error if the end cannot be stored. Never rejects. */
  async endTurn(promptId, end) {
    try {
      this.append({ type: "turn_ended", promptId, ...describeEnd(end) });
      await this.#commit();
      return end;
    } catch (error) {
      this.#failed = true;
      this.#onFault("The end of a turn could not be stored.", error);
      return { error: RpcError.internalError("the end of the turn could not be stored") };
    }
  }
  /** Commits. Returns false if this commit or an earlier commit failed, and if the journal is closed. Never rejects. */
  async flush() {
    if (this.#failed || this.#closed !== void 0) return false;
    try {
      await this.#commit();
      return true;
    } catch (error) {
      this.#failed = true;
      this.#onFault("The log of a session could not be written.", error);
      return false;
    }
  }
  /** Writes waiting events and lets other writers open the session. Takes at most {@link MAX_COMMIT_MS}. Never rejects. */
  close() {
    this.resume();
    this.#closed ??= this.#close();
    return this.#closed;
  }
  async #close() {
    try {
      const isInTime = await withinGrace(this.#writer[Symbol.asyncDispose](), MAX_COMMIT_MS);
      if (!isInTime) throw new Error(`The log did not close within ${MAX_COMMIT_MS} ms.`);
    } catch (error) {
      this.#onFault("The log of a session could not be closed.", error);
    }
  }
  async #commit() {
    const isInTime = await withinGrace(this.#writer.commit(), MAX_COMMIT_MS);
    if (!isInTime) throw new Error(`The log did not commit within ${MAX_COMMIT_MS} ms.`);
  }
};
var MAX_RESTORE_BYTES = 64 * 1024 * 1024;
function mustWait(bytes) {
  if (bytes <= MAX_RESTORE_BYTES) return bytes;
  throw new AcpError(
    "state",
    "A session may send at most 64 MiB during its restore. Send the other updates after the restore."
  );
}
var DraftWriter = class {
  events = [];
  maxEventBytes;
  #bytes = 0;
  constructor(maxEventBytes) {
    this.maxEventBytes = maxEventBytes;
  }
  append(event) {
    const bytes = jsonBytes(event);
    if (bytes > this.maxEventBytes) {
      const message = `An event ${event.type} has ${bytes} bytes. The log stores at most ${this.maxEventBytes}.`;
      throw new SessionLogError("too_large", message);
    }
    this.#bytes = mustWait(this.#bytes + bytes);
    this.events.push(event);
    return void 0;
  }
  async commit() {
  }
  async [Symbol.asyncDispose]() {
  }
};

// packages/agent/src/update-size.ts
var MAX_UPDATE_BYTES = 32 * 1024 * 1024 - 64 * 1024;
function mustFit(value, repeated, most = MAX_UPDATE_BYTES) {
  if (fitsAsJson(repeated === void 0 ? value : [value, repeated], most)) return;
  const bytes = jsonBytes(value) + (repeated === void 0 ? 0 : jsonBytes(repeated));
  if (bytes <= most) return;
  const [what, advice] = "type" in value ? [`An update of type ${value.type}`, "Send less, or in pieces."] : ["A question", "Ask with less."];
  const bound = `it takes ${bytes} bytes, and ${most} is the most`;
  throw new AcpError("too_large", `${what} was not sent: ${bound}. ${advice}`);
}

// packages/agent/src/replay.ts
var upsertOf2 = { user: "user_message", agent: "agent_message", thought: "agent_thought" };
function joinedEvents(state2) {
  return wholeEvents(state2).flatMap((event) => {
    const isMessage = event.type === "user_message" || event.type === "agent_message" || event.type === "agent_thought";
    return eventParts(isMessage && event.content ? { ...event, content: joinTextBlocks(event.content) } : event);
  });
}
function wholeEvents(state2) {
  const { title, updatedAt, usage } = state2;
  return [
    ...[...state2.terminals].map(terminalEvent),
    ...[...state2.timeline].flatMap((entry2) => entryEvents2(entry2, state2)),
    ...[...state2.plans].map((plan) => ({ type: "plan_update", plan })),
    ...title !== void 0 || updatedAt !== void 0 ? [{ type: "session_info_update", ...title && { title }, ...updatedAt && { updatedAt } }] : [],
    ...usage === void 0 ? [] : [{ type: "usage_update", ...usage }]
  ];
}
function entryEvents2(entry2, state2) {
  switch (entry2.type) {
    case "message":
      return [messageEvent(entry2)];
    case "tool_call":
      return [toolCallEvent(entry2, state2)];
    case "compaction":
      return entry2.status === "in_progress" ? [] : [compactionEvent(entry2)];
    default:
      return [];
  }
}
function messageEvent({ role, key, messageId = key, content, _meta }) {
  return { type: upsertOf2[role], messageId, content: content.toArray(), ..._meta && { _meta } };
}
function toolCallEvent(entry2, { terminals }) {
  const { toolCallId, name, title, kind, status, locations, rawInput, rawOutput, _meta } = entry2;
  const content = entry2.content.toArray().filter((item) => {
    return item.type !== "terminal" || !("terminalId" in item) || terminals.has(String(item.terminalId));
  });
  return {
    type: "tool_call_update",
    toolCallId,
    ...name !== void 0 && { name },
    ...title !== void 0 && { title },
    kind,
    status,
    ...content.length > 0 && { content },
    ...locations.length > 0 && { locations },
    ...rawInput !== void 0 && { rawInput },
    ...rawOutput !== void 0 && { rawOutput },
    ..._meta && { _meta }
  };
}
function compactionEvent({ compactionId, status, summary, error, _meta }) {
  return {
    type: "compaction_update",
    compactionId,
    status,
    ...summary.length > 0 && { summary: summary.toArray() },
    ...error !== void 0 && { error },
    ..._meta && { _meta }
  };
}
function terminalEvent({ terminalId, command: command2, cwd, text: text2, exitStatus, size: size2, _meta }) {
  return {
    type: "terminal_update",
    terminalId,
    ...command2 !== void 0 && { command: command2 },
    ...cwd !== void 0 && { cwd },
    ...size2 !== void 0 && { size: size2 },
    ...text2 !== "" && { output: { data: toBase64(new TextEncoder().encode(text2)) } },
    ...exitStatus !== void 0 && { exitStatus },
    ..._meta && { _meta }
  };
}
var PART_BYTES = 16 * 1024 * 1024;
function eventParts(event) {
  if (fitsAsJson(event, MAX_UPDATE_BYTES)) return [event];
  if (event.type === "terminal_update") return terminalParts(event);
  const most = event.type === "tool_call_update" ? MAX_UPDATE_BYTES : PART_BYTES;
  return splitEvent(event, most);
}
function terminalParts({ output, exitStatus, ...start }) {
  const { type, terminalId } = start;
  const events = [...splitEvent(start, PART_BYTES)];
  const data = output?.data ?? "";
  for (let from = 0; from < data.length; from += PART_BYTES) {
    events.push({ type: "terminal_output_chunk", terminalId, data: data.slice(from, from + PART_BYTES) });
  }
  if (exitStatus !== void 0) events.push({ type, terminalId, exitStatus });
  return events;
}

// packages/agent/src/tool-call.ts
var isFinalStatus = (status) => status === "completed" || status === "failed" || status === "cancelled";

// packages/agent/src/persistence.ts
var keepSessions = (log, handlers, limits) => new Persistence(log, handlers, limits);
var Persistence = class {
  #log;
  #handlers;
  #limits;
  constructor(log, handlers, limits) {
    this.#log = log;
    this.#handlers = handlers;
    this.#limits = limits;
  }
  /** Stores a new session before the client gets the answer. Deletes the session again if its setup fails. */
  async create(session, setUp) {
    const writer = await refused(session.id, () => this.#log.open(session.id, session.describe()));
    session.output.journal = this.#journal(session, writer);
    try {
      return await setUp();
    } catch (error) {
      await session.output.journal.close();
      await this.#forget(session);
      throw error;
    }
  }
  /**
   * Checks whether a restore can succeed. The open session is not changed, so it can go on after a refusal.
   *
   * @throws RpcError `-32602` for another `cwd`
   * @throws RpcError `-32002` for a session that was deleted
   * @throws the error of a log that cannot be read
   */
  async check({ id, cwd }, request) {
    checkFolder({ sessionId: id, cwd }, request.cwd);
    await refused(id, async () => {
      for await (const _ of this.#log.read(id)) ;
    });
  }
  /**
   * Restores a session. The log provides the history. The agent's handlers provide data, lists and connections.
   *
   * `lender` is the open session of this id. The restored session takes over the log of `lender`, unless the restore fails.
   *
   * @throws RpcError `-32002` for a session that is not stored
   * @throws RpcError `-32600` for a session that another connection has open
   * @throws RpcError `-32602` for another `cwd`
   */
  async restore(session, request, { call, lender }) {
    const { id } = session;
    const lent = lender?.output.journal;
    const journal = lent ?? this.#journal(session, await refused(id, () => this.#log.open(id)));
    try {
      const { state: state2, data, keys } = await refused(id, () => foldEvents(this.#log.read(id), this.#limits));
      const past = settled(state2);
      lent?.resume();
      checkFolder(past, request.cwd);
      await replayPast(session, past, request.replay);
      session.keys.restore(keys, request.replay);
      const draft = new DraftWriter(journal.maxEventBytes);
      session.output.journal = this.#journal(session, draft);
      const choices = this.#choicesOf(past);
      session.output.journal.keepChoices(choices);
      session.output.outbox.hold("send");
      session.dataWasStored(data);
      const setup = await this.#setUp(session, { ...request, replay: false, ...storedData(data) }, { past, call });
      const lists = session.setUp(setup);
      if (!session.output.isClosed) {
        journal.keepChoices(choices);
        for (const event of draft.events) journal.append(event);
      }
      session.output.journal = journal;
      if (lender !== void 0) lender.output.journal = void 0;
      return { lists, past };
    } catch (error) {
      session.output.journal = void 0;
      if (lent === void 0) await journal.close();
      throw error;
    }
  }
  /**
   * Chooses the user's earlier values again. A value that the option no longer has is left out. Does nothing for an agent
   * with a `restoreSession` handler.
   */
  async choose(session, past, setValue) {
    const choices = this.#choicesOf(past);
    const unmade = /* @__PURE__ */ new Map();
    for (const option2 of session.state.configOptions ?? []) {
      const { configId } = option2;
      const choice2 = choices.get(configId);
      if (choice2 === void 0 || choice2.value === session.configValue(configId)) continue;
      if (!isChoice(option2, choice2.value)) continue;
      try {
        await setValue(configId, choice2.value);
      } catch (error) {
        unmade.set(configId, { value: choice2.value, instead: session.configValue(configId) });
        const message = `The stored value of option ${configId} could not be chosen again.`;
        session.output.onFault(message, error, "listener_failed");
      }
    }
    if (choices.size > 0 && !session.output.isClosed) session.output.journal?.keepChoices(unmade);
    return session.state.configOptions;
  }
  /**
   * Returns the stored values that the runtime chooses again. None for an agent with a `restoreSession`, which makes the
   * choices itself.
   */
  #choicesOf(past) {
    const choices = /* @__PURE__ */ new Map();
    if (this.#handlers.restoreSession !== void 0) return choices;
    for (const option2 of past.configOptions ?? []) {
      if ("currentValue" in option2) choices.set(option2.configId, { value: option2.currentValue });
    }
    return choices;
  }
  list(request) {
    return refused(void 0, () => this.#log.list(request));
  }
  delete(sessionId) {
    return refused(sessionId, () => this.#log.delete(sessionId));
  }
  /** Runs `restoreSession` or, if the agent has none, `newSession`. The log already has the updates of `newSession`. */
  async #setUp(session, request, { past, call }) {
    const { sessionId, replay: _, data, dataVersion: stored, isDataOutdated: _o, ...place } = request;
    if (this.#handlers.restoreSession === void 0) {
      const setup = await session.output.repeat(async () => this.#handlers.newSession?.(place, session, call));
      if (stored === void 0) return setup;
      const { dataVersion: current = DEFAULT_DATA_VERSION } = this.#handlers;
      if (stored === current) return { ...setup, data };
      const message = `Stored data of version ${stored} was not used, because the agent has version ${current} and no restoreSession.`;
      session.output.onFault(message, void 0, "log_failed");
      return setup;
    }
    const { configOptions, availableCommands } = past;
    const lists = { ...configOptions && { configOptions }, ...availableCommands && { availableCommands } };
    session.output.record({ type: "session_opened", sessionId, ...lists });
    return { ...lists, ...await this.#handlers.restoreSession(request, session) };
  }
  #journal(session, writer) {
    return new Journal(writer, (message, error) => session.output.onFault(message, error, "log_failed"));
  }
  async #forget(session) {
    try {
      await this.#log.delete(session.id);
    } catch (error) {
      session.output.onFault("A session that failed to open could not be deleted from the log.", error, "log_failed");
    }
  }
};
function isChoice(option2, value) {
  try {
    return readConfigValue(option2, value, { booleanOptions: true }) === value;
  } catch {
    return false;
  }
}
function settled(past) {
  let state2 = past;
  for (const entry2 of past.timeline) {
    if (entry2.type !== "tool_call" || isFinalStatus(entry2.status)) continue;
    state2 = reduce(state2, { type: "tool_call_update", toolCallId: entry2.toolCallId, status: "cancelled" });
  }
  for (const { terminalId, exitStatus } of past.terminals) {
    if (exitStatus === void 0) state2 = reduce(state2, { type: "terminal_update", terminalId, exitStatus: {} });
  }
  return state2;
}
async function replayPast(session, past, replay) {
  const full = /* @__PURE__ */ new Set();
  let isHistory = replay;
  for (const event of joinedEvents(past)) {
    if (isHistory && (event.type === "session_info_update" || event.type === "usage_update")) {
      isHistory = false;
      session.driver.replayed?.(session);
    }
    if (!replay && event.type !== "usage_update") {
      session.output.record(event);
      continue;
    }
    const grown2 = event.type === "tool_call_content_chunk" ? event.toolCallId : void 0;
    if (grown2 !== void 0 && full.has(grown2)) continue;
    try {
      await session.emit(event);
    } catch (error) {
      if (!isAcpError(error, "too_large")) throw error;
      if (grown2 !== void 0) full.add(grown2);
      session.output.onFault(`A ${event.type} of a stored session is too large to be sent, and was left out.`, error);
    }
  }
  if (isHistory) session.driver.replayed?.(session);
}
function checkFolder({ sessionId, cwd }, asked) {
  if (cwd === void 0 || folderOf(cwd) === folderOf(asked)) return;
  throw RpcError.invalidParams("cwd is the folder in which the session was opened", { sessionId, cwd });
}
function folderOf(path) {
  let end = path.length;
  while (end > 1 && /[\\/]/.test(path.charAt(end - 1))) end -= 1;
  const folder = path.slice(0, end);
  if (!/^[a-z]:/i.test(folder)) return folder;
  return folder.charAt(0).toUpperCase() + folder.slice(1).replaceAll("/", "\\");
}
async function refused(sessionId, work) {
  try {
    return await work();
  } catch (error) {
    if (isSessionLogError(error, "not_found")) throw RpcError.resourceNotFound({ sessionId });
    if (isSessionLogError(error, "cursor"))
      throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
    if (!isSessionLogError(error, "locked")) throw error;
    const { code, message } = RpcError.invalidRequest(
      "another connection or process has the session open; close the session there first"
    );
    throw new RpcError(code, message, { sessionId, problem: error.problem });
  }
}

// packages/agent/src/node/log-file.ts
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join as join2 } from "node:path";

// packages/agent/src/node/log-folder.ts
import { createHash, randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process2 from "node:process";
import { setTimeout as delay } from "node:timers/promises";
var files = { log: "log.jsonl", nextLog: "log.next", info: "info.json", lock: "lock.json" };
var DELETED = ".deleted-";
function folderName(sessionId) {
  if (/^[a-z0-9-]{1,64}$/.test(sessionId)) return `s-${sessionId}`;
  return `h-${createHash("sha256").update(sessionId, "utf16le").digest("hex")}`;
}
async function sessionFolders(root) {
  try {
    return (await readdir(root)).filter((name) => /^[sh]-/.test(name));
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}
async function makeFolder(path) {
  await mkdir(path, { recursive: true, mode: 448 });
}
function openFile(path, how) {
  const { O_RDONLY, O_RDWR, O_CREAT, O_TRUNC, O_NOFOLLOW = 0 } = constants;
  const flags = { read: O_RDONLY, write: O_RDWR, replace: O_RDWR | O_CREAT | O_TRUNC }[how];
  return open(path, flags | O_NOFOLLOW, 384);
}
async function statOf(path) {
  try {
    return await stat(path);
  } catch (error) {
    if (isCode(error, "ENOENT", "ENOTDIR")) return void 0;
    throw error;
  }
}
async function removeFolder(root, name) {
  await renameOver(join(root, name), join(root, `${DELETED}${randomUUID()}`));
  await syncFolder(root);
  for (const left of await readdir(root)) {
    if (left.startsWith(DELETED)) await rm(join(root, left), { recursive: true, force: true, maxRetries: 3 });
  }
}
async function removeLeftovers(folder) {
  const known = [files.log, files.info, files.lock];
  for (const name of await readdir(folder)) {
    if (!known.includes(name) && !name.startsWith("lock.")) await rm(join(folder, name), { force: true });
  }
}
async function renameOver(from, to) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const busy = isCode(error, "EPERM", "EACCES", "EBUSY");
      if (process2.platform !== "win32" || !busy || attempt === 8) throw error;
      await delay(2 ** attempt);
    }
  }
}
async function syncFolder(path) {
  if (process2.platform === "win32") return;
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!isCode(error, "EINVAL", "ENOTSUP", "EISDIR")) throw error;
  } finally {
    await folder.close();
  }
}
function isCode(error, ...codes) {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

// packages/agent/src/node/log-records.ts
import { crc32 } from "node:zlib";
var CHUNK2 = 256 * 1024;
var HEAD = 12;
var TAIL2 = 1;
var RECORD_BYTES = HEAD + TAIL2 + 1;
function encodeRecord(value) {
  const json = JSON.stringify(value);
  return Buffer.from(`["${checksum(json)}",${json}]
`);
}
function decodeRecord(line) {
  const json = line.subarray(HEAD, -TAIL2);
  if (line.length <= HEAD + TAIL2 || line.toString("latin1", 2, 10) !== checksum(json)) return void 0;
  try {
    const record2 = JSON.parse(line.toString());
    const value = Array.isArray(record2) ? record2[1] : void 0;
    return typeof value === "object" && value !== null ? value : void 0;
  } catch {
    return void 0;
  }
}
var checksum = (json) => crc32(json).toString(16).padStart(8, "0");
async function* readLines(file, maxBytes) {
  const most = maxBytes + HEAD + TAIL2;
  let parts = [];
  let length = 0;
  for (let at = 0; ; ) {
    const { bytesRead, buffer: buffer2 } = await file.read(Buffer.allocUnsafe(CHUNK2), 0, CHUNK2, at);
    if (bytesRead === 0) return;
    const chunk3 = buffer2.subarray(0, bytesRead);
    let from = 0;
    for (let end = chunk3.indexOf(10); end >= 0; end = chunk3.indexOf(10, from)) {
      length += end - from;
      const tooLong = length > most;
      const line = tooLong ? void 0 : Buffer.concat([...parts, chunk3.subarray(from, end)]);
      yield { value: line && decodeRecord(line), tooLong, end: at + end + 1 };
      parts = [];
      length = 0;
      from = end + 1;
    }
    length += bytesRead - from;
    if (length <= most) parts.push(chunk3.subarray(from));
    else parts = [];
    at += bytesRead;
  }
}

// packages/agent/src/node/log-file.ts
var FORMAT = "turnkit-session-log/1";
var FORMAT_RESTORED = "turnkit-session-log/2";
var CHUNK3 = 1024 * 1024;
async function scanLog(path, file, maxBytes) {
  let info2;
  let header;
  let size2 = 0;
  let damaged = 0;
  let bad = 0;
  for await (const { value, tooLong, end } of readLines(file, maxBytes)) {
    if (value === void 0) bad += 1;
    if (tooLong && info2 !== void 0) {
      damaged += bad;
      bad = 0;
      size2 = end;
    }
    if (value === void 0) continue;
    if (info2 === void 0 && bad === 0) info2 = readHeader(path, value);
    else info2 = sessionInfoAfter(info2 ?? await needInfoBeside(path), value);
    header ??= info2;
    damaged += bad;
    bad = 0;
    size2 = end;
  }
  if (info2 === void 0) throw headerDamaged(path);
  return { info: info2, header: header ?? info2, size: size2, damaged };
}
async function needInfoBeside(path) {
  const info2 = await readInfoBeside(dirname(path));
  if (info2 === void 0) throw headerDamaged(path);
  return info2;
}
var headerDamaged = (path) => new SessionLogError("failed", `${path} is damaged. Its first record cannot be read.`);
async function* readEvents(path, maxBytes, refuse) {
  const file = await openFile(path, "read");
  try {
    let first = true;
    for await (const { value, tooLong } of readLines(file, maxBytes)) {
      if (tooLong && refuse !== void 0) throw new SessionLogError("too_large", `${path} ${HAS_LONGER}`);
      if (value !== void 0 && first) readHeader(path, value);
      else if (value !== void 0) yield value;
      first = false;
    }
  } finally {
    await file.close();
  }
}
var HAS_LONGER = "has records that are larger than maxRecordBytes; they can be read with a larger bound.";
function readHeader(path, value) {
  const { format, info: info2 } = value;
  const isKnown = format === FORMAT || format === FORMAT_RESTORED;
  if (isKnown && typeof info2?.sessionId === "string" && typeof info2.cwd === "string") return info2;
  throw new SessionLogError(
    "failed",
    `${path} is not a log in a format that this version reads (${FORMAT}, ${FORMAT_RESTORED}).`
  );
}
function boundedRecord(sessionId, value, maxBytes) {
  const record2 = encodeRecord(value);
  if (record2.length <= maxBytes) return record2;
  const what = `One ${"type" in value ? value.type : "record"} of session ${sessionId} has ${record2.length} bytes`;
  const advice = "Send less, or give createFileLog a larger maxRecordBytes.";
  throw new SessionLogError("too_large", `${what}. A record of its log has at most ${maxBytes} bytes. ${advice}`);
}
async function draftLog(folder, { info: info2, events, maxRecordBytes }) {
  const path = join2(folder, files.nextLog);
  const file = await openFile(path, "replace");
  try {
    let position = 0;
    let parts = [];
    let bytes = 0;
    const format = events.some(({ type }) => type === "state_restored") ? FORMAT_RESTORED : FORMAT;
    for (const value of [{ format, info: info2 }, ...events]) {
      const record2 = boundedRecord(info2.sessionId, value, maxRecordBytes);
      parts.push(record2);
      bytes += record2.length;
      if (bytes < CHUNK3) continue;
      position += await writeFully(file, Buffer.concat(parts), position);
      parts = [];
      bytes = 0;
    }
    await writeFully(file, Buffer.concat(parts), position);
    await file.datasync();
  } finally {
    await file.close();
  }
  await checkDraft(path, events, maxRecordBytes);
}
async function checkDraft(path, events, maxBytes) {
  let at = 0;
  for await (const event of readEvents(path, maxBytes, "too long")) {
    if (JSON.stringify(event) !== JSON.stringify(events[at])) break;
    at += 1;
  }
  if (at !== events.length) throw new SessionLogError("failed", `${path} does not contain the written events.`);
}
async function adoptDraft(folder) {
  await renameOver(join2(folder, files.nextLog), join2(folder, files.log));
  await syncFolder(folder);
}
async function writeFully(file, bytes, position) {
  let written2 = 0;
  while (written2 < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written2, bytes.length - written2, position + written2);
    written2 += bytesWritten;
  }
  return written2;
}
async function writeInfo(folder, info2) {
  const next = join2(folder, `${files.info}.next`);
  await writeFile(next, JSON.stringify(info2), { mode: 384 });
  await renameOver(next, join2(folder, files.info));
}
async function readInfo(folder, maxBytes) {
  const path = join2(folder, files.log);
  try {
    const beside = await readInfoBeside(folder);
    if (beside !== void 0) return beside;
    const file = await openFile(path, "read");
    try {
      return (await scanLog(path, file, maxBytes)).info;
    } finally {
      await file.close();
    }
  } catch {
    return void 0;
  }
}
async function readInfoBeside(folder) {
  try {
    const info2 = JSON.parse(await readFile(join2(folder, files.info), "utf8"));
    if (typeof info2?.sessionId === "string" && typeof info2.cwd === "string") return info2;
  } catch (error) {
    if (!isCode(error, "ENOENT", "EISDIR") && !(error instanceof SyntaxError)) throw error;
  }
  return void 0;
}

// packages/agent/src/node/log-lock.ts
import { randomUUID as randomUUID2 } from "node:crypto";
import { link as link2, readFile as readFile3, rm as rm2, utimes, writeFile as writeFile2 } from "node:fs/promises";
import { hostname } from "node:os";
import { join as join3 } from "node:path";
import process4 from "node:process";
import { setTimeout as delay2 } from "node:timers/promises";

// packages/transport/src/node/stdio.ts
import * as buffer from "node:buffer";

// packages/transport/src/channels/closing.ts
var FLUSH_MS = 5e3;
var Closing = class {
  closed;
  #settle;
  #over;
  #shutDown;
  /** Creates an open end. `shutDown` stops delivery, writes waiting messages and closes. */
  constructor(shutDown) {
    this.#shutDown = shutDown;
    this.closed = new Promise((resolve2) => {
      this.#settle = resolve2;
    });
  }
  get hasBegun() {
    return this.#over !== void 0;
  }
  /** Shuts the channel down. If the shutdown has already begun, returns its promise. */
  begin(reason) {
    this.#over ??= this.#run(reason);
    return this.#over;
  }
  async #run(reason) {
    if (reason.kind !== "local") this.#settle(reason);
    const shutDown = this.#shutDown(reason);
    if (shutDown !== void 0) await shutDown;
    this.#settle(reason);
  }
};

// packages/transport/src/channels/delivery.ts
var BURST = 4096;
var TIMED_FROM = 1024;
var later2 = globalThis.setTimeout;
var settled2 = /* @__PURE__ */ Promise.resolve();
var Delivery = class {
  #receiver;
  #isPaused = false;
  #isHeld = false;
  #isDelivering = false;
  #isScheduled = false;
  #isStopped = false;
  #end;
  #arrivals;
  #onEnd;
  #isDeferred;
  #rests;
  #onRest;
  #isResting = false;
  /** Number of messages since the end of the last burst of at least {@link TIMED_FROM}. */
  #inBurst = 0;
  #run = () => {
    this.#isScheduled = false;
    this.#deliver();
  };
  /**
   * Creates a delivery. Without a call of `stop`, `onEnd` is called once: after the last message, or after a broken
   * frame or an exception.
   */
  constructor(arrivals, onEnd, options3 = {}) {
    this.#arrivals = arrivals;
    this.#onEnd = onEnd;
    this.#isDeferred = options3.defer === true;
    this.#rests = options3.rests !== false;
    this.#onRest = options3.onRest;
  }
  /** `true` before `start`, and between `pause` and `resume`. */
  get isPaused() {
    return this.#isPaused || this.#receiver === void 0;
  }
  /** `true` while delivery waits for a turn of the event loop. */
  get isResting() {
    return this.#isResting;
  }
  /**
   * Begins to deliver messages.
   *
   * @throws AcpError `state` if delivery was started before
   */
  start(receiver) {
    if (this.#receiver !== void 0)
      throw new AcpError(
        "state",
        "The channel has a connection already. One channel serves one: open another channel."
      );
    this.#receiver = receiver;
    this.#wake();
  }
  push(arrival) {
    if (this.#isStopped || this.#end) return;
    this.#arrivals.push(arrival);
    this.#wake();
  }
  /**
   * Refuses further arrivals. Calls `onEnd` when the messages that have arrived are delivered. The first reason counts.
   */
  end(reason) {
    if (this.#end) return;
    this.#end = reason;
    this.#arrivals.end?.();
    this.#wake();
  }
  pause() {
    this.#isPaused = true;
  }
  resume() {
    this.#isPaused = false;
    this.#wake();
  }
  /** Delays messages that arrive before `release` to a later microtask. Call `release` in the same tick. */
  hold() {
    this.#isHeld = true;
  }
  release() {
    this.#isHeld = false;
  }
  /** Ends all delivery. */
  stop() {
    this.#isStopped = true;
  }
  #wake() {
    if (this.#isDeferred) this.#deliverSoon();
    else this.#deliver();
  }
  #deliverSoon() {
    if (this.#isScheduled || this.#isStopped || this.isPaused) return;
    this.#isScheduled = true;
    void settled2.then(this.#run);
  }
  #deliver() {
    if (this.#isDelivering || this.#receiver === void 0) return;
    this.#isDelivering = true;
    try {
      while (!this.#isPaused && !this.#isHeld && !this.#isStopped && !this.#isResting) {
        if (this.#arrivals.deliverNext(this.#receiver)) {
          if (this.#rests) this.#countArrival();
          continue;
        }
        if (this.#end) this.#finish(this.#end);
        break;
      }
      if (this.#isHeld) this.#deliverSoon();
    } catch (cause) {
      this.#finish(faultOf(cause));
    } finally {
      this.#isDelivering = false;
    }
  }
  #countArrival() {
    this.#inBurst += 1;
    if (this.#inBurst === TIMED_FROM) later2(() => this.#endBurst(), 0);
    if (this.#inBurst !== BURST || this.#isStopped) return;
    this.#isResting = true;
    this.#onRest?.(true);
  }
  #endBurst() {
    this.#inBurst = 0;
    if (!this.#isResting) return;
    this.#isResting = false;
    this.#deliver();
    if (!this.#isResting) this.#onRest?.(false);
  }
  #finish(reason) {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#onEnd(reason);
  }
};
function faultOf(cause) {
  if (cause instanceof FrameError) return { kind: "frame", message: cause.message, cause };
  return { kind: "local", message: `The receiver of a message threw: ${String(cause)}.`, cause };
}

// packages/transport/src/channels/ndjson.ts
var frameLimit = 32 * 1024 * 1024;
function parseLine(line) {
  const text2 = line.charCodeAt(0) === 65279 ? line.slice(1) : line;
  const value = JSON.parse(text2);
  if (Array.isArray(value) ? value.some(hasInexactId) : hasInexactId(value)) {
    const numbers = [];
    const places = JSON.parse(text2.replace(longNumber, (digits) => String(numbers.push(digits) - 1)));
    if (Array.isArray(value))
      for (const [at, entry2] of value.entries()) restoreIds(entry2, places[at], numbers);
    else restoreIds(value, places, numbers);
  }
  return value;
}
var CANCEL = "$/cancel_request";
var longNumber = /(?<![\w.+-])-?\d{16}[\d.eE+-]*/g;
var isInexact = (value) => typeof value === "number" && !Number.isSafeInteger(value);
function hasInexactId(value) {
  const message = value;
  return isInexact(message?.id) || message?.method === CANCEL && isInexact(message.params?.requestId);
}
function restoreIds(message, places, numbers) {
  if (!message || !hasInexactId(message)) return;
  if (isInexact(message.id)) message.id = integer2(numbers[places?.id]) ?? message.id;
  const { params } = message;
  if (message.method !== CANCEL || !params || !isInexact(params.requestId)) return;
  params.requestId = integer2(numbers[places?.params?.requestId]) ?? params.requestId;
}
function integer2(digits = "") {
  return /^-?\d+$/.test(digits) && digits.replace("-", "").length <= MAX_ID_DIGITS ? BigInt(digits) : void 0;
}
function serialise(message) {
  if ("id" in message && typeof message.id === "bigint") {
    const { id, ...rest } = message;
    return withDigits("id", id, rest);
  }
  if ("method" in message && message.method === CANCEL) {
    const requestId = message.params?.requestId;
    if (typeof requestId === "bigint") {
      const { requestId: _, ...params } = message.params;
      return `{"jsonrpc":"2.0","method":"${CANCEL}","params":${withDigits("requestId", requestId, params)}}`;
    }
  }
  return JSON.stringify(message);
}
function withDigits(key, digits, rest) {
  const body = JSON.stringify(rest);
  return `{"${key}":${digits}${body === "{}" ? "}" : `,${body.slice(1)}`}`;
}

// packages/transport/src/channels/line-parser.ts
var MARK2 = "\0turnkit";
var MOST_LENGTH = 1024;
var MOST_PATIENCE = 256;
var OPEN_BRACE = 123;
var mayBeJson = /^\ufeff?[ \t\r]*(?:[{[]|(?:-?\d[\d.eE+-]*|true|false|null|".*")[ \t\r]*$)/s;
var LineParser = class {
  #shape;
  /** The last line that did not match the shape. */
  #before = "";
  /** Number of lines between two searches for a shape. */
  #patience = 1;
  #wait = 1;
  /** Delivers one line as a message or as an invalid line. A blank line is ignored. */
  deliver(line, bytes, receiver) {
    if (line === "" || line.charCodeAt(0) !== OPEN_BRACE && !mayBeJson.test(line))
      return deliverInvalid(line, receiver);
    let message;
    try {
      message = this.parse(line);
    } catch {
      return deliverInvalid(line, receiver);
    }
    receiver.message(message, bytes);
  }
  /**
   * Parses one line.
   *
   * @throws SyntaxError if the line is not JSON
   */
  parse(line) {
    const differing = this.#shape && differingText(this.#shape, line);
    if (differing !== void 0) {
      try {
        const message2 = withText(this.#shape, JSON.parse(differing));
        this.#patience = 1;
        return message2;
      } catch {
        this.#shape = void 0;
      }
    }
    const message = parseLine(line);
    this.#compare(line);
    return message;
  }
  #compare(line) {
    const before = this.#before;
    this.#before = line.length > MOST_LENGTH ? "" : line;
    this.#wait -= 1;
    if (this.#wait > 0 || before === "" || this.#before === "") return;
    this.#shape = shapeOf(before, line);
    this.#wait = this.#patience;
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE);
  }
};
function deliverInvalid(line, receiver) {
  if (line.trim() !== "") receiver.invalidLine(line.slice(0, 200).trimEnd());
}
function differingText({ head, tail }, line) {
  const end = line.length - tail.length;
  if (end <= head.length || line.slice(0, head.length) !== head || line.slice(end) !== tail) return void 0;
  return line.slice(head.length, end);
}
var withText = ({ message, path }, value) => replaced2(message, path, 0, value);
function replaced2(node, path, depth, value) {
  const copy = Array.isArray(node) ? [...node] : { ...node };
  const key = path[depth];
  copy[key] = depth === path.length - 1 ? value : replaced2(copy[key], path, depth + 1, value);
  return copy;
}
function shapeOf(one, other) {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 1;
  while (end <= other.length && one.at(-end) === other.at(-end)) end++;
  const open2 = other.lastIndexOf('"', start - 1);
  const close = other.indexOf('"', Math.max(other.length - end + 1, open2 + 1));
  if (open2 < 0 || close < 0) return void 0;
  const head = JSON.parse(JSON.stringify(other.slice(0, open2)));
  const tail = JSON.parse(JSON.stringify(other.slice(close + 1)));
  try {
    const message = parseLine(head + JSON.stringify(MARK2) + tail);
    if (!mayRepeat(message)) return void 0;
    const path = pathTo(MARK2, message);
    return path && { head, tail, message, path };
  } catch {
    return void 0;
  }
}
var mayRepeat = (message) => typeof message === "object" && message !== null && "method" in message && !("id" in message) && message.method !== "$/cancel_request";
function pathTo(text2, message) {
  const path = [];
  for (let node = message; node !== void 0; ) {
    const members = Object.entries(node);
    const [place, ...others] = members.filter(([, value]) => value === text2);
    const deeper = members.filter(([, value]) => typeof value === "object" && value !== null);
    if (others.length > 0 || deeper.length > (place === void 0 ? 1 : 0)) return void 0;
    const next = place ?? deeper[0];
    if (next === void 0) return void 0;
    path.push(next[0]);
    if (place !== void 0) return path;
    node = next[1];
  }
  return void 0;
}

// packages/transport/src/channels/line-reader.ts
var newline = 10;
var carriageReturn = 13;
var empty = new Uint8Array(0);
var blockSize = 1024 * 1024;
var decoder = new TextDecoder();
var decodeUtf82 = (bytes, start, end) => decoder.decode(bytes.subarray(start, end));
var LineReader = class {
  /** Size in bytes of the line that `next` returned last. */
  bytes = 0;
  #limit;
  #decode;
  #parser = new LineParser();
  /** Chunks that come after the current chunk. */
  #queue = [];
  #chunk = empty;
  #at = 0;
  /** Complete lines of the current chunk as one string. */
  #text = "";
  #textAt = 0;
  /** Start of the next line in the chunk. The value is -1 if every character takes one byte. */
  #lineAt = -1;
  /**
   * Last bytes of the unfinished line. The array doubles its size when it is full, so that small chunks are not copied
   * often.
   */
  #partial = empty;
  #partialLength = 0;
  /** Earlier bytes of the unfinished line, in full blocks. These blocks are not copied when the line grows. */
  #blocks = [];
  #blocksLength = 0;
  #ended = false;
  constructor(limit, decode = decodeUtf82) {
    this.#limit = limit;
    this.#decode = decode;
  }
  push(chunk3) {
    this.#queue.push(chunk3);
  }
  /** Marks the end of the stream. The last line then counts even without a line end. */
  end() {
    this.#ended = true;
  }
  /**
   * Delivers the next line. Returns `false` until a complete line has arrived.
   *
   * @throws FrameError if a line is longer than the limit
   */
  deliverNext(receiver) {
    const line = this.next();
    if (line === void 0) return false;
    this.#parser.deliver(line, this.bytes, receiver);
    return true;
  }
  /**
   * Returns the next line without its LF, or `undefined` until more bytes arrive.
   *
   * @throws FrameError if a line is longer than the limit. The reader cannot be used after that.
   */
  next() {
    for (; ; ) {
      if (this.#textAt < this.#text.length) return this.#nextOfText();
      if (this.#at >= this.#chunk.length) {
        const chunk3 = this.#queue.shift();
        if (chunk3 === void 0) return this.#ended ? this.#last() : void 0;
        this.#chunk = chunk3;
        this.#at = 0;
        if (this.#partialLength === 0) this.#decodeWholeLines();
        continue;
      }
      const end = this.#chunk.indexOf(newline, this.#at);
      if (end < 0) {
        this.#keep(this.#chunk.length);
        continue;
      }
      return this.#nextOfChunk(end);
    }
  }
  /** Decodes all complete lines of the chunk at once. For small messages this is several times faster. */
  #decodeWholeLines() {
    const end = this.#chunk.lastIndexOf(newline) + 1;
    if (end === 0 || end > this.#limit) return;
    this.#text = this.#decode(this.#chunk, 0, end);
    this.#textAt = 0;
    this.#lineAt = this.#text.length === end ? -1 : 0;
    this.#at = end;
  }
  #nextOfText() {
    const end = this.#text.indexOf("\n", this.#textAt);
    const line = this.#text.slice(this.#textAt, end);
    this.bytes = this.#lineAt < 0 ? line.length : this.#bytesOfLine();
    this.#textAt = end + 1;
    if (this.#textAt >= this.#text.length) this.#text = "";
    return line;
  }
  /**
   * Returns the size of the next line in bytes. The text has the same line ends as the bytes, even for invalid UTF-8.
   */
  #bytesOfLine() {
    const start = this.#lineAt;
    const end = this.#chunk.indexOf(newline, start);
    this.#lineAt = end + 1;
    return end - start;
  }
  #nextOfChunk(end) {
    if (this.#partialLength > 0) {
      this.#keep(end);
      this.#at = end + 1;
      const line2 = this.#takePartial();
      this.#chunk = this.#chunk.subarray(this.#at);
      this.#at = 0;
      this.#decodeWholeLines();
      return line2;
    }
    this.bytes = end - this.#at;
    this.#check(this.bytes, this.#chunk[end - 1]);
    const line = this.#decode(this.#chunk, this.#at, end);
    this.#at = end + 1;
    return line;
  }
  #last() {
    return this.#partialLength > 0 ? this.#takePartial() : void 0;
  }
  #keep(end) {
    const newest = end > this.#at ? this.#chunk[end - 1] : this.#partial[this.#partialLength - 1];
    const length = this.#partialLength + end - this.#at;
    this.#check(this.#blocksLength + length, newest);
    if (length > this.#partial.length && this.#partialLength >= blockSize) {
      this.#blocks.push(this.#partial.subarray(0, this.#partialLength));
      this.#blocksLength += this.#partialLength;
      this.#partial = new Uint8Array(blockSize);
      this.#partialLength = 0;
      return this.#keep(end);
    }
    if (length > this.#partial.length) {
      const grown2 = new Uint8Array(Math.max(length, Math.min(this.#partial.length * 2, this.#limit), 1024));
      grown2.set(this.#partial.subarray(0, this.#partialLength));
      this.#partial = grown2;
    }
    this.#partial.set(this.#chunk.subarray(this.#at, end), this.#partialLength);
    this.#partialLength = length;
    this.#at = end;
  }
  #takePartial() {
    const whole2 = this.#blocks.length === 0 ? this.#partial : this.#joined();
    this.bytes = this.#blocksLength + this.#partialLength;
    const line = this.#decode(whole2, 0, this.bytes);
    this.#partialLength = 0;
    if (this.#partial.length > blockSize) this.#partial = empty;
    this.#blocks = [];
    this.#blocksLength = 0;
    return line;
  }
  #joined() {
    const whole2 = new Uint8Array(this.#blocksLength + this.#partialLength);
    let at = 0;
    for (const block2 of this.#blocks) {
      whole2.set(block2, at);
      at += block2.length;
    }
    whole2.set(this.#partial.subarray(0, this.#partialLength), at);
    return whole2;
  }
  /**
   * Checks the length of a line without a CR at its end.
   *
   * @throws FrameError if the line is longer than the limit
   */
  #check(length, last) {
    if (length > this.#limit + (last === carriageReturn ? 1 : 0)) {
      throw new FrameError(`A line of more than ${this.#limit} bytes arrived; raise the frame limit if it was meant.`);
    }
  }
};

// packages/transport/src/channels/message-size.ts
var MOST_BYTES = 3;
var MOST_VISITED = 1e4;
var MOST_SURE_VALUES = 2 * MOST_VISITED;
var unsentLimit = 64 * 1024 * 1024;
function allLimits(limits = {}) {
  const { frame = frameLimit, message = Math.max(frame, frameLimit) } = limits;
  return { highWater: 256 * 1024, unsent: unsentLimit, ...limits, message, frame };
}
function overflowReason(limit) {
  const message = `The other side did not read: more than ${limit} bytes waited to be written.`;
  return { kind: "overflow", message };
}
var isSurelyWithin = (text2, limit) => text2.length * MOST_BYTES <= limit;
function checkSize(message, bytes, limit) {
  if (bytes <= limit) return;
  const what = "method" in message ? message.method : "An answer";
  throw new AcpError(
    "too_large",
    `${what} was not sent: it takes ${bytes} bytes, and ${limit} is the most. Send less, or in pieces.`
  );
}

// packages/transport/src/channels/message-writer.ts
var MARK3 = "\0turnkit";
var MOST_PATIENCE2 = 256;
var MessageWriter = class {
  #shape;
  /** The last message, if it is a notification that did not match the shape. */
  #before;
  #patience = 1;
  /** Number of messages before the next search for a shape. */
  #wait = 1;
  #end;
  /** Creates a serialiser. `end` is appended to every message, for example a line end. */
  constructor(end = "") {
    this.#end = end;
  }
  /**
   * Serialises one message.
   *
   * @throws TypeError if JSON cannot express the message
   */
  write(message) {
    const shape2 = this.#shape;
    const text2 = shape2 && textIn(message, shape2.levels);
    if (shape2 !== void 0 && text2 !== void 0) {
      this.#patience = 1;
      return shape2.head + JSON.stringify(text2) + shape2.tail;
    }
    const line = serialise(message);
    this.#compare(message);
    return line + this.#end;
  }
  #compare(message) {
    const before = this.#before;
    this.#wait -= 1;
    this.#before = "method" in message && !("id" in message) ? message : void 0;
    if (this.#wait > 0 || before === void 0 || this.#before === void 0) return;
    const levels = levelsOf(before, message);
    this.#shape = levels && shapeOf2(message, levels, this.#end);
    this.#wait = this.#patience;
    this.#patience = Math.min(this.#patience * 2, MOST_PATIENCE2);
  }
};
function textIn(message, levels) {
  let node = message;
  for (const { keys, values, place } of levels) {
    if (!isPlain4(node)) return void 0;
    let at = 0;
    for (const key in node) {
      if (keys[at] !== key || at !== place && node[key] !== values[at]) return void 0;
      at += 1;
    }
    if (at !== keys.length) return void 0;
    node = node[keys[place]];
  }
  return typeof node === "string" ? node : void 0;
}
function levelsOf(one, other) {
  const levels = [];
  let [left, right] = [one, other];
  while (isPlain4(left) && isPlain4(right)) {
    const keys = Object.keys(right);
    const before = left;
    const values = Object.values(right);
    const differing = keys.filter((key2, at) => before[key2] !== values[at]);
    const [key] = differing;
    const place = keys.indexOf(key);
    const isFlat = values.every(
      (value, at) => at === place || typeof value !== "object" && typeof value !== "function"
    );
    if (key === void 0 || differing.length > 1 || !isFlat) return void 0;
    levels.push({ keys, values: values.map((value, at) => at === place ? void 0 : value), place });
    [left, right] = [before[key], values[place]];
  }
  return typeof left === "string" && typeof right === "string" ? levels : void 0;
}
function shapeOf2(message, levels, end) {
  const marked = (node, depth) => {
    const level = levels[depth];
    if (level === void 0) return MARK3;
    const key = level.keys[level.place];
    return { ...node, [key]: marked(node[key], depth + 1) };
  };
  const [head, tail, ...others] = JSON.stringify(marked(message, 0)).split(JSON.stringify(MARK3));
  return head === void 0 || tail === void 0 || others.length > 0 ? void 0 : { levels, head, tail: tail + end };
}
var isPlain4 = (value) => typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

// packages/transport/src/channels/line-writer.ts
var batchSize = 64 * 1024;
var pieceSize = 4 * 1024;
var bytesPerCharacter = 3;
var encoder2 = new TextEncoder();
var empty2 = new Uint8Array(0);
var LineWriter = class {
  #sink;
  #limits;
  #writer = new MessageWriter("\n");
  /**
   * Lines of this tick. The first `#size` bytes of `#bytes` contain the encoded lines, and `#text` contains the other
   * lines.
   */
  #bytes = empty2;
  #size = 0;
  #text = "";
  #deferred = false;
  #inFlight = 0;
  #sealed = false;
  #stopped = false;
  #room = new PendingRoom();
  #idle = [];
  #flush = () => {
    this.#deferred = false;
    this.flush();
  };
  constructor(sink, limits) {
    this.#sink = sink;
    this.#limits = limits;
  }
  /**
   * Sends one message.
   *
   * @throws TypeError if JSON cannot express the message
   * @throws AcpError `too_large` if the message is longer than the limit
   */
  send(message) {
    if (this.#sealed) return void 0;
    const line = this.#writer.write(message);
    if (!isSurelyWithin(line, this.#limits.message)) return this.#sendLarge(message, line);
    if (this.#text !== "" && this.#text.length + line.length >= pieceSize) this.#encode();
    this.#text += line;
    if (this.#text.length >= batchSize) this.#encode();
    if (!this.#deferred) {
      this.#deferred = true;
      this.#sink.defer(this.#flush);
      if ("id" in message) this.flush();
    }
    return this.#roomLeft();
  }
  /** Encodes a line that may be larger than the limit, checks its size, and writes the bytes. */
  #sendLarge(message, line) {
    const bytes = this.#sink.encode(line);
    checkSize(message, bytes.length - 1, this.#limits.message);
    this.flush();
    this.#write(bytes);
    return this.#roomLeft();
  }
  #roomLeft() {
    const unsent = this.#inFlight + this.#size + this.#text.length;
    if (unsent < this.#limits.highWater) return void 0;
    if (unsent > this.#limits.unsent) {
      this.#sink.overflow(overflowReason(this.#limits.unsent));
      return void 0;
    }
    return this.#room.wait();
  }
  /** Writes all lines of this tick. */
  flush() {
    if (this.#stopped) return;
    if (this.#size > 0 && this.#text !== "") this.#encode();
    if (this.#size > 0) this.#writeBatch();
    if (this.#text !== "") this.#writeText();
  }
  /**
   * Refuses further messages and writes the rest. Resolves to `true` when all messages are written, and to `false`
   * after `stop`.
   */
  async finish() {
    this.#sealed = true;
    this.#room.open();
    this.flush();
    if (this.#inFlight > 0 && !this.#stopped) await new Promise((resolve2) => this.#idle.push(resolve2));
    return !this.#stopped;
  }
  /** Drops all messages that are not written yet. Senders that wait for room continue. */
  stop() {
    this.#sealed = true;
    this.#stopped = true;
    this.#bytes = empty2;
    this.#size = 0;
    this.#text = "";
    this.#room.open();
    this.#settleIdle();
  }
  /** Encodes the text into the batch, and writes the batch if it is full. */
  #encode() {
    const most = this.#text.length * bytesPerCharacter;
    if (this.#bytes.length - this.#size < most) {
      if (this.#size > 0) this.#writeBatch();
      if (most > batchSize) return this.#writeText();
      this.#bytes = this.#sink.allocate(batchSize);
    }
    this.#size += encoder2.encodeInto(this.#text, this.#bytes.subarray(this.#size)).written;
    this.#text = "";
    if (this.#bytes.length - this.#size < pieceSize * bytesPerCharacter) this.#writeBatch();
  }
  #writeBatch() {
    const batch = this.#bytes.subarray(0, this.#size);
    const isWasteful = batch.length < batchSize / 2;
    const bytes = isWasteful ? this.#sink.allocate(batch.length) : batch;
    if (isWasteful) bytes.set(batch);
    this.#bytes = empty2;
    this.#size = 0;
    this.#write(bytes);
  }
  #writeText() {
    const bytes = this.#sink.encode(this.#text);
    this.#text = "";
    this.#write(bytes);
  }
  #write(bytes) {
    this.#inFlight += bytes.length;
    this.#sink.write(bytes, () => this.#written(bytes.length));
  }
  #written(size2) {
    this.#inFlight -= size2;
    if (this.#inFlight + this.#size + this.#text.length < this.#limits.highWater) this.#room.open();
    if (this.#inFlight <= 0) this.#settleIdle();
  }
  #settleIdle() {
    const waiting = this.#idle;
    this.#idle = [];
    for (const resolve2 of waiting) resolve2();
  }
};

// packages/transport/src/node/stdio.ts
function createStdioChannel(options3) {
  const remedy = "pass { input, output }, two Node streams, such as { input: process.stdin, output: process.stdout }";
  const isSound = typeof options3?.input?.on === "function" && typeof options3.output?.write === "function";
  checkArgument(isSound, "createStdioChannel", { got: options3, remedy });
  return new PipeChannel(options3);
}
var lastWordsMs = 250;
var PipeChannel = class {
  closed;
  #input;
  #output;
  #flushMs;
  #reading;
  #writing;
  #closing = new Closing((reason) => this.#shutDown(reason));
  #expected;
  constructor({ input: input2, output, limits, flushMs = FLUSH_MS }) {
    this.#input = input2;
    this.#output = output;
    this.#flushMs = flushMs;
    this.closed = this.#closing.closed;
    const bounds = allLimits(limits);
    this.#reading = new Delivery(
      new LineReader(bounds.frame, decodeBuffer),
      (reason) => void this.#closing.begin(reason),
      {
        onRest: (isResting) => isResting ? input2.pause() : this.#readOn()
      }
    );
    this.#writing = new LineWriter(this.#sink(), bounds);
    const remote = { kind: "remote", message: "The other side closed the pipe." };
    const cut = { kind: "failed", message: "The input was closed before its end." };
    input2.on("end", () => this.#reading.end(remote));
    input2.on("close", () => this.#reading.end(cut));
    input2.on("error", (cause) => this.#reading.end(failed("reading from", cause)));
    output.on("error", (cause) => this.#outputFailed(cause));
    output.on("close", () => this.#outputFailed(new Error("it was closed")));
  }
  start(receiver) {
    this.#reading.start(receiver);
    if (this.#closing.hasBegun) return;
    if (this.#input.destroyed || this.#input.readableEnded) {
      this.#reading.end({ kind: "failed", message: "The input had ended before the channel was started." });
      return;
    }
    this.#input.on("data", (chunk3) => this.#reading.push(chunk3));
    if (this.#reading.isPaused) this.#input.pause();
    this.#watchForEnd();
  }
  send(message) {
    return this.#writing.send(message);
  }
  pause() {
    if (this.#closing.hasBegun) return;
    this.#reading.pause();
    this.#input.pause();
    clearTimeout(this.#expected?.timer);
  }
  resume() {
    if (this.#closing.hasBegun) return;
    this.#reading.resume();
    this.#readOn();
    this.#watchForEnd();
  }
  close(reason = { kind: "local", message: "This side closed the pipe." }) {
    return this.#closing.begin(reason);
  }
  expectEnd(reason, afterMs) {
    this.#expected ??= { reason, afterMs };
    this.#watchForEnd();
  }
  #sink() {
    const output = this.#output;
    const reading = this.#reading;
    return {
      encode: (text2) => buffer.Buffer.from(text2, "utf8"),
      allocate: (size2) => buffer.Buffer.allocUnsafeSlow(size2),
      // A destroyed stream passes its error to the callback only, and emits no event. In pipes within one process, the
      // answer may arrive before `write` returns.
      write: (bytes, written2) => {
        reading.hold();
        output.write(bytes, (error) => error ? this.#outputFailed(error) : written2());
        reading.release();
      },
      // The flush runs after the microtasks of this tick, so a chain of awaited sends becomes one write.
      defer: (flush) => queueMicrotask(() => process.nextTick(flush)),
      overflow: (reason) => void this.#closing.begin(reason)
    };
  }
  #readOn() {
    if (!this.#closing.hasBegun && !this.#reading.isPaused && !this.#reading.isResting) this.#input.resume();
  }
  #watchForEnd() {
    const expected = this.#expected;
    if (!expected || this.#closing.hasBegun || this.#reading.isPaused) return;
    clearTimeout(expected.timer);
    expected.timer = setTimeout(() => this.#reading.end(expected.reason), expected.afterMs);
  }
  #outputFailed(cause) {
    this.#writing.stop();
    if (!this.#closing.hasBegun) this.expectEnd(failed("writing to", cause), lastWordsMs);
  }
  async #shutDown(reason) {
    this.#reading.stop();
    clearTimeout(this.#expected?.timer);
    if (reason.kind === "overflow") this.#writing.stop();
    this.#input.resume();
    const patience = setTimeout(() => this.#writing.stop(), this.#flushMs).unref();
    const drained = await this.#writing.finish();
    clearTimeout(patience);
    if (drained) this.#output.end();
    else this.#output.destroy();
    this.#input.destroy();
  }
};
function failed(doing, cause) {
  return { kind: "failed", message: `The pipe failed when ${doing} the other side: ${textOf(cause)}.`, cause };
}
var LEAST3 = 2048;
var decodeBuffer = (bytes, start, end) => {
  const part2 = buffer.Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
  const isPlain5 = part2.length < LEAST3 || buffer.isAscii(part2) || !buffer.isUtf8(part2) || !("transcode" in buffer);
  return isPlain5 ? part2.toString("utf8") : buffer.transcode(part2, "utf8", "utf16le").toString("utf16le");
};

// packages/transport/src/node/process-start.ts
import { readFile as readFile2 } from "node:fs/promises";
import process3 from "node:process";
async function processStart(pid) {
  if (process3.platform === "linux") {
    try {
      const boot = await readFile2("/proc/sys/kernel/random/boot_id", "utf8");
      const text2 = await readFile2(`/proc/${pid}/stat`, "utf8");
      const fields = text2.slice(text2.lastIndexOf(")") + 2).split(" ");
      return fields[0] === "Z" || fields[0] === "X" ? "gone" : `${boot.trim()} ${fields[19]}`;
    } catch {
      return void 0;
    }
  }
  return pid === process3.pid ? String(Math.round(Date.now() / 1e3 - process3.uptime())) : void 0;
}

// packages/agent/src/node/log-lock.ts
var BEAT_MS = 3e4;
var FOREIGN_MS = 3e5;
var TAKEOVER_MS = 1e4;
var CLOCK_SECONDS = 5;
async function lockFolder(folder, sessionId) {
  const path = join3(folder, files.lock);
  const began = await processStart(process4.pid);
  const token = randomUUID2();
  const self = { token, pid: process4.pid, host: hostname(), ...began && { began } };
  for (let attempt = 0; attempt < 20; attempt++) {
    if (await create(path, self)) return hold(path, token, sessionId);
    const holder = await readHolder(path);
    if (holder === void 0) continue;
    if (await lives(holder, path)) throw locked(sessionId, holder, path);
    if (await takeOver(path, self, holder)) return hold(path, token, sessionId);
    await delay2(attempt);
  }
  throw new SessionLogError("locked", `Session ${sessionId} is being opened by another process. Try again.`);
}
function locked(sessionId, { pid, host }, path) {
  const text2 = `Session ${sessionId} is open in process ${pid} on ${host}. Close it there. If that process does not exist, delete ${path}.`;
  return new SessionLogError("locked", text2);
}
async function create(path, self) {
  const draft = `${path}.${self.token}`;
  try {
    await writeFile2(draft, JSON.stringify(self), { flag: "wx", mode: 384 });
    await link2(draft, path);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    if (!isCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
    return await createDirectly(path, self);
  } finally {
    await rm2(draft, { force: true });
  }
}
async function createDirectly(path, self) {
  try {
    await writeFile2(path, JSON.stringify(self), { flag: "wx", mode: 384 });
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}
async function takeOver(path, self, stale) {
  const guard = `${path}.takeover`;
  if (!await createDirectly(guard, self)) {
    if (await ageOf(guard) > TAKEOVER_MS) await rm2(guard, { force: true });
    return false;
  }
  try {
    if ((await readHolder(path))?.token !== stale.token) return false;
    const draft = `${path}.${self.token}`;
    await writeFile2(draft, JSON.stringify(self), { mode: 384 });
    await renameOver(draft, path);
    return true;
  } finally {
    await rm2(guard, { force: true });
  }
}
async function readHolder(path) {
  let text2;
  try {
    text2 = await readFile3(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return void 0;
    throw error;
  }
  try {
    const { token, pid, host, began } = JSON.parse(text2);
    if (typeof token === "string" && Number.isSafeInteger(pid) && typeof host === "string") {
      return { token, pid: Number(pid), host, ...typeof began === "string" && { began } };
    }
  } catch {
  }
  return { token: "", pid: 0, host: "" };
}
async function lives(holder, path) {
  if (holder.token === "") return await ageOf(path) < TAKEOVER_MS;
  if (holder.host !== hostname()) return await ageOf(path) < FOREIGN_MS;
  try {
    process4.kill(holder.pid, 0);
  } catch (error) {
    if (isCode(error, "ESRCH")) return false;
  }
  const began = await processStart(holder.pid);
  if (began === "gone") return false;
  if (began === void 0 || holder.began === void 0) return true;
  return began === holder.began || Math.abs(Number(began) - Number(holder.began)) <= CLOCK_SECONDS;
}
async function ageOf(path) {
  return Date.now() - ((await statOf(path))?.mtimeMs ?? Number.NEGATIVE_INFINITY);
}
function hold(path, token, sessionId) {
  let confirmed = performance.now();
  const confirm = async () => {
    if ((await readHolder(path))?.token !== token) {
      const text2 = `Session ${sessionId} was taken over by another process while this process was suspended. Restore the session.`;
      throw new SessionLogError("failed", text2);
    }
    confirmed = performance.now();
  };
  const beat = async () => {
    const now = /* @__PURE__ */ new Date();
    await confirm().then(() => utimes(path, now, now));
  };
  const timer = setInterval(() => void beat().catch(() => void 0), BEAT_MS).unref();
  return {
    async confirm() {
      if (performance.now() - confirmed > 2 * BEAT_MS) await confirm();
    },
    async release() {
      clearInterval(timer);
      if ((await readHolder(path))?.token === token) await rm2(path, { force: true });
    }
  };
}

// packages/agent/src/node/log-writer.ts
import { rm as rm3 } from "node:fs/promises";
import { join as join4 } from "node:path";
var ROOM_BYTES = 1024 * 1024;
var UNWRITTEN_BYTES = 64 * 1024 * 1024;
var MAX_PROBLEMS = 10;
var FileLogWriter = class {
  #parts;
  #file;
  #size;
  /** Size of the file after the last compaction, in bytes. */
  #base = 0;
  #info;
  #writtenInfo;
  #waiting = [];
  #waitingBytes = 0;
  #writing;
  #queue = Promise.resolve();
  #failure;
  #disposed;
  #onProblem;
  /** Problems that occurred before a listener was set. */
  #problems = [];
  constructor(parts) {
    this.#parts = parts;
    this.#file = parts.file;
    this.#size = parts.size;
    this.#info = parts.info;
    this.#writtenInfo = parts.info;
  }
  get maxEventBytes() {
    return this.#parts.limits.maxRecordBytes - RECORD_BYTES;
  }
  append(event) {
    this.#mustBeOpen();
    const record2 = boundedRecord(this.#info.sessionId, event, this.#parts.limits.maxRecordBytes);
    if (this.#failure !== void 0) return void 0;
    this.#info = sessionInfoAfter(this.#info, event);
    this.#waiting.push(record2);
    this.#waitingBytes += record2.length;
    if (this.#waitingBytes > UNWRITTEN_BYTES) this.#fail(new Error("too many bytes wait to be written"));
    this.#writing ??= this.#enqueue(() => this.#write());
    return this.#waitingBytes < ROOM_BYTES ? void 0 : this.#writing.catch(() => void 0);
  }
  async commit() {
    this.#mustBeOpen();
    await this.#enqueue(async () => {
      await this.#write();
      await this.#mustBeThere();
      await this.#parts.lock.confirm();
      await this.#file.datasync();
    });
    if (this.#info !== this.#writtenInfo) void this.#enqueue(() => this.#writeInfo()).catch(() => void 0);
    if (!this.#isLarge) return;
    void this.#enqueue(() => this.#compact()).catch(() => void 0);
  }
  onProblem(listener) {
    this.#onProblem = listener;
    for (const { message, error } of this.#problems.splice(0)) listener(message, error);
  }
  [Symbol.asyncDispose]() {
    this.#disposed ??= this.#dispose();
    return this.#disposed;
  }
  /** Compacts a log that is already too large at its opening. */
  async compactIfLarge() {
    if (this.#isLarge) await this.#enqueue(() => this.#compact());
  }
  get #isLarge() {
    return this.#size > Math.max(this.#parts.limits.compactBytes, 2 * this.#base);
  }
  #problem(message, error) {
    if (this.#onProblem !== void 0) this.#onProblem(message, error);
    else if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ message, error });
  }
  async #dispose() {
    try {
      await this.#enqueue(async () => {
        await this.#write();
        await this.#mustBeThere();
        await this.#file.datasync();
        await this.#writeInfo();
      });
    } finally {
      await this.#file.close().catch(() => void 0);
      await this.#parts.lock.release();
    }
  }
  #mustBeOpen() {
    if (this.#disposed === void 0) return;
    throw new SessionLogError("closed", `The log of session ${this.#info.sessionId} was closed.`);
  }
  #enqueue(work) {
    const done = this.#queue.then(async () => {
      if (this.#failure !== void 0) throw this.#failure;
      try {
        await work();
      } catch (error) {
        throw this.#fail(error);
      }
    });
    this.#queue = done.catch(() => void 0);
    return done;
  }
  /** Stops all writing. After a failure, the content of the disk is unknown. */
  #fail(error) {
    if (this.#failure === void 0) {
      const text2 = `The log of session ${this.#info.sessionId} in ${this.#parts.folder} could not be written: ${error}`;
      this.#failure = isSessionLogError(error) ? error : new SessionLogError("failed", text2, { cause: error });
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    return this.#failure;
  }
  async #write() {
    this.#writing = void 0;
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#size += await writeFully(this.#file, bytes, this.#size);
  }
  /**
   * Checks that the file was not deleted or moved. The system would still let this process write, but no reader would find
   * the file.
   *
   * @throws SessionLogError `failed` if the file was deleted or moved
   */
  async #mustBeThere() {
    const path = join4(this.#parts.folder, files.log);
    const [{ nlink }, named2] = await Promise.all([this.#file.stat(), linksOf(path)]);
    if (named2 !== void 0 && (nlink > 0 || named2 === 0)) return;
    const text2 = `The log of session ${this.#info.sessionId} cannot be stored: ${path} was deleted by another process.`;
    throw new SessionLogError("failed", text2);
  }
  /** Writes the session's info. A failure does not fail the log, because lists can read the log instead. */
  async #writeInfo() {
    if (this.#info === this.#writtenInfo) return;
    const info2 = this.#info;
    await writeInfo(this.#parts.folder, info2).then(
      () => {
        this.#writtenInfo = info2;
      },
      () => void 0
    );
  }
  /** Replaces the log by its compacted events. Until the rename, and after a failed rename, the old log stays. */
  async #compact() {
    const { folder, limits } = this.#parts;
    const { maxRecordBytes } = limits;
    const path = join4(folder, files.log);
    const next = join4(folder, files.nextLog);
    if (!this.#isLarge) return;
    this.#base = this.#size;
    try {
      const events = readEvents(path, maxRecordBytes, "too long");
      const fewer = await compactEvents(events, { maxEventBytes: this.maxEventBytes });
      await draftLog(folder, { info: this.#parts.header, events: fewer, maxRecordBytes });
    } catch (error) {
      this.#problem("The log of a session could not be compacted. The log is unchanged.", error);
      return rm3(next, { force: true });
    }
    await this.#file.close();
    await adoptDraft(folder).catch(async (error) => {
      if (!isCode(error, "EPERM", "EACCES", "EBUSY")) throw error;
      await rm3(next, { force: true });
    });
    this.#file = await openFile(path, "write");
    this.#size = (await this.#file.stat()).size;
    this.#base = this.#size;
  }
};
async function linksOf(path) {
  try {
    return (await statOf(path))?.nlink;
  } catch {
    return 1;
  }
}

// packages/agent/src/node/file-log.ts
function createFileLog(folder, options3 = {}) {
  const { maxRecordBytes = 32 * 1024 * 1024, compactBytes = 16 * 1024 * 1024, pageSize = 100 } = options3;
  if (folder === "") throw new TypeError("createFileLog needs a folder.");
  const remedy = 'pass the folder of the log, such as join(homedir(), ".my-agent/sessions")';
  checkArgument(typeof folder === "string", "createFileLog", { got: folder, remedy });
  printUnknownOptions("createFileLog", options3, NAMES2);
  const root = resolve(folder);
  const store = { root, limits: { maxRecordBytes, compactBytes }, onRepair: options3.onRepair };
  return {
    keep: keepSessions,
    open: (sessionId, info2) => info2 === void 0 ? reopen(store, sessionId) : create2(store, sessionId, info2),
    async *read(sessionId) {
      try {
        yield* readEvents(join5(root, folderName(sessionId), files.log), maxRecordBytes);
      } catch (error) {
        throw typed(error, sessionId);
      }
    },
    list: (query) => list2(store, query, pageSize),
    async delete(sessionId) {
      try {
        const lock = await lockFolder(join5(root, folderName(sessionId)), sessionId);
        try {
          await removeFolder(root, folderName(sessionId));
        } finally {
          await lock.release();
        }
      } catch (error) {
        if (!isCode(error, "ENOENT")) throw typed(error, sessionId);
      }
    }
  };
}
var NAMES2 = {
  ...{ maxRecordBytes: true, compactBytes: true, pageSize: true, onRepair: true }
};
async function create2({ root, limits }, sessionId, info2) {
  const name = folderName(sessionId);
  const folder = join5(root, name);
  let lock;
  try {
    await makeFolder(folder);
    lock = await lockFolder(folder, sessionId);
    const path = join5(folder, files.log);
    if (await statOf(path) !== void 0) throw new SessionLogError("exists", `Session ${sessionId} already exists.`);
    const header = { ...info2, sessionId };
    await draftLog(folder, { info: header, events: [], maxRecordBytes: limits.maxRecordBytes });
    await adoptDraft(folder);
    await syncFolder(root);
    await writeInfo(folder, header);
    const file = await openFile(path, "write");
    const { size: size2 } = await file.stat();
    return new FileLogWriter({ folder, info: header, header, size: size2, lock, limits, file });
  } catch (error) {
    if (lock !== void 0 && (!isSessionLogError(error) || isSessionLogError(error, "too_large")))
      await removeFolder(root, name).catch(() => void 0);
    await lock?.release();
    await rmdir(folder).catch(() => void 0);
    throw typed(error, sessionId);
  }
}
async function reopen({ root, limits, onRepair }, sessionId) {
  const folder = join5(root, folderName(sessionId));
  const path = join5(folder, files.log);
  let lock;
  try {
    if (await statOf(path) === void 0) {
      throw new SessionLogError("not_found", `There is no session ${sessionId} in ${root}.`);
    }
    lock = await lockFolder(folder, sessionId);
    await removeLeftovers(folder);
    const file = await openFile(path, "write");
    try {
      const { info: info2, header, size: size2, damaged } = await scanLog(path, file, limits.maxRecordBytes);
      const cutBytes = (await file.stat()).size - size2;
      if (cutBytes > 0) {
        await file.truncate(size2);
        await file.datasync();
      }
      if (cutBytes > 0 || damaged > 0) onRepair?.({ sessionId, cutBytes, damagedRecords: damaged });
      const writer = new FileLogWriter({ folder, info: info2, header, size: size2, file, lock, limits });
      await writeInfo(folder, info2);
      await writer.compactIfLarge();
      return writer;
    } catch (error) {
      await file.close().catch(() => void 0);
      throw error;
    }
  } catch (error) {
    await lock?.release();
    throw typed(error, sessionId);
  }
}
async function list2({ root, limits }, { cwd, cursor }, pageSize) {
  const logs = (await Promise.all((await sessionFolders(root)).map((name) => storedLog(root, name)))).filter((log) => log !== void 0).sort(newestFirst);
  const after = cursor == null ? void 0 : readCursor(cursor);
  const sessions3 = [];
  let last;
  for (const log of logs) {
    if (after !== void 0 && newestFirst(log, after) <= 0) continue;
    const info2 = await readInfo(join5(root, log.name), limits.maxRecordBytes);
    if (info2 === void 0 || cwd != null && info2.cwd !== cwd) continue;
    if (sessions3.length === pageSize && last !== void 0) return { sessions: sessions3, nextCursor: writeCursor(last) };
    sessions3.push({ ...info2, updatedAt: info2.updatedAt ?? new Date(log.written).toISOString() });
    last = log;
  }
  return { sessions: sessions3 };
}
async function storedLog(root, name) {
  try {
    const found = await statOf(join5(root, name, files.log));
    return found && { name, written: Math.trunc(found.mtimeMs) };
  } catch (error) {
    if (isCode(error, "EACCES", "EPERM", "ELOOP")) return void 0;
    throw error;
  }
}
var newestFirst = (one, other) => other.written - one.written || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
var writeCursor = ({ name, written: written2 }) => `${written2}.${name}`;
function readCursor(cursor) {
  const [, written2, name] = /^(\d{1,16})\.([sh]-[a-z0-9-]{1,64})$/.exec(cursor) ?? [];
  if (written2 === void 0 || name === void 0)
    throw new SessionLogError("cursor", "The cursor is unknown. Begin the list again without a cursor.");
  return { name, written: Number(written2) };
}
function typed(error, sessionId) {
  if (isCode(error, "ENOENT")) return new SessionLogError("not_found", `There is no session ${sessionId}.`);
  if (!(error instanceof Error && "syscall" in error)) return error;
  const text2 = `The log of session ${sessionId} could not be opened: ${error.message}.`;
  return new SessionLogError("failed", text2, { cause: error });
}

// packages/agent/src/node/serve-stdio.ts
import process5 from "node:process";
import { Writable } from "node:stream";
var SHUTDOWN_MS = 2e3;
var TURNS_MS = 1e3;
var USAGE2 = 'Call serveStdio(() => import("./agent.js")), where agent.js says export default createAgent(\u2026).';
async function serveStdio(load, options3 = {}) {
  if (typeof load !== "function") throw new TypeError(`serveStdio got no function. ${USAGE2}`);
  const output = takeStdout();
  const agent = (await load())?.default;
  if (typeof agent?.serve !== "function") throw new TypeError(`serveStdio got a module without an agent. ${USAGE2}`);
  const channel = createStdioChannel({ input: process5.stdin, output });
  const served = agent.serve(channel, options3);
  const exitSoon = () => setTimeout(() => process5.exit(), SHUTDOWN_MS).unref();
  const stop = () => {
    exitSoon();
    void served.close(TURNS_MS);
  };
  const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
  for (const signal of signals) process5.once(signal, stop);
  void channel.closed.then(exitSoon);
  const reason = await served.closed;
  for (const signal of signals) process5.off(signal, stop);
  return reason;
}
function takeStdout() {
  const { stdout, stderr } = process5;
  const write = stdout.write.bind(stdout);
  const end = stdout.end.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stderr.on("error", () => {
  });
  stdout.end = () => stdout;
  const output = new Writable({
    decodeStrings: false,
    write: (chunk3, encoding, done) => void write(chunk3, encoding, done),
    final: (done) => void end(done)
  });
  stdout.on("error", (error) => output.destroy(error));
  return output;
}

export {
  MAX_TIMER_MS,
  withinGrace,
  AcpError,
  isAcpError,
  RequestAbortedError,
  CapabilityError,
  RpcError,
  isRpcError,
  textOf,
  checkArgument,
  createRoutes,
  reporter,
  createConnection,
  unknownOptions,
  bytesOf,
  DEFAULT_PLAN_ID,
  createSessionState,
  toBase64,
  jsonBytes,
  jsonCopy,
  measuredCopy,
  createLazyState,
  neededCapability,
  v1AgentCodec,
  v2AgentCodec,
  seedAgentCodec,
  wireHandlers,
  Deferred,
  PromptKeys,
  insertedBefore,
  promptHash,
  DEFAULT_DATA_VERSION,
  storedData,
  DataStore,
  isTooLarge,
  findOption,
  readConfigValue,
  checkOwnValue,
  optionsWith,
  CutText,
  endsInHalf,
  shortened2 as shortened,
  sendableEnd,
  bareEnd,
  endOf2 as endOf,
  failedEnd,
  cancelledEnd,
  describeEnd,
  mustWait,
  MAX_UPDATE_BYTES,
  mustFit,
  isFinalStatus,
  createFileLog,
  serveStdio
};
