// Wrong bounds, states and settings.
import { isConstant, nameOf, nodesBelow, pathOf, rule } from "./ast.js";

export const loopPastEnd = rule("a loop that reads past the end", (report) => ({
  ForStatement({ init, test, body }) {
    const [declared] = init?.type === "VariableDeclaration" ? init.declarations : [];
    const index = nameOf(declared?.id ?? init?.left);
    if (index === undefined || test?.type !== "BinaryExpression") return;
    const [limit, counter] = test.operator === "<=" ? [test.right, test.left] : [test.left, test.right];
    if (!/^[<>]=$/.test(test.operator) || nameOf(counter) !== index || counter.type !== "Identifier") return;
    if (limit.type !== "MemberExpression" || !/^(?:length|size)$/.test(nameOf(limit) ?? "")) return;
    const list = pathOf(limit.object);
    const isIndex = (one) =>
      one.type === "MemberExpression" &&
      one.computed &&
      pathOf(one.object) === list &&
      one.property.type === "Identifier" &&
      one.property.name === index;
    if (list !== undefined && [...nodesBelow(body)].some(isIndex)) {
      report(test, `The last round reads \`${list}[${list}.${nameOf(limit)}]\`, which does not exist. Use \`<\`.`);
    }
  },
  MemberExpression(node) {
    const { object, property, computed, parent } = node;
    const isRead = !(parent.type === "AssignmentExpression" && parent.left === node);
    if (!computed || !isRead || property.type !== "MemberExpression" || nameOf(property) !== "length") return;
    const list = pathOf(object);
    if (list !== undefined && pathOf(property.object) === list) {
      report(node, `\`${list}[${list}.length]\` does not exist: the last index is \`length - 1\`.`);
    }
  },
}));

const SEARCHES = /^(?:indexOf|lastIndexOf|findIndex|findLastIndex|search)$/;
const isSearch = (node) =>
  node?.type === "CallExpression" &&
  node.callee.type === "MemberExpression" &&
  SEARCHES.test(nameOf(node.callee) ?? "");

export const indexAsCondition = rule("an index as a condition", (report) => {
  const check = (node) => {
    const inner = node?.type === "UnaryExpression" && node.operator === "!" ? node.argument : node;
    if (isSearch(inner))
      report(
        inner,
        "The first place is 0, which counts as false, and -1 counts as true. Compare with -1, or use includes.",
      );
    if (
      inner?.type === "BinaryExpression" &&
      inner.operator === ">" &&
      isSearch(inner.left) &&
      inner.right.value === 0
    ) {
      report(inner, "The first place is 0, so this misses it. Compare with -1, or use includes.");
    }
    if (inner?.type === "LogicalExpression" && inner.operator !== "??") {
      check(inner.left);
      check(inner.right);
    }
  };
  return {
    IfStatement: ({ test }) => check(test),
    ConditionalExpression: ({ test }) => check(test),
    WhileStatement: ({ test }) => check(test),
  };
});

const SECRET = /(?:token|secret|passw|session_?id|nonce|salt|csrf|otp|api_?key|reset_?code|invite)/i;

export const weakRandom = rule("a secret out of Math.random", (report) => ({
  CallExpression(node) {
    if (pathOf(node.callee) !== "Math.random") return;
    for (let at = node.parent; at; at = at.parent) {
      const name = nameOf(
        at.id ?? (at.type === "AssignmentExpression" ? at.left : at.type === "Property" ? at.key : undefined),
      );
      if (name !== undefined && SECRET.test(name)) {
        report(node, "Math.random can be guessed. Use crypto.randomUUID or crypto.randomBytes for secrets.");
        return;
      }
      if (/Function/.test(at.type) && at.id === undefined && at.parent?.type !== "VariableDeclarator") return;
    }
  },
}));

/** Names of values that are secret, and texts that look like one: long, without spaces, with letters and digits. */
const SECRET_NAME = /(?:token|secret|passw(?:or)?d|api_?key|private_?key|signing_?key|credential)s?$/i;
const SECRET_TEXT = /^(?=[^\s]{16,200}$)(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]+$/;

export const secretInCode = rule("a secret in the code", (report) => {
  const check = (name, value) => {
    if (!SECRET_NAME.test(name ?? "") || typeof value?.value !== "string" || !SECRET_TEXT.test(value.value)) return;
    report(value, "This looks like a secret, which everyone with the code can read. Read it from the environment.");
  };
  return {
    VariableDeclarator: ({ id, init }) => check(nameOf(id), init),
    Property: ({ key, value }) => check(nameOf(key) ?? key.value, value),
    PropertyDefinition: ({ key, value }) => check(nameOf(key), value),
    AssignmentExpression: ({ left, right }) => check(nameOf(left), right),
  };
});

export const tlsOff = rule("certificates that are not checked", (report) => ({
  Property({ key, value }) {
    if (nameOf(key) === "rejectUnauthorized" && value.value === false) {
      report(value, "Certificates are not checked, so anybody on the way can read and change the data.");
    }
  },
  AssignmentExpression({ left, right }) {
    if (pathOf(left) === "process.env.NODE_TLS_REJECT_UNAUTHORIZED" && String(right.value) === "0") {
      report(right, "Certificates are not checked, so anybody on the way can read and change the data.");
    }
  },
}));

export const statefulRegExp = rule("a global regular expression that keeps its place", (report) => {
  const patterns = new Map();
  return {
    VariableDeclarator({ id, init, parent }) {
      if (init?.type !== "Literal" || !/[gy]/.test(init.regex?.flags ?? "") || parent.parent.type === "ForStatement")
        return;
      // Inside a function, each call has a new expression.
      const isShared = /^(?:Program|ExportNamedDeclaration)$/.test(parent.parent.type);
      if (isShared && id.type === "Identifier") patterns.set(id.name, []);
    },
    CallExpression(node) {
      const uses = nameOf(node.callee) === "test" ? patterns.get(pathOf(node.callee.object)) : undefined;
      uses?.push(node);
    },
    "Program:exit"() {
      for (const [name, uses] of patterns) {
        for (const use of uses)
          report(
            use,
            `\`${name}\` has the flag g, so test begins where the last call ended: every other call can be wrong. Leave the flag out.`,
          );
      }
    },
  };
});

const DEFAULTS = /^(?:ArrayExpression|ObjectExpression)$/;

export const sharedFill = rule("one object in every place of a list", (report) => ({
  CallExpression({ callee, arguments: [first] }) {
    if (nameOf(callee) !== "fill" || callee.type !== "MemberExpression" || !first) return;
    const isFresh = DEFAULTS.test(first.type) || (first.type === "NewExpression" && !isConstant(first));
    if (isFresh) report(first, "Every place of the list gets the same object. Use Array.from with a function.");
  },
}));
