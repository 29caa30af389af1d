import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);
import {
  AcpError,
  CapabilityError,
  CutText,
  DEFAULT_DATA_VERSION,
  DEFAULT_PLAN_ID,
  DataStore,
  Deferred,
  MAX_TIMER_MS,
  MAX_UPDATE_BYTES,
  PromptKeys,
  RequestAbortedError,
  RpcError,
  bareEnd,
  bytesOf,
  cancelledEnd,
  checkArgument,
  checkOwnValue,
  createConnection,
  createFileLog,
  createLazyState,
  createRoutes,
  createSessionState,
  describeEnd,
  endOf,
  endsInHalf,
  failedEnd,
  findOption,
  insertedBefore,
  isAcpError,
  isFinalStatus,
  isRpcError,
  isTooLarge,
  jsonBytes,
  jsonCopy,
  measuredCopy,
  mustFit,
  mustWait,
  neededCapability,
  optionsWith,
  promptHash,
  readConfigValue,
  reporter,
  seedAgentCodec,
  sendableEnd,
  shortened,
  storedData,
  textOf,
  toBase64,
  unknownOptions,
  v1AgentCodec,
  v2AgentCodec,
  wireHandlers,
  withinGrace
} from "./chunk-YPJTOFXJ.js";

// packages/agent/src/check-arguments.ts
function checkList(call, got) {
  checkArgument(Array.isArray(got), call, { got, remedy: "pass a list" });
}
function checkObject(call, got, remedy = "pass an object") {
  checkArgument(typeof got === "object" && got !== null, call, { got, remedy });
}
function checkStart(start) {
  const remedy = 'pass a start with a title, such as { title: "Read a.ts", kind: "read" }';
  checkObject("toolCall", start, remedy);
  checkArgument(typeof start.title === "string", "toolCall title", { got: start.title, remedy });
}
var isObject = (value) => typeof value === "object" && value !== null;
var isText = (value) => typeof value === "string";
var FUNCTIONS = [
  ...["newSession", "restoreSession", "setConfigOption", "listSessions", "deleteSession", "closeSession"],
  ...["login", "logout", "fallback"]
];
function checkHandlers(handlers) {
  const remedy = 'pass handlers such as { info: { name: "echo", version: "1.0.0" }, prompt(turn) {} }';
  checkObject("createAgent", handlers, remedy);
  checkArgument(typeof handlers.info?.name === "string", "createAgent info", { got: handlers.info, remedy });
  checkArgument(typeof handlers.prompt === "function", "createAgent prompt", { got: handlers.prompt, remedy });
  const mustCall = (name, got) => checkArgument(got === void 0 || typeof got === "function", `createAgent ${name}`, {
    ...{ got, remedy: "pass a function" }
  });
  for (const name of FUNCTIONS) mustCall(name, handlers[name]);
  for (const name of ["promptCapabilities", "mcpCapabilities", "sessionCapabilities", "log"]) {
    const got = handlers[name];
    if (got !== void 0) checkObject(`createAgent ${name}`, got);
  }
  const { extensions = {}, authMethods = [] } = handlers;
  checkObject("createAgent extensions", extensions, "pass an object of functions by method");
  for (const [name, handler] of Object.entries(extensions)) mustCall(`extensions["${name}"]`, handler);
  checkList("createAgent authMethods", authMethods);
  for (const method of authMethods) checkAuthMethod(method);
}
var NAMED = '{ type: "agent", methodId: "login", name: "Log in" }';
var ARGS = 'pass the arguments as a list of texts, such as args: ["login"], or args: []';
var ENV = 'pass the variables as a list, such as env: [{ name: "LOGIN", value: "1" }], or env: []';
function checkAuthMethod(method) {
  const { type, methodId, name, args, env } = isObject(method) ? method : {};
  const isNamed = isText(type) && isText(methodId) && isText(name);
  checkArgument(isNamed, "createAgent authMethods", { got: method, remedy: `pass methods such as ${NAMED}` });
  if (type !== "terminal") return;
  const call = `createAgent authMethods "${methodId}"`;
  checkArgument(Array.isArray(args) && args.every(isText), `${call} args`, { got: args, remedy: ARGS });
  const isVariable = (one) => isObject(one) && isText(one.name) && isText(one.value);
  checkArgument(Array.isArray(env) && env.every(isVariable), `${call} env`, { got: env, remedy: ENV });
}

// packages/schema/src/note.ts
var INVALID = /* @__PURE__ */ Symbol("invalid");
var MOST_REMARKS = 100;
function invalid(notes, expected, found, reversed = []) {
  return refused(notes, `expected ${expected}, got ${kindOf(found)}`, reversed);
}
function refused(notes, message3, reversed = []) {
  notes.push({ about: "issue", reversed, message: message3 });
  return INVALID;
}
function remark(notes, about, message3, reversed = []) {
  if (notes.length < MOST_REMARKS) notes.push({ about, reversed, message: message3 });
}
function salvaging(read, otherwise) {
  return (value, notes) => {
    const mark = notes.length;
    const out = read(value, notes);
    if (out !== INVALID) return out;
    const cause = notes.slice(mark).find(({ about }) => about === "issue");
    notes.length = mark;
    const inner = cause?.reversed.length ? `${cause.reversed.toReversed().join(".")}: ` : "";
    remark(notes, "salvaged", inner + (cause?.message ?? "expected another value"));
    return otherwise;
  };
}
function readBelow(read, value, key2, notes) {
  const mark = notes.length;
  const out = read(value, notes);
  for (let index = mark; index < notes.length; index++) notes[index]?.reversed.push(key2);
  return out;
}
function finished(notes, about) {
  const found = notes.filter((note) => note.about === about);
  if (found.length === 0) return void 0;
  return found.map(({ reversed, message: message3 }) => ({ path: reversed.toReversed(), message: message3 }));
}
function kindOf(value) {
  if (value === null) return "null";
  if (value === void 0) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return typeof value === "number" && !Number.isFinite(value) ? "a number that is not finite" : `a ${typeof value}`;
}

// node_modules/.pnpm/zod@4.6.7/node_modules/zod/v4/core/util.js
var captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {
};
function aborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue !== true) {
      return true;
    }
  }
  return false;
}
function explicitlyAborted(x, startIndex = 0) {
  if (x.aborted === true)
    return true;
  for (let i = startIndex; i < x.issues.length; i++) {
    if (x.issues[i]?.continue === false) {
      return true;
    }
  }
  return false;
}
function unwrapMessage(message3) {
  return typeof message3 === "string" ? message3 : message3?.message;
}
function attachSchema(issues, start, inst) {
  var _a2;
  for (let i = start; i < issues.length; i++) {
    (_a2 = issues[i]).schema ?? (_a2.schema = inst);
  }
}
function finalizeIssue(iss, ctx, config2) {
  var _a2;
  const traits = iss.inst?._zod?.traits;
  if (traits?.has("$ZodType")) {
    if (traits.has("$ZodCheck"))
      (_a2 = iss).schema ?? (_a2.schema = iss.inst);
    else
      iss.schema = iss.inst;
  }
  const schemaError = iss.schema !== iss.inst ? iss.schema?._zod.def?.error : void 0;
  const message3 = iss.message ? iss.message : unwrapMessage(iss.inst?._zod.def?.error?.(iss)) ?? unwrapMessage(schemaError?.(iss)) ?? unwrapMessage(ctx?.error?.(iss)) ?? unwrapMessage(config2.customError?.(iss)) ?? unwrapMessage(config2.localeError?.(iss)) ?? "Invalid input";
  const full = {};
  for (const k of Object.keys(iss)) {
    if (k === "inst" || k === "schema" || k === "continue" || k === "input" || k === "__proto__")
      continue;
    full[k] = iss[k];
  }
  full.path ?? (full.path = []);
  full.message = message3;
  if (ctx?.reportInput) {
    full.input = iss.input;
  }
  return full;
}
function members(proto, table) {
  for (const key2 in table) {
    const desc = Object.getOwnPropertyDescriptor(table, key2);
    if (desc.get)
      Object.defineProperty(proto, key2, { ...desc, enumerable: false });
    else
      defineBound(proto, key2, desc.value);
  }
}
function own(inst, key2, value, enumerable = true) {
  Object.defineProperty(inst, key2, { configurable: true, writable: true, enumerable, value });
  return value;
}
function hide(inst, key2, value) {
  return own(inst, key2, value, false);
}
function defineBound(proto, key2, fn) {
  Object.defineProperty(proto, key2, {
    configurable: true,
    get() {
      return this == null ? fn : own(this, key2, fn.bind(this));
    },
    set(value) {
      own(this, key2, value);
    }
  });
}

// node_modules/.pnpm/zod@4.6.7/node_modules/zod/v4/core/core.js
var _a;
var _zodDesc = { value: void 0, enumerable: false };
var _E = "captureStackTrace" in Error ? Error : null;
function newError(Definition) {
  const E = _E;
  if (E) {
    const saved = E.stackTraceLimit;
    if (typeof saved === "number") {
      try {
        E.stackTraceLimit = 0;
      } catch {
        _E = null;
        return new Definition();
      }
      try {
        return new Definition();
      } finally {
        E.stackTraceLimit = saved;
      }
    }
  }
  return new Definition();
}
// @__NO_SIDE_EFFECTS__
function $constructor(name, initializer, proto, params) {
  const zodProto = {};
  function Internals(def) {
    this.def = def;
    this.constr = _;
    this.traits = /* @__PURE__ */ new Set();
  }
  Internals.prototype = zodProto;
  const protoMembers = proto;
  const initialized = protoMembers && /* @__PURE__ */ new WeakSet();
  function init(inst, def) {
    if (!inst._zod) {
      _zodDesc.value = new Internals(def);
      try {
        Object.defineProperty(inst, "_zod", _zodDesc);
      } finally {
        _zodDesc.value = void 0;
      }
    } else if (inst._zod.traits.has(name)) {
      return;
    }
    inst._zod.traits.add(name);
    initializer(inst, def);
    if (initialized) {
      const own2 = Object.getPrototypeOf(inst);
      const ctorProto = inst._zod.constr.prototype;
      let up = own2;
      while (up && up !== ctorProto)
        up = Object.getPrototypeOf(up);
      const target = up ?? own2;
      if (!initialized.has(target)) {
        initialized.add(target);
        members(target, protoMembers);
      }
    }
    const proto2 = _.prototype;
    for (const k in proto2) {
      if (!Object.prototype.hasOwnProperty.call(proto2, k))
        continue;
      if (!(k in inst)) {
        inst[k] = proto2[k].bind(inst);
      }
    }
  }
  const Parent = params?.Parent ?? Object;
  class Definition extends Parent {
  }
  Object.defineProperty(Definition, "name", { value: name });
  function _(def) {
    const inst = params?.Parent ? newError(Definition) : this;
    init(inst, def);
    const deferred = inst._zod.deferred;
    if (deferred) {
      for (const fn of deferred) {
        fn();
      }
      inst._zod.deferred = void 0;
    }
    const pp = globalThis.__zod_globalConfig?.postProcessor;
    if (pp)
      pp(inst);
    return inst;
  }
  Object.defineProperty(_, "init", { value: init });
  Object.defineProperty(_, Symbol.hasInstance, {
    value: (inst) => {
      if (params?.Parent && inst instanceof params.Parent)
        return true;
      return inst?._zod?.traits?.has(name);
    }
  });
  Object.defineProperty(_, "name", { value: name });
  return _;
}
var $ZodAsyncError = class extends Error {
  constructor() {
    super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
  }
};
(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
var globalConfig = globalThis.__zod_globalConfig;
function config(newConfig) {
  if (newConfig)
    Object.assign(globalConfig, newConfig);
  return globalConfig;
}

// node_modules/.pnpm/zod@4.6.7/node_modules/zod/v4/core/versions.js
var version = {
  major: 4,
  minor: 6,
  patch: 7
};

// node_modules/.pnpm/zod@4.6.7/node_modules/zod/v4/core/schemas.js
var $ZodType = /* @__PURE__ */ $constructor("$ZodType", (inst, def) => {
  var _a2;
  inst ?? (inst = {});
  inst._zod.def = def;
  inst._zod.bag = inst._zod.bag || {};
  inst._zod.version = version;
  const defChecks = inst._zod.def.checks;
  const checks2 = inst._zod.traits.has("$ZodCheck") ? [inst, ...defChecks ?? []] : defChecks?.length ? [...defChecks] : [];
  for (const ch of checks2) {
    for (const fn of ch._zod.onattach) {
      fn(inst);
    }
  }
  if (checks2.length === 0) {
    (_a2 = inst._zod).deferred ?? (_a2.deferred = []);
    inst._zod.deferred?.push(() => {
      inst._zod.run = inst._zod.parse;
    });
  } else {
    const runChecks = (payload, checks3, ctx) => {
      if (payload.memo)
        return payload;
      let isAborted = aborted(payload);
      let asyncResult;
      for (const ch of checks3) {
        if (ch._zod.def.when) {
          if (explicitlyAborted(payload))
            continue;
          const shouldRun = ch._zod.def.when(payload);
          if (!shouldRun)
            continue;
        } else if (isAborted) {
          continue;
        }
        const currLen = payload.issues.length;
        const _ = ch._zod.check(payload);
        if (_ instanceof Promise && ctx?.async === false) {
          throw new $ZodAsyncError();
        }
        if (asyncResult || _ instanceof Promise) {
          asyncResult = (asyncResult ?? Promise.resolve()).then(async () => {
            await _;
            const nextLen = payload.issues.length;
            if (nextLen === currLen)
              return;
            attachSchema(payload.issues, currLen, inst);
            if (!isAborted)
              isAborted = aborted(payload, currLen);
          });
        } else {
          const nextLen = payload.issues.length;
          if (nextLen === currLen)
            continue;
          attachSchema(payload.issues, currLen, inst);
          if (!isAborted)
            isAborted = aborted(payload, currLen);
        }
      }
      if (asyncResult) {
        return asyncResult.then(() => {
          return payload;
        });
      }
      return payload;
    };
    const handleCanaryResult = (canary, payload, ctx) => {
      if (aborted(canary)) {
        canary.aborted = true;
        return canary;
      }
      const checkResult = runChecks(payload, checks2, ctx);
      if (checkResult instanceof Promise) {
        if (ctx.async === false)
          throw new $ZodAsyncError();
        return checkResult.then((checkResult2) => inst._zod.parse(checkResult2, ctx));
      }
      return inst._zod.parse(checkResult, ctx);
    };
    inst._zod.run = (payload, ctx) => {
      if (ctx.skipChecks) {
        return inst._zod.parse(payload, ctx);
      }
      if (ctx.direction === "backward") {
        const canary = inst._zod.parse({ value: payload.value, issues: [] }, { ...ctx, skipChecks: true });
        if (canary instanceof Promise) {
          return canary.then((canary2) => {
            return handleCanaryResult(canary2, payload, ctx);
          });
        }
        return handleCanaryResult(canary, payload, ctx);
      }
      const result = inst._zod.parse(payload, ctx);
      if (result instanceof Promise) {
        if (ctx.async === false)
          throw new $ZodAsyncError();
        return result.then((result2) => runChecks(result2, checks2, ctx));
      }
      return runChecks(result, checks2, ctx);
    };
  }
}, {
  // Wrappers extend this by installing a richer factory over it; reading it eagerly would defeat the laziness.
  get "~standard"() {
    return hide(this, "~standard", standardProps(this));
  },
  set "~standard"(value) {
    own(this, "~standard", value);
  }
});
var toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => finalizeIssue(iss, ctx, config())) } : { value: r.value };
async function validateAsync(inst, value) {
  const ctx = { async: true };
  return toStandardResult(await inst._zod.run({ value, issues: [] }, ctx), ctx);
}
function standardProps(inst) {
  return {
    validate: (value) => {
      const ctx = { async: false };
      try {
        const r = inst._zod.run({ value, issues: [] }, ctx);
        if (!(r instanceof Promise))
          return toStandardResult(r, ctx);
      } catch (_) {
      }
      return validateAsync(inst, value);
    },
    vendor: "zod",
    version: 1
  };
}

// packages/schema/src/schema.ts
var ReadingSchema = /* @__PURE__ */ $constructor(
  "ReadingSchema",
  (inst, def) => {
    $ZodType.init(inst, def);
    const { _zod } = inst;
    _zod.toJSONSchema = def.json;
    _zod.parse = (payload, context) => readPayload(inst, payload, context);
    if (def.optional === true) {
      _zod.optin = "optional";
      _zod.optout = "optional";
    }
    if (def.kind === "literal" || def.kind === "oneOf") _zod.values = def.known;
  },
  {
    get def() {
      return this._zod.def;
    },
    get "~standard"() {
      return standardOf(this);
    }
  }
);
var LateSchema = class {
  def;
  constructor(def) {
    this.def = def;
  }
  get _zod() {
    const { _zod: value } = new ReadingSchema(this.def);
    Object.defineProperty(this, "_zod", { value });
    return value;
  }
  get "~standard"() {
    return standardOf(this);
  }
};
function standardOf(schema) {
  const { read } = schema._zod.def;
  const value = { ...standardProps(schema), validate: (found) => validate(read, found) };
  Object.defineProperty(schema, "~standard", { value });
  return value;
}
function readPayload(inst, payload, context) {
  const { def } = inst._zod;
  const { value: input } = payload;
  const read = validate(def.read, input);
  if (read.issues === void 0) payload.value = read.value;
  for (const { path, message: message3 } of read.issues ?? []) {
    const issue2 = { code: "custom", path: [...path], input, inst };
    const maps = [def.error, context.error, config().customError];
    const answers = maps.some((map) => map?.(issue2) != null);
    payload.issues.push(answers ? issue2 : { ...issue2, message: message3 });
  }
  return payload;
}
function validate(read, value) {
  const notes = [];
  let out;
  try {
    out = read(value, notes);
  } catch {
    notes.length = 0;
    out = refused(notes, "expected plain JSON of finite depth");
  }
  if (out === INVALID) return { issues: finished(notes, "issue") ?? [] };
  if (notes.length === 0) return { value: out };
  return { value: out, salvaged: finished(notes, "salvaged"), unrecognized: finished(notes, "unrecognized") };
}
// @__NO_SIDE_EFFECTS__
function createSchema(def) {
  const whole = def;
  whole.type = "custom";
  return new LateSchema(whole);
}

// packages/schema/src/list.ts
// @__NO_SIDE_EFFECTS__
function list(element, min = 0) {
  return /* @__PURE__ */ listSchema("list", element, min);
}
// @__NO_SIDE_EFFECTS__
function sifted(element, min = 0) {
  return /* @__PURE__ */ listSchema("sifted", element, min);
}
var EMPTY = /* @__PURE__ */ Object.freeze([]);
// @__NO_SIDE_EFFECTS__
function listSchema(kind, element, min) {
  const { read: readElement, json, quick } = element.def;
  const drops = kind === "sifted";
  const read = drops ? salvaging(readElement, INVALID) : readElement;
  const enough = min === 1 ? "an array that is not empty" : `an array of at least ${min} elements`;
  return createSchema({
    kind,
    expected: "an array",
    empty: () => min > 0 ? void 0 : EMPTY,
    parts: () => ({ element }),
    read(value, notes) {
      if (!Array.isArray(value)) return invalid(notes, "an array", value);
      let copy;
      for (let index = 0; index < value.length; index++) {
        const found2 = value[index];
        if (typeof found2 === quick) {
          copy?.push(found2);
          continue;
        }
        const out = readBelow(read, found2, index, notes);
        if (out === INVALID && !drops) return INVALID;
        if (out !== found2) copy ??= value.slice(0, index);
        if (out !== INVALID) copy?.push(out);
      }
      const found = copy ?? value;
      return found.length < min ? invalid(notes, enough, found) : found;
    },
    json: () => ({ type: "array", items: json(), ...min > 0 && { minItems: min } })
  });
}

// packages/schema/src/lenient.ts
// @__NO_SIDE_EFFECTS__
function around(kind, inner, changes) {
  return createSchema({ ...inner.def, optional: false, kind, parts: () => ({ inner }), ...changes });
}
// @__NO_SIDE_EFFECTS__
function nullable(inner) {
  const { expected, known, read, json } = inner.def;
  return /* @__PURE__ */ around("nullable", inner, {
    expected: `${expected} or null`,
    known: /* @__PURE__ */ new Set([...known ?? [], null]),
    read: (value, notes) => value === null ? null : read(value, notes),
    json: () => ({ anyOf: [json(), { type: "null" }] })
  });
}
// @__NO_SIDE_EFFECTS__
function optional(inner) {
  return /* @__PURE__ */ optionalSchema("optional", inner, inner.def.read);
}
// @__NO_SIDE_EFFECTS__
function lenient(inner) {
  return /* @__PURE__ */ optionalSchema("lenient", inner, salvaging(inner.def.read, void 0));
}
// @__NO_SIDE_EFFECTS__
function lenientList(element) {
  return /* @__PURE__ */ lenient(sifted(element));
}
// @__NO_SIDE_EFFECTS__
function requiredOr(inner, fallback) {
  const { expected, read } = inner.def;
  const readOr = salvaging(read, Object.freeze(fallback));
  return /* @__PURE__ */ around("requiredOr", inner, {
    read: (value, notes) => value === void 0 ? invalid(notes, expected, value) : readOr(value, notes)
  });
}
// @__NO_SIDE_EFFECTS__
function nullAsEmpty(inner) {
  const { expected, read, empty: emptyOf } = inner.def;
  return /* @__PURE__ */ around("nullAsEmpty", inner, {
    read(value, notes) {
      const empty = value === null ? emptyOf?.() : void 0;
      if (empty === void 0) return read(value, notes);
      remark(notes, "salvaged", `expected ${expected}, got null`);
      return empty;
    }
  });
}
// @__NO_SIDE_EFFECTS__
function optionalSchema(kind, inner, read) {
  return /* @__PURE__ */ around(kind, inner, {
    optional: true,
    read: (value, notes) => value === void 0 ? void 0 : read(value, notes)
  });
}

// packages/schema/src/scalar.ts
// @__NO_SIDE_EFFECTS__
function tested({ kind, expected, json }, fits, extra) {
  const read = (value, notes) => fits(value) ? value : invalid(notes, expected, value);
  return createSchema({ kind, expected, read, json: () => ({ ...json }), ...extra });
}
// @__NO_SIDE_EFFECTS__
function ofType(quick) {
  const row = { kind: quick, expected: `a ${quick}`, json: { type: quick } };
  return /* @__PURE__ */ tested(row, (value) => typeof value === quick, { quick });
}
var anything = /* @__PURE__ */ tested({ kind: "unknown", expected: "any value", json: {} }, () => true);
var anyString = /* @__PURE__ */ ofType("string");
var anyBoolean = /* @__PURE__ */ ofType("boolean");
// @__NO_SIDE_EFFECTS__
function unknown() {
  return anything;
}
// @__NO_SIDE_EFFECTS__
function string(min = 0, max = Infinity) {
  if (min === 0 && max === Infinity) return anyString;
  const expected = max < Infinity ? `a string of ${min} to ${max} characters` : "a string that is not empty";
  const json = { type: "string", minLength: min, ...max < Infinity && { maxLength: max } };
  const fits = (text) => text.length <= max * 2 && within([...text].length, min, max);
  return /* @__PURE__ */ tested(
    { kind: "string", expected, json },
    (value) => isString(value) && (max === Infinity ? value.length >= min : fits(value))
  );
}
var within = (count, min, max) => count >= min && count <= max;
var isString = (value) => typeof value === "string";
// @__NO_SIDE_EFFECTS__
function boolean() {
  return anyBoolean;
}
// @__NO_SIDE_EFFECTS__
function number(min = -Infinity, max = Infinity) {
  return /* @__PURE__ */ numberSchema("number", Number.isFinite, min, max);
}
// @__NO_SIDE_EFFECTS__
function integer(min = -Infinity, max = Infinity) {
  return /* @__PURE__ */ numberSchema("integer", Number.isInteger, min, max);
}
// @__NO_SIDE_EFFECTS__
function numberSchema(kind, isKind, min, max) {
  const from = min > -Infinity;
  const to = max < Infinity;
  const expected = `a ${kind === "integer" ? "whole " : ""}number${from ? ` from ${min}` : ""}${to ? ` to ${max}` : ""}`;
  const json = { type: kind, ...from && { minimum: min }, ...to && { maximum: max } };
  const fits = (value) => isKind(value) && value >= min && value <= max;
  return /* @__PURE__ */ tested({ kind, expected, json }, fits);
}
// @__NO_SIDE_EFFECTS__
function literal(value) {
  return /* @__PURE__ */ closedEnum("literal", [value], { const: value });
}
// @__NO_SIDE_EFFECTS__
function oneOf(...values) {
  return /* @__PURE__ */ closedEnum("oneOf", values, { enum: values });
}
// @__NO_SIDE_EFFECTS__
function closedEnum(kind, values, json) {
  const known = new Set(values);
  return /* @__PURE__ */ tested({ kind, expected: listed(values), json }, (value) => known.has(value), { known });
}
// @__NO_SIDE_EFFECTS__
function openEnum(...values) {
  return /* @__PURE__ */ tolerantEnum("openEnum", values);
}
// @__NO_SIDE_EFFECTS__
function keptEnum(...values) {
  return /* @__PURE__ */ tolerantEnum("keptEnum", values);
}
// @__NO_SIDE_EFFECTS__
function tolerantEnum(kind, values) {
  const known = new Set(values);
  const isCustom = (value) => kind === "openEnum" && value.startsWith("_");
  const read = (value, notes) => {
    if (!isString(value)) return invalid(notes, "a string", value);
    if (!known.has(value) && !isCustom(value)) remark(notes, "unrecognized", `expected ${listed(values)}`);
    return value;
  };
  return createSchema({
    kind,
    expected: "a string",
    known,
    read,
    json: () => ({ anyOf: [{ enum: [...values] }, { type: "string" }] })
  });
}
// @__NO_SIDE_EFFECTS__
function firstOf(...schemas) {
  const defs = schemas.map((schema) => schema.def);
  const expected = [...new Set(defs.map((def) => def.expected))].join(" or ");
  const read = (value, notes) => {
    const mark = notes.length;
    let closest;
    for (const def of defs) {
      const out = def.read(value, notes);
      if (out !== INVALID) return out;
      const issues = notes.splice(mark);
      if (issues.some((note) => note.about === "issue" && note.reversed.length === 0)) continue;
      if (closest === void 0 || isCloser(issues, closest)) closest = issues;
    }
    if (closest === void 0) return invalid(notes, expected, value);
    for (const note of closest) notes.push(note);
    return INVALID;
  };
  return createSchema({
    kind: "firstOf",
    expected,
    read,
    parts: () => Object.fromEntries(schemas.map((schema, index) => [String(index), schema])),
    json: () => ({ anyOf: defs.map((def) => def.json()) })
  });
}
function isCloser(issues, others) {
  const depth = (notes) => notes.reduce((most, note) => Math.max(most, note.reversed.length), 0);
  return issues.length < others.length || issues.length === others.length && depth(issues) > depth(others);
}
function listed(values) {
  return values.map((value) => JSON.stringify(value)).join(" or ");
}

