// Timers, files and connections that stay open.
import { functionAround, nameOf, nodesBelow, pathOf, rule } from "./ast.js";

/** Ways to get a resource, and the methods that give it back. */
const RESOURCES = [
  {
    gets: /^(?:open|openSync)$/,
    from: /^(?:fs|fsp|promises|fs\.promises|fsPromises)$|^$/,
    ends: /^(?:close|closeSync)$/,
    what: "file",
  },
  {
    gets: /^(?:connect|getConnection|acquire)$/,
    from: /(?:pool|db|database|client)$/i,
    ends: /^(?:release|end|close|destroy|releaseConnection|disconnect)$/,
    what: "connection",
  },
];

export const unclosedResource = rule("a file or a connection that is not closed", (report) => ({
  VariableDeclarator(node) {
    const { id, init } = node;
    const call = init?.type === "AwaitExpression" ? init.argument : init;
    if (id.type !== "Identifier" || call?.type !== "CallExpression") return;
    const name = nameOf(call.callee) ?? "";
    const object = call.callee.type === "MemberExpression" ? (pathOf(call.callee.object) ?? "?") : "";
    const kind = RESOURCES.find(({ gets, from }) => gets.test(name) && from.test(object));
    const fn = functionAround(node);
    // `open` of a file has a path first.
    if (!kind || !fn || (object === "" && name === "open" && call.arguments.length < 1)) return;
    const uses = [...nodesBelow(fn.body)].filter(
      (one) => one.type === "Identifier" && one.name === id.name && one !== id,
    );
    const closings = uses.filter((use) => isClosing(use, kind.ends));
    if (uses.some((use) => leaves(use) && !closings.includes(use))) return;
    if (closings.length === 0) {
      report(call, `The ${kind.what} \`${id.name}\` is never closed. Close it in a finally block.`);
    } else if (!closings.some(isInFinally) && uses.some((use) => use.range[0] > node.range[1] && isWaited(use))) {
      report(
        call,
        `If something fails before \`${id.name}\` is closed, the ${kind.what} stays open. Close it in a finally block.`,
      );
    }
  },
}));

function isClosing(use, ends) {
  const { parent } = use;
  if (parent.type === "MemberExpression" && parent.object === use && ends.test(nameOf(parent) ?? "")) return true;
  return parent.type === "CallExpression" && parent.arguments.includes(use) && ends.test(nameOf(parent.callee) ?? "");
}

/** Returns `true` if another owner gets the value: it is returned, stored or passed on. */
function leaves(use) {
  const { parent } = use;
  if (parent.type === "MemberExpression" && parent.object === use) return false;
  if (parent.type === "CallExpression" && parent.arguments.includes(use))
    return !/^(?:read|write|fstat|fsync|ftruncate)(?:v)?(?:Sync)?$/.test(nameOf(parent.callee) ?? "");
  return /^(?:ReturnStatement|AssignmentExpression|Property|ArrayExpression|VariableDeclarator|ArrowFunctionExpression|YieldExpression|NewExpression|SpreadElement)$/.test(
    parent.type,
  );
}

function isInFinally(node) {
  for (let at = node; at?.parent; at = at.parent) {
    if (at.parent.type === "TryStatement" && at.parent.finalizer === at) return true;
  }
  return false;
}

/** Returns `true` if the use is part of an awaited expression, or of a call that can throw. */
function isWaited(use) {
  for (let at = use.parent; at && !/Statement|Function|Declaration$/.test(at.type); at = at.parent) {
    if (at.type === "AwaitExpression") return true;
  }
  return use.parent.type === "CallExpression";
}

export const unstoppedInterval = rule("an interval that nothing can stop", (report) => ({
  ExpressionStatement({ expression, parent }) {
    const call = expression.type === "ChainExpression" ? expression.expression : expression;
    if (call.type !== "CallExpression" || nameOf(call.callee) !== "setInterval" || parent.type === "Program") return;
    if (functionAround(call) === undefined) return;
    report(
      call,
      "Nothing can stop this interval: each call of the function starts one more, for ever. Keep its id, and clear it.",
    );
  },
}));
