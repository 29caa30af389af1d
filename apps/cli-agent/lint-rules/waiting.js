// Work that nothing waits for, and values that change during a wait.
import { functionAround, nameOf, nodesBelow, pathOf, rule } from "./ast.js";

const LOOPS = /^(?:forEach)$/;

export const asyncForEach = rule("forEach with an async function", (report) => ({
  CallExpression({ callee, arguments: [first] }) {
    if (callee.type === "MemberExpression" && LOOPS.test(nameOf(callee) ?? "") && first?.async === true) {
      report(
        first,
        "forEach does not wait for an async function, and its errors are lost. Use for…of with await, or Promise.all.",
      );
    }
  },
}));

export const unawaitedCall = rule("a call of a function with a promise without await", (report) => {
  const names = new Set();
  const methods = new Set();
  const calls = [];
  return {
    ImportDeclaration({ source, specifiers }) {
      if (/^(?:node:)?(?:fs|timers|stream|dns|readline)\/promises$/.test(source.value)) {
        for (const { local } of specifiers) names.add(local.name);
      }
    },
    FunctionDeclaration(node) {
      if (node.async && node.id) names.add(node.id.name);
    },
    VariableDeclarator({ id, init }) {
      if (init?.async && id.type === "Identifier") names.add(id.name);
    },
    MethodDefinition({ key, value }) {
      if (value.async) methods.add(`this.${key.type === "PrivateIdentifier" ? "#" : ""}${nameOf(key)}`);
    },
    ExpressionStatement({ expression }) {
      if (expression.type === "CallExpression") calls.push(expression);
    },
    "Program:exit"() {
      for (const call of calls) {
        const { callee } = call;
        const isPrivate = callee.type === "MemberExpression" && callee.property.type === "PrivateIdentifier";
        const name = isPrivate ? `${pathOf(callee.object)}.#${callee.property.name}` : pathOf(callee);
        // At the top of a file, such a call is often the start of the program.
        if (functionAround(call) === undefined || !(names.has(name) || methods.has(name))) continue;
        report(
          call,
          `Nothing waits for \`${name}\`: what follows runs first, and its errors are lost. Write await, or void if that is meant.`,
        );
      }
    },
  };
});

export const lostUpdate = rule("a value that is read before a wait and written after it", (report) => ({
  AssignmentExpression(node) {
    const target = pathOf(node.left);
    const fn = functionAround(node);
    if (target === undefined || !fn?.async) return;
    const waits = [...nodesBelow(node.right, true)].filter(({ type }) => type === "AwaitExpression");
    if (waits.length === 0 || isLocal(node.left, fn)) return;
    const [wait] = waits;
    const isReadFirst =
      node.operator !== "=" ||
      [...nodesBelow(node.right, true)].some((one) => pathOf(one) === target && one.range[1] <= wait.range[0]);
    if (isReadFirst) {
      report(
        node,
        `\`${target}\` is read before the wait and written after it: changes during the wait are lost. Wait first, then read.`,
      );
    }
  },
}));

/** Returns `true` for a variable of the function. Only one call can change it, unless an inner function does. */
function isLocal(left, fn) {
  if (left.type !== "Identifier") return false;
  const isDeclared = [...nodesBelow(fn, true)].some(
    (one) =>
      (one.type === "VariableDeclarator" && nameOf(one.id) === left.name) ||
      (one === fn && fn.params.some((param) => nameOf(param) === left.name)),
  );
  return isDeclared;
}

const CHECKS = /^(?:exists|existsSync|access|accessSync|stat|statSync|lstatSync)$/;
const CHANGES =
  /^(?:writeFile|writeFileSync|mkdir|mkdirSync|rename|renameSync|unlink|unlinkSync|rm|rmSync|rmdirSync|copyFile|copyFileSync|symlinkSync|appendFileSync)$/;

export const checkThenAct = rule("a file that is checked and then changed", (report) => ({
  IfStatement({ test, consequent, alternate }) {
    const checked = new Set(
      [...nodesBelow(test, true)].flatMap((one) =>
        one.type === "CallExpression" && CHECKS.test(nameOf(one.callee) ?? "") ? [pathOf(one.arguments[0])] : [],
      ),
    );
    checked.delete(undefined);
    if (checked.size === 0) return;
    for (const branch of [consequent, alternate]) {
      for (const one of branch ? nodesBelow(branch, true) : []) {
        if (one.type !== "CallExpression" || !CHANGES.test(nameOf(one.callee) ?? "")) continue;
        if (!one.arguments.slice(0, 2).some((argument) => checked.has(pathOf(argument)))) continue;
        report(
          one,
          "The file may change between the check and this call. Make the call, and handle its error (or a flag such as `wx`).",
        );
        return;
      }
    }
  },
}));