// packages/schema/src/object.ts
// @__NO_SIDE_EFFECTS__
function object(fields) {
  let known;
  const parts = () => known ??= { ...fieldsOf(fields), _meta: meta };
  let members2;
  const all = () => members2 ??= membersOf(parts());
  return createSchema({
    kind: "object",
    expected: "an object",
    empty: () => all().some((member) => member.required) ? void 0 : NOTHING,
    parts,
    read: (value, notes) => readMembers(members2 ?? all(), value, notes),
    json: () => objectJson(parts())
  });
}
var fieldsOf = (fields) => typeof fields === "function" ? fields() : fields;
var NOTHING = /* @__PURE__ */ Object.freeze({});
function membersOf(parts) {
  return Object.entries(parts).map(([key2, schema]) => {
    const { read, optional: optional2, expected, quick, known } = schema.def;
    return { key: key2, read, required: optional2 !== true, expected, quick, known };
  });
}
// @__NO_SIDE_EFFECTS__
function extend(base, fields) {
  return /* @__PURE__ */ object(() => ({ ...base.def.parts?.(), ...fieldsOf(fields) }));
}
// @__NO_SIDE_EFFECTS__
function record(element) {
  const { read, json } = element.def;
  return createSchema({
    kind: "record",
    expected: "an object",
    empty: () => NOTHING,
    parts: () => ({ element }),
    read(value, notes) {
      if (!isObject3(value)) return invalid(notes, "an object", value);
      let copy;
      for (const key2 of Object.keys(value)) {
        const out = readBelow(read, value[key2], key2, notes);
        if (out === value[key2]) continue;
        if (out === INVALID) return INVALID;
        copy ??= { ...value };
        copy[key2] = out;
      }
      return copy ?? value;
    },
    json: () => ({ type: "object", additionalProperties: json() })
  });
}
function isObject3(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function readMembers(members2, value, notes) {
  if (!isObject3(value)) return invalid(notes, "an object", value);
  let copy;
  let bad = false;
  for (let index = 0; index < members2.length; index++) {
    const member = members2[index];
    const found = value[member.key];
    if (found === void 0 && !member.required) continue;
    if (typeof found === member.quick) continue;
    if (member.known?.has(found)) continue;
    const out = found === void 0 ? invalid(notes, member.expected, found, [member.key]) : readBelow(member.read, found, member.key, notes);
    if (out === found) continue;
    if (out === INVALID) {
      bad = true;
      continue;
    }
    copy ??= { ...value };
    if (out === void 0) delete copy[member.key];
    else copy[member.key] = out;
  }
  return bad ? INVALID : copy ?? value;
}
function objectJson(parts) {
  const properties = {};
  const required = [];
  for (const [key2, { def }] of Object.entries(parts)) {
    properties[key2] = def.json();
    if (def.optional !== true) required.push(key2);
  }
  return required.length === 0 ? { type: "object", properties } : { type: "object", properties, required };
}
var objectOrNull = /* @__PURE__ */ tested(
  { kind: "meta", expected: "an object or null", json: { type: ["object", "null"] } },
  (value) => value === null || isObject3(value)
);
var meta = /* @__PURE__ */ lenient(objectOrNull);

// packages/schema/src/variants.ts
// @__NO_SIDE_EFFECTS__
function variants(tag, table, options) {
  const rest = options.unknown;
  const other = rest === "keep" ? unknown() : rest === "reject" ? void 0 : rest;
  return /* @__PURE__ */ variantsSchema("variants", tag, table, other, options.untagged);
}
// @__NO_SIDE_EFFECTS__
function openVariants(tag, table, options = {}) {
  return /* @__PURE__ */ variantsSchema("openVariants", tag, table, options.other ?? unknown(), options.untagged, options.assumed);
}
// @__NO_SIDE_EFFECTS__
function variantsSchema(kind, tag, table, other, untagged, assumed) {
  let readers;
  const expected = () => listed(Object.keys(table));
  const readOther = other?.def.read;
  const readUntagged = untagged?.def.read;
  const read = (value, notes) => {
    if (!isObject3(value)) return invalid(notes, "an object", value);
    readers ??= new Map(Object.entries(table).map(([name2, { def }]) => [name2, def.read]));
    const name = value[tag];
    const known = readers.get(name);
    if (known !== void 0) return known(value, notes);
    if (name === void 0 && assumed !== void 0) {
      remark(notes, "salvaged", `expected ${expected()}, got nothing`, [tag]);
      return readers.get(assumed)?.({ ...value, [tag]: assumed }, notes);
    }
    if (typeof name !== "string" && readUntagged !== void 0) return readUntagged(value, notes);
    if (typeof name !== "string" || readOther === void 0) return invalid(notes, expected(), name, [tag]);
    if (kind === "variants" || !name.startsWith("_")) remark(notes, "unrecognized", `expected ${expected()}`, [tag]);
    return readOther(value, notes);
  };
  return createSchema({
    kind,
    expected: "an object",
    read,
    tag,
    parts: () => ({
      ...table,
      ...other && { "(unknown)": other },
      ...untagged && { "(untagged)": untagged }
    }),
    json: () => variantsJson(tag, table, other, untagged)
  });
}
function variantsJson(tag, table, other, untagged) {
  const names = Object.keys(table);
  const branches = Object.entries(table).map(([name, { def }]) => tagged(tag, { const: name }, def.json()));
  if (other !== void 0) branches.push(tagged(tag, { type: "string", not: { enum: names } }, other.def.json()));
  if (untagged !== void 0) {
    const hasTag = { properties: { [tag]: { type: "string" } }, required: [tag] };
    branches.push({ not: hasTag, allOf: [untagged.def.json()] });
  }
  return { anyOf: branches };
}
function tagged(tag, name, body) {
  return { type: "object", properties: { [tag]: name }, required: [tag], allOf: [body] };
}
// @__NO_SIDE_EFFECTS__
function exactlyOne(table) {
  const keys = Object.keys(table);
  const expected = `exactly one of ${keys.join(" and ")}`;
  const read = (value, notes) => {
    if (!isObject3(value)) return invalid(notes, "an object", value);
    const present = keys.filter((key3) => value[key3] !== void 0);
    const [key2 = ""] = present;
    if (present.length === 1) return table[key2]?.def.read(value, notes);
    return refused(notes, `expected ${expected}, got ${present.length === 0 ? "none" : present.length}`);
  };
  return createSchema({
    kind: "exactlyOne",
    expected: "an object",
    read,
    parts: () => table,
    json: () => ({
      oneOf: keys.map((key2) => ({
        not: { anyOf: keys.filter((other) => other !== key2).map((other) => ({ required: [other] })) },
        allOf: [table[key2]?.def.json()]
      }))
    })
  });
}

// packages/schema/src/both/config-option.ts
var sessionConfigId = string();
var sessionConfigValueId = string();
var sessionConfigGroupId = string();
var sessionConfigOptionCategory_ = openEnum("mode", "model", "model_config", "thought_level");
var sessionConfigOptionCategory = sessionConfigOptionCategory_;
var sessionConfigSelectOption_ = object({
  /** Id of the value on the wire. */
  value: sessionConfigValueId,
  /** Name of the value for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string()))
});
var sessionConfigSelectOption = sessionConfigSelectOption_;

// packages/schema/src/both/identifiers.ts
var sessionId = string();
var messageId = string();
var toolCallId = string();
var terminalId = string();

// packages/schema/src/both/elicitation.ts
var titled = object({
  /** Name of the field for people. */
  title: lenient(nullable(string())),
  /** Description of the field, for people. */
  description: lenient(nullable(string()))
});
var enumOption_ = object({
  /** The value. */
  const: string(),
  /** Name of the value for people. */
  title: string(),
  /** Description for people. */
  description: lenient(nullable(string()))
});
var enumOption = enumOption_;
var numberPropertySchema_ = extend(titled, {
  /** Smallest valid value. */
  minimum: optional(nullable(number())),
  /** Greatest valid value. */
  maximum: optional(nullable(number())),
  /** Initial value. */
  default: lenient(nullable(number()))
});
var numberPropertySchema = numberPropertySchema_;
var integerPropertySchema_ = extend(titled, {
  /** Smallest valid value. */
  minimum: optional(nullable(integer())),
  /** Greatest valid value. */
  maximum: optional(nullable(integer())),
  /** Initial value. */
  default: lenient(nullable(integer()))
});
var integerPropertySchema = integerPropertySchema_;
var booleanPropertySchema_ = extend(titled, {
  /** Initial value. */
  default: lenient(nullable(boolean()))
});
var booleanPropertySchema = booleanPropertySchema_;
var elicitationSchemaType = literal("object");
var elicitationId = string();
var elicitationSessionScope_ = object({
  /** Session to which the elicitation belongs. */
  sessionId,
  /** Tool call to which the elicitation belongs. */
  toolCallId: lenient(nullable(toolCallId))
});
var elicitationSessionScope = elicitationSessionScope_;
var completeElicitationNotification_ = object({
  /** Completed elicitation. An unknown id is ignored. */
  elicitationId
});
var completeElicitationNotification = completeElicitationNotification_;
var marker_ = object({});
var elicitationFormCapabilities = marker_;
var elicitationUrlCapabilities = marker_;
var elicitationCapabilities_ = object({
  /** Elicitations with a form. */
  form: lenient(nullable(elicitationFormCapabilities)),
  /** Elicitations with a URL. */
  url: lenient(nullable(elicitationUrlCapabilities))
});
var elicitationCapabilities = elicitationCapabilities_;

// packages/schema/src/both/implementation.ts
var protocolVersion = integer(0, 65535);
var implementation_ = object({
  /** Name of the program. */
  name: string(),
  /** Name of the program for people. If it is missing, `name` is shown. */
  title: lenient(nullable(string())),
  /** Version of the program. */
  version: string()
});
var implementation = implementation_;

// packages/schema/src/both/named-value.ts
var envVariable_ = object({
  /** Name. If a list contains a name several times, its last value counts. */
  name: string(),
  /** Value. */
  value: string()
});
var envVariable = envVariable_;
var httpHeader_ = object({
  /** Name. */
  name: string(),
  /** Value. */
  value: string()
});
var httpHeader = httpHeader_;

// packages/schema/src/both/subagent.ts
var marker_2 = object({});
var sessionCancelCapabilities = marker_2;
var subagentSessionCapabilities_ = object({
  /** Support for `session/cancel` for the child session. */
  cancel: lenient(nullable(sessionCancelCapabilities))
});
var subagentSessionCapabilities = subagentSessionCapabilities_;
var sessionReference_ = object({
  /** Session that the agent has announced before. */
  sessionId
});
var sessionReference = sessionReference_;

// packages/schema/src/both/system-prompt.ts
var sessionSystemPromptOverrideCapabilities_ = object({});
var sessionSystemPromptOverrideCapabilities = sessionSystemPromptOverrideCapabilities_;
var sessionSystemPromptModeCapabilities_ = object({
  /** Support for the mode `override`. */
  override: lenient(nullable(sessionSystemPromptOverrideCapabilities))
});
var sessionSystemPromptModeCapabilities = sessionSystemPromptModeCapabilities_;
var sessionSystemPromptCapabilities_ = object({
  /** Modes in addition to `append`. */
  mode: lenient(nullable(sessionSystemPromptModeCapabilities))
});
var sessionSystemPromptCapabilities = sessionSystemPromptCapabilities_;
var systemPromptMode_ = openEnum("append", "override");
var systemPromptMode = systemPromptMode_;

// packages/schema/src/both/update.ts
var noticeSeverity_ = openEnum("info", "warning", "error");
var noticeSeverity = noticeSeverity_;
var notice_ = object({
  /** Importance of the notice. */
  severity: noticeSeverity,
  /** Plain text to show. It is never empty. */
  title: string(1),
  /** Details as plain text. */
  description: lenient(nullable(string()))
});
var notice = notice_;
var cost_ = object({
  /** Cost of the session until now. */
  amount: number(),
  /** ISO 4217 code, or another unit such as `credits`. */
  currency: string()
});
var cost = cost_;
var usageUpdate_ = object({
  /** Number of tokens that are in the context now. Cached tokens count too. The number may exceed `size`. */
  used: integer(0),
  /** Size of the context in tokens. It may be 0. */
  size: integer(0),
  /** Cost of the session until now. `null` clears the cost, and an absent or malformed value changes nothing. */
  cost: lenient(nullable(cost))
});
var usageUpdate = usageUpdate_;
var sessionInfoUpdate_ = object({
  /** New title. `null` clears the title, and an absent or malformed value changes nothing. */
  title: lenient(nullable(string())),
  /** Time of the session's last change. `null` clears the time, and an absent or malformed value changes nothing. */
  updatedAt: lenient(nullable(string()))
});
var sessionInfoUpdate = sessionInfoUpdate_;
var compactionId = string();
var compactionStatus_ = openEnum("in_progress", "completed", "failed", "cancelled");
var compactionStatus = compactionStatus_;

// packages/schema/src/v1/auth.ts
var authCapabilities_ = object({
  /** `true` if the client can run the agent's login program in a terminal. */
  terminal: lenient(boolean())
});
var authCapabilities = authCapabilities_;
var logoutCapabilities_ = object({});
var logoutCapabilities = logoutCapabilities_;
var agentAuthCapabilities_ = object({
  /** The agent answers `logout`. */
  logout: lenient(nullable(logoutCapabilities))
});
var agentAuthCapabilities = agentAuthCapabilities_;
var authMethodId = string();
var authMethodAgent_ = object({
  /** Id for `authenticate`. */
  id: authMethodId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string()))
});
var authMethodAgent = authMethodAgent_;
var authMethodTerminal_ = extend(authMethodAgent_, {
  /** Additional arguments for the agent's program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /**
   * Additional environment variables for the agent's program. They are a map, unlike all other variables of the
   * protocol.
   */
  env: optional(nullAsEmpty(record(string())))
});
var authMethodTerminal = authMethodTerminal_;
var authMethod_ = variants(
  "type",
  { terminal: authMethodTerminal },
  { unknown: authMethodAgent, untagged: authMethodAgent }
);
var authMethod = authMethod_;
var authenticateRequest_ = object({
  /** Id of a method in the `initialize` result. Methods of the type `terminal` are not allowed. */
  methodId: authMethodId
});
var authenticateRequest = authenticateRequest_;
var nothing_ = object({});
var authenticateResponse = nothing_;
var logoutRequest = nothing_;
var logoutResponse = nothing_;

// packages/schema/src/v1/cancel.ts
var requestId = nullable(firstOf(string(), integer()));
var cancelNotification_ = object({
  /** Session whose turn is cancelled. */
  sessionId
});
var cancelNotification = cancelNotification_;
var cancelRequestNotification_ = object({
  /** Request that its sender no longer needs. */
  requestId
});
var cancelRequestNotification = cancelRequestNotification_;

// packages/schema/src/v1/command.ts
var unstructuredCommandInput_ = object({
  /** Text that is shown while the input is empty. */
  hint: string()
});
var unstructuredCommandInput = unstructuredCommandInput_;
var availableCommandInput = unstructuredCommandInput;
var availableCommand_ = object({
  /** Name without a slash at the start. */
  name: string(),
  /** Description for people. */
  description: string(),
  /** Input of the command. An absent, null or unknown value means that the command has no input. */
  input: lenient(nullable(availableCommandInput))
});
var availableCommand = availableCommand_;
var availableCommandsUpdate_ = object({
  /** Complete new list of commands. Malformed commands are dropped. */
  availableCommands: requiredOr(sifted(availableCommand), [])
});
var availableCommandsUpdate = availableCommandsUpdate_;

// packages/schema/src/v1/config-option.ts
var sessionConfigSelectGroup_ = object({
  /** Id of the group on the wire. */
  group: sessionConfigGroupId,
  /** Name of the group for people. */
  name: string(),
  /** Values of the group. Malformed values are dropped. */
  options: requiredOr(sifted(sessionConfigSelectOption), [])
});
var sessionConfigSelectGroup = sessionConfigSelectGroup_;
var sessionConfigSelectOptions = firstOf(
  list(sessionConfigSelectOption),
  list(sessionConfigSelectGroup)
);
var selectFields = {
  /** Current value. */
  currentValue: sessionConfigValueId,
  /** Values that the user can choose. The agent's preferred values come first. */
  options: sessionConfigSelectOptions
};
var sessionConfigSelect_ = object(selectFields);
var booleanFields = {
  /** Current value. */
  currentValue: boolean()
};
var sessionConfigBoolean_ = object(booleanFields);
var described_ = object({
  /** Id of the option on the wire. */
  id: sessionConfigId,
  /** Name of the option for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
  /** Category of the option. */
  category: lenient(nullable(sessionConfigOptionCategory))
});
var sessionConfigOption_ = variants(
  "type",
  {
    select: extend(described_, selectFields),
    boolean: extend(described_, booleanFields)
  },
  { unknown: "reject" }
);
var sessionConfigOption = sessionConfigOption_;
var configOptionUpdate_ = object({
  /** Complete new list of options. Malformed options are dropped. */
  configOptions: requiredOr(sifted(sessionConfigOption), [])
});
var configOptionUpdate = configOptionUpdate_;
var target_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of an option of the session. */
  configId: sessionConfigId
});
var setBoolean_ = extend(target_, {
  /** Marker for a boolean value. */
  type: literal("boolean"),
  /** New value. */
  value: boolean()
});
var setValueId_ = extend(target_, {
  /** Id of the new value. It must be one of the option's values. */
  value: sessionConfigValueId
});
var setSessionConfigOptionRequest_ = firstOf(setBoolean_, setValueId_);
var setSessionConfigOptionRequest = setSessionConfigOptionRequest_;
var setSessionConfigOptionResponse_ = object({
  /** All options after the change. Changes of other options that follow from this change are included. */
  configOptions: requiredOr(sifted(sessionConfigOption), [])
});
var setSessionConfigOptionResponse = setSessionConfigOptionResponse_;

// packages/schema/src/v1/content.ts
var role = oneOf("user", "assistant");
var annotations_ = object({
  /** Audience of the content. Entries that are not roles are dropped. */
  audience: lenient(nullable(sifted(role))),
  /** Time of the last change, in the form of ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance. By convention, it is from 0 to 1. */
  priority: lenient(nullable(number()))
});
var annotations = annotations_;
var textContent_ = object({
  /** Text. Clients show it as Markdown. */
  text: string(),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations))
});
var textContent = textContent_;
var imageContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** Media type, such as `image/png`. */
  mimeType: string(),
  /** Address of the original image. */
  uri: lenient(nullable(string())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations))
});
var imageContent = imageContent_;
var audioContent_ = object({
  /** Bytes in base64. */
  data: string(),
  /** Media type, such as `audio/wav`. */
  mimeType: string(),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations))
});
var audioContent = audioContent_;
var resourceLink_ = object({
  /** Address of the resource. */
  uri: string(),
  /** Name for people. */
  name: string(),
  /** Title for people. It is shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Media type. */
  mimeType: lenient(nullable(string())),
  /** Size in bytes. */
  size: lenient(nullable(integer())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations))
});
var resourceLink = resourceLink_;
var textResourceContents_ = object({
  /** Address of the text. */
  uri: string(),
  /** Whole text. */
  text: string(),
  /** Media type. */
  mimeType: lenient(nullable(string()))
});
var textResourceContents = textResourceContents_;
var blobResourceContents_ = object({
  /** Address of the bytes. */
  uri: string(),
  /** Bytes in base64. */
  blob: string(),
  /** Media type of the bytes. */
  mimeType: lenient(nullable(string()))
});
var blobResourceContents = blobResourceContents_;
var embeddedResourceResource = firstOf(
  textResourceContents,
  blobResourceContents
);
var embeddedResource_ = object({
  /** Text or bytes, with their address. */
  resource: embeddedResourceResource,
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations))
});
var embeddedResource = embeddedResource_;
var blocks = {
  text: textContent,
  image: imageContent,
  audio: audioContent,
  resource_link: resourceLink,
  resource: embeddedResource
};
var contentBlock_ = variants("type", blocks, { unknown: "keep" });
var contentBlock = contentBlock_;
var promptContentBlock = variants("type", blocks, { unknown: "reject" });

// packages/schema/src/v1/elicitation-schema.ts
var stringFormat_ = keptEnum("email", "uri", "date", "date-time");
var stringFormat = stringFormat_;
var stringPropertySchema_ = extend(titled, {
  /** Minimum number of characters. */
  minLength: optional(nullable(integer(0, 4294967295))),
  /** Maximum number of characters. */
  maxLength: optional(nullable(integer(0, 4294967295))),
  /** Regular expression of the peer. Limit the time for which it may run. */
  pattern: optional(nullable(string())),
  /** Format of the text. */
  format: optional(nullable(stringFormat)),
  /** Initial value. */
  default: lenient(nullable(string())),
  /** Values that the user can choose. */
  enum: optional(nullable(list(string()))),
  /** Values that the user can choose, with names. */
  oneOf: optional(nullable(list(enumOption)))
});
var stringPropertySchema = stringPropertySchema_;
var stringMultiSelectItems_ = object({
  /** Values that the user can choose. */
  enum: list(string())
});
var stringMultiSelectItems = stringMultiSelectItems_;
var titledMultiSelectItems_ = object({
  /** Values that the user can choose, with names. */
  anyOf: list(enumOption)
});
var titledMultiSelectItems = titledMultiSelectItems_;
var multiSelectItems_ = variants(
  "type",
  { string: stringMultiSelectItems },
  { unknown: "keep", untagged: titledMultiSelectItems }
);
var multiSelectItems = multiSelectItems_;
var multiSelectPropertySchema_ = extend(titled, {
  /** Minimum number of values. */
  minItems: optional(nullable(integer(0))),
  /** Maximum number of values. */
  maxItems: optional(nullable(integer(0))),
  /** Choices. */
  items: multiSelectItems,
  /** Initial choices. */
  default: lenient(nullable(sifted(string())))
});
var multiSelectPropertySchema = multiSelectPropertySchema_;
var elicitationPropertySchema_ = variants(
  "type",
  {
    string: stringPropertySchema,
    number: numberPropertySchema,
    integer: integerPropertySchema,
    boolean: booleanPropertySchema,
    array: multiSelectPropertySchema
  },
  { unknown: "keep" }
);
var elicitationPropertySchema = elicitationPropertySchema_;
var elicitationSchema_ = extend(titled, {
  /** Always `object`. Always send this member. */
  type: lenient(elicitationSchemaType),
  /** Fields by name. They are not nested. Always send this member, even if there are no fields. */
  properties: optional(record(elicitationPropertySchema)),
  /** Names of the fields that must have a value. */
  required: optional(nullable(list(string())))
});
var elicitationSchema = elicitationSchema_;

// packages/schema/src/v1/elicitation.ts
var elicitationRequestScope_ = object({
  /** Request of the client to which the elicitation belongs. An example is a login before there is any session. */
  requestId
});
var formFields = {
  /** Form to show. */
  requestedSchema: elicitationSchema
};
var urlFields = {
  /** Id of the elicitation, for `elicitation/complete`. */
  elicitationId,
  /** URL to open after the user has agreed. */
  url: string()
};
var elicitationFormMode_ = firstOf(
  extend(elicitationSessionScope, formFields),
  extend(elicitationRequestScope_, formFields)
);
var elicitationUrlMode_ = firstOf(
  extend(elicitationSessionScope, urlFields),
  extend(elicitationRequestScope_, urlFields)
);
var message = {
  /** Text for the user. */
  message: string()
};
var inSession_ = extend(elicitationSessionScope, message);
var inRequest_ = extend(elicitationRequestScope_, message);
var createElicitationRequest_ = variants(
  "mode",
  {
    form: firstOf(extend(inSession_, formFields), extend(inRequest_, formFields)),
    url: firstOf(extend(inSession_, urlFields), extend(inRequest_, urlFields))
  },
  { unknown: firstOf(inSession_, inRequest_) }
);
var createElicitationRequest = createElicitationRequest_;
var elicitationContentValue = firstOf(
  string(),
  integer(),
  number(),
  boolean(),
  list(string())
);
var elicitationAcceptAction_ = object({
  /** Values by field. For a URL they are usually absent, because the answer only allows the client to open it. */
  content: optional(nullable(record(elicitationContentValue)))
});
var elicitationAcceptAction = elicitationAcceptAction_;
var nothing_2 = object({});
var createElicitationResponse_ = variants(
  "action",
  { accept: elicitationAcceptAction, decline: nothing_2, cancel: nothing_2 },
  { unknown: "keep" }
);
var createElicitationResponse = createElicitationResponse_;

// packages/schema/src/v1/file-system.ts
var fileSystemCapabilities_ = object({
  /** `true` if the client answers `fs/read_text_file`. */
  readTextFile: lenient(boolean()),
  /** `true` if the client answers `fs/write_text_file`. */
  writeTextFile: lenient(boolean())
});
var fileSystemCapabilities = fileSystemCapabilities_;
var readTextFileRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Absolute path of the file. */
  path: string(),
  /** Number of the first line to read. The first line of a file is 1. */
  line: optional(nullable(integer(0, 4294967295))),
  /** Maximum number of lines to read. */
  limit: optional(nullable(integer(0, 4294967295)))
});
var readTextFileRequest = readTextFileRequest_;
var readTextFileResponse_ = object({
  /** Requested lines, with their line ends. */
  content: string()
});
var readTextFileResponse = readTextFileResponse_;
var writeTextFileRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Absolute path of the file. If the file does not exist, it is created. */
  path: string(),
  /** Whole new text. */
  content: string()
});
var writeTextFileRequest = writeTextFileRequest_;
var writeTextFileResponse_ = object({});
var writeTextFileResponse = writeTextFileResponse_;

// packages/schema/src/v1/mcp-server.ts
var mcpCapabilities_ = object({
  /** `true` if the agent can connect to MCP servers over HTTP. */
  http: lenient(boolean()),
  /** `true` if the agent can connect to MCP servers over SSE. SSE is deprecated. */
  sse: lenient(boolean())
});
var mcpCapabilities = mcpCapabilities_;
var mcpServerStdio_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Absolute path of the program. */
  command: string(),
  /** Arguments of the program. The key is required, and `null` means no arguments. */
  args: nullAsEmpty(list(string())),
  /** Additional environment variables for the server. The key is required, and `null` means no variables. */
  env: nullAsEmpty(list(envVariable))
});
var mcpServerStdio = mcpServerStdio_;
var remote_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers for each request. The key is required, and `null` means no headers. */
  headers: nullAsEmpty(list(httpHeader))
});
var mcpServerHttp = remote_;
var mcpServerSse = remote_;
var mcpServer_ = variants(
  "type",
  { http: mcpServerHttp, sse: mcpServerSse },
  { unknown: mcpServerStdio, untagged: mcpServerStdio }
);
var mcpServer = mcpServer_;

// packages/schema/src/v1/plan.ts
var planEntryPriority = oneOf("high", "medium", "low");
var planEntryStatus = oneOf("pending", "in_progress", "completed");
var planEntry_ = object({
  /** Task of the step, for people. */
  content: string(),
  /** Importance of the step. */
  priority: planEntryPriority,
  /** Current status. */
  status: planEntryStatus
});
var planEntry = planEntry_;
var plan_ = object({
  /** Complete new list of steps. Malformed steps are dropped. */
  entries: requiredOr(sifted(planEntry), [])
});
var plan = plan_;
var planCapabilities_ = object({});
var planCapabilities = planCapabilities_;
var planId = string();
var planItems_ = object({
  /** Id of the plan. */
  planId,
  /** Complete new list of steps. Malformed steps are dropped. */
  entries: requiredOr(sifted(planEntry), [])
});
var planItems = planItems_;
var planMarkdown_ = object({
  /** Id of the plan. */
  planId,
  /** Whole document. */
  content: string(),
  /**
   * Absolute path of a file with the plan. If it is absent, null or malformed, there is no file. Never open a relative
   * path.
   */
  path: lenient(nullable(string()))
});
var planMarkdown = planMarkdown_;
var planUpdateContent_ = variants("type", { items: planItems, markdown: planMarkdown }, { unknown: "keep" });
var planUpdateContent = planUpdateContent_;
var planUpdate_ = object({
  /** New content of the plan. */
  plan: planUpdateContent
});
var planUpdate = planUpdate_;
var planRemoved_ = object({
  /** Id of the removed plan. */
  planId
});
var planRemoved = planRemoved_;

// packages/schema/src/v1/prompt.ts
var promptCapabilities_ = object({
  /** `true` if prompts may contain images. */
  image: lenient(boolean()),
  /** `true` if prompts may contain sounds. */
  audio: lenient(boolean()),
  /** `true` if prompts may contain embedded resources. */
  embeddedContext: lenient(boolean())
});
var promptCapabilities = promptCapabilities_;
var promptRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Content of the prompt. A block of an unknown type makes the request invalid. */
  prompt: list(promptContentBlock)
});
var promptRequest = promptRequest_;
var stopReason = oneOf(
  "end_turn",
  "max_tokens",
  "max_turn_requests",
  "refusal",
  "cancelled"
);
var promptResponse_ = object({
  /** Reason for the end of the turn. */
  stopReason
});
var promptResponse = promptResponse_;

// packages/schema/src/v1/mode.ts
var sessionModeId = string();
var sessionMode_ = object({
  /** Id on the wire. */
  id: sessionModeId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string()))
});
var sessionMode = sessionMode_;
var sessionModeState_ = object({
  /** Current mode. */
  currentModeId: sessionModeId,
  /** All modes of the session. Malformed modes are dropped. The list never changes. */
  availableModes: requiredOr(sifted(sessionMode), [])
});
var sessionModeState = sessionModeState_;
var currentModeUpdate_ = object({
  /** New mode. */
  currentModeId: sessionModeId
});
var currentModeUpdate = currentModeUpdate_;
var setSessionModeRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's modes. */
  modeId: sessionModeId
});
var setSessionModeRequest = setSessionModeRequest_;
var setSessionModeResponse_ = object({});
var setSessionModeResponse = setSessionModeResponse_;
var modelId = string();
var modelInfo_ = object({
  /** Id on the wire. */
  modelId,
  /** Name for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string()))
});
var modelInfo = modelInfo_;
var sessionModelState_ = object({
  /** Id of the model in use. */
  currentModelId: modelId,
  /** All models that the user can choose. Malformed models are dropped. */
  availableModels: requiredOr(sifted(modelInfo), [])
});
var sessionModelState = sessionModelState_;
var setSessionModelRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's models. */
  modelId
});
var setSessionModelRequest = setSessionModelRequest_;
var setSessionModelResponse_ = object({});
var setSessionModelResponse = setSessionModelResponse_;

// packages/schema/src/v1/session.ts
var marker_3 = object({});
var sessionListCapabilities = marker_3;
var sessionDeleteCapabilities = marker_3;
var sessionAdditionalDirectoriesCapabilities = marker_3;
var sessionResumeCapabilities = marker_3;
var sessionCloseCapabilities = marker_3;
var sessionCapabilities_ = object({
  /** Support for `session/list`. */
  list: lenient(nullable(sessionListCapabilities)),
  /** Support for `session/delete`. */
  delete: lenient(nullable(sessionDeleteCapabilities)),
  /** Support for `additionalDirectories` in `session/new`, `session/load` and `session/resume`. */
  additionalDirectories: lenient(nullable(sessionAdditionalDirectoriesCapabilities)),
  /** Support for `session/resume`. */
  resume: lenient(nullable(sessionResumeCapabilities)),
  /** Support for `session/close`. */
  close: lenient(nullable(sessionCloseCapabilities)),
  /** Support for `systemPrompt` in `session/new`, `session/load` and `session/resume`. */
  systemPrompt: lenient(nullable(sessionSystemPromptCapabilities))
});
var sessionCapabilities = sessionCapabilities_;
var systemPrompt_ = object({
  /** Effect of the system prompt on the agent's own system prompt. */
  mode: systemPromptMode,
  /** Text of the system prompt. It has at least one block, and all blocks have the type `text`. */
  content: list(promptContentBlock)
});
var systemPrompt = systemPrompt_;
var rooted_ = object({
  /** Absolute path of the session's directory. Relative paths are relative to it. */
  cwd: string(),
  /**
   * Absolute paths of further roots. If absent or null, there are none. On load and resume, this is the complete new
   * list.
   */
  additionalDirectories: optional(nullAsEmpty(list(string()))),
  /**
   * Instructions for the whole session. A malformed value makes the request invalid. Send the same instructions when
   * you restore the session.
   */
  systemPrompt: optional(nullable(systemPrompt))
});
var startState_ = object({
  /** Modes of the session. A malformed value counts as absent. */
  modes: lenient(nullable(sessionModeState)),
  /** Configuration options. Malformed options are dropped. */
  configOptions: lenient(nullable(sifted(sessionConfigOption))),
  /** Models of the session. Only agents of 2025 send them. */
  models: lenient(nullable(sessionModelState))
});
var newSessionRequest_ = extend(rooted_, {
  /** MCP servers to which the agent connects. The key is required, and `null` means no servers. */
  mcpServers: nullAsEmpty(list(mcpServer))
});
var newSessionRequest = newSessionRequest_;
var newSessionResponse_ = extend(startState_, {
  /** Id of the new session. */
  sessionId
});
var newSessionResponse = newSessionResponse_;
var loadSessionRequest_ = extend(newSessionRequest_, {
  /** Id of the session to load. */
  sessionId
});
var loadSessionRequest = loadSessionRequest_;
var loadSessionResponse = startState_;
var resumeSessionRequest_ = extend(rooted_, {
  /** Id of the session to resume. */
  sessionId,
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer)))
});
var resumeSessionRequest = resumeSessionRequest_;
var resumeSessionResponse = startState_;
var oneSession_ = object({
  /** Id of the session. */
  sessionId
});
var nothing_3 = object({});
var closeSessionRequest = oneSession_;
var closeSessionResponse = nothing_3;
var deleteSessionRequest = oneSession_;
var deleteSessionResponse = nothing_3;
var sessionInfo_ = object({
  /** Id of the session. */
  sessionId,
  /** Absolute path of the directory. */
  cwd: string(),
  /** Complete list of further roots. If absent, there are none. */
  additionalDirectories: lenientList(string()),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in the form of ISO 8601. */
  updatedAt: lenient(nullable(string()))
});
var sessionInfo = sessionInfo_;
var listSessionsRequest_ = object({
  /** Absolute path of a directory. Only sessions of this directory are listed. */
  cwd: optional(nullable(string())),
  /** Cursor of the page to read. The client must not interpret it. */
  cursor: optional(nullable(string()))
});
var listSessionsRequest = listSessionsRequest_;
var listSessionsResponse_ = object({
  /** Sessions of this page. Malformed sessions are dropped. */
  sessions: requiredOr(sifted(sessionInfo), []),
  /** Cursor of the next page. It is absent or null on the last page. */
  nextCursor: lenient(nullable(string()))
});
var listSessionsResponse = listSessionsResponse_;

// packages/schema/src/v1/error.ts
var errorCode = integer(-2147483648, 2147483647);
var errorObject_ = object({
  /** Error code, for programs. */
  code: errorCode,
  /** Error message of one sentence, for people. */
  message: string(),
  /**
   * Details. By convention, they are `{ uri }` or `{ sessionId }` of the missing object, `{ method }`, or `{ details
   * }`.
   */
  data: optional(unknown())
});
var errorObject = errorObject_;

// packages/schema/src/v1/state.ts
var nothing_4 = object({});
var runningStateUpdate = nothing_4;
var requiresActionStateUpdate = nothing_4;
var unknownStateUpdate = nothing_4;
var idleStopReason_ = openEnum("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled", "error");
var idleStopReason = idleStopReason_;
var errorStopReason_ = object({
  /** Error of the work. */
  error: lenient(nullable(errorObject))
});
var idleStateUpdate_ = object({
  /** Reason for the end of the work. If it is absent, null or malformed, the reason is unknown. */
  stopReason: lenient(nullable(idleStopReason)),
  /** Error of the work, only with the stop reason `error`. */
  error: lenient(nullable(errorObject))
});
var idleStateUpdate = idleStateUpdate_;
var stateUpdate_ = openVariants("state", {
  running: runningStateUpdate,
  idle: idleStateUpdate,
  requires_action: requiresActionStateUpdate,
  unknown: unknownStateUpdate
});
var stateUpdate = stateUpdate_;

// packages/schema/src/v1/subagent.ts
var nothing_5 = object({});
var subagentCapabilities = nothing_5;
var subagentUpdate_ = object({
  /** Id of the child session. */
  sessionId,
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Purpose, for people. */
  description: lenient(nullable(string())),
  /** Requests that the client may send to the child session. */
  capabilities: lenient(nullable(subagentSessionCapabilities)),
  /** Current activity. `null` means that the activity is unknown. It does not mean idle. */
  state: lenient(nullable(stateUpdate)),
  /** Directory. If it is not set, the parent's directory applies. A malformed value makes the update invalid. */
  cwd: optional(nullable(string())),
  /** Further roots. If they are not set, the parent's roots apply. A malformed list makes the update invalid. */
  additionalDirectories: optional(nullable(list(string())))
});
var subagentUpdate = subagentUpdate_;
var sessionMessage_ = object({
  /** Id of the message in this session's transcript. */
  messageId,
  /** Session that sent the message. */
  senderSessionId: lenient(nullable(sessionId)),
  /** Session that receives the message. */
  recipientSessionId: lenient(nullable(sessionId)),
  /** Id of the same message in the sender's transcript. */
  senderMessageId: lenient(nullable(messageId)),
  /** Id of the same message in the recipient's transcript. */
  recipientMessageId: lenient(nullable(messageId)),
  /** Complete new content. Malformed blocks are dropped. */
  content: lenient(nullable(sifted(contentBlock)))
});
var sessionMessage = sessionMessage_;
var sessionMessageChunk_ = object({
  /** Id of the message. */
  messageId,
  /** Block that is added to the content. */
  content: contentBlock
});
var sessionMessageChunk = sessionMessageChunk_;

// packages/schema/src/v1/tool-call.ts
var toolKind_ = keptEnum(
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
);
var toolKind = toolKind_;
var toolCallStatus_ = keptEnum("pending", "in_progress", "completed", "failed");
var toolCallStatus = toolCallStatus_;
var content_ = object({
  /** Content block that the tool produced. */
  content: contentBlock
});
var content = content_;
var diff_ = object({
  /** Absolute path of the file. */
  path: string(),
  /** Whole text before the change. It is absent or null for a new file. */
  oldText: lenient(nullable(string())),
  /** Whole text after the change. */
  newText: string()
});
var diff = diff_;
var terminal_ = object({
  /** Id of a terminal of the agent that was not released when this message was sent. */
  terminalId
});
var terminal = terminal_;
var toolCallContent_ = variants("type", { content, diff, terminal, session: sessionReference }, { unknown: "keep" });
var toolCallContent = toolCallContent_;
var toolCallLocation_ = object({
  /** Absolute path of the file. */
  path: string(),
  /** Line number. The first line is 1. */
  line: lenient(nullable(integer(0, 4294967295)))
});
var toolCallLocation = toolCallLocation_;
var toolCall_ = object({
  /** Id of the call. */
  toolCallId,
  /** Description for people. */
  title: string(),
  /** Name of the tool for the model. */
  name: lenient(nullable(string())),
  /** Kind of the tool. If absent, it is `other`. */
  kind: lenient(toolKind),
  /** Current status. If absent, it is `pending`. */
  status: lenient(toolCallStatus),
  /** Content that was produced until now. If absent, there is none. */
  content: lenientList(toolCallContent),
  /** Locations on which the tool works. If absent, there are none. */
  locations: lenientList(toolCallLocation),
  /** Original input of the tool. */
  rawInput: optional(unknown()),
  /** Original output of the tool. */
  rawOutput: optional(unknown())
});
var toolCall = toolCall_;
var toolCallUpdate_ = object({
  /** Id of the changed call. */
  toolCallId,
  /** New title. */
  title: lenient(nullable(string())),
  /** Corrected name of the tool. */
  name: lenient(nullable(string())),
  /** New kind. */
  kind: lenient(nullable(toolKind)),
  /** New status. */
  status: lenient(nullable(toolCallStatus)),
  /** Complete new content. It replaces the previous content. */
  content: lenient(nullable(sifted(toolCallContent))),
  /** Complete new list of locations. It replaces the previous list. */
  locations: lenient(nullable(sifted(toolCallLocation))),
  /** New input. */
  rawInput: optional(unknown()),
  /** New output. */
  rawOutput: optional(unknown())
});
var toolCallUpdate = toolCallUpdate_;

// packages/schema/src/v1/update.ts
var compactionCapabilities_ = object({});
var compactionCapabilities = compactionCapabilities_;
var compactionUpdate_ = object({
  /** Id of the compaction. */
  compactionId,
  /** Current status. */
  status: compactionStatus,
  /** Complete new summary. `null` clears the summary, and an absent value changes nothing. */
  summary: lenient(nullable(sifted(contentBlock))),
  /** Reason for the failure, for people. `null` clears the reason, and an absent value changes nothing. */
  error: lenient(nullable(string()))
});
var compactionUpdate = compactionUpdate_;
var compactionSummaryChunk_ = object({
  /** Id of the compaction. A chunk with a new id creates a compaction. */
  compactionId,
  /** Content that is added to the summary. */
  content: contentBlock
});
var compactionSummaryChunk = compactionSummaryChunk_;
var contentChunk_ = object({
  /** Content that is added to the message. */
  content: contentBlock,
  /**
   * Id of the message. Chunks with equal ids form one message. If the id is absent, null or malformed, it is unknown.
   */
  messageId: lenient(nullable(messageId))
});
var contentChunk = contentChunk_;
var sessionUpdate_ = variants(
  "sessionUpdate",
  {
    user_message_chunk: contentChunk,
    agent_message_chunk: contentChunk,
    agent_thought_chunk: contentChunk,
    tool_call: toolCall,
    tool_call_update: toolCallUpdate,
    plan,
    plan_update: planUpdate,
    plan_removed: planRemoved,
    available_commands_update: availableCommandsUpdate,
    current_mode_update: currentModeUpdate,
    config_option_update: configOptionUpdate,
    session_info_update: sessionInfoUpdate,
    usage_update: usageUpdate,
    notice,
    compaction_update: compactionUpdate,
    compaction_summary_chunk: compactionSummaryChunk,
    subagent_update: subagentUpdate,
    session_message: sessionMessage,
    session_message_chunk: sessionMessageChunk
  },
  { unknown: "keep" }
);
var sessionUpdate = sessionUpdate_;
var sessionNotification_ = object({
  /** Id of the session. */
  sessionId,
  /** Update of the session. */
  update: sessionUpdate
});
var sessionNotification = sessionNotification_;

// packages/schema/src/v1/initialize.ts
var noticeCapabilities_ = object({});
var noticeCapabilities = noticeCapabilities_;
var booleanConfigOptionCapabilities_ = object({});
var booleanConfigOptionCapabilities = booleanConfigOptionCapabilities_;
var sessionConfigOptionsCapabilities_ = object({
  /** Options of type `boolean`. */
  boolean: lenient(nullable(booleanConfigOptionCapabilities))
});
var sessionConfigOptionsCapabilities = sessionConfigOptionsCapabilities_;
var clientSessionCapabilities_ = object({
  /** The updates `compaction_update` and `compaction_summary_chunk`. */
  compaction: lenient(nullable(compactionCapabilities)),
  /** Further types of configuration options. */
  configOptions: lenient(nullable(sessionConfigOptionsCapabilities)),
  /** The update `notice`. */
  notices: lenient(nullable(noticeCapabilities))
});
var clientSessionCapabilities = clientSessionCapabilities_;
var clientCapabilities_ = object({
  /** Child sessions. */
  subagents: lenient(nullable(subagentCapabilities)),
  /** The updates `plan_update` and `plan_removed`, in place of `plan`. */
  plan: lenient(nullable(planCapabilities)),
  /** The file methods. */
  fs: lenient(fileSystemCapabilities),
  /** All five terminal methods. */
  terminal: lenient(boolean()),
  /** Parts of a session that not every client shows. */
  session: lenient(nullable(clientSessionCapabilities)),
  /** Kinds of login. */
  auth: lenient(authCapabilities),
  /** Elicitations with a form or a URL. */
  elicitation: lenient(nullable(elicitationCapabilities))
});
var clientCapabilities = clientCapabilities_;
var agentCapabilities_ = object({
  /** Support for `session/load`. */
  loadSession: lenient(boolean()),
  /** Content types allowed in prompts. */
  promptCapabilities: lenient(promptCapabilities),
  /** MCP transports besides stdio. */
  mcpCapabilities: lenient(mcpCapabilities),
  /** Session methods besides `session/new` and `session/prompt`. */
  sessionCapabilities: lenient(sessionCapabilities),
  /** Login methods. */
  auth: lenient(agentAuthCapabilities)
});
var agentCapabilities = agentCapabilities_;
var initializeRequest_ = object({
  /** Newest version that the client supports. */
  protocolVersion,
  /** Capabilities of the client. If absent, there are none. */
  clientCapabilities: lenient(clientCapabilities),
  /** Name and version of the client program. */
  clientInfo: lenient(nullable(implementation))
});
var initializeRequest = initializeRequest_;
var initializeResponse_ = object({
  /** Version of the client, if the agent supports it. Otherwise the newest version that the agent supports. */
  protocolVersion,
  /** Capabilities of the agent. If absent, only those that every agent has. */
  agentCapabilities: lenient(agentCapabilities),
  /** Login methods. Malformed methods are dropped. If absent, there are none. */
  authMethods: lenientList(authMethod),
  /** Name and version of the agent program. */
  agentInfo: lenient(nullable(implementation))
});
var initializeResponse = initializeResponse_;

// packages/schema/src/v1/permission.ts
var permissionOptionId = string();
var permissionOptionKind = oneOf(
  "allow_once",
  "allow_always",
  "reject_once",
  "reject_always"
);
var permissionOption_ = object({
  /** Id of the option for the answer. */
  optionId: permissionOptionId,
  /** Text for the user. */
  name: string(),
  /** Appearance of the option. */
  kind: permissionOptionKind
});
var permissionOption = permissionOption_;
var requestPermissionRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Tool call that needs permission. This may be the first message about the call, or an update. */
  toolCall: toolCallUpdate,
  /** Options that the user can choose. */
  options: list(permissionOption)
});
var requestPermissionRequest = requestPermissionRequest_;
var selectedPermissionOutcome_ = object({
  /** Id of one of the offered options. */
  optionId: permissionOptionId
});
var selectedPermissionOutcome = selectedPermissionOutcome_;
var requestPermissionOutcome_ = variants(
  "outcome",
  { cancelled: object({}), selected: selectedPermissionOutcome },
  { unknown: "reject" }
);
var requestPermissionOutcome = requestPermissionOutcome_;
var requestPermissionResponse_ = object({
  /** Answer to the question. It is nested, as in `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome
});
var requestPermissionResponse = requestPermissionResponse_;

// packages/schema/src/v1/terminal.ts
var createTerminalRequest_ = object({
  /** Id of the session. */
  sessionId,
  /** Program to run. */
  command: string(),
  /** Arguments of the program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Additional environment variables for the program. If a name occurs twice, the later value counts. */
  env: optional(nullAsEmpty(list(envVariable))),
  /** Absolute path of the working directory. If absent or null, it is the session's directory. */
  cwd: optional(nullable(string())),
  /** Maximum number of output bytes to store. Beyond it, the oldest output is dropped. */
  outputByteLimit: optional(nullable(integer(0)))
});
var createTerminalRequest = createTerminalRequest_;
var createTerminalResponse_ = object({
  /** Id of the terminal for the other terminal methods. */
  terminalId
});
var createTerminalResponse = createTerminalResponse_;
var oneTerminal_ = object({
  /** Id of the session. */
  sessionId,
  /** Id of one of the session's terminals. */
  terminalId
});
var terminalOutputRequest = oneTerminal_;
var terminalExitStatus_ = object({
  /** Exit code. It is null or absent if a signal ended the command. */
  exitCode: lenient(nullable(integer(0, 4294967295))),
  /** Name of the signal that ended the command. */
  signal: lenient(nullable(string()))
});
var terminalExitStatus = terminalExitStatus_;
var terminalOutputResponse_ = object({
  /** Stored output of the command. */
  output: string(),
  /** `true` if the beginning of the output was dropped. */
  truncated: boolean(),
  /** Exit status of the command. It is absent or null while the command runs. */
  exitStatus: lenient(nullable(terminalExitStatus))
});
var terminalOutputResponse = terminalOutputResponse_;
var waitForTerminalExitRequest = oneTerminal_;
var waitForTerminalExitResponse = terminalExitStatus_;
var killTerminalRequest = oneTerminal_;
var nothing_6 = object({});
var killTerminalResponse = nothing_6;
var releaseTerminalRequest = oneTerminal_;
var releaseTerminalResponse = nothing_6;

// packages/schema/src/v1/contract.ts
var clientContract = {
  initialize: { from: "client", scope: "connection", result: initializeResponse },
  authenticate: { from: "client", scope: "connection", result: nullAsEmpty(authenticateResponse) },
  logout: { from: "client", scope: "connection", result: nullAsEmpty(logoutResponse) },
  "session/new": { from: "client", scope: "connection", result: newSessionResponse },
  "session/load": { from: "client", scope: "session", result: nullAsEmpty(loadSessionResponse) },
  "session/resume": { from: "client", scope: "session", result: nullAsEmpty(resumeSessionResponse) },
  "session/list": { from: "client", scope: "connection", result: listSessionsResponse },
  "session/close": { from: "client", scope: "session", result: nullAsEmpty(closeSessionResponse) },
  "session/delete": { from: "client", scope: "session", result: nullAsEmpty(deleteSessionResponse) },
  "session/prompt": { from: "client", scope: "session", result: promptResponse },
  "session/set_mode": { from: "client", scope: "session", result: nullAsEmpty(setSessionModeResponse) },
  "session/set_config_option": {
    from: "client",
    scope: "session",
    result: setSessionConfigOptionResponse
  },
  "session/set_model": { from: "client", scope: "session", result: nullAsEmpty(setSessionModelResponse) },
  "session/update": { from: "agent", scope: "session", params: sessionNotification },
  "session/request_permission": { from: "agent", scope: "session", params: requestPermissionRequest },
  "fs/read_text_file": { from: "agent", scope: "session", params: readTextFileRequest },
  "fs/write_text_file": { from: "agent", scope: "session", params: writeTextFileRequest },
  "terminal/create": { from: "agent", scope: "session", params: createTerminalRequest },
  "terminal/output": { from: "agent", scope: "session", params: terminalOutputRequest },
  "terminal/wait_for_exit": { from: "agent", scope: "session", params: waitForTerminalExitRequest },
  "terminal/kill": { from: "agent", scope: "session", params: killTerminalRequest },
  "terminal/release": { from: "agent", scope: "session", params: releaseTerminalRequest },
  "elicitation/create": { from: "agent", scope: "session", params: createElicitationRequest },
  "elicitation/complete": { from: "agent", scope: "connection", params: completeElicitationNotification },
  "$/cancel_request": { from: "both", scope: "connection", params: cancelRequestNotification }
};
var agentContract = {
  initialize: { from: "client", scope: "connection", params: initializeRequest },
  authenticate: { from: "client", scope: "connection", params: authenticateRequest },
  logout: { from: "client", scope: "connection", params: logoutRequest },
  "session/new": { from: "client", scope: "connection", params: newSessionRequest },
  "session/load": { from: "client", scope: "session", params: loadSessionRequest },
  "session/resume": { from: "client", scope: "session", params: resumeSessionRequest },
  "session/list": { from: "client", scope: "connection", params: listSessionsRequest },
  "session/close": { from: "client", scope: "session", params: closeSessionRequest },
  "session/delete": { from: "client", scope: "session", params: deleteSessionRequest },
  "session/prompt": { from: "client", scope: "session", params: promptRequest },
  "session/cancel": { from: "client", scope: "session", params: cancelNotification },
  "session/set_mode": { from: "client", scope: "session", params: setSessionModeRequest },
  "session/set_config_option": { from: "client", scope: "session", params: setSessionConfigOptionRequest },
  "session/set_model": { from: "client", scope: "session", params: setSessionModelRequest },
  "session/request_permission": { from: "agent", scope: "session", result: requestPermissionResponse },
  "fs/read_text_file": { from: "agent", scope: "session", result: readTextFileResponse },
  "fs/write_text_file": { from: "agent", scope: "session", result: nullAsEmpty(writeTextFileResponse) },
  "terminal/create": { from: "agent", scope: "session", result: createTerminalResponse },
  "terminal/output": { from: "agent", scope: "session", result: terminalOutputResponse },
  "terminal/wait_for_exit": { from: "agent", scope: "session", result: waitForTerminalExitResponse },
  "terminal/kill": { from: "agent", scope: "session", result: nullAsEmpty(killTerminalResponse) },
  "terminal/release": { from: "agent", scope: "session", result: nullAsEmpty(releaseTerminalResponse) },
  "elicitation/create": { from: "agent", scope: "session", result: createElicitationResponse },
  "$/cancel_request": { from: "both", scope: "connection", params: cancelRequestNotification }
};

// packages/schema/src/v2/absolute-path.ts
var absolutePath = string();

// packages/schema/src/v2/auth.ts
var marker_4 = object({});
var terminalAuthCapabilities = marker_4;
var clientAuthCapabilities_ = object({
  /** Login in a terminal. */
  terminal: lenient(nullable(terminalAuthCapabilities))
});
var clientAuthCapabilities = clientAuthCapabilities_;
var agentAuthCapabilities2 = marker_4;
var authMethodId2 = string();
var named_ = object({
  /** Id for `auth/login`. */
  methodId: authMethodId2,
  /** Name for people. */
  name: string()
});
var authMethodAgent_2 = extend(named_, {
  /** Description for people. */
  description: lenient(nullable(string()))
});
var authMethodAgent2 = authMethodAgent_2;
var authMethodTerminal_2 = extend(authMethodAgent_2, {
  /** Additional arguments for the agent's program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /**
   * Additional environment variables for the agent's program. Each name occurs once. If absent or null, there are none.
   */
  env: optional(nullAsEmpty(list(envVariable)))
});
var authMethodTerminal2 = authMethodTerminal_2;
var authMethod_2 = openVariants("type", { agent: authMethodAgent2, terminal: authMethodTerminal2 }, { other: named_ });
var authMethod2 = authMethod_2;
var loginAuthRequest_ = object({
  /** Id of a method in the `initialize` result. Methods of the type `terminal` are not allowed. */
  methodId: authMethodId2
});
var loginAuthRequest = loginAuthRequest_;
var logoutAuthRequest = marker_4;

// packages/schema/src/v2/cancel.ts
var requestId2 = firstOf(string(), integer());
var inSession_2 = object({
  /** Id of the session. */
  sessionId
});
var cancelSessionNotification = inSession_2;
var cancelToolCallRequest_ = extend(inSession_2, {
  /** Id of the tool call. Its current `capabilities` must contain `cancel`. */
  toolCallId
});
var cancelToolCallRequest = cancelToolCallRequest_;
var nothing_7 = object({});
var cancelTerminalRequest_ = extend(inSession_2, {
  /** Id of the terminal. Its current `capabilities` must contain `cancel`. */
  terminalId
});
var cancelTerminalRequest = cancelTerminalRequest_;
var cancelRequestNotification_2 = object({
  /** Request that its sender no longer needs. */
  requestId: requestId2
});
var cancelRequestNotification2 = cancelRequestNotification_2;

// packages/schema/src/v2/command.ts
var textCommandInput_ = object({
  /** Text that is shown while the input is empty. */
  hint: string()
});
var textCommandInput = textCommandInput_;
var availableCommandInput_ = openVariants("type", { text: textCommandInput }, { assumed: "text" });
var availableCommandInput2 = availableCommandInput_;
var described_2 = object({
  /** Name without a slash at the start and without white space. It is unique in its list. */
  name: string(),
  /** Description for people. */
  description: string()
});
var command_ = extend(described_2, {
  /** Input of the command. An absent, null or malformed value means that the command has no input. */
  input: lenient(nullable(availableCommandInput2))
});
var command = command_;
var availableCommand_2 = openVariants("type", { command }, { other: described_2, assumed: "command" });
var availableCommand2 = availableCommand_2;
var availableCommandsUpdate_2 = object({
  /** Complete new list of commands. Malformed commands are dropped. */
  availableCommands: sifted(availableCommand2)
});

// packages/schema/src/v2/config-option.ts
var sessionConfigSelectGroup_2 = object({
  /** Id of the group on the wire. */
  groupId: sessionConfigGroupId,
  /** Name of the group for people. */
  name: string(),
  /** Values of the group, at least one. Malformed values are dropped. */
  options: requiredOr(sifted(sessionConfigSelectOption, 1), [])
});
var sessionConfigSelectGroup2 = sessionConfigSelectGroup_2;
var sessionConfigSelectOptions2 = firstOf(
  list(sessionConfigSelectOption, 1),
  list(sessionConfigSelectGroup2, 1)
);
var selectFields2 = {
  /** Current value. */
  currentValue: sessionConfigValueId,
  /** Values that the user can choose. The agent's preferred values come first. */
  options: sessionConfigSelectOptions2
};
var sessionConfigSelect_2 = object(selectFields2);
var booleanFields2 = {
  /** Current value. */
  currentValue: boolean()
};
var sessionConfigBoolean_2 = object(booleanFields2);
var described_3 = object({
  /** Id of the option on the wire. */
  configId: sessionConfigId,
  /** Name of the option for people. */
  name: string(),
  /** Description for people. */
  description: lenient(nullable(string())),
  /** Category of the option. */
  category: lenient(nullable(sessionConfigOptionCategory))
});
var sessionConfigOption_2 = openVariants(
  "type",
  {
    select: extend(described_3, selectFields2),
    boolean: extend(described_3, booleanFields2)
  },
  { other: described_3 }
);
var sessionConfigOption2 = sessionConfigOption_2;
var configOptionUpdate_2 = object({
  /** Complete new list of options. Malformed options are dropped. */
  configOptions: sifted(sessionConfigOption2)
});
var target_2 = object({
  /** Id of the session. */
  sessionId,
  /** Id of an option of the session. */
  configId: sessionConfigId
});
var setSessionConfigOptionRequest_2 = openVariants(
  "type",
  {
    id: extend(target_2, {
      /** Id of the new value. It must be one of the option's values. */
      value: sessionConfigValueId
    }),
    boolean: extend(target_2, {
      /** New value. */
      value: boolean()
    })
  },
  {
    other: extend(target_2, {
      /** New value. */
      value: unknown()
    })
  }
);
var setSessionConfigOptionRequest2 = setSessionConfigOptionRequest_2;
var setSessionConfigOptionResponse_2 = object({
  /**
   * All options after the change. Changes of other options that follow from this change are included. Malformed options
   * are dropped.
   */
  configOptions: sifted(sessionConfigOption2)
});

// packages/schema/src/v2/content.ts
var role_ = openEnum("assistant", "user");
var role2 = role_;
var mediaType = string();
var annotations_2 = object({
  /** Audience of the content. Entries that are not strings are dropped. */
  audience: lenient(nullable(sifted(role2))),
  /** Time of the last change, in the form of ISO 8601. */
  lastModified: lenient(nullable(string())),
  /** Importance, from 0 to 1. */
  priority: lenient(nullable(number(0, 1)))
});
var annotations2 = annotations_2;
var textContent_2 = object({
  /** Text. Clients show it as Markdown. */
  text: string(),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations2))
});
var textContent2 = textContent_2;
var imageContent_2 = object({
  /** Bytes in base64. */
  data: string(),
  /** MIME type of the image. */
  mimeType: mediaType,
  /** Address of the original image. */
  uri: lenient(nullable(string())),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations2))
});
var imageContent2 = imageContent_2;
var audioContent_2 = object({
  /** Bytes in base64. */
  data: string(),
  /** MIME type of the sound. */
  mimeType: mediaType,
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations2))
});
var audioContent2 = audioContent_2;
var iconTheme_ = openEnum("light", "dark");
var iconTheme = iconTheme_;
var icon_ = object({
  /**
   * Address of the icon, with `https:` or `data:`. Fetch it without credentials, and follow no redirect to another
   * host.
   */
  src: string(),
  /** Media type. It has priority over the type that the server sends. */
  mimeType: lenient(nullable(mediaType)),
  /**
   * Suitable sizes, such as `48x48` or `any`. If absent, every size is suitable. Entries that are not strings are
   * dropped.
   */
  sizes: lenient(nullable(sifted(string()))),
  /** Background for which the icon is drawn. */
  theme: lenient(nullable(iconTheme))
});
var icon = icon_;
var resourceLink_2 = object({
  /** Address of the resource. */
  uri: string(),
  /** Name for people. */
  name: string(),
  /** Title for people. It is shown instead of `name`. */
  title: lenient(nullable(string())),
  /** Description of the resource. */
  description: lenient(nullable(string())),
  /** Icons of the resource. Malformed icons are dropped. */
  icons: lenient(nullable(sifted(icon))),
  /** Media type. */
  mimeType: lenient(nullable(mediaType)),
  /** Size in bytes. */
  size: lenient(nullable(integer(0))),
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations2))
});
var resourceLink2 = resourceLink_2;
var textResourceContents_2 = object({
  /** Address of the text. */
  uri: string(),
  /** Whole text. */
  text: string(),
  /** Media type. */
  mimeType: lenient(nullable(mediaType))
});
var textResourceContents2 = textResourceContents_2;
var blobResourceContents_2 = object({
  /** Address of the bytes. */
  uri: string(),
  /** Bytes in base64. */
  blob: string(),
  /** Media type of the bytes. */
  mimeType: lenient(nullable(mediaType))
});
var blobResourceContents2 = blobResourceContents_2;
var embeddedResourceResource2 = firstOf(
  textResourceContents2,
  blobResourceContents2
);
var embeddedResource_2 = object({
  /** Text or bytes, with their address. */
  resource: embeddedResourceResource2,
  /** Hints about use and display. */
  annotations: lenient(nullable(annotations2))
});
var embeddedResource2 = embeddedResource_2;
var contentBlock_2 = openVariants("type", {
  text: textContent2,
  image: imageContent2,
  audio: audioContent2,
  resource_link: resourceLink2,
  resource: embeddedResource2
});
var contentBlock2 = contentBlock_2;

// packages/schema/src/v2/elicitation-schema.ts
var stringFormat_2 = openEnum("email", "uri", "date", "date-time");
var stringFormat2 = stringFormat_2;
var stringPropertySchema_2 = extend(titled, {
  /** Minimum number of characters. */
  minLength: optional(nullable(integer(0, 4294967295))),
  /** Maximum number of characters. */
  maxLength: optional(nullable(integer(0, 4294967295))),
  /** Regular expression of the peer. Limit the time for which it may run. */
  pattern: optional(nullable(string())),
  /** Format of the text. */
  format: optional(nullable(stringFormat2)),
  /** Initial value. */
  default: lenient(nullable(string())),
  /** Values that the user can choose, at least one. */
  enum: optional(nullable(list(string(), 1))),
  /** Values that the user can choose, with names, at least one. */
  oneOf: optional(nullable(list(enumOption, 1)))
});
var stringPropertySchema2 = stringPropertySchema_2;
var stringMultiSelectItems_2 = object({
  /** Values that the user can choose, at least one. */
  enum: list(string(), 1)
});
var stringMultiSelectItems2 = stringMultiSelectItems_2;
var titledMultiSelectItems_2 = object({
  /** Values that the user can choose, with names, at least one. */
  anyOf: list(enumOption, 1)
});
var titledMultiSelectItems2 = titledMultiSelectItems_2;
var multiSelectItems_2 = openVariants(
  "type",
  { string: stringMultiSelectItems2 },
  { untagged: titledMultiSelectItems2 }
);
var multiSelectItems2 = multiSelectItems_2;
var multiSelectPropertySchema_2 = extend(titled, {
  /** Minimum number of values. */
  minItems: optional(nullable(integer(0))),
  /** Maximum number of values. */
  maxItems: optional(nullable(integer(0))),
  /** Choices. */
  items: multiSelectItems2,
  /** Initial choices. */
  default: lenient(nullable(sifted(string())))
});
var multiSelectPropertySchema2 = multiSelectPropertySchema_2;
var elicitationPropertySchema_2 = openVariants("type", {
  string: stringPropertySchema2,
  number: numberPropertySchema,
  integer: integerPropertySchema,
  boolean: booleanPropertySchema,
  array: multiSelectPropertySchema2
});
var elicitationPropertySchema2 = elicitationPropertySchema_2;
var elicitationSchema_2 = extend(titled, {
  /** Always `object`. */
  type: elicitationSchemaType,
  /** Fields by name. They are not nested. */
  properties: record(elicitationPropertySchema2),
  /** Names of the fields that must have a value. */
  required: optional(nullable(list(string())))
});
var elicitationSchema2 = elicitationSchema_2;

// packages/schema/src/v2/elicitation.ts
var elicitationRequestScope_2 = object({
  /** Request of the client to which the elicitation belongs. An example is a login before there is any session. */
  requestId: requestId2
});
var formFields2 = {
  /** Form to show. */
  requestedSchema: elicitationSchema2
};
var urlFields2 = {
  /** Id of the elicitation, for `elicitation/complete`. */
  elicitationId,
  /** URL to open after the user has agreed. */
  url: string()
};
var elicitationFormMode_2 = exactlyOne({
  sessionId: extend(elicitationSessionScope, formFields2),
  requestId: extend(elicitationRequestScope_2, formFields2)
});
var elicitationUrlMode_2 = exactlyOne({
  sessionId: extend(elicitationSessionScope, urlFields2),
  requestId: extend(elicitationRequestScope_2, urlFields2)
});
var message2 = {
  /** Text for the user. */
  message: string()
};
var inSession_3 = extend(elicitationSessionScope, message2);
var inRequest_2 = extend(elicitationRequestScope_2, message2);
var createElicitationRequest_2 = openVariants(
  "mode",
  {
    form: exactlyOne({ sessionId: extend(inSession_3, formFields2), requestId: extend(inRequest_2, formFields2) }),
    url: exactlyOne({ sessionId: extend(inSession_3, urlFields2), requestId: extend(inRequest_2, urlFields2) })
  },
  { other: exactlyOne({ sessionId: inSession_3, requestId: inRequest_2 }) }
);
var elicitationContentValue2 = unknown();
var elicitationAcceptAction_2 = object({
  /** Values by field. For a URL they are usually absent, because the answer only allows the client to open it. */
  content: optional(nullable(record(elicitationContentValue2)))
});
var elicitationAcceptAction2 = elicitationAcceptAction_2;
var nothing_8 = object({});
var createElicitationResponse_2 = openVariants("action", {
  accept: elicitationAcceptAction2,
  decline: nothing_8,
  cancel: nothing_8
});
var createElicitationResponse2 = createElicitationResponse_2;

// packages/schema/src/v2/mcp-server.ts
var marker_5 = object({});
var mcpStdioCapabilities = marker_5;
var mcpHttpCapabilities = marker_5;
var mcpCapabilities_2 = object({
  /** Support for servers that the agent starts. */
  stdio: lenient(nullable(mcpStdioCapabilities)),
  /** Support for servers over HTTP. */
  http: lenient(nullable(mcpHttpCapabilities))
});
var mcpCapabilities2 = mcpCapabilities_2;
var mcpServerStdio_2 = object({
  /** Name of the server for people. */
  name: string(),
  /** Path of the program. */
  command: absolutePath,
  /** Arguments of the program. If absent or null, there are none. */
  args: optional(nullAsEmpty(list(string()))),
  /** Additional environment variables for the server. If absent or null, there are none. */
  env: optional(nullAsEmpty(list(envVariable)))
});
var mcpServerStdio2 = mcpServerStdio_2;
var mcpServerHttp_ = object({
  /** Name of the server for people. */
  name: string(),
  /** Address of the server. */
  url: string(),
  /** Headers for each request. If absent or null, there are none. */
  headers: optional(nullAsEmpty(list(httpHeader)))
});
var mcpServerHttp2 = mcpServerHttp_;
var mcpServer_2 = openVariants("type", { stdio: mcpServerStdio2, http: mcpServerHttp2 });
var mcpServer2 = mcpServer_2;

// packages/schema/src/v2/prompt.ts
var marker_6 = object({});
var promptImageCapabilities = marker_6;
var promptAudioCapabilities = marker_6;
var promptEmbeddedContextCapabilities = marker_6;
var promptCapabilities_2 = object({
  /** Support for images. */
  image: lenient(nullable(promptImageCapabilities)),
  /** Support for sounds. */
  audio: lenient(nullable(promptAudioCapabilities)),
  /** Support for embedded resources. */
  embeddedContext: lenient(nullable(promptEmbeddedContextCapabilities))
});
var promptCapabilities2 = promptCapabilities_2;
var idempotencyKey = string(1, 255);
var promptRequest_2 = object({
  /** Id of the session. */
  sessionId,
  /** Content of the prompt, at least one block. The agent refuses blocks of types that it did not advertise. */
  prompt: list(contentBlock2, 1),
  /**
   * Key that is the same for each attempt to send this prompt. The agent then accepts the prompt only once. If absent
   * or null, there is no key.
   */
  idempotencyKey: optional(nullable(idempotencyKey))
});
var promptRequest2 = promptRequest_2;
var promptResponse_2 = object({
  /** Id of the user's message in updates. */
  messageId
});

// packages/schema/src/v2/session.ts
var marker_7 = object({});
var sessionDeleteCapabilities2 = marker_7;
var sessionAdditionalDirectoriesCapabilities2 = marker_7;
var sessionCapabilities_2 = object({
  /** Content types allowed in prompts. */
  prompt: lenient(nullable(promptCapabilities2)),
  /** Support for transports of MCP. */
  mcp: lenient(nullable(mcpCapabilities2)),
  /** Support for `session/delete`. */
  delete: lenient(nullable(sessionDeleteCapabilities2)),
  /** Support for `additionalDirectories` in `session/new` and `session/resume`. */
  additionalDirectories: lenient(nullable(sessionAdditionalDirectoriesCapabilities2)),
  /** Support for `systemPrompt` in `session/new` and `session/resume`. */
  systemPrompt: lenient(nullable(sessionSystemPromptCapabilities))
});
var sessionCapabilities2 = sessionCapabilities_2;
var systemPrompt_2 = object({
  /** Effect of the system prompt on the agent's own system prompt. */
  mode: systemPromptMode,
  /**
   * Text of the system prompt. It has at least one block. All blocks have the type `text`, because the agent refuses
   * others.
   */
  content: list(contentBlock2, 1)
});
var systemPrompt2 = systemPrompt_2;
var newSessionRequest_2 = object({
  /** Directory of the session. Relative paths are relative to it. */
  cwd: absolutePath,
  /** Further roots. If absent or null, there are none. On resume, this is the complete new list. */
  additionalDirectories: optional(nullAsEmpty(list(absolutePath))),
  /** MCP servers to which the agent connects. If absent or null, there are none. */
  mcpServers: optional(nullAsEmpty(list(mcpServer2))),
  /**
   * Instructions for the whole session. A malformed value makes the request invalid. Send the same instructions when
   * you resume the session.
   */
  systemPrompt: optional(nullable(systemPrompt2))
});
var newSessionRequest2 = newSessionRequest_2;
var startState_2 = object({
  /**
   * Configuration options. Malformed options are dropped. If absent, there are none. An update that came before has
   * priority.
   */
  configOptions: lenientList(sessionConfigOption2),
  /** Commands. Malformed commands are dropped. If absent, there are none. An update that came before has priority. */
  availableCommands: lenientList(availableCommand2)
});
var newSessionResponse_2 = extend(startState_2, {
  /** Id of the new session. */
  sessionId
});
var replayFromStart = marker_7;
var replayFrom_ = openVariants("type", { start: replayFromStart });
var replayFrom = replayFrom_;
var resumeSessionRequest_2 = extend(newSessionRequest_2, {
  /** Id of the session to resume. */
  sessionId,
  /**
   * Start of the replay before the answer. If absent or null, there is no replay. A malformed value makes the request
   * invalid.
   */
  replayFrom: optional(nullable(replayFrom))
});
var resumeSessionRequest2 = resumeSessionRequest_2;
var oneSession_2 = object({
  /** Id of the session. */
  sessionId
});
var closeSessionRequest2 = oneSession_2;
var deleteSessionRequest2 = oneSession_2;
var sessionInfo_2 = object({
  /** Id of the session. */
  sessionId,
  /** Directory. */
  cwd: absolutePath,
  /** Complete list of further roots, in order. If absent or null, no roots are known. */
  additionalDirectories: optional(nullAsEmpty(list(absolutePath))),
  /** Title, for people. */
  title: lenient(nullable(string())),
  /** Time of the last change, in the form of RFC 3339. */
  updatedAt: lenient(nullable(string()))
});
var sessionInfo2 = sessionInfo_2;
var sessionListCursor = string();
var listSessionsRequest_2 = object({
  /** Directory. Only sessions of exactly this directory are listed. */
  cwd: optional(nullable(absolutePath)),
  /** Cursor of the page to read. */
  cursor: optional(nullable(sessionListCursor))
});
var listSessionsRequest2 = listSessionsRequest_2;
var listSessionsResponse_2 = object({
  /** Sessions of this page. Malformed sessions are dropped. */
  sessions: requiredOr(sifted(sessionInfo2), []),
  /** Cursor of the next page. It is absent or null on the last page. A malformed value makes the result invalid. */
  nextCursor: optional(nullable(sessionListCursor))
});

// packages/schema/src/v2/initialize.ts
var clientCapabilities_2 = object({
  /** Kinds of login. */
  auth: lenient(nullable(clientAuthCapabilities)),
  /** Elicitations with a form or a URL. */
  elicitation: lenient(nullable(elicitationCapabilities))
});
var clientCapabilities2 = clientCapabilities_2;
var agentCapabilities_2 = object({
  /** Support for sessions, with all their methods. */
  session: lenient(nullable(sessionCapabilities2)),
  /** Extensions for logins. */
  auth: lenient(nullable(agentAuthCapabilities2))
});
var agentCapabilities2 = agentCapabilities_2;
var initializeRequest_2 = object({
  /** Newest version that the client supports. */
  protocolVersion,
  /** Name and version of the client program. */
  info: implementation,
  /** Capabilities of the client. If absent, there are none. */
  capabilities: lenient(clientCapabilities2)
});
var initializeRequest2 = initializeRequest_2;
var initializeResponse_2 = object({
  /** Highest version that both sides support. */
  protocolVersion,
  /** Name and version of the agent program. */
  info: implementation,
  /** Capabilities of the agent. If absent, there are none. */
  capabilities: lenient(agentCapabilities2),
  /** Login methods. Malformed methods are dropped. If absent, there are none. */
  authMethods: lenientList(authMethod2)
});

// packages/schema/src/v2/diff.ts
var diffFileType_ = openEnum("text", "binary", "directory", "symlink");
var diffFileType = diffFileType_;
var onePath = {
  /** Path of the file. */
  path: absolutePath
};
var twoPaths = {
  /** Previous path of the file, or path of the file that was copied. */
  oldPath: absolutePath,
  /** Current path of the file. */
  path: absolutePath
};
var diffPathChange_ = object(onePath);
var diffPathPairChange_ = object(twoPaths);
var file_ = object({
  /** Kind of the file. */
  fileType: lenient(nullable(diffFileType)),
  /** Media type. */
  mimeType: lenient(nullable(mediaType))
});
var changeOfOne_ = extend(file_, onePath);
var changeOfTwo_ = extend(file_, twoPaths);
var diffChange_ = openVariants(
  "operation",
  { add: changeOfOne_, delete: changeOfOne_, modify: changeOfOne_, move: changeOfTwo_, copy: changeOfTwo_ },
  { other: file_ }
);
var diffChange = diffChange_;
var diffPatchFormat_ = openEnum("git_patch");
var diffPatchFormat = diffPatchFormat_;
var diffPatch_ = object({
  /** Format of the patch. */
  format: diffPatchFormat,
  /** Text of the patch. In the format `git_patch`, paths are absolute and have no prefix `a/` or `b/`. */
  text: string()
});
var diffPatch = diffPatch_;
var diff_2 = object({
  /** Changed files with their operations. Malformed changes are dropped. The list has priority over the patch. */
  changes: sifted(diffChange),
  /** Changes line by line, for some or all of the files. */
  patch: lenient(nullable(diffPatch))
});
var diff2 = diff_2;

// packages/schema/src/v2/terminal.ts
var terminalOutput_ = object({
  /** All bytes until now, in base64. The encoding is not checked. */
  data: string()
});
var terminalOutput = terminalOutput_;
var terminalExitStatus_2 = object({
  /** Exit code, if there is one. It may be negative. */
  exitCode: lenient(nullable(integer())),
  /** Name of the signal that ended the process, such as `SIGTERM`. */
  signal: lenient(nullable(string()))
});
var terminalExitStatus2 = terminalExitStatus_2;
var terminalSize_ = object({
  /** Number of columns. */
  cols: integer(1, 65535),
  /** Number of rows. */
  rows: integer(1, 65535)
});
var terminalSize = terminalSize_;
var terminalCancelCapabilities_ = object({});
var terminalCancelCapabilities = terminalCancelCapabilities_;
var terminalCapabilities_ = object({
  /** Support for the method `terminal/cancel`. */
  cancel: lenient(nullable(terminalCancelCapabilities))
});
var terminalCapabilities = terminalCapabilities_;
var terminalUpdate_ = object({
  /** Id of the terminal. An update with a new id creates a terminal. */
  terminalId,
  /** Command of the terminal, for people. */
  command: lenient(nullable(string())),
  /** Working directory. */
  cwd: lenient(nullable(absolutePath)),
  /** Complete new output. */
  output: lenient(nullable(terminalOutput)),
  /** Exit status of the process. */
  exitStatus: lenient(nullable(terminalExitStatus2)),
  /** Size of the terminal. */
  size: lenient(nullable(terminalSize)),
  /**
   * Requests that the client can send from now on. `null` means none. A malformed value counts as null, so that the
   * client sends none.
   */
  capabilities: optional(requiredOr(nullable(terminalCapabilities), null))
});
var terminalOutputChunk_ = object({
  /** Id of the terminal. */
  terminalId,
  /** Bytes that are added to the output, in base64. Each chunk is decoded separately. It may end within a character. */
  data: string()
});
var terminal_2 = object({
  /** Id of the terminal. Updates of the terminal may come before or after this block. */
  terminalId
});
var terminal2 = terminal_2;

// packages/schema/src/v2/tool-call.ts
var toolKind_2 = openEnum(
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
);
var toolKind2 = toolKind_2;
var toolCallStatus_2 = openEnum("pending", "in_progress", "paused", "completed", "failed", "cancelled");
var toolCallStatus2 = toolCallStatus_2;
var content_2 = object({
  /** Content block that the tool produced. */
  content: contentBlock2
});
var content2 = content_2;
var toolCallContent_2 = openVariants("type", { content: content2, diff: diff2, terminal: terminal2, session: sessionReference });
var toolCallContent2 = toolCallContent_2;
var toolCallLocation_2 = object({
  /** Path of the file. */
  path: absolutePath,
  /** Line number. The first line is 1. */
  line: lenient(nullable(integer(1, 4294967295)))
});
var toolCallLocation2 = toolCallLocation_2;
var toolCallCancelCapabilities_ = object({});
var toolCallCancelCapabilities = toolCallCancelCapabilities_;
var toolCallCapabilities_ = object({
  /** Support for the method `tool_call/cancel`. */
  cancel: lenient(nullable(toolCallCancelCapabilities))
});
var toolCallCapabilities = toolCallCapabilities_;
var toolCallUpdate_2 = object({
  /** Id of the call. An update with a new id creates a call. */
  toolCallId,
  /** Name of the tool for programs. */
  name: lenient(nullable(string())),
  /** Title of this call for people. */
  title: lenient(nullable(string())),
  /** Kind of the tool. `null` means `other`. */
  kind: lenient(nullable(toolKind2)),
  /** Current status. `null` means `pending`. */
  status: lenient(nullable(toolCallStatus2)),
  /** Complete new content. It replaces the previous content and chunks. Malformed items are dropped. */
  content: lenient(nullable(sifted(toolCallContent2))),
  /** Complete new list of locations. It replaces the previous list. Malformed locations are dropped. */
  locations: lenient(nullable(sifted(toolCallLocation2))),
  /** Original input of the tool. `null` clears it. */
  rawInput: optional(unknown()),
  /** Original output of the tool. `null` clears it. */
  rawOutput: optional(unknown()),
  /** Requests that the client can send from now on. A malformed value counts as null, so that the client sends none. */
  capabilities: optional(requiredOr(nullable(toolCallCapabilities), null))
});
var toolCallUpdate2 = toolCallUpdate_2;
var toolCallContentChunk_ = object({
  /** Id of the call. A chunk with a new id creates a call. */
  toolCallId,
  /** Item that is added to the content. */
  content: toolCallContent2
});

// packages/schema/src/v2/permission.ts
var permissionOptionId2 = string();
var permissionOptionKind_ = openEnum("allow_once", "allow_always", "reject_once", "reject_always");
var permissionOptionKind2 = permissionOptionKind_;
var permissionOption_2 = object({
  /** Id of the option for the answer, unique in its request. */
  optionId: permissionOptionId2,
  /** Text for the user. */
  name: string(),
  /** Appearance of the option. */
  kind: permissionOptionKind2
});
var permissionOption2 = permissionOption_2;
var toolCallPermissionSubject_ = object({
  /**
   * Tool call that needs permission. It counts as an update of the call, and may be the first message about the call.
   */
  toolCall: toolCallUpdate2
});
var toolCallPermissionSubject = toolCallPermissionSubject_;
var commandPermissionSubject_ = object({
  /** Command that the agent will run. */
  command: string(),
  /** Working directory of the command. */
  cwd: absolutePath,
  /** Id of the command's tool call. */
  toolCallId: lenient(nullable(toolCallId)),
  /** Id of the terminal for the command. */
  terminalId: lenient(nullable(terminalId))
});
var commandPermissionSubject = commandPermissionSubject_;
var requestPermissionSubject_ = openVariants("type", {
  tool_call: toolCallPermissionSubject,
  command: commandPermissionSubject
});
var requestPermissionSubject = requestPermissionSubject_;
var requestPermissionRequest_2 = object({
  /** Id of the session. */
  sessionId,
  /** Question for people. It does not change the display of a tool call. */
  title: string(),
  /** Details for people. */
  description: lenient(nullable(string())),
  /** Subject of the question. If absent or null, there is no subject. A malformed value makes the request invalid. */
  subject: optional(nullable(requestPermissionSubject)),
  /** Options that the user can choose, at least one. */
  options: list(permissionOption2, 1)
});
var selectedPermissionOutcome_2 = object({
  /** Id of one of the offered options. Any other id approves nothing. */
  optionId: permissionOptionId2
});
var selectedPermissionOutcome2 = selectedPermissionOutcome_2;
var cancelledPermissionOutcome_ = object({});
var cancelledPermissionOutcome = cancelledPermissionOutcome_;
var requestPermissionOutcome_2 = openVariants("outcome", {
  selected: selectedPermissionOutcome2,
  cancelled: cancelledPermissionOutcome
});
var requestPermissionOutcome2 = requestPermissionOutcome_2;
var requestPermissionResponse_2 = object({
  /** Answer to the question. It is nested, as in `{ outcome: { outcome: "cancelled" } }`. */
  outcome: requestPermissionOutcome2
});
var requestPermissionResponse2 = requestPermissionResponse_2;

// packages/schema/src/v2/contract.ts
var agentContract2 = {
  initialize: { from: "client", scope: "connection", params: initializeRequest2 },
  "auth/login": { from: "client", scope: "connection", params: loginAuthRequest },
  "auth/logout": { from: "client", scope: "connection", params: logoutAuthRequest },
  "session/new": { from: "client", scope: "connection", params: newSessionRequest2 },
  "session/resume": { from: "client", scope: "session", params: resumeSessionRequest2 },
  "session/list": { from: "client", scope: "connection", params: listSessionsRequest2 },
  "session/close": { from: "client", scope: "session", params: closeSessionRequest2 },
  "session/delete": { from: "client", scope: "session", params: deleteSessionRequest2 },
  "session/prompt": { from: "client", scope: "session", params: promptRequest2 },
  "session/cancel": { from: "client", scope: "session", params: cancelSessionNotification },
  "session/set_config_option": { from: "client", scope: "session", params: setSessionConfigOptionRequest2 },
  "tool_call/cancel": { from: "client", scope: "session", params: cancelToolCallRequest },
  "terminal/cancel": { from: "client", scope: "session", params: cancelTerminalRequest },
  "session/request_permission": { from: "agent", scope: "session", result: requestPermissionResponse2 },
  "elicitation/create": { from: "agent", scope: "session", result: createElicitationResponse2 },
  "$/cancel_request": { from: "both", scope: "connection", params: cancelRequestNotification2 }
};

// packages/agent/src/capabilities.ts
function capabilitiesOf(handlers) {
  const { image = false, audio = false, embeddedContext = false } = handlers.promptCapabilities ?? {};
  const { http = false, sse = false } = handlers.mcpCapabilities ?? {};
  const { additionalDirectories = false, systemPrompt: systemPrompt3 } = handlers.sessionCapabilities ?? {};
  const { customCapabilities } = handlers;
  const restores = handlers.restoreSession !== void 0;
  return {
    ...capabilitiesByName(handlers),
    load: restores,
    resume: restores,
    close: true,
    ...handlers.log && { load: true, resume: true, list: true, delete: true },
    additionalDirectories,
    ...systemPrompt3 && { systemPrompt: { override: systemPrompt3 === "override" } },
    prompt: { image, audio, embeddedContext },
    mcp: { stdio: true, http, sse },
    ...customCapabilities && { _meta: customCapabilities }
  };
}
function capabilitiesByName(handlers) {
  const entries = Object.entries(neededCapability).map(([name, needed]) => [needed, handlers[name] !== void 0]);
  return Object.fromEntries(entries);
}
function offeredCalls(calls2, capabilities) {
  const isOffered = (name) => capabilities[neededCapability[name]] !== false;
  return Object.fromEntries(Object.entries(calls2).filter(([name]) => isOffered(name)));
}
function checkWorkspace(capabilities, workspace) {
  const { cwd, additionalDirectories = [], mcpServers = [] } = workspace;
  if (!isAbsolute(cwd)) throw RpcError.invalidParams("cwd is an absolute path");
  if (!additionalDirectories.every(isAbsolute))
    throw RpcError.invalidParams("additionalDirectories are absolute paths");
  if (additionalDirectories.length > 0 && !capabilities.additionalDirectories) {
    throw RpcError.invalidParams("additionalDirectories are not supported");
  }
  const offered = capabilities.mcp;
  for (const { type } of mcpServers) {
    const name = type;
    if (offered[name] !== true) throw RpcError.invalidParams(`MCP servers over ${name} are not supported`, { type });
  }
  if (workspace.systemPrompt != null) checkSystemPrompt(capabilities, workspace.systemPrompt);
}
function checkSystemPrompt({ systemPrompt: systemPrompt3 }, { mode, content: content3 }) {
  if (systemPrompt3 === void 0) throw RpcError.invalidParams("system prompts are not supported");
  const applies = mode === "append" || mode === "override" && systemPrompt3.override;
  if (!applies) throw RpcError.invalidParams(`system prompts of the mode ${mode} are not supported`);
  if (content3.length === 0) throw RpcError.invalidParams("a system prompt holds at least one block");
  const other = content3.find(({ type }) => type !== "text");
  if (other !== void 0) throw RpcError.invalidParams(`system prompts with ${other.type} blocks are not supported`);
}
function isAbsolute(path) {
  return /^(?:\/|\\\\|[A-Za-z]:[\\/])[^\0]*$/.test(path);
}
function checkBlocks({ prompt: offered }, prompt2) {
  if (prompt2.length === 0) throw RpcError.invalidParams("a prompt holds at least one block");
  const { image, audio, embeddedContext: resource } = offered;
  const gates = { text: true, resource_link: true, image, audio, resource };
  for (const { type } of prompt2) {
    const name = type;
    if (gates[name] !== true) throw RpcError.invalidParams(`prompts with ${name} blocks are not supported`);
  }
}

// packages/agent/src/client-tools/files.ts
function createClientFiles(connection, { read, write }, sessionId2, lifetime) {
  const files2 = {};
  if (read) {
    files2.read = async (path, range = {}) => {
      const { result } = agentContract["fs/read_text_file"];
      const options = { result, signal: lifetime.signal, onAbort: "abandon" };
      return (await connection.request("fs/read_text_file", { sessionId: sessionId2, path, ...range }, options)).content;
    };
  }
  if (write) {
    files2.write = async (path, content3) => {
      const options = { result: agentContract["fs/write_text_file"].result, signal: lifetime.signal };
      await connection.request("fs/write_text_file", { sessionId: sessionId2, path, content: content3 }, options);
    };
  }
  return files2;
}

// packages/agent/src/client-tools/terminals.ts
function createClientTerminals(connection, sessionId2, lifetime) {
  const open = /* @__PURE__ */ new Set();
  const letGo2 = () => {
    for (const release of open) release();
  };
  let watched = false;
  function openTerminal(terminalId2) {
    const names = { sessionId: sessionId2, terminalId: terminalId2 };
    const options = { signal: lifetime.signal, onAbort: "abandon" };
    let released;
    const release = () => {
      open.delete(releaseSoon);
      released ??= connection.request("terminal/release", names).then(() => void 0);
      return released;
    };
    const releaseSoon = () => void release().catch(() => void 0);
    open.add(releaseSoon);
    return {
      terminalId: terminalId2,
      output: () => connection.request("terminal/output", names, { result: agentContract["terminal/output"].result, ...options }),
      waitForExit: () => connection.request("terminal/wait_for_exit", names, {
        result: agentContract["terminal/wait_for_exit"].result,
        ...options
      }),
      kill: async () => void await connection.request("terminal/kill", names),
      release,
      [Symbol.asyncDispose]: release
    };
  }
  return {
    async create(command2) {
      const { signal } = lifetime;
      if (!watched) signal.addEventListener("abort", letGo2, { once: true });
      watched = true;
      const params = { ...wireCommand(command2), sessionId: sessionId2 };
      const { terminalId: terminalId2 } = await connection.request("terminal/create", params, {
        result: agentContract["terminal/create"].result,
        signal
      });
      const terminal3 = openTerminal(terminalId2);
      if (!signal.aborted) return terminal3;
      letGo2();
      throw new RequestAbortedError("terminal/create", signal.reason);
    }
  };
}
function wireCommand({ env, ...command2 }) {
  return env === void 0 ? command2 : { ...command2, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
}

// packages/agent/src/driver/v1.ts
var v1Dialect = {
  dialect: "v1",
  version: 1,
  since: "2025-09",
  codec: v1AgentCodec,
  contract: agentContract,
  checksAnswers: true,
  nullIds: true,
  commandsInAnswers: false,
  repeatsContents: true,
  hasSse: true,
  fits: () => true,
  readHello(params) {
    const result = initializeRequest["~standard"].validate(params);
    if (result instanceof Promise || result.issues) throw RpcError.invalidParams("initialize needs a protocolVersion");
    return v1AgentCodec.answer.initialize.decodeParams(result.value);
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  calls: olderCalls,
  rules
};
function rules({ connection, client, onLoss }) {
  const { files: files2, terminals } = client.capabilities;
  return {
    ...turnsByAnswer("v1", onLoss),
    begin({ output }, { messageId: messageId2, prompt: prompt2 }) {
      output.record({ type: "user_message", messageId: messageId2, content: prompt2 });
      output.record({ type: "turn_started", promptId: messageId2 });
    },
    ...(files2.read || files2.write) && {
      files: (sessionId2, lifetime) => createClientFiles(connection, files2, sessionId2, lifetime)
    },
    ...terminals && { terminals: (sessionId2, lifetime) => createClientTerminals(connection, sessionId2, lifetime) }
  };
}
function olderCalls(service) {
  return {
    ...offeredCalls(service.calls, service.capabilities),
    prompt(params, call) {
      const { idempotencyKey: key2, ...unkeyed } = params;
      const receipt = service.prompt(key2 === void 0 ? params : unkeyed, call);
      receipt.proceed();
      call.onAbort(() => receipt.cancel());
      call.afterResponse(() => receipt.release());
      return receipt.ended.then(answerOf);
    }
  };
}
function turnsByAnswer(dialect, onLoss) {
  return {
    end: ({ output }, promptId, end) => output.record({ type: "turn_ended", promptId, ...describeEnd(end) }),
    backgroundChanged: ({ id }) => onLoss({ id: "state", to: dialect, event: "state_update" }, id)
  };
}
function answerOf(end) {
  if ("error" in end) throw end.error;
  if (end.stopReason === "error") throw RpcError.internalError("the turn failed");
  return end;
}

// packages/agent/src/driver/seed.ts
var contract = /* @__PURE__ */ joinedContract();
function joinedContract() {
  return {
    ...agentContract,
    ...agentContract2,
    "session/load": agentContract2["session/resume"],
    "session/set_config_option": agentContract["session/set_config_option"]
  };
}
var seedDialect = {
  dialect: "seed",
  version: 2,
  since: "2026-06",
  codec: seedAgentCodec,
  contract,
  checksAnswers: false,
  nullIds: true,
  commandsInAnswers: false,
  repeatsContents: false,
  hasSse: false,
  fits: () => true,
  readHello(params) {
    const hello = seedAgentCodec.answer.initialize.decodeParams(params);
    return { ...hello, capabilities: { ...hello.capabilities, ...NONE } };
  },
  mayRepeat: ({ hasSessions }) => !hasSessions,
  calls: olderCalls,
  rules: rules2
};
function rules2({ onLoss }) {
  return {
    ...turnsByAnswer("seed", onLoss),
    begin({ output }, { messageId: messageId2, prompt: prompt2 }) {
      output.say({ type: "user_message", messageId: messageId2, content: prompt2 });
      output.record({ type: "turn_started", promptId: messageId2 });
    }
  };
}
var NONE = {
  files: { read: false, write: false },
  terminals: false,
  terminalLogin: false,
  elicitation: { form: false, url: false },
  notices: false,
  compaction: false,
  booleanOptions: false
};

// packages/agent/src/driver/v2.ts
var v2Dialect = {
  dialect: "v2",
  version: 2,
  since: "2026-08",
  codec: v2AgentCodec,
  contract: agentContract2,
  checksAnswers: true,
  nullIds: false,
  commandsInAnswers: true,
  repeatsContents: false,
  // V2-MCP-02
  hasSse: false,
  // V2-SEED-20: older drafts of version 2 have no `info`.
  fits: (params) => "info" in params,
  readHello(params, asked) {
    const checked = initializeRequest2["~standard"].validate(params);
    const malformed = checked instanceof Promise || checked.issues !== void 0;
    if (malformed && asked) throw RpcError.invalidParams("initialize needs protocolVersion and info");
    return v2AgentCodec.answer.initialize.decodeParams(malformed ? params : checked.value);
  },
  mayRepeat: ({ requested }) => !requested,
  calls,
  rules: () => turnsByState
};
var turnsByState = {
  begin(session, { messageId: messageId2, prompt: prompt2, promptKey }) {
    for (const event of v2AgentCodec.turns.begun({ messageId: messageId2, content: prompt2 })) {
      say(session, event.type === "user_message" ? withKey(event, promptKey) : event);
    }
  },
  end: (session, _messageId, end) => say(session, endedBy(end)),
  waiting: (session, forUser) => say(session, v2AgentCodec.turns.waiting(forUser)),
  backgroundChanged: (session) => say(session, v2AgentCodec.turns.unchanged(session.output.state)),
  // P-REPLAY-01
  replayed: ({ output }) => output.mark({ type: "replay_complete" }),
  restored: (session) => say(session, v2AgentCodec.turns.unchanged(session.output.state))
};
var withKey = (event, promptKey) => promptKey === void 0 ? event : { ...event, promptKey };
function endedBy(end) {
  const event = v2AgentCodec.turns.ended(describeEnd(end));
  return "_meta" in end && end._meta !== void 0 ? { ...event, _meta: end._meta } : event;
}
function say({ background, output }, event) {
  output.say(background && event.type === "state_update" ? { ...event, background } : event);
}
function calls(service) {
  const { newSession, resumeSession, closeSession } = service.calls;
  return {
    ...offeredCalls(service.calls, { ...service.capabilities, list: true, resume: true }),
    async newSession(params, call) {
      checkServerNames(params);
      return newSession(params, call);
    },
    async resumeSession(params, call) {
      const { sessionId: sessionId2, replayFrom: replayFrom2 } = params;
      if (replayFrom2 != null && replayFrom2.type !== "start") {
        throw RpcError.invalidParams(`a replay from ${replayFrom2.type} is not supported`);
      }
      checkServerNames(params);
      if (!service.capabilities.resume) throw RpcError.resourceNotFound({ sessionId: sessionId2 });
      return resumeSession(params, call);
    },
    async closeSession(params, call) {
      try {
        return await closeSession(params, call);
      } catch (error) {
        if (isRpcError(error, -32002)) return {};
        throw error;
      }
    },
    prompt: (params, call) => prompt(service, params, call)
  };
}
async function prompt(service, params, call) {
  const receipt = service.prompt(params, call);
  call.onAbort(() => receipt.withdraw());
  call.afterResponse(() => receipt.proceed());
  void receipt.ended.then(() => receipt.release());
  const messageId2 = await receipt.inserted;
  if (messageId2 !== void 0) return { messageId: messageId2 };
  const end = await receipt.ended;
  throw "error" in end ? end.error : RpcError.requestCancelled();
}
function checkServerNames({ mcpServers = [] }) {
  const names = /* @__PURE__ */ new Set();
  for (const { name } of mcpServers) {
    if (names.has(name)) throw RpcError.invalidParams("MCP servers have names of their own", { name });
    names.add(name);
  }
}

// packages/agent/src/cancellation.ts
var Cancellation = class {
  #whole;
  #controller;
  #reason;
  /** Parts whose signal was read. */
  #watched;
  constructor(whole) {
    this.#whole = whole;
  }
  get isCancelled() {
    return this.#effectiveReason !== void 0;
  }
  /** Signal that fires with an `AbortError`. The signal of a part fires before the signal of the whole. */
  get signal() {
    if (this.#controller === void 0) {
      this.#controller = new AbortController();
      const reason = this.#effectiveReason;
      if (reason !== void 0) this.#controller.abort(abortError(reason));
      else if (this.#whole !== void 0) this.#whole.#watch(this);
    }
    return this.#controller.signal;
  }
  /**
   * Cancels with a reason. Later calls do nothing.
   *
   * @param reason a sentence
   */
  cancel(reason) {
    if (this.#effectiveReason !== void 0) return;
    this.#reason = reason;
    for (const part of this.#watched ?? []) part.#controller?.abort(abortError(reason));
    this.#controller?.abort(abortError(reason));
  }
  #watch(part) {
    this.#watched ??= [];
    this.#watched.push(part);
  }
  get #effectiveReason() {
    return this.#reason ?? (this.#whole === void 0 ? void 0 : this.#whole.#reason);
  }
};
var abortError = (reason) => new DOMException(reason, "AbortError");

// packages/session/src/form/form-pattern.ts
var MAX_PATTERN = 2e3;
var MAX_STATES = 5e3;
var MATCHED = 0;
var Unsupported = class extends Error {
};
function matchesPattern(pattern, text, budget) {
  if (pattern.length > MAX_PATTERN) return void 0;
  const flags = ["u", ""].find((one) => isPattern(pattern, one));
  if (flags === void 0) return void 0;
  const states = [{ next: [] }];
  const add = (state) => {
    if (states.length >= MAX_STATES) throw new Unsupported();
    return states.push(state) - 1;
  };
  try {
    const first = readPattern(pattern, flags, add)(MATCHED);
    return run(states, first, flags === "u" ? [...text] : text.split(""), budget);
  } catch (error) {
    if (error instanceof Unsupported) return void 0;
    throw error;
  }
}
function isPattern(pattern, flags) {
  try {
    return new RegExp(pattern, flags) !== void 0;
  } catch {
    return false;
  }
}
function readPattern(pattern, flags, add) {
  let at = 0;
  const take = (what) => {
    what.lastIndex = at;
    const found = what.exec(pattern) ?? void 0;
    if (found) at = what.lastIndex;
    return found;
  };
  const choice = () => {
    const ways = [sequence()];
    while (take(/\|/uy)) ways.push(sequence());
    return (next) => add({ next: ways.map((way) => way(next)) });
  };
  const sequence = () => {
    const parts = [];
    while (at < pattern.length && !/[|)]/u.test(pattern.charAt(at))) parts.push(quantified(atom()));
    return (next) => parts.reduceRight((after, part) => part(after), next);
  };
  const quantified = (part) => {
    const found = take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy);
    if (found === void 0) return part;
    const [, sign, from, comma, to] = found;
    const least = Number(from ?? (sign === "+" ? 1 : 0));
    const most = sign === "?" ? 1 : sign || comma && !to ? Number.POSITIVE_INFINITY : Number(to ?? from);
    return (next) => repeated(part, least, most, next);
  };
  const repeated = (part, least, most, next) => {
    let first = next;
    if (most === Number.POSITIVE_INFINITY) {
      const loop = [next];
      first = add({ next: loop });
      loop.push(part(first));
    } else for (let more = least; more < most; more++) first = add({ next: [next, part(first)] });
    for (let must = 0; must < least; must++) first = part(first);
    return first;
  };
  const atom = () => {
    if (take(/\^/uy)) return (next) => add({ only: "start", next: [next] });
    if (take(/\$/uy)) return (next) => add({ only: "end", next: [next] });
    if (take(/\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/uy)) {
      const inner = choice();
      if (take(/\)/uy)) return inner;
    }
    const char = take(flags === "u" ? UNICODE_CHAR : CHAR);
    if (char === void 0) throw new Unsupported();
    const fits = new RegExp(`^(?:${char[0]})$`, flags);
    return (next) => add({ fits, next: [next] });
  };
  const whole = choice();
  if (at < pattern.length) throw new Unsupported();
  return whole;
}
var UNICODE_CHAR = /\\(?:u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|u\{\w+\}|u\w{4}|x\w\w|c\w|[pP]\{[^}]*\}|[^1-9kbBuxcpP])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/suy;
var CHAR = /\\(?:u[\da-f]{4}|x[\da-f]{2}|[^\da-z]|[dDsSwWtnrfv])|\[(?:\\.|[^\]\\])*\]|[^\\^$()[\]{}*+?|]/isy;
function run(states, first, chars, budget) {
  let reached2 = /* @__PURE__ */ new Set();
  for (let at = 0; at <= chars.length; at++) {
    reached2.add(first);
    const after = /* @__PURE__ */ new Set();
    for (const index of reached2) {
      if (index === MATCHED) return true;
      budget.steps -= 1;
      if (budget.steps < 0) return void 0;
      const { fits, only, next } = states[index];
      if (fits !== void 0) {
        if (at < chars.length && fits.test(chars[at])) for (const one of next) after.add(one);
      } else if (only === void 0 || at === (only === "start" ? 0 : chars.length)) {
        for (const one of next) reached2.add(one);
      }
    }
    reached2 = after;
  }
  return false;
}

// packages/session/src/form/form-answer.ts
var PATTERN_STEPS = 1e6;
function checkFormAnswer(form, content3) {
  const budget = { steps: PATTERN_STEPS };
  const has = (name) => Object.hasOwn(content3, name) && content3[name] !== void 0;
  const missing = (form.required ?? []).filter((name) => !has(name));
  const wrong = Object.entries(form.properties ?? {}).flatMap(([name, field]) => {
    const check = has(name) && Object.hasOwn(checks, field.type) ? checks[field.type] : void 0;
    const message3 = check?.(field, content3[name], budget);
    return message3 === void 0 ? [] : [{ path: [name], message: message3 }];
  });
  return [...missing.map((name) => ({ path: [name], message: "an answer is required" })), ...wrong];
}
var checks = {
  string(field, value, budget) {
    if (typeof value !== "string") return "expected text";
    const choices = field.enum ?? field.oneOf?.map((choice) => choice.const);
    if (choices != null && !choices.includes(value)) return `expected one of ${choices.join(", ")}`;
    const wrongLength = outside([...value].length, field.minLength, field.maxLength, " characters");
    if (wrongLength !== void 0) return wrongLength;
    const isOf = Object.hasOwn(formats, String(field.format)) ? formats[String(field.format)] : void 0;
    if (isOf?.(value) === false) return `expected the format ${field.format}`;
    if (field.pattern == null || matchesPattern(field.pattern, value, budget) !== false) return void 0;
    return `expected text that fits ${field.pattern}`;
  },
  number(field, value) {
    if (typeof value !== "number" || !Number.isFinite(value)) return "expected a number";
    return outside(value, field.minimum, field.maximum);
  },
  integer(field, value) {
    return Number.isInteger(value) ? checks.number(field, value) : "expected a whole number";
  },
  boolean: (_, value) => typeof value === "boolean" ? void 0 : "expected yes or no",
  array(field, value) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return "expected a list of texts";
    const choices = choicesOf(field.items);
    if (value.some((item) => choices?.includes(item) === false)) return `expected only ${choices?.join(", ")}`;
    return outside(value.length, field.minItems, field.maxItems, " of them");
  }
};
function outside(value, least, most, of = "") {
  if (value < (least ?? value)) return `expected at least ${least}${of}`;
  return value > (most ?? value) ? `expected at most ${most}${of}` : void 0;
}
function choicesOf(items) {
  if ("anyOf" in items) return items.anyOf.map((choice) => choice.const);
  return "enum" in items ? items.enum : void 0;
}
var isDate = (text) => /^\d{4}-\d\d-\d\d$/u.test(text) && new Date(text).toJSON()?.startsWith(text) === true;
var TIME = /^[Tt ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/u;
var formats = {
  email: (text) => /^[^\s@]+@[^\s@]+$/u.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S*$/iu.test(text),
  date: isDate,
  "date-time": (text) => isDate(text.slice(0, 10)) && TIME.test(text.slice(10))
};

// packages/agent/src/elicitations.ts
var CANCEL = { action: "cancel" };
var MAX_URL_REQUESTS = 1e3;
var Elicitations = class {
  #driver;
  /** Reports a failed question. A failed question counts as cancelled. */
  failed;
  /** Ids of the open requests at a URL that this session or request made. */
  #urlRequests = /* @__PURE__ */ new Set();
  /** @param report receives failures of questions, except error answers of the client */
  constructor(driver, report) {
    this.#driver = driver;
    this.failed = (error) => report("An elicitation failed, and counts as cancelled.", error);
  }
  // V1-ELIC-17, V1-ELIC-11, V2-ELI-09
  /**
   * Checks a question before it is sent.
   *
   * @throws CapabilityError if the client does not support the mode
   * @throws AcpError `invalid_message` for a URL with credentials
   * @throws AcpError `state` if an open request at a URL has the same id
   */
  check(question) {
    const { mode } = question;
    const modes = this.#driver.client.capabilities.elicitation;
    if (modes[mode] !== true) {
      throw new CapabilityError(`The client does not support elicitation by ${mode}. Check its capabilities first.`);
    }
    if ("url" in question && holdsCredentials(question.url)) {
      throw new AcpError(
        "invalid_message",
        "The URL of an elicitation contains credentials. Let the person log in at the URL."
      );
    }
    if ("elicitationId" in question && this.#driver.urlRequests.has(question.elicitationId)) {
      throw new AcpError(
        "state",
        `An open elicitation already has the id ${question.elicitationId}. Complete it, or use another id.`
      );
    }
  }
  /** Asks a person. Never rejects. Returns `cancel` after a failure, and for content that the form does not allow. */
  async ask(question, scope, signal) {
    const id = "elicitationId" in question ? question.elicitationId : void 0;
    if (id !== void 0) {
      addWithin(this.#urlRequests, id);
      addWithin(this.#driver.urlRequests, id);
    }
    let answer = CANCEL;
    try {
      const given = await this.#driver.elicit({ ...question, scope }, signal);
      if (conforms(question, given)) answer = given;
    } catch (error) {
      if (isFault(error, signal)) this.failed(error);
    }
    if (id !== void 0 && answer.action !== "accept") this.#driver.urlRequests.delete(id);
    return answer;
  }
  /** Reports once that the work at a URL is done. Returns true if this session or request had asked for the work. */
  complete(elicitationId2) {
    if (!this.#urlRequests.delete(elicitationId2)) return false;
    this.#driver.urlRequests.delete(elicitationId2);
    this.#driver.completeElicitation(elicitationId2);
    return true;
  }
};
function isFault(error, { aborted: aborted2 }) {
  return !aborted2 && !isRpcError(error) && !isAcpError(error, "connection_closed");
}
function addWithin(ids, id) {
  ids.add(id);
  const [oldest] = ids.size > MAX_URL_REQUESTS ? ids : [];
  if (oldest !== void 0) ids.delete(oldest);
}
function conforms(question, answer) {
  if (answer.action !== "accept" || !("requestedSchema" in question)) return true;
  return checkFormAnswer(question.requestedSchema, answer.content ?? {}).length === 0;
}
function holdsCredentials(url) {
  return /^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]*@/i.test(url) && !/^(mailto|tel|sip|xmpp):/i.test(url);
}

// packages/agent/src/client-call.ts
function openClientCall(driver, call, report) {
  const elicitations = new Elicitations(driver, report);
  const lifetime = new Cancellation();
  const end = () => lifetime.cancel("The request has ended.");
  call.afterResponse(end);
  let watched = false;
  return {
    client: driver.client,
    async elicit(question) {
      elicitations.check(question);
      if (!watched) call.signal.addEventListener("abort", end, { once: true });
      watched = true;
      const { id: requestId3 = null } = call.message;
      const canAsk = typeof requestId3 !== "bigint" && !call.signal.aborted && !lifetime.isCancelled;
      return canAsk ? elicitations.ask(question, { requestId: requestId3 }, lifetime.signal) : { action: "cancel" };
    },
    completeElicitation: (elicitationId2) => void elicitations.complete(elicitationId2)
  };
}

// packages/agent/src/driver/driver.ts
function createDriver(dialect, parts) {
  const { connection, service, client, onLoss } = parts;
  const { codec, contract: contract2 } = dialect;
  const { askPermission: askPermission2, elicit: elicit2 } = codec.ask;
  const { capabilities } = service;
  const { capabilities: peer } = client;
  const ask = (method, params, signal) => {
    const schema = dialect.checksAnswers && contract2[method]?.result;
    const result = schema && { result: schema };
    return connection.request(method, params, { signal, onAbort: "abandon", ...result });
  };
  return {
    ...dialect.rules(parts),
    dialect,
    client,
    offers: { ...capabilities, mcp: { ...capabilities.mcp, sse: capabilities.mcp.sse && dialect.hasSse } },
    routes: createRoutes(contract2, "agent", {
      ...wireHandlers(codec, dialect.calls(service), { peer, onLoss }),
      "session/cancel": ({ sessionId: sessionId2 }) => service.cancel(sessionId2)
    }),
    urlRequests: /* @__PURE__ */ new Set(),
    createEncoder: (lost) => codec.createEncoder(peer, lost),
    async askPermission(sessionId2, question, signal) {
      const params = askPermission2.encodeParams({ ...question, sessionId: sessionId2 }, (loss) => onLoss(loss, sessionId2));
      return askPermission2.decodeResult(await ask(askPermission2.method, params, signal)).outcome;
    },
    async elicit(question, signal) {
      if (elicit2 === void 0) return { action: "cancel" };
      return elicit2.decodeResult(await ask(elicit2.method, elicit2.encodeParams(question), signal));
    },
    completeElicitation: (elicitationId2) => void connection.notify("elicitation/complete", { elicitationId: elicitationId2 })
  };
}

// packages/agent/src/negotiate.ts
function createNegotiation(options) {
  const spoken = options.dialects.toSorted((one, other) => one.since < other.since ? 1 : -1);
  let agreed;
  let requested = false;
  const hello = {
    receive(params, { message: message3 }) {
      const history = { requested, hasSessions: options.hasSessions() };
      if (agreed?.dialect.mayRepeat(history) === false) throw RpcError.invalidRequest("initialize came before");
      const { dialect, asked } = agree(params, spoken);
      if (agreed !== void 0 && dialect.version < agreed.dialect.version) {
        throw RpcError.invalidRequest("a higher version was agreed on before");
      }
      const { connection, service, info, onLoss } = options;
      const said = dialect.readHello(params, asked);
      if (message3.id === null && !dialect.nullIds) throw RpcError.invalidRequest("an id is a string or an integer");
      const client = {
        dialect: dialect.dialect,
        info: said.info,
        capabilities: said.capabilities,
        request: (method, params2, options2) => connection.request(method, params2, options2),
        notify: (method, params2) => connection.notify(method, params2)
      };
      agreed = createDriver(dialect, { connection, service, client, onLoss });
      options.agreed(agreed);
      const { terminalLogin } = client.capabilities;
      return dialect.codec.answer.initialize.encodeResult({
        protocolVersion: dialect.version,
        info,
        capabilities: service.capabilities,
        // A login on a terminal is offered only to clients with a terminal.
        authMethods: options.authMethods.filter(({ type }) => type !== "terminal" || terminalLogin)
      });
    }
  };
  return (method) => {
    if (method === "initialize") return hello;
    if (agreed === void 0) return notYet;
    requested ||= !NOTIFICATIONS.includes(method);
    return agreed.routes(method) ?? options.service.extension(method, agreed.client);
  };
}
var NOTIFICATIONS = ["session/cancel", "$/cancel_request"];
var notYet = {
  receive(_params, call) {
    if ("id" in call.message) throw RpcError.invalidRequest(`${call.message.method} came before initialize`);
  }
};
function agree(params, spoken) {
  const { protocolVersion: requested } = params;
  if (!isVersion(requested)) throw RpcError.invalidParams("initialize needs a protocolVersion");
  const fallback = spoken[0]?.version === 1 ? spoken[0] : void 0;
  const { version: version2 } = spoken.find((dialect2) => dialect2.version <= requested) ?? fallback ?? {};
  const asked = version2 === requested;
  const ofVersion = spoken.filter((candidate) => candidate.version === version2);
  const dialect = ofVersion.find((candidate) => !asked || candidate.fits(params)) ?? ofVersion[0];
  if (dialect !== void 0) return { dialect, asked };
  const supported = [...new Set(spoken.map((candidate) => candidate.version))];
  throw RpcError.unsupportedProtocolVersion(requested, supported);
}
var isVersion = (value) => Number.isInteger(value) && value >= 0 && value <= 65535;

// packages/agent/src/restore.ts
async function restore(asked) {
  const { handlers, sessions, persistence, session, request, call } = asked;
  const before = sessions.before(session);
  const open = before?.output.isClosed ? void 0 : before;
  let handover;
  let past;
  const lists = await sessions.open(session, async () => {
    try {
      if (persistence === void 0 && handlers.restoreSession === void 0) {
        throw RpcError.resourceNotFound({ sessionId: session.id });
      }
      if (open !== void 0) handover = await makeWay(open, asked);
      if (before !== void 0) session.output.outbox.hold("send");
      if (persistence === void 0) {
        const setup = await handlers.restoreSession?.(request, session);
        if (request.replay) session.driver.replayed?.(session);
        return session.setUp(setup);
      }
      const lender = open?.output.isClosed ? void 0 : open;
      const restored = await persistence.restore(session, request, { call, lender });
      past = restored.past;
      return restored.lists;
    } catch (error) {
      handover?.takeBack();
      asked.afterResponse(() => open?.output.outbox.release());
      throw error;
    }
  });
  session.output.outbox.release();
  handover?.finish();
  const configOptions = past && await persistence?.choose(session, past, asked.setValue);
  if (before !== void 0) await sessions.end(before);
  session.driver.restored?.(session);
  return configOptions === void 0 ? lists : { ...lists, configOptions };
}
async function makeWay(open, { sessions, persistence, session, request }) {
  await persistence?.check(open, request);
  open.prompts.cancelAll();
  await open.prompts.idle();
  const mustEnd = sessions.hasCleanUp;
  const handover = mustEnd ? void 0 : new Handover(open.output, session.output);
  open.storeData();
  const isStored = await open.output.journal?.flush();
  if (handover !== void 0 && isStored !== false) return handover;
  handover?.takeBack();
  open.output.outbox.release();
  await sessions.end(open);
  return void 0;
}
var Handover = class {
  #open;
  #restored;
  /** New events of the open session. `undefined` once the replay is done. */
  #late = [];
  #lateBytes = 0;
  constructor(open, restored) {
    this.#open = open;
    this.#restored = restored;
    open.flush();
    open.outbox.hold("send");
    open.journal?.pause();
    open.handover = this;
  }
  /**
   * Refuses an event that cannot be held. Call it before the event is stored, applied or sent.
   *
   * @throws AcpError `state` above 64 MiB
   */
  mustTake(event) {
    if (this.#late !== void 0) this.#lateBytes = mustWait(this.#lateBytes + jsonBytes(event));
  }
  /** Takes an event of the open session. After the handover of the journal, the open session stores no events itself. */
  follow(event, isStored) {
    if (!isStored) this.#restored.journal?.note(event);
    if (this.#late === void 0) this.#restored.fold(event);
    else this.#late.push(event);
  }
  /** Sends the held events after the replay, and adds them to the restored state. */
  finish() {
    this.#open.outbox.release();
    const late = this.#late ?? [];
    this.#late = void 0;
    for (const event of late) this.#restored.fold(event);
  }
  /** Ends the handover after a failed restore. The release of the outbox sends the held updates. */
  takeBack() {
    this.#open.handover = void 0;
    this.#open.journal?.resume();
  }
};

// packages/agent/src/serve-options.ts
function hooksOf(options) {
  const report = reporter(options.onDiagnostic);
  return {
    report,
    lost(loss, sessionId2) {
      try {
        options.onLoss?.(loss, sessionId2);
      } catch (error) {
        const about = sessionId2 === void 0 ? {} : { sessionId: sessionId2 };
        report({ code: "listener_failed", message: `onLoss failed: ${textOf(error)}`, ...about, error });
      }
    }
  };
}

// packages/agent/src/call-order.ts
var CallStore = class {
  #limits;
  #calls = 0;
  #bytes = 0;
  constructor({ waitingCalls = 1e3, waitingCallBytes = 64 * 1024 * 1024 }) {
    this.#limits = { waitingCalls, waitingCallBytes };
  }
  /**
   * Takes room for a call. The returned function frees that room on its first call.
   *
   * @throws RpcError `-32603` if there is no room
   */
  take(bytes) {
    const { waitingCalls, waitingCallBytes } = this.#limits;
    if (this.#calls >= waitingCalls || this.#bytes + bytes > waitingCallBytes) {
      throw RpcError.internalError(
        "too many calls wait for earlier calls of their sessions; try again after an answer"
      );
    }
    this.#calls += 1;
    this.#bytes += bytes;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#calls -= 1;
      this.#bytes -= bytes;
    };
  }
};
var CallOrder = class {
  #store;
  // Made on the first use: a connection may have thousands of sessions, and few sessions have waiting calls.
  #waiting;
  #unanswered;
  #isBusy = false;
  #isAbandoned = false;
  /** Called each time when no call is left. */
  onIdle;
  constructor(store) {
    this.#store = store;
  }
  /**
   * Runs `work` after all earlier calls. Later calls wait until `call` is answered.
   *
   * @param leave frees the room that {@link enter} took
   * @throws RpcError `-32603` if the call would have to wait and there is no room
   */
  // `async` turns a refusal of `enter` into a rejection.
  async run(call, work, leave = this.enter(call.bytes)) {
    return new Promise((resolve, reject) => {
      this.start(async () => {
        leave();
        const answered = this.#answerTo(call);
        await work().then(resolve, reject);
        await answered;
      });
    });
  }
  /**
   * Starts `work` after all earlier calls. If `work` returns a promise, later calls wait for that promise. The returned
   * function drops work that has not started, and frees the room of the work.
   */
  start(work) {
    if (!this.#isBusy) {
      this.#run(work);
      this.#next();
      return nothing;
    }
    this.#waiting ??= /* @__PURE__ */ new Set();
    const waiting = this.#waiting.add(work);
    return () => void waiting.delete(work);
  }
  /**
   * Takes room for a call that has to wait. The returned function frees the room. A call that need not wait takes no room.
   *
   * @param waits true if the call has to wait for a reason besides this order
   * @throws RpcError `-32603` if there is no room
   */
  enter(bytes, waits = false) {
    return waits || this.#isBusy ? this.#store.take(bytes) : nothing;
  }
  get isIdle() {
    return !this.#isBusy;
  }
  /** Stops waiting for answers, after the end of the connection. */
  abandon() {
    this.#isAbandoned = true;
    for (const release of this.#unanswered ?? []) release();
  }
  #next() {
    while (!this.#isBusy) {
      const work = this.#waiting?.values().next().value;
      if (work === void 0) return this.onIdle?.();
      this.#waiting?.delete(work);
      this.#run(work);
    }
  }
  #run(work) {
    let isWaiting = false;
    this.#isBusy = true;
    try {
      const done = work();
      isWaiting = done !== void 0;
      void done?.then(() => this.#goOn());
    } finally {
      this.#isBusy = isWaiting;
    }
  }
  #goOn() {
    this.#isBusy = false;
    this.#next();
  }
  #answerTo(call) {
    if (this.#isAbandoned) return Promise.resolve();
    this.#unanswered ??= /* @__PURE__ */ new Set();
    const unanswered = this.#unanswered;
    return new Promise((resolve) => {
      unanswered.add(resolve);
      call.afterResponse(() => {
        unanswered.delete(resolve);
        resolve();
      });
    });
  }
};
var nothing = () => void 0;

// packages/agent/src/terminal-output.ts
var OUTPUT_FLUSH_MS = 50;
var CHUNK_BYTES = 64 * 1024;
var MAX_WAITING_OUTPUT_BYTES = 256 * 1024;
var AROUND_BYTES = 100;
var TerminalOutput = class {
  #owner;
  #terminalId;
  #waiting = [];
  #bytes = 0;
  #dropped = false;
  #end;
  #isFailing = false;
  /** True if the outbox refused this output before the client knew the session. */
  #isKept = false;
  #room;
  #timer;
  constructor(owner, terminalId2) {
    this.#owner = owner;
    this.#terminalId = terminalId2;
  }
  /** Takes bytes. If a promise is returned, await it before the next write. Never throws. */
  write(bytes) {
    if (bytes.length === 0 || this.#owner.signal.aborted) return this.#room;
    this.#waiting.push(bytes.slice());
    this.#bytes += bytes.length;
    this.#owner.outputs.add(this);
    if (this.#room === void 0 && this.#bytes >= CHUNK_BYTES && !this.#owner.outbox.isHeld) return this.flush();
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    return this.#room;
  }
  /** Sends all output, then the last event of the terminal. Never throws. */
  end(event) {
    this.#end = event;
    return this.flush();
  }
  /**
   * Sends the waiting output. Never throws. If the outbox cannot hold the output yet, the output waits. After any other
   * failure, the output is dropped and reported.
   */
  flush() {
    if (this.#isKept && this.#owner.outbox.isHeld) return void 0;
    this.#isKept = false;
    clearTimeout(this.#timer);
    this.#timer = void 0;
    this.#owner.outputs.delete(this);
    const end = this.#end;
    const whole = concat(this.#waiting, this.#bytes);
    const bytes = this.#dropped ? fromCharacter(whole) : whole;
    this.#forget();
    if (this.#owner.signal.aborted) return void 0;
    for (let from = 0; from < bytes.length; ) {
      const size = this.#partBytes;
      const data = toBase64(bytes.subarray(from, from + size));
      const isSaid = this.#say(
        this.#dropped ? { type: "terminal_update", output: { data } } : { type: "terminal_output_chunk", data }
      );
      if (!isSaid && this.#owner.outbox.isHeld) {
        this.#keep(bytes.subarray(from), end);
        return void 0;
      }
      this.#dropped = !isSaid;
      from += size;
    }
    if (end !== void 0 && !this.#say(end) && this.#owner.outbox.isHeld) this.#keep(new Uint8Array(), end);
    return this.#room;
  }
  /** Returns the size of the next part in bytes. A snapshot is a single part if the log can store it. */
  get #partBytes() {
    const most = this.#dropped ? MAX_WAITING_OUTPUT_BYTES : CHUNK_BYTES;
    const stored = Math.floor((this.#owner.maxEventBytes - AROUND_BYTES - this.#terminalId.length) / 4) * 3;
    return Math.max(3, Math.min(most, stored));
  }
  /** Holds output until the client knows the session. */
  #keep(bytes, end) {
    this.#isKept = true;
    this.#waiting = bytes.length === 0 ? [] : [bytes];
    this.#bytes = bytes.length;
    this.#end = end;
    this.#owner.outputs.add(this);
    while (this.#bytes > MAX_WAITING_OUTPUT_BYTES) this.#dropOldest();
    this.#timer ??= setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
  }
  #due() {
    this.#timer = void 0;
    if (this.#bytes === 0 && this.#end === void 0 || this.#owner.signal.aborted) return;
    if (this.#owner.outbox.isHeld) this.#timer = setTimeout(() => this.#due(), OUTPUT_FLUSH_MS);
    else if (this.#room === void 0) this.flush();
  }
  /**
   * Returns true if the event was sent. Of several failures in a row, only the first is reported. Output that waits is not
   * reported.
   */
  #say(event) {
    try {
      this.#send(event);
      this.#isFailing = false;
      return true;
    } catch (error) {
      if (this.#owner.outbox.isHeld) return false;
      if (!this.#isFailing) this.#owner.onFault("Output of a terminal could not be sent.", error);
      this.#isFailing = true;
      return false;
    }
  }
  #send(event) {
    const room = this.#owner.emit({ ...event, terminalId: this.#terminalId });
    if (room === void 0) return;
    this.#room = room;
    void room.then(() => {
      if (this.#room !== room) return;
      this.#room = void 0;
      this.#due();
    });
  }
  #dropOldest() {
    const [oldest] = this.#waiting;
    if (oldest === void 0) return;
    const excess = this.#bytes - MAX_WAITING_OUTPUT_BYTES;
    if (oldest.length <= excess) this.#waiting.shift();
    else this.#waiting[0] = oldest.subarray(excess);
    this.#bytes -= Math.min(oldest.length, excess);
    this.#dropped = true;
  }
  #forget() {
    this.#waiting = [];
    this.#bytes = 0;
    this.#end = void 0;
  }
};
function fromCharacter(bytes) {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 192) === 128) start += 1;
  return bytes.subarray(start);
}
function concat(parts, length) {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

// packages/agent/src/agent-terminal.ts
function openAgentTerminal({ output: owner, cancellable }, { onCancel, ...start }) {
  const terminalId2 = owner.newId("terminal");
  if (onCancel !== void 0) cancellable.add("terminal", terminalId2, onCancel);
  const capabilities = onCancel === void 0 ? {} : { capabilities: { cancel: {} } };
  owner.emit({ type: "terminal_update", terminalId: terminalId2, ...start, ...capabilities });
  const waiting = new TerminalOutput(owner, terminalId2);
  const text = new CutText();
  const encode = (piece) => new TextEncoder().encode(piece);
  let exited = false;
  return {
    terminalId: terminalId2,
    write(output) {
      if (exited) return void 0;
      if (typeof output === "string") return waiting.write(encode(text.take(output)));
      if (text.isCut) waiting.write(encode(text.end()));
      return waiting.write(output);
    },
    exit(exitStatus = {}) {
      if (exited) return void 0;
      exited = true;
      if (text.isCut) waiting.write(encode(text.end()));
      const withdrawn = cancellable.remove("terminal", terminalId2) ? { capabilities: null } : {};
      return waiting.end({ type: "terminal_update", exitStatus, ...withdrawn });
    }
  };
}

// packages/agent/src/cancellable-work.ts
var MAX_ENTRIES = 1e3;
var CancellableWork = class {
  #entries = /* @__PURE__ */ new Map();
  add(type, id, onCancel) {
    this.#entries.set(key(type, id), onCancel);
    const [oldest] = this.#entries.size > MAX_ENTRIES ? this.#entries.keys() : [];
    if (oldest !== void 0) this.#entries.delete(oldest);
  }
  has(type, id) {
    return this.#entries.has(key(type, id));
  }
  /** Removes work that ended. Returns true if the user could cancel this work. */
  remove(type, id) {
    return this.#entries.delete(key(type, id));
  }
  /**
   * Calls the `onCancel` function of an entry. A second cancel of the same entry does nothing.
   *
   * @throws RpcError `-32602` for an id without an entry
   */
  cancel(type, id) {
    const onCancel = this.#entries.get(key(type, id));
    if (onCancel === void 0) {
      const name = type === "tool_call" ? { toolCallId: id } : { terminalId: id };
      throw RpcError.invalidParams(`there is nothing to cancel of ${id}`, name);
    }
    this.add(type, id, () => void 0);
    onCancel();
  }
};
var key = (type, id) => `${type}:${id}`;

// packages/agent/src/questions.ts
var defaultPermissionOptions = /* @__PURE__ */ Object.freeze([
  { optionId: "allow_once", name: "Allow once", kind: "allow_once" },
  { optionId: "allow_always", name: "Always allow", kind: "allow_always" },
  { optionId: "reject_once", name: "Reject", kind: "reject_once" },
  { optionId: "reject_always", name: "Always reject", kind: "reject_always" }
]);
async function askPermission({ id, driver, output }, asked, signal) {
  const failed = (error) => output.onFault("A permission question failed, and counts as cancelled.", error);
  const copy = fitting(asked, failed);
  if (copy === void 0) return { allowed: false };
  const question = { ...copy, options: copy.options ?? defaultPermissionOptions };
  const requestId3 = output.newId("ask");
  output.record({ type: "permission_asked", requestId: requestId3, ...question });
  output.outbox.makeWay();
  let outcome = { outcome: "cancelled" };
  try {
    outcome = await driver.askPermission(id, question, signal);
  } catch (error) {
    if (isFault(error, signal)) failed(error);
  }
  output.record({ type: "permission_answered", requestId: requestId3, outcome });
  return readAnswer(question, outcome);
}
async function elicit({ id: sessionId2, elicitations, output }, asked, { signal, toolCallId: toolCallId2 }) {
  const question = fitting(asked, elicitations.failed);
  if (question === void 0) return { action: "cancel" };
  const requestId3 = output.newId("ask");
  const about = toolCallId2 === void 0 ? {} : { toolCallId: toolCallId2 };
  output.record({ type: "elicitation_asked", requestId: requestId3, ...about, ...question });
  output.outbox.makeWay();
  const answer = await elicitations.ask(question, { sessionId: sessionId2, ...about }, signal);
  output.record({ type: "elicitation_answered", requestId: requestId3, answer });
  return answer;
}
function fitting(asked, failed) {
  try {
    const question = jsonCopy(asked);
    mustFit(question);
    return question;
  } catch (error) {
    failed(error);
    return void 0;
  }
}
function readAnswer(question, outcome) {
  if (outcome.outcome !== "selected") return { allowed: false };
  const option = question.options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === void 0) return { allowed: false };
  return { allowed: option.kind === "allow_once" || option.kind === "allow_always", option };
}

// packages/agent/src/live-tool-call.ts
function openToolCall(owner, given) {
  checkStart(given);
  const { onCancel, toolCallId: toolCallId2, ...start } = given;
  const { output } = owner.session;
  const id = toolCallId2 === void 0 || owner.isOver ? output.newId("call") : output.freeCallId(toolCallId2);
  const call = new LiveToolCall(owner, id, start.title);
  if (onCancel === void 0) call.update({ status: "pending", ...start });
  else {
    owner.session.cancellable.add("tool_call", call.id, onCancel);
    call.update({ status: "pending", capabilities: { cancel: {} }, ...start });
  }
  if (id === toolCallId2) output.callIds.add(id);
  if (!call.isFinal) owner.openCalls?.add(call);
  return call;
}
var MAX_REPORTED_TITLE = 200;
var LiveToolCall = class {
  id;
  isFinal = false;
  #owner;
  #title;
  /** True if further ignored changes are not reported. */
  #isReported = false;
  constructor(owner, id, title) {
    this.#owner = owner;
    this.id = id;
    this.#title = title;
  }
  update(patch) {
    if (this.isFinal) return this.#ignore();
    checkObject("update of a tool call", patch, "pass the members that change");
    if (typeof patch.title === "string") this.#title = patch.title;
    const isFinal = isFinalStatus(patch.status);
    const { cancellable } = this.#owner.session;
    const withdrawn = isFinal && cancellable.has("tool_call", this.id);
    const own2 = () => ({ type: "tool_call_update", toolCallId: this.id });
    const room = this.#owner.emit(Object.assign(own2(), patch, withdrawn && { capabilities: null }, own2()));
    this.isFinal = isFinal;
    if (isFinal) this.#owner.openCalls?.delete(this);
    if (withdrawn) cancellable.remove("tool_call", this.id);
    return room;
  }
  append(content3) {
    if (this.isFinal) return this.#ignore();
    checkObject(
      "append of a tool call",
      content3,
      'pass content such as { type: "content", content: { type: "text", text } }'
    );
    return this.#owner.emit({ type: "tool_call_content_chunk", toolCallId: this.id, content: content3 });
  }
  async requestPermission(question = {}) {
    const { output } = this.#owner.session;
    let whole;
    try {
      whole = {
        title: this.#title,
        options: defaultPermissionOptions,
        subject: { type: "tool_call", toolCall: describeToolCall(output.state, this.id) },
        ...question
      };
    } catch (error) {
      output.onFault("A permission question failed, and counts as cancelled.", error);
      return { allowed: false };
    }
    return this.#owner.requestPermission(whole);
  }
  async ask(question) {
    return (await this.requestPermission(question)).allowed;
  }
  async run(work, { result } = {}) {
    checkArgument(typeof work === "function", "run of a tool call", {
      got: work,
      remedy: "pass the work as a function"
    });
    this.update({ status: "in_progress" });
    try {
      const value = await work(this.#owner.signal);
      const patch = result && await result(value);
      if (patch !== void 0 || !this.isFinal) this.finish(patch);
      return value;
    } catch (error) {
      this.#endAfter(error);
      throw error;
    }
  }
  finish(patch = {}) {
    const status = isFinalStatus(patch.status) ? patch.status : "completed";
    return this.update({ ...patch, ...status && { status } });
  }
  fail(reason) {
    if (this.isFinal) return this.#ignore();
    const remedy = "pass the reason as text, such as error.message";
    checkArgument(typeof reason === "string", "fail of a tool call", { got: reason, remedy });
    this.#explain(reason);
    return this.update({ status: "failed" });
  }
  endWithTurn() {
    const { output, background } = this.#owner.session;
    if (background?.some((work) => work.type === "tool_call" && work.toolCallId === this.id)) return;
    const entry = output.state.timeline.get(`tool_call:${this.id}`);
    if (entry?.type !== "tool_call" || isFinalStatus(entry.status)) return;
    this.#isReported = true;
    if (!this.#owner.signal.aborted) {
      const message3 = `Tool call ${this.#name} did not end before its turn, and was ended as cancelled.`;
      output.onFault(`${message3} Await \`run\`, or call \`finish\` or \`fail\`.`, void 0, "unfinished");
    }
    try {
      this.update({ status: "cancelled" });
    } catch (fault) {
      output.onFault("The end of a tool call could not be sent.", fault);
    }
  }
  /** Title for a report. */
  get #name() {
    return JSON.stringify(shortened(this.#title, MAX_REPORTED_TITLE));
  }
  /** Reports the first change after a final status. After a cancel such changes are expected and not reported. */
  #ignore() {
    if (this.#isReported || this.#owner.signal.aborted) return;
    this.#isReported = true;
    const advice = "Pass the result of a tool to `finish`, or to the option `result` of `run`.";
    this.#owner.session.output.onFault(
      `A change of tool call ${this.#name} after its final status was ignored. ${advice}`,
      void 0,
      "late_change"
    );
  }
  /** Ends the call after an error of its tool. Never throws, because the caller must get the tool's own error. */
  #endAfter(error) {
    if (this.isFinal) return;
    try {
      if (this.#owner.signal.aborted) this.update({ status: "cancelled" });
      else this.fail(textOf(error));
    } catch (fault) {
      this.#owner.session.output.onFault("The end of a tool call could not be sent.", fault);
    }
  }
  /** Adds a reason to the content, cut to a length that can be stored and sent. Never throws. */
  #explain(reason) {
    for (let length = reason.length; ; length = Math.floor(length / 2)) {
      try {
        this.append({ type: "content", content: { type: "text", text: shortened(reason, length) } });
        return;
      } catch (error) {
        if (length > 0 && isTooLarge(error)) continue;
        this.#owner.session.output.onFault("The reason of a failed tool call was left out.", error);
        return;
      }
    }
  }
};
function describeToolCall(state, toolCallId2) {
  const entry = state.timeline.get(`tool_call:${toolCallId2}`);
  if (entry?.type !== "tool_call") return { toolCallId: toolCallId2 };
  const { title, kind, status, content: content3, locations, rawInput, dropped } = entry;
  const repeatable = dropped === void 0 && content3.toArray().every(({ type }) => type !== "terminal");
  return {
    toolCallId: toolCallId2,
    ...title !== void 0 && { title },
    kind,
    status,
    ...content3.length > 0 && repeatable && { content: content3.toArray() },
    ...locations.length > 0 && { locations },
    ...rawInput !== void 0 && { rawInput }
  };
}

// packages/agent/src/text-stream.ts
var TextStream = class _TextStream extends Promise {
  #isAwaited = false;
  #end = Promise.resolve();
  static get [Symbol.species]() {
    return Promise;
  }
  static of(stream, saying) {
    const end = pipe(stream, saying);
    const said = new _TextStream((resolve, reject) => end.then(resolve, reject));
    said.#end = end;
    Promise.prototype.then.call(said, void 0, () => void 0);
    return said;
  }
  /** Waits for the end of the stream. Rejects if the stream failed and no handler used `then`. */
  async drain() {
    await this.#end.catch((error) => {
      if (!this.#isAwaited) throw error;
    });
  }
  /** Runs `work` after the stream has ended without an error. */
  whenWell(work) {
    this.#end.then(work, () => void 0);
  }
  // biome-ignore lint/suspicious/noThenProperty: this is a promise.
  then(onEnd, onError) {
    this.#isAwaited = true;
    return super.then(onEnd, onError);
  }
};
async function pipe(stream, { write, signal }) {
  const iterator = stream[Symbol.asyncIterator]();
  let stop = () => {
  };
  const onAbort = () => stop();
  const unlessStopped = (coming) => new Promise((resolve, reject) => {
    stop = () => resolve(void 0);
    if (signal.aborted) stop();
    Promise.resolve(coming).then(resolve, reject);
  });
  signal.addEventListener("abort", onAbort);
  let ended = false;
  try {
    while (!signal.aborted) {
      ended = true;
      const next = await unlessStopped(iterator.next());
      ended = next?.done === true;
      if (next === void 0 || next.done || signal.aborted) return;
      const room = write(next.value);
      if (room !== void 0) await unlessStopped(room);
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (!ended) void letGo(iterator);
  }
}
async function letGo(iterator) {
  try {
    await iterator.return?.();
  } catch {
  }
}

// packages/agent/src/live-turn.ts
var LiveTurn = class {
  session;
  _meta;
  command;
  files;
  terminals;
  #cancellation;
  /** Lifetime of the turn's questions, files and terminals. A cancel or the end of the turn ends the lifetime. */
  #lifetime;
  /** Streams that are being sent, and streams that failed. */
  #streams;
  #received;
  #prompt;
  #questions = 0;
  #output;
  isOver = false;
  /** True once text after the end of the turn was reported. */
  #wasLate = false;
  #openCalls;
  constructor(session, { prompt: prompt2, _meta }, cancellation) {
    this.session = session;
    this.#output = session.output;
    this.#received = prompt2;
    if (_meta != null) this._meta = jsonCopy(_meta);
    this.#cancellation = cancellation;
    this.#lifetime = new Cancellation(cancellation);
    const command2 = readSlashCommand(prompt2, session);
    if (command2 !== void 0) this.command = command2;
    const files2 = session.driver.files?.(session.id, this.#lifetime);
    const terminals = session.driver.terminals?.(session.id, this.#lifetime);
    if (files2 !== void 0) this.files = files2;
    if (terminals !== void 0) this.terminals = terminals;
  }
  get openCalls() {
    this.#openCalls ??= /* @__PURE__ */ new Set();
    return this.#openCalls;
  }
  /** Copy of the prompt. Changes by the handler affect neither the conversation nor a client in the same process. */
  get prompt() {
    this.#prompt ??= jsonCopy(this.#received);
    return this.#prompt;
  }
  get signal() {
    return this.#cancellation.signal;
  }
  say(text) {
    return this.#write("agent", text);
  }
  think(text) {
    return this.#write("thought", text);
  }
  plan(entries, planId2 = DEFAULT_PLAN_ID) {
    if (this.isOver) return void 0;
    checkList("plan", entries);
    return this.emit({ type: "plan_update", plan: { type: "items", planId: planId2, entries } });
  }
  toolCall(start) {
    return openToolCall(this, start);
  }
  async ask(question) {
    return (await this.requestPermission(question)).allowed;
  }
  async requestPermission(question) {
    if (this.#lifetime.isCancelled) return { allowed: false };
    const { signal } = this.#lifetime;
    return this.#waitForUser(() => askPermission(this.session, question, signal));
  }
  async elicit(question, about = {}) {
    checkObject("elicit", question, 'pass a question such as { mode: "form", message, requestedSchema }');
    this.session.elicitations.check(question);
    if (this.#lifetime.isCancelled) return { action: "cancel" };
    const { signal } = this.#lifetime;
    return this.#waitForUser(() => elicit(this.session, question, { ...about, signal }));
  }
  emit(event) {
    return this.isOver ? void 0 : this.session.emit(event);
  }
  /** Waits for the streams that the handler did not await. Rejects with the first failure. */
  drain() {
    return this.#streams && Promise.all([...this.#streams].map((stream) => stream.drain()));
  }
  /**
   * Ends the turn. Later calls of the handler do nothing. Files, terminals and open tool calls end too. In dialects whose
   * answer ends the turn, a cancel has already ended the tool calls.
   */
  end() {
    const endsThem = this.#cancellation.isCancelled && this.session.driver.dialect.codec.turns === void 0;
    if (!endsThem) for (const call of this.#openCalls ?? []) call.endWithTurn();
    this.isOver = true;
    this.#lifetime.cancel("The turn has ended.");
  }
  // V2-PRM-12
  /** Reports that the turn waits for the user. The report lasts from the first open question to the last answer. */
  async #waitForUser(ask) {
    this.#questions += 1;
    if (this.#questions === 1) this.session.driver.waiting?.(this.session, true);
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0 && !this.#lifetime.isCancelled) this.session.driver.waiting?.(this.session, false);
    }
  }
  #write(role3, text) {
    if (typeof text === "string") return this.#append(role3, { type: "text", text });
    if (typeof text !== "object" || text === null) return this.#refuse(role3, text);
    if (!(Symbol.asyncIterator in text)) {
      return typeof text.type === "string" ? this.#append(role3, jsonCopy(text)) : this.#refuse(role3, text);
    }
    const write = (piece) => this.#append(role3, { type: "text", text: piece });
    const stream = TextStream.of(text, { write, signal: this.#lifetime.signal });
    this.#streams ??= /* @__PURE__ */ new Set();
    const streams = this.#streams.add(stream);
    stream.whenWell(() => streams.delete(stream));
    return stream;
  }
  /** Refuses a value that only callers without types can pass. After the end of the turn, nothing is refused. */
  #refuse(role3, value) {
    if (this.isOver) return;
    const verb = role3 === "agent" ? "say" : "think";
    throw new TypeError(`turn.${verb} got ${String(value)}. Pass a text, a content block or a stream of texts.`);
  }
  #append(role3, content3) {
    if (!this.isOver) return this.#output.append(role3, content3);
    if (!this.#cancellation.isCancelled && !this.#wasLate) {
      this.#wasLate = true;
      const advice = "Await all work before the prompt handler returns.";
      this.#output.onFault(`Text after the end of a turn was ignored. ${advice}`, void 0, "late_change");
    }
    return void 0;
  }
};
function readSlashCommand(prompt2, session) {
  const block = prompt2.find(({ type }) => type === "text");
  if (block === void 0 || !("text" in block) || typeof block.text !== "string") return void 0;
  if (!block.text.startsWith("/")) return void 0;
  const [, name, input = ""] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(block.text) ?? [];
  const { availableCommands = [] } = session.state;
  if (name === void 0 || !availableCommands.some((command2) => command2.name === name)) return void 0;
  return { name, input };
}

// packages/agent/src/prompt.ts
var Prompt = class {
  /** Queue of the session that answers the prompt. */
  queue;
  state = "queued";
  released = new Deferred();
  #request;
  /** Frees the room that the prompt took while it waited. */
  #leave;
  #cancellation = new Cancellation();
  #inserted = new Deferred();
  #proceeding = new Deferred();
  #ended = new Deferred();
  #messageId = "";
  #turn;
  #timer;
  #deadline = Number.POSITIVE_INFINITY;
  constructor(queue, request, leave) {
    this.queue = queue;
    this.#request = request;
    this.#leave = leave;
  }
  get inserted() {
    return this.#inserted.promise;
  }
  get ended() {
    return this.#ended.promise;
  }
  makeReady() {
    if (this.state === "queued") this.state = "ready";
    this.queue.startNext();
  }
  startIfReady() {
    if (this.state !== "ready") return;
    this.state = "running";
    this.#leave();
    void this.#run();
  }
  proceed() {
    this.#proceeding.resolve();
  }
  release() {
    this.released.resolve();
    this.queue.remove(this);
  }
  withdraw() {
    if (this.#messageId === "") this.cancel();
  }
  /**
   * Cancels the prompt. Does nothing after the prompt's end.
   *
   * - A waiting prompt ends at once.
   * - A running prompt ends with its handler, or after `graceMs`. A second cancel may shorten this time, but never prolongs
   *   it.
   */
  cancel(graceMs = this.queue.options.cancelGraceMs) {
    if (this.state === "ended") return;
    this.#cancellation.cancel("The turn was cancelled.");
    if (this.state !== "running") return this.end({ stopReason: "cancelled" });
    const deadline = performance.now() + graceMs;
    if (deadline >= this.#deadline || graceMs > MAX_TIMER_MS) return;
    this.#deadline = deadline;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end({ stopReason: "cancelled" }), graceMs);
  }
  // One async function for all steps. A function for each step would leave 40 % more garbage on the agent's side of a
  // prompt.
  async #run() {
    await void 0;
    try {
      if (!this.#cancellation.isCancelled) {
        const { promptKey, prompt: prompt2 } = this.#request;
        const before = promptKey && this.queue.insertedMessage(promptKey, prompt2);
        if (before !== void 0) return this.#endBefore(before);
        this.#inserted.resolve(promptKey === void 0 ? this.#begin() : await this.#beginKeyed(promptKey));
        if (!this.#proceeding.isSettled) await this.#proceeding.promise;
      }
      const turn = this.#turn;
      const isRunning = turn !== void 0 && !this.#cancellation.isCancelled;
      const result = isRunning ? await this.queue.options.handlers.prompt(turn) : void 0;
      await turn?.drain();
      this.end(endOf(result, this.queue.session.output.onFault));
    } catch (error) {
      this.end(this.#cancellation.isCancelled ? { error } : failedEnd(error, this.queue.session.output.onFault));
    }
  }
  /** Adds the prompt to the conversation. Returns the id of the user's message. */
  #begin() {
    const { session } = this.queue;
    const { driver, output } = session;
    output.mustBeOpen();
    output.journal?.mustWork();
    const messageId2 = output.newId("user");
    this.#messageId = messageId2;
    const { prompt: prompt2, promptKey } = this.#request;
    driver.begin(session, { messageId: messageId2, prompt: prompt2, promptKey });
    output.journal?.append({ type: "turn_started", promptId: messageId2 });
    this.#turn = new LiveTurn(session, this.#request, this.#cancellation);
    return messageId2;
  }
  /** Begins the turn. The client gets nothing of it until the log has the message and its key, in one record. */
  // P-IDEM-07
  async #beginKeyed(promptKey) {
    const { output, keys } = this.queue.session;
    const { journal, outbox } = output;
    if (journal !== void 0) outbox.hold("send");
    try {
      const messageId2 = this.#begin();
      if (journal !== void 0 && !await journal.flush()) throw RpcError.internalError("the prompt was not stored");
      keys.add(promptKey, messageId2);
      return messageId2;
    } finally {
      if (journal !== void 0) outbox.release();
    }
  }
  #endBefore({ messageId: messageId2 }) {
    this.#inserted.resolve(messageId2);
    this.end({ stopReason: "end_turn" });
  }
  end(end) {
    if (this.state === "ended") return;
    this.state = "ended";
    this.#leave();
    clearTimeout(this.#timer);
    const final = this.#report(this.#cancellation.isCancelled ? cancelledEnd(end) : end);
    this.#inserted.resolve(void 0);
    if (final instanceof Promise) void final.then((reported) => this.#ended.resolve(reported));
    else this.#ended.resolve(final);
  }
  /**
   * Sends the end of a turn, after storing the end if the session has a log. Returns the end as it was sent. Never throws.
   */
  #report(given) {
    if (this.#turn === void 0) return given;
    const { output } = this.queue.session;
    try {
      this.#turn.end();
      const end = sendableEnd(given, output.maxEventBytes, output.onFault);
      output.flush();
      output.endMessage();
      if (output.journal === void 0) return this.#send(end);
      this.queue.session.storeData();
      return output.journal.endTurn(this.#messageId, end).then((stored) => this.#send(stored));
    } catch (error) {
      return { error };
    }
  }
  /** Sends the end. If sending fails, sends the end without the agent's additions, because the client must get an end. */
  #send(end, isBare = false) {
    const { session } = this.queue;
    try {
      session.driver.end(session, this.#messageId, end);
      return end;
    } catch (error) {
      session.output.onFault("The end of a turn could not be sent.", error);
      return isBare ? end : this.#send(bareEnd(end), true);
    }
  }
};

// packages/agent/src/prompt-queue.ts
var MAX_WAITING_PROMPTS = 100;
var PromptQueue = class {
  session;
  options;
  #prompts = [];
  constructor(session, options) {
    this.session = session;
    this.options = options;
  }
  /**
   * Takes a prompt that was just received. A prompt with a known key is a further attempt to send the same prompt.
   *
   * @throws RpcError the errors of {@link push}, and `-32602` for a key of another prompt
   */
  // P-IDEM-12: the key is read before every check that could refuse the prompt.
  receive(request, bytes) {
    const { idempotencyKey: key2, prompt: content3 } = request;
    if (key2 === void 0) return this.push(request, bytes);
    const { keys } = this.session;
    const promptKey = { key: key2, hash: promptHash(content3) };
    const message3 = this.insertedMessage(promptKey, content3);
    if (message3 !== void 0) return insertedBefore(message3.messageId);
    return keys.attempt(promptKey, this.#onReuse) ?? keys.begin(promptKey, this.push(request, bytes, promptKey));
  }
  /**
   * Returns the message that was inserted with a key. Sends the message if this client does not have it.
   *
   * @throws RpcError `-32602` for a key of another prompt
   */
  // P-IDEM-09
  insertedMessage(promptKey, content3) {
    const { keys, output } = this.session;
    const message3 = keys.message(promptKey, this.#onReuse);
    if (message3 === void 0 || message3.isTold) return message3;
    const { messageId: messageId2, hash } = message3;
    if (hash === promptKey.hash) output.mark({ type: "user_message", messageId: messageId2, content: content3 });
    keys.add({ key: promptKey.key, hash }, messageId2);
    return message3;
  }
  get #onReuse() {
    return this.options.handlers.onKeyReuse ?? "error";
  }
  /**
   * Adds a prompt that was just received.
   *
   * @throws RpcError
   *
   * - `-32602` for blocks that the agent did not offer
   * - `-32603` if the prompt has to wait and there is no room
   * - `-32600` if `whilePrompting` refuses the prompt, or too many prompts wait
   */
  push(request, bytes, promptKey) {
    const { driver, order } = this.session;
    checkBlocks(driver.offers, request.prompt);
    const leave = order.enter(bytes, this.#prompts.length > 0);
    try {
      this.#admit();
    } catch (error) {
      leave();
      throw error;
    }
    let drop;
    const free = () => {
      leave();
      drop?.();
    };
    const prompt2 = new Prompt(this, promptKey ? { ...request, promptKey } : request, free);
    this.#prompts.push(prompt2);
    drop = order.start(() => prompt2.makeReady());
    return prompt2;
  }
  startNext() {
    this.#prompts[0]?.startIfReady();
  }
  remove(prompt2) {
    if (this.#prompts[0] === prompt2) this.#prompts.shift();
    else this.#prompts = this.#prompts.filter((other) => other !== prompt2);
    this.startNext();
  }
  /** Adds the prompts of another queue after the prompts of this queue. */
  adopt(other) {
    const prompts = other.#prompts;
    other.#prompts = [];
    for (const prompt2 of prompts) {
      prompt2.queue = this;
      if (prompt2.state !== "ended") this.#admitOrRefuse(prompt2);
      this.#prompts.push(prompt2);
    }
  }
  /** Cancels every prompt that was received so far, started or not. */
  cancelAll(graceMs = this.options.cancelGraceMs) {
    for (const prompt2 of this.#prompts) prompt2.cancel(graceMs);
  }
  /** Cancels every prompt after the end of the connection. Each prompt releases itself, because no answer is sent. */
  abandon(graceMs) {
    this.cancelAll(graceMs);
    for (const prompt2 of this.#prompts) {
      prompt2.proceed();
      void prompt2.ended.then(() => prompt2.release());
    }
  }
  /** Settles when every prompt is released that is cancelled or ready at the time of this call. */
  async idle() {
    await Promise.all(
      this.#prompts.filter((prompt2) => prompt2.state !== "queued").map(({ released }) => released.promise)
    );
  }
  #admitOrRefuse(prompt2) {
    try {
      this.#admit();
    } catch (error) {
      prompt2.end({ error });
    }
  }
  #admit() {
    if (!this.#prompts.some((prompt2) => prompt2.state !== "ended")) return;
    const { whilePrompting } = this.options.handlers;
    if (whilePrompting === "reject") throw RpcError.invalidRequest("a prompt is being answered in this session");
    if (whilePrompting === "replace") this.cancelAll();
    if (this.#prompts.filter((prompt2) => prompt2.state !== "ended").length > MAX_WAITING_PROMPTS) {
      throw RpcError.invalidRequest(`${MAX_WAITING_PROMPTS} prompts wait in this session already`);
    }
  }
};

// packages/agent/src/session.ts
var MAX_HELD_UPDATES = 1e3;
var MAX_HELD_BYTES = 4 * 1024 * 1024;
var MAX_TITLE_LENGTH = 500;

// packages/agent/src/gathered-contents.ts
var GATHER_MS = 50;
var SMALL_BYTES = 32 * 1024;
var LEAST_BYTES = 128 * 1024;
var MOST_UNREAD_BYTES = 16 * 1024 * 1024;
var GatheredContents = class {
  #owner;
  /** Waiting events by tool call or terminal. They are sent after 50 ms at the latest, or when the client has read. */
  #waiting = /* @__PURE__ */ new Map();
  #timer;
  #room;
  #unread = 0;
  constructor(owner) {
    this.#owner = owner;
  }
  /** Sends the waiting events that must precede `event`. Call it before the event is applied to the state. */
  makeWay(event) {
    if (this.#waiting.size === 0 || event.type === "tool_call_content_chunk") return;
    this.#flush(false);
  }
  /**
   * Sends an event that was just applied to the state, or holds the event for later additions. If a promise is returned,
   * await it before the next event.
   */
  say(event, { before, after }) {
    const key2 = keyOf(event);
    const states = { before: this.#waiting.get(key2)?.before ?? before, after };
    if (this.#mustWait(event, states) && isKnown(event, states.before)) {
      this.#waiting.set(key2, { event, before: states.before });
      return this.#room;
    }
    this.#waiting.delete(key2);
    const room = this.#send(event, states);
    if (event.type === "tool_call_content_chunk") this.#timer ??= setTimeout(() => this.#due(), GATHER_MS);
    return room;
  }
  /** Sends all waiting events. Never throws. */
  flush() {
    if (this.#waiting.size > 0) this.#flush(true);
  }
  /** Sends all waiting events. Call it once, at the end. */
  close() {
    this.flush();
    clearTimeout(this.#timer);
    this.#timer = void 0;
  }
  #mustWait(event, states) {
    if (this.#isOverfull) return true;
    if (event.type !== "tool_call_content_chunk") return false;
    if (this.#room !== void 0) return true;
    if (this.#timer === void 0) return false;
    const sent = contentBytes(states.before, event.toolCallId);
    const whole = contentBytes(states.after, event.toolCallId);
    return whole > SMALL_BYTES && whole - sent < Math.max(LEAST_BYTES, sent);
  }
  get #isOverfull() {
    return this.#room !== void 0 && this.#unread > MOST_UNREAD_BYTES;
  }
  /** @param isLast true to send even if the client does not read */
  #flush(isLast) {
    for (const [key2, { event, before }] of this.#waiting) {
      if (!isLast && this.#isOverfull) return;
      this.#waiting.delete(key2);
      try {
        this.#send(event, { before, after: this.#owner.state });
      } catch (error) {
        this.#owner.onFault("Content of a tool call could not be sent.", error);
      }
    }
  }
  #send(event, states) {
    let room;
    for (const update of this.#owner.encode(event, states)) {
      const asked = this.#owner.outbox.send(update);
      if (asked === void 0) continue;
      room = asked;
      if ("content" in update && "toolCallId" in update) this.#unread += bytesOf(update.content);
    }
    if (room !== void 0 && room !== this.#room) this.#await(room);
    return room;
  }
  #await(room) {
    this.#room = room;
    void room.then(() => {
      if (this.#room !== room) return;
      this.#room = void 0;
      this.#unread = 0;
      if (this.#timer === void 0) this.#due();
    });
  }
  /** Sends the waiting events after the waiting time, or when the client has read. */
  #due() {
    this.#timer = void 0;
    if (this.#waiting.size === 0 || this.#room !== void 0) return;
    this.#flush(false);
    this.#timer = setTimeout(() => this.#due(), GATHER_MS);
  }
};
var isGrowth = (event) => event.type === "tool_call_content_chunk" || event.type === "tool_call_update" || event.type === "terminal_output_chunk";
var keyOf = (event) => event.type === "terminal_output_chunk" ? `terminal:${event.terminalId}` : event.toolCallId;
function isKnown(event, before) {
  if (event.type === "terminal_output_chunk") return true;
  if (event.type === "tool_call_update" && isFinalStatus(event.status)) return false;
  return before.timeline.has(`tool_call:${event.toolCallId}`);
}
function contentBytes({ timeline }, toolCallId2) {
  const entry = timeline.get(`tool_call:${toolCallId2}`);
  return entry?.type === "tool_call" ? bytesOf(entry.content) : 0;
}

// packages/agent/src/open-message.ts
var OpenMessage = class {
  #role;
  #messageId = "";
  /** Made for the first piece that ends in half a character. Few messages have such a piece. */
  #text;
  /** Role of the open message, or `undefined` if no message is open. */
  get role() {
    return this.#role;
  }
  /** True while the first half of a character waits for the second half. */
  get isCut() {
    return this.#text?.isCut === true;
  }
  begin(role3, messageId2) {
    this.#role = role3;
    this.#messageId = messageId2;
  }
  /** Ends the message. The next piece begins a new message. */
  end() {
    this.#role = void 0;
  }
  /** Returns the event for the next piece of the message. Half of a character is held for the next piece. */
  piece(content3) {
    const text = content3.type === "text" ? content3.text : void 0;
    if (!text || !this.isCut && !endsInHalf(text)) return this.#chunk(content3);
    this.#text ??= new CutText();
    const whole = this.#text.take(text);
    return whole === "" ? void 0 : this.#chunk({ ...content3, text: whole });
  }
  /** Returns a replacement for a waiting half of a character, and forgets that half. */
  rest() {
    return this.#text?.isCut ? this.#chunk({ type: "text", text: this.#text.end() }) : void 0;
  }
  /** Returns true if an event may add an entry after the message and so end the message. */
  mayEndBy(event, state) {
    if ("messageId" in event && event.messageId === this.#messageId) return false;
    if ("toolCallId" in event) return !state.timeline.has(`tool_call:${event.toolCallId}`);
    return !BESIDE.test(event.type);
  }
  /** Ends the message if an event added another entry to the timeline. Call it after the event is applied to the state. */
  follow(event, around2) {
    if (this.#role === void 0 || "messageId" in event && event.messageId === this.#messageId) return;
    if (newestEntry(around2.after) !== newestEntry(around2.before)) this.end();
  }
  #chunk(content3) {
    return this.#role && { type: chunkOf[this.#role], messageId: this.#messageId, content: content3 };
  }
};
var chunkOf = { user: "user_message_chunk", agent: "agent_message_chunk", thought: "agent_thought_chunk" };
var BESIDE = /^(?:usage|session_info|available_commands|config_option|current_mode|state|terminal|plan|subagent)_/;
var newestEntry = ({ timeline }) => timeline.at(-1)?.key;

// packages/agent/src/outbox.ts
var Outbox = class {
  sessionId;
  #connection;
  #onFault;
  #held;
  #heldBytes = 0;
  #whenFull = "refuse";
  constructor({ id, connection, onFault }) {
    this.sessionId = id;
    this.#connection = connection;
    this.#onFault = onFault;
  }
  /** True while updates are held. */
  get isHeld() {
    return this.#held !== void 0;
  }
  /**
   * Refuses an event whose updates cannot be held. Call it before the event is stored and applied. During a restore,
   * nothing is refused: at the bound, the held updates are sent.
   *
   * @throws AcpError `state` above {@link MAX_HELD_UPDATES} or {@link MAX_HELD_BYTES}
   */
  mustTake(event) {
    if (this.#held === void 0) return;
    const bytes = this.#heldBytes + JSON.stringify(event).length;
    if (this.#held.length < MAX_HELD_UPDATES && bytes <= MAX_HELD_BYTES) return;
    if (this.#whenFull === "send") return this.release();
    throw new AcpError(
      "state",
      `The client does not know session ${this.sessionId} yet, and too many updates wait. Send the others after the handler returned.`
    );
  }
  /** Sends or holds an update. The updates of the last accepted event may exceed the bound. */
  send(update) {
    if (this.#held === void 0) {
      return this.#connection.notify("session/update", { sessionId: this.sessionId, update });
    }
    this.#heldBytes += JSON.stringify(update).length;
    this.#held.push(update);
    return void 0;
  }
  /** Holds updates until {@link release}. `whenFull` decides about an update above the bounds. */
  hold(whenFull = "refuse") {
    this.#whenFull = whenFull;
    if (this.#held !== void 0) return;
    this.#held = [];
    this.#heldBytes = 0;
  }
  /** Sends the held updates of a restore before this side sends a request. */
  makeWay() {
    if (this.#whenFull === "send") this.release();
  }
  /** Sends the held updates in order. Never throws. */
  release() {
    const updates = this.#held ?? [];
    this.#held = void 0;
    this.#whenFull = "refuse";
    try {
      for (const update of updates) this.send(update);
    } catch (error) {
      this.#onFault("Updates of a session that waited for an answer were dropped.", error);
    }
  }
};

// packages/agent/src/session-output.ts
var SessionOutput = class {
  outbox;
  /**
   * Journal of the session, if the session has a log. A restore sets the journal after the replay, because the log already
   * has the replayed events.
   */
  journal;
  /** Handover to the restored session of the same id, which gets each event too. */
  handover;
  encode;
  onFault;
  #repeatsContents;
  #lazy;
  // Fields, not objects. With thousands of sessions, three more objects for each update reduced the rate by 20 % (`bench
  // --only sessions`).
  #isClosed = false;
  #closing = new Cancellation();
  #message = new OpenMessage();
  #serial = 0;
  /** Prefix of new ids. Ids stay unique even if another process restores the session. */
  #idPrefix = crypto.randomUUID().slice(0, 8);
  /** True while a handler repeats events that the log already has. */
  #isRepeating = false;
  #outputs;
  #isFlushing = false;
  #callIds;
  /** Made for the first tool call, because few sessions of a connection may have any. */
  #contents;
  constructor(parts) {
    this.encode = parts.encode;
    this.onFault = parts.onFault;
    this.#repeatsContents = parts.repeatsContents;
    this.outbox = new Outbox(parts);
    this.#lazy = createLazyState(createSessionState(parts.limits));
  }
  get state() {
    return this.#lazy.after;
  }
  /** Outputs of terminals with unsent bytes. */
  get outputs() {
    this.#outputs ??= /* @__PURE__ */ new Set();
    return this.#outputs;
  }
  /** Ids of tool calls that the agent chose. The state may have dropped some of these calls. */
  get callIds() {
    this.#callIds ??= /* @__PURE__ */ new Set();
    return this.#callIds;
  }
  get maxEventBytes() {
    return this.journal?.maxEventBytes ?? Number.POSITIVE_INFINITY;
  }
  get signal() {
    return this.#closing.signal;
  }
  get isClosed() {
    return this.#isClosed;
  }
  /**
   * Checks that the session is still open. A session may close between the start of a call and its use here.
   *
   * @throws RpcError `-32002` for a session that is closed or failed to open
   */
  mustBeOpen() {
    if (this.#isClosed) throw RpcError.resourceNotFound({ sessionId: this.outbox.sessionId });
  }
  /** Emits a copy of an event. The caller may change its own objects afterwards. */
  emit(event) {
    const { copy, mostBytes } = measuredCopy(event);
    const isRepeated = event.type === "tool_call_content_chunk";
    return this.#say(copy, mostBytes <= MAX_UPDATE_BYTES && !isRepeated);
  }
  /** Emits an event of the runtime. The caller must not change the event afterwards, because the session uses it later. */
  say(event) {
    return this.#say(event, event.type === "state_update" && !("background" in event));
  }
  /** Adds a piece to the open message, or begins a new message. */
  append(role3, content3) {
    const isAnother = this.#message.role !== role3;
    if (isAnother || content3.type !== "text") this.#endText();
    if (isAnother) this.#message.begin(role3, this.newId(role3));
    const piece = this.#message.piece(content3);
    return piece && this.#say(piece);
  }
  /** Ends the open message. Never throws. */
  endMessage() {
    try {
      this.#endText();
    } catch (error) {
      this.onFault("The end of a message could not be sent.", error);
    }
    this.#message.end();
  }
  /** Applies an event without sending it. The log stores the event first, if a restore needs it. */
  record(event) {
    this.flush();
    const room = this.journal?.note(event);
    this.fold(event);
    return room;
  }
  /** Sends an event that is neither stored nor applied, after everything that waits. */
  mark(event) {
    if (this.#isClosed) return void 0;
    this.flush();
    let room;
    const { state } = this;
    for (const update of this.encode(event, { before: state, after: state })) room = this.outbox.send(update) ?? room;
    return room;
  }
  /** Applies an event to the state. The session may delay this work until the state is read. */
  fold(event) {
    const around2 = this.#lazy.add(event);
    this.#message.follow(event, around2);
    return around2;
  }
  /** Runs a handler that repeats events of the log. Only the handler's lists of options and commands are emitted. */
  async repeat(work) {
    this.#isRepeating = true;
    try {
      return await work();
    } finally {
      this.#isRepeating = false;
    }
  }
  newId(what) {
    this.#serial += 1;
    return `${what}-${this.#idPrefix}-${this.#serial}`;
  }
  /**
   * Checks that an id chosen by the agent is free for a tool call, and returns the id. Add it to {@link callIds} after the
   * call is sent.
   *
   * @throws TypeError for an id that is empty or no text
   * @throws AcpError `state` if the session already has the id, except while `newSession` repeats events of the log
   */
  freeCallId(id) {
    if (typeof id !== "string" || id === "") throw new TypeError("A toolCallId must be a text that is not empty.");
    if (this.#isRepeating) return id;
    if (this.callIds.has(id) || this.state.timeline.has(`tool_call:${id}`)) {
      throw new AcpError("state", `Session ${this.outbox.sessionId} already has a tool call ${JSON.stringify(id)}.`);
    }
    return id;
  }
  /** Sends all waiting output of terminals and all waiting content of tool calls. Never throws. */
  flush() {
    this.#flushOutputs();
    this.#contents?.flush();
  }
  /** Sends everything that waits, then closes. Later events are dropped. */
  close() {
    this.flush();
    this.#contents?.close();
    this.#isClosed = true;
    this.#closing.cancel("The session was closed.");
  }
  #say(event, isShort = isShortPiece(event)) {
    if (this.#isClosed || this.#isRepeating && !isList(event)) return void 0;
    if (!isShort) mustFit(event, this.#repeatedWith(event));
    this.#flushOutputs();
    this.outbox.mustTake(event);
    this.handover?.mustTake(event);
    if (this.#message.isCut && this.#message.mayEndBy(event, this.state)) this.#endText();
    this.#contents?.makeWay(event);
    const written = this.journal?.note(event);
    this.handover?.follow(event, this.journal !== void 0);
    const around2 = this.fold(event);
    if (this.#repeatsContents && isGrowth(event)) {
      this.#contents ??= new GatheredContents(this);
      return bothRooms(this.#contents.say(event, around2), written);
    }
    let room;
    for (const update of this.encode(event, around2)) room = this.outbox.send(update) ?? room;
    return bothRooms(room, written);
  }
  /** Completes a text that ends in the first half of a character. */
  #endText() {
    const rest = this.#message.rest();
    if (rest !== void 0) this.#say(rest);
  }
  /** Returns the content that the client's dialect sends again with an event. */
  #repeatedWith(event) {
    if (!this.#repeatsContents || event.type !== "tool_call_content_chunk") return void 0;
    const entry = this.state.timeline.get(`tool_call:${event.toolCallId}`);
    return entry?.type === "tool_call" ? entry.content : void 0;
  }
  /** Sends all waiting output of terminals, so that events stay in order. Never throws. */
  #flushOutputs() {
    if (!this.#outputs?.size || this.#isFlushing) return;
    this.#isFlushing = true;
    for (const output of [...this.#outputs]) output.flush();
    this.#isFlushing = false;
  }
};
var isList = ({ type }) => type === "available_commands_update" || type === "config_option_update";
function bothRooms(one, other) {
  if (one === void 0 || other === void 0) return one ?? other;
  return Promise.all([one, other]).then(() => void 0);
}
var SHORT = 65536;
function isShortPiece(event) {
  if (event.type !== "agent_message_chunk" && event.type !== "agent_thought_chunk") return false;
  const { content: content3 } = event;
  return content3?.type === "text" && typeof content3.text === "string" && content3.text.length < SHORT;
}

// packages/agent/src/unused-options.ts
var HANDLERS = {
  ...{ info: true, newSession: true, prompt: true, log: true, dataVersion: true, restoreSession: true },
  ...{ setConfigOption: true, listSessions: true, deleteSession: true, closeSession: true, authMethods: true },
  ...{ login: true, logout: true, promptCapabilities: true, mcpCapabilities: true, sessionCapabilities: true },
  ...{ customCapabilities: true, whilePrompting: true, onKeyReuse: true, extensions: true, fallback: true }
};
var OPTIONS = {
  ...{ limits: true, cancelGraceMs: true, validateOutgoing: true, batches: true, onDiagnostic: true, onLoss: true }
};
var GROUPS = {
  promptCapabilities: { image: true, audio: true, embeddedContext: true },
  mcpCapabilities: { http: true, sse: true },
  sessionCapabilities: { additionalDirectories: true, systemPrompt: true }
};
var SETUP = {
  ...{ data: true, configOptions: true, availableCommands: true }
};
function unknownSetup(setup) {
  return unknownOptions("the result of newSession or restoreSession", setup, { known: Object.keys(SETUP) });
}
function unusedHandlers(handlers) {
  const { dataVersion, log: log2, login, authMethods = [] } = handlers;
  const names = { known: Object.keys(HANDLERS), others: { serve: Object.keys(OPTIONS) } };
  const unused = (option, why) => `The option ${option} is not used: ${why}`;
  return [
    ...unknownOptions("createAgent", handlers, names),
    ...Object.entries(GROUPS).flatMap(([group, known]) => {
      const members2 = handlers[group];
      return members2 === void 0 ? [] : unknownOptions(group, members2, { known: Object.keys(known) });
    }),
    ...dataVersion !== void 0 && log2 === void 0 ? [unused("dataVersion", "there is no log.")] : [],
    ...login !== void 0 && !authMethods.some(({ type }) => type === "agent") ? [unused("login", "authMethods has no method of the type agent.")] : []
  ];
}
function unknownServeOptions(options) {
  const names = { known: Object.keys(OPTIONS), others: { createAgent: Object.keys(HANDLERS) } };
  return unknownOptions("serve", options, names);
}
function reportUnused({ dialect: { dialect, hasSse }, client, routes }, { handlers, options }, report) {
  const unused = (message3) => report({ code: "unused_option", message: message3 });
  for (const name of Object.keys(handlers.extensions ?? {})) {
    if (name !== "initialize" && name !== "$/cancel_request" && routes(name) === void 0) continue;
    unused(`The handler extensions["${name}"] is not used: ${name} is a method of the protocol.`);
  }
  const lost = (message3) => report({ code: "loss", message: message3 });
  if (handlers.mcpCapabilities?.sse && !hasSse) {
    lost(`The option mcpCapabilities.sse is not used: ${dialect} has no MCP servers over SSE.`);
  }
  const terminal3 = handlers.authMethods?.filter(({ type }) => type === "terminal") ?? [];
  if (terminal3.length > 0 && terminal3.length === handlers.authMethods?.length && !client.capabilities.terminalLogin) {
    lost("The option authMethods is not used: all methods need a terminal, and the client offers none.");
  }
  if (options.validateOutgoing !== void 0 && options.validateOutgoing[dialect] === void 0) {
    unused(`The option validateOutgoing is not used: it has no schemas for ${dialect}. Pass outgoingContracts.`);
  }
}

// packages/agent/src/live-session.ts
var MAX_BACKGROUND_BYTES = MAX_UPDATE_BYTES - 128 * 1024;
var LiveSession = class {
  id;
  number;
  cwd;
  roots;
  #additionalDirectories;
  mcpServers;
  driver;
  output;
  prompts;
  order;
  keys;
  background;
  data = void 0;
  /** Settles with true after a successful opening of the session, and with false after a failed one. */
  opening = new Deferred();
  /** True after a successful opening of the session, also after the session's end. */
  wasOpened = false;
  /** Promise of the session's end. `undefined` until the end begins. */
  ended;
  // Both are made on the first use: a connection may have thousands of sessions, and most sessions ask nothing.
  #cancellable;
  #elicitations;
  #dataStore;
  #dataVersion;
  constructor(parts) {
    const { id, number: number2, workspace, driver, handlers, cancelGraceMs, calls: calls2, order, keys } = parts;
    const { cwd, additionalDirectories = [], mcpServers = [] } = workspace;
    this.id = id;
    this.number = number2;
    this.cwd = cwd;
    this.roots = [cwd, ...additionalDirectories];
    this.#additionalDirectories = additionalDirectories;
    this.mcpServers = mcpServers;
    this.driver = driver;
    this.#dataVersion = handlers.dataVersion ?? DEFAULT_DATA_VERSION;
    this.output = new SessionOutput({ ...parts, repeatsContents: driver.dialect.repeatsContents });
    this.prompts = new PromptQueue(this, { handlers, cancelGraceMs });
    this.keys = keys;
    this.order = order ?? new CallOrder(calls2);
    this.output.record({ type: "session_opened", sessionId: id, cwd, additionalDirectories });
  }
  /** Stores the session's data if the session has a log. Never throws. */
  storeData() {
    const { journal, onFault } = this.output;
    if (journal === void 0) return;
    this.#dataStore ??= new DataStore(this.#dataVersion, onFault);
    this.#dataStore.store(this.data, journal);
  }
  /** Takes over the data from the log of a restored session. */
  dataWasStored(stored) {
    this.#dataStore = new DataStore(this.#dataVersion, this.output.onFault, stored);
  }
  get state() {
    return this.output.state;
  }
  get signal() {
    return this.output.signal;
  }
  get client() {
    return this.driver.client;
  }
  get cancellable() {
    this.#cancellable ??= new CancellableWork();
    return this.#cancellable;
  }
  get elicitations() {
    this.#elicitations ??= new Elicitations(this.driver, this.output.onFault);
    return this.#elicitations;
  }
  emit(event) {
    return this.output.emit(event);
  }
  setTitle(title) {
    const isLong = title && title.length > MAX_TITLE_LENGTH;
    return this.emit({ type: "session_info_update", title: isLong ? shortened(title, MAX_TITLE_LENGTH - 1) : title });
  }
  setCommands(commands) {
    checkList("setCommands", commands);
    return this.emit({ type: "available_commands_update", availableCommands: commands.map(typedCommand) });
  }
  setConfigOptions(configOptions) {
    checkList("setConfigOptions", configOptions);
    return this.emit({ type: "config_option_update", configOptions });
  }
  configValue(configId) {
    const option = this.state.configOptions?.find((candidate) => candidate.configId === configId);
    return option !== void 0 && "currentValue" in option ? option.currentValue : void 0;
  }
  setConfigValue(configId, value) {
    checkOwnValue(this.state.configOptions ?? [], configId, value);
    return this.setValue(configId, value);
  }
  /** Changes the value of one option, then stores and sends the list of options. Does nothing if the value is the same. */
  setValue(configId, value) {
    const current = this.configValue(configId);
    const isStored = !this.output.journal?.dropChoice(configId);
    if (current === void 0 || current === value && isStored) return void 0;
    return this.setConfigOptions(optionsWith(this.state.configOptions ?? [], configId, value));
  }
  reportUsage(usage) {
    checkObject("reportUsage", usage, "pass tokens such as { used: 1200, size: 200000 }");
    return this.emit({ type: "usage_update", ...usage });
  }
  setBackground(work) {
    checkList("setBackground", work);
    const before = this.background;
    this.background = jsonCopy(work);
    try {
      mustFit({ type: "state_update", state: "idle", background: this.background }, void 0, MAX_BACKGROUND_BYTES);
      if (!this.output.isClosed) this.driver.backgroundChanged(this);
    } catch (error) {
      this.background = before;
      throw error;
    }
  }
  toolCall(start) {
    const { signal } = this;
    const requestPermission = async (question) => signal.aborted ? { allowed: false } : askPermission(this, question, signal);
    return openToolCall(
      { session: this, signal, emit: (event) => this.emit(event), requestPermission, isOver: this.output.isClosed },
      start
    );
  }
  terminal(start = {}) {
    return openAgentTerminal(this, start);
  }
  completeElicitation(elicitationId2) {
    if (this.output.isClosed || !this.elicitations.complete(elicitationId2)) return;
    this.output.record({ type: "elicitation_completed", elicitationId: elicitationId2 });
  }
  /** Closes the session after the end of the connection. Running turns get `graceMs` to end. */
  abandon(graceMs) {
    this.prompts.abandon(graceMs);
    this.order.abandon();
    this.output.close();
  }
  /** Returns the session's row in a list of sessions. */
  describe() {
    const { id: sessionId2, cwd, state } = this;
    const additionalDirectories = this.#additionalDirectories;
    const { title, updatedAt } = state;
    return {
      sessionId: sessionId2,
      cwd,
      ...additionalDirectories.length > 0 && { additionalDirectories },
      ...title !== void 0 && { title },
      ...updatedAt !== void 0 && { updatedAt }
    };
  }
  /** Takes the result of the handler that opens the session. Returns the lists for the answer to the client. */
  setUp(setup) {
    const given = setup ?? {};
    checkObject("The result of newSession or restoreSession", given, "return an object such as { data }, or nothing");
    const { data, configOptions, availableCommands } = given;
    for (const message3 of unknownSetup(given)) this.output.onFault(message3, void 0, "unused_option");
    this.data = data;
    const lists = jsonCopy({
      ...configOptions && { configOptions },
      ...availableCommands && { availableCommands: availableCommands.map(typedCommand) }
    });
    const { id: sessionId2, cwd, output } = this;
    output.record({ type: "session_opened", sessionId: sessionId2, ...lists });
    const workspace = { cwd, additionalDirectories: this.#additionalDirectories };
    output.journal?.append({ type: "session_opened", sessionId: sessionId2, ...workspace, ...lists });
    this.storeData();
    return lists;
  }
};
var typedCommand = (command2) => ({ ...command2, type: command2.type ?? "command" });

// packages/agent/src/session-table.ts
var DEATH_GRACE_MS = 1e3;
var CANCEL_GRACE_MS = 1e4;
var PAGE = 100;
var SessionTable = class {
  #parts;
  #cancelGraceMs;
  #calls;
  /**
   * Lists of sessions by id, the newest session first. A list contains the sessions that are opening, open or ending, and
   * is never empty.
   */
  #byId = /* @__PURE__ */ new Map();
  /**
   * Orders of calls for ids whose sessions were closed or are being deleted. An order is removed when all its calls are
   * answered.
   */
  #orders = /* @__PURE__ */ new Map();
  /**
   * Serial number of the newest session. Cursors are serial numbers, so a cursor stays valid after the end of its session.
   */
  #serial = 0;
  /** True once the agent closes the connection. From then on, no turn begins. */
  isEnding = false;
  constructor(parts) {
    this.#parts = parts;
    this.#calls = new CallStore(parts.options.limits ?? {});
    this.#cancelGraceMs = parts.options.cancelGraceMs ?? CANCEL_GRACE_MS;
  }
  /** True if the agent has a `closeSession` handler. */
  get hasCleanUp() {
    return this.#parts.handlers.closeSession !== void 0;
  }
  get isEmpty() {
    return this.#byId.size === 0;
  }
  /** Returns all sessions of an id, the newest first. */
  all(sessionId2) {
    return this.#byId.get(sessionId2) ?? [];
  }
  /** Returns the newest session of an id. */
  find(sessionId2) {
    return this.all(sessionId2)[0];
  }
  /**
   * Returns the newest session of an id. Sessions of other connections are not found.
   *
   * @throws RpcError `-32002` if the id has no session
   */
  get(sessionId2) {
    const session = this.find(sessionId2);
    if (session === void 0) throw RpcError.resourceNotFound({ sessionId: sessionId2 });
    return session;
  }
  /**
   * Returns the session that gets the calls for `asked`. If the restore of `asked` was refused, an older session gets them.
   */
  current(asked) {
    return this.all(asked.id).find(({ number: number2 }) => number2 <= asked.number) ?? asked;
  }
  /** Returns the session that the restore of `session` replaces, or `undefined` if it replaces none. */
  before({ id, number: number2 }) {
    return this.all(id).find((other) => other.number < number2);
  }
  /** Returns the order of calls for an id that has sessions or is being deleted. */
  orderOf(sessionId2) {
    return this.find(sessionId2)?.order ?? this.#orders.get(sessionId2);
  }
  /** Runs a deletion. Calls about the same id that arrive before the answer to the deletion join its order. */
  whileDeleting(sessionId2, work) {
    const order = this.orderOf(sessionId2) ?? new CallOrder(this.#calls);
    const done = work(order);
    this.#keepOrder(sessionId2, order);
    return done;
  }
  /**
   * Returns a page of the sessions that the client can prompt now, the oldest first.
   *
   * @throws RpcError `-32602` for a cursor that this connection did not return
   */
  page({ cwd, cursor }) {
    const last = cursor == null ? 0 : /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
    if (last > this.#serial)
      throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
    const open = [...this.#byId.values()].flatMap((sessions) => sessions.find(({ wasOpened, output }) => wasOpened && !output.isClosed) ?? []).filter((session) => session.number > last && (cwd == null || session.cwd === cwd)).sort((one, other) => one.number - other.number);
    const page = open.slice(0, PAGE);
    const end = page.at(-1);
    return {
      sessions: page.map((session) => session.describe()),
      ...end !== void 0 && open.length > PAGE && { nextCursor: String(end.number) }
    };
  }
  /** Adds a new session before the older sessions of its id. */
  create(id, workspace) {
    const { handlers, options, hooks, connection } = this.#parts;
    const driver = this.#parts.driver();
    this.#serial += 1;
    const session = new LiveSession({
      id,
      number: this.#serial,
      workspace,
      connection,
      driver,
      handlers,
      cancelGraceMs: this.#cancelGraceMs,
      order: this.orderOf(id),
      keys: this.find(id)?.keys ?? new PromptKeys(id),
      calls: this.#calls,
      limits: options.limits ?? {},
      encode: driver.createEncoder((loss) => hooks.lost(loss, id)),
      onFault: (message3, error, code = "outgoing_invalid") => hooks.report({ code, message: message3, sessionId: id, error })
    });
    this.#byId.set(id, [session, ...this.all(id)]);
    return session;
  }
  /** Sets up a session. After a failure, the session is removed, and the older session of its id continues at once. */
  async open(session, setUp) {
    let lists;
    try {
      lists = await setUp();
    } catch (error) {
      session.output.close();
      session.opening.resolve(false);
      this.#remove(session);
      const current = this.current(session);
      if (current !== session && !current.output.isClosed) current.prompts.adopt(session.prompts);
      throw error;
    }
    session.wasOpened = true;
    session.opening.resolve(true);
    session.output.mustBeOpen();
    return lists;
  }
  /** Sends the held updates, and the commands if the answer could not contain them. Call it after the answer. */
  announce(session, { availableCommands }) {
    if (this.isEnding) return;
    session.output.outbox.release();
    if (availableCommands == null || session.driver.dialect.commandsInAnswers) return;
    try {
      session.setCommands(session.state.availableCommands ?? []);
    } catch (error) {
      session.output.onFault("The commands of a session could not be sent.", error);
    }
  }
  /** Ends a session when its cancelled turns have ended. Runs `closeSession`. Never rejects. */
  end(session) {
    session.ended ??= this.#end(session);
    return session.ended;
  }
  /** Ends every turn with an answer to its prompt, then closes the output of every session. */
  async cancelAll(graceMs = this.#cancelGraceMs) {
    this.isEnding = true;
    const ends = this.#sessions.map(async ({ prompts, output }) => {
      prompts.cancelAll(graceMs);
      await prompts.idle();
      output.close();
    });
    await Promise.all(ends);
  }
  /** Ends every session after the end of the connection. Settles when all sessions have ended, or after the grace time. */
  async endAll() {
    const sessions = this.#sessions;
    for (const order of this.#orders.values()) order.abandon();
    for (const session of sessions) session.abandon(Math.min(DEATH_GRACE_MS, this.#cancelGraceMs));
    await withinGrace(Promise.all(sessions.map((session) => this.end(session))), this.#cancelGraceMs);
  }
  async #end(session) {
    await session.prompts.idle();
    session.output.close();
    if (await session.opening.promise) {
      session.storeData();
      await this.#cleanUp(session);
    }
    await session.output.journal?.close();
    this.#remove(session);
  }
  async #cleanUp(session) {
    try {
      await this.#parts.handlers.closeSession?.(session);
    } catch (error) {
      session.output.onFault("closeSession failed.", error, "listener_failed");
    }
  }
  get #sessions() {
    return [...this.#byId.values()].flat();
  }
  #remove(session) {
    const others = this.all(session.id).filter((other) => other !== session);
    if (others.length > 0) this.#byId.set(session.id, others);
    else {
      this.#byId.delete(session.id);
      this.#keepOrder(session.id, session.order);
    }
  }
  /** Stores an order until its calls are answered, because a new restore of the id has to wait for these calls. */
  #keepOrder(id, order) {
    if (order.isIdle) return;
    this.#orders.set(id, order);
    order.onIdle = () => this.#orders.delete(id);
  }
};

// packages/agent/src/served-connection.ts
var NO_DATA = storedData(void 0);
var ServedConnection = class {
  capabilities;
  calls = {
    login: async ({ methodId }, call) => {
      const handlers = this.#handlers;
      const method = handlers.authMethods?.find((candidate) => candidate.methodId === methodId);
      if (method?.type !== "agent" || handlers.login === void 0) {
        throw RpcError.invalidParams(`there is no login method ${methodId} that the agent runs`);
      }
      await handlers.login(methodId, call.signal, this.#clientCall(call));
      return {};
    },
    logout: async (_params, call) => {
      await this.#handlers.logout?.(call.signal);
      return {};
    },
    newSession: (workspace, call) => this.#open(workspace, call),
    loadSession: (params, call) => this.#restore({ ...params, ...NO_DATA, replay: true }, call),
    resumeSession: ({ replayFrom: replayFrom2, ...params }, call) => this.#restore({ ...params, ...NO_DATA, replay: replayFrom2 != null }, call),
    listSessions: async (request, call) => {
      const handlers = this.#handlers;
      if (request.cwd != null && !isAbsolute(request.cwd)) throw RpcError.invalidParams("cwd is an absolute path");
      const page = await (handlers.listSessions?.(request, call.signal) ?? this.#persistence?.list(request));
      if (page === void 0) return this.#sessions.page(request);
      if (this.#offers.additionalDirectories) return page;
      return { ...page, sessions: page.sessions.map(({ additionalDirectories: _, ...session }) => session) };
    },
    closeSession: async ({ sessionId: sessionId2 }, call) => {
      this.cancel(sessionId2);
      await this.#inOrder(sessionId2, call, (session) => this.#sessions.end(session));
      return {};
    },
    deleteSession: async ({ sessionId: sessionId2 }, call) => {
      this.cancel(sessionId2);
      const asked = this.#sessions.find(sessionId2);
      await this.#sessions.whileDeleting(
        sessionId2,
        (order) => order.run(call, async () => {
          if (asked !== void 0) await this.#sessions.end(this.#sessions.current(asked));
          await this.#forget(sessionId2, call);
        })
      );
      return {};
    },
    setConfigOption: (choice, call) => this.#choose(choice, call),
    setMode: this.#choosesBy("mode"),
    setModel: this.#choosesBy("model"),
    cancelToolCall: async ({ sessionId: sessionId2, toolCallId: toolCallId2 }) => this.#cancelWork(sessionId2, "tool_call", toolCallId2),
    cancelTerminal: async ({ sessionId: sessionId2, terminalId: terminalId2 }) => this.#cancelWork(sessionId2, "terminal", terminalId2)
  };
  /** Settles when the connection has ended and its sessions are closed. Never rejects. */
  closed;
  #handlers;
  #connection;
  #sessions;
  #hooks;
  #persistence;
  #driver;
  constructor({ dialects, handlers }, channel, options) {
    const { limits, batches, validateOutgoing } = options;
    const hooks = hooksOf(options);
    this.#hooks = hooks;
    this.#handlers = handlers;
    this.#persistence = handlers.log?.keep(handlers.log, handlers, limits ?? {});
    this.capabilities = capabilitiesOf(handlers);
    this.#connection = createConnection(channel, {
      invalidLines: "answer",
      nullIds: () => this.#driver?.dialect.nullIds ?? true,
      ...batches && { batches },
      ...limits && { limits },
      onDiagnostic: hooks.report,
      ...validateOutgoing && {
        validateOutgoing: () => this.#driver && validateOutgoing[this.#driver.client.dialect]
      }
    });
    const connection = this.#connection;
    this.#sessions = new SessionTable({ handlers, options, hooks, connection, driver: () => this.#driver });
    this.#connection.route = createNegotiation({
      connection,
      service: this,
      info: handlers.info,
      authMethods: handlers.authMethods ?? [],
      dialects,
      hasSessions: () => !this.#sessions.isEmpty,
      onLoss: hooks.lost,
      agreed: (agreed) => {
        this.#driver = agreed;
        reportUnused(agreed, { handlers, options }, hooks.report);
      }
    });
    const ended = channel.closed.then(() => this.#sessions.endAll());
    this.closed = Promise.all([connection.closed, ended]).then(([reason]) => reason);
  }
  async close(graceMs) {
    await this.#sessions.cancelAll(graceMs);
    await this.#connection.close();
    await this.closed;
  }
  prompt(params, call) {
    const prompt2 = this.#sessions.get(params.sessionId).prompts.receive(params, call.bytes);
    if (this.#sessions.isEnding) prompt2.cancel();
    return prompt2;
  }
  cancel(sessionId2) {
    for (const { prompts } of this.#sessions.all(sessionId2)) prompts.cancelAll();
  }
  extension(method, client) {
    const extensions = this.#handlers.extensions ?? {};
    if (Object.hasOwn(extensions, method)) {
      return { receive: (params, call) => extensions[method]?.(params, call.signal, client) };
    }
    if (this.#handlers.fallback === void 0) return void 0;
    return { receive: (params, call) => this.#handlers.fallback?.(method, params, call.signal) };
  }
  async #open(workspace, call) {
    checkWorkspace(this.#offers, workspace);
    const session = this.#sessions.create(crypto.randomUUID(), workspace);
    session.output.outbox.hold();
    const begin = async () => session.setUp(await this.#handlers.newSession?.(workspace, session, this.#clientCall(call)));
    const lists = await this.#sessions.open(session, () => this.#persistence?.create(session, begin) ?? begin());
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return { sessionId: session.id, ...lists };
  }
  async #restore(request, call) {
    checkWorkspace(this.#offers, request);
    const leave = this.#sessions.orderOf(request.sessionId)?.enter(call.bytes);
    const session = this.#sessions.create(request.sessionId, request);
    if (this.#persistence === void 0) this.#sessions.before(session)?.prompts.cancelAll();
    const restoring = {
      handlers: this.#handlers,
      sessions: this.#sessions,
      persistence: this.#persistence,
      session,
      request,
      call: this.#clientCall(call),
      setValue: (configId, value) => this.#setValue(session, configId, value),
      afterResponse: (then) => call.afterResponse(then)
    };
    const lists = await session.order.run(call, () => restore(restoring), leave);
    call.afterResponse(() => this.#sessions.announce(session, lists));
    return lists;
  }
  /** Returns the handler of a call that identifies an option by its category. */
  #choosesBy(category) {
    return async (choice, call) => {
      await this.#choose({ ...choice, category }, call);
      return {};
    };
  }
  #choose(choice, call) {
    return this.#inOrder(choice.sessionId, call, async (session) => {
      if (choice.type !== void 0) throw RpcError.invalidParams("options have no values of such a type");
      const option = findOption(session.state.configOptions ?? [], choice);
      const value = readConfigValue(option, choice.value, session.client.capabilities);
      await this.#setValue(session, option.configId, value);
      return { configOptions: session.state.configOptions ?? [] };
    });
  }
  async #setValue(session, configId, value) {
    await this.#handlers.setConfigOption?.(session, configId, value);
    session.setValue(configId, value);
  }
  /** Deletes a stored session that is not open on this connection. */
  async #forget(sessionId2, call) {
    try {
      await this.#handlers.deleteSession?.(sessionId2, call.signal);
    } catch (error) {
      if (!isRpcError(error, -32002)) throw error;
    }
    await this.#persistence?.delete(sessionId2);
  }
  /**
   * Cancels a tool call or terminal. During a restore, the older session of this id may own the tool call or terminal.
   *
   * @throws RpcError `-32602` if no session of this id owns it
   */
  #cancelWork(sessionId2, type, id) {
    const asked = this.#sessions.get(sessionId2);
    const owner = this.#sessions.all(sessionId2).find(({ cancellable }) => cancellable.has(type, id)) ?? asked;
    owner.cancellable.cancel(type, id);
    return {};
  }
  #clientCall(call) {
    return openClientCall(
      this.#driver,
      call,
      (message3, error) => this.#hooks.report({ code: "outgoing_invalid", message: message3, error })
    );
  }
  get #offers() {
    return this.#driver?.offers ?? this.capabilities;
  }
  async #inOrder(sessionId2, call, work) {
    const asked = this.#sessions.get(sessionId2);
    return asked.order.run(call, async () => {
      const session = this.#sessions.current(asked);
      session.output.mustBeOpen();
      return work(session);
    });
  }
};

// packages/agent/src/agent.ts
function createAgent(handlers) {
  return createAgentWith(allDialects, handlers);
}
var allDialects = [v2Dialect, seedDialect, v1Dialect];
function createAgentWith(dialects, handlers) {
  checkList("createAgentWith dialects", dialects);
  checkHandlers(handlers);
  if (handlers.authMethods?.some((method) => method.type === "agent") && handlers.login === void 0) {
    throw new TypeError("createAgent: authMethods of type agent need a login handler.");
  }
  if (handlers.log !== void 0 && handlers.log.keep === void 0) {
    throw new TypeError("createAgent: the log has no `keep`. Set it to keepSessions of @turnkit/agent.");
  }
  const misplaced = LISTENERS.find((name) => handlers[name] !== void 0);
  if (misplaced !== void 0) {
    throw new TypeError(
      `createAgent: ${misplaced} is an option of \`serve\` and \`serveStdio\`. Pass it to that function.`
    );
  }
  let unused = unusedHandlers(handlers);
  return {
    serve(channel, options = {}) {
      mustBeChannel(channel);
      const report = reporter(options.onDiagnostic);
      for (const message3 of [...unused, ...unknownServeOptions(options)]) report({ code: "unused_option", message: message3 });
      unused = [];
      const served = new ServedConnection({ dialects, handlers }, channel, options);
      const close = (graceMs) => served.close(graceMs);
      return { closed: served.closed, close, [Symbol.asyncDispose]: () => close() };
    }
  };
}
function mustBeChannel(channel) {
  if (typeof channel?.start === "function" && typeof channel.send === "function" && channel.closed != null) return;
  const hint = typeof channel?.then === "function" ? " Await the promise first." : "";
  throw new TypeError(
    `serve needs a channel, such as createStdioChannel() makes one. For stdio use serveStdio.${hint}`
  );
}
var LISTENERS = ["onDiagnostic", "onLoss"];

// apps/e2e/src/keyed-kill/agent.ts
var files = createFileLog(process.env.TURNKIT_KILL_FOLDER ?? "");
var point = "never";
function reached(name) {
  if (name === point) process.kill(process.pid, "SIGKILL");
}
var log = {
  ...files,
  async open(sessionId2, info) {
    const writer = await files.open(sessionId2, info);
    return {
      append(event) {
        const isKeyed = event.promptKey !== void 0;
        if (isKeyed) reached("before the record");
        const room = writer.append(event);
        if (isKeyed) reached("with the record unwritten");
        return room;
      },
      async commit() {
        reached("before the commit");
        await writer.commit();
        reached("before the answer");
      },
      onProblem: (listener) => writer.onProblem?.(listener),
      [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose]()
    };
  }
};
var agent_default = createAgent({
  info: { name: "killed", version: "1.0.0" },
  log,
  extensions: {
    _kill_at: (params) => {
      ({ point } = params);
      return {};
    }
  },
  prompt(turn) {
    reached("in the work");
    turn.say("Done.");
  }
});
export {
  agent_default as default
};
