// Values of the variables of a file, by their names.
import { isBuiltText, isConstant, nameOf, nodesBelow, startOfText } from "./ast.js";

const NUMBERS = /^(?:Number|parseInt|parseFloat|Math)$/;

/** Maximum number of values of a variable that are read. */
const MAX_VALUES = 50;

/** Reads the variables of a file. Variables with the same name count as one. */
export function readTexts(program) {
  const values = new Map();
  const fixed = new Map();
  const add = (map, name, value) => {
    const list = map.get(name) ?? [];
    if (list.length < MAX_VALUES) map.set(name, [...list, value]);
    else if (value === false) list[0] = false;
  };
  for (const node of nodesBelow(program)) {
    if (node.type === "VariableDeclarator" && node.id.type === "Identifier") {
      if (node.init) add(values, node.id.name, node.init);
      add(fixed, node.id.name, node.parent.kind === "const" && isConstant(node.init));
    } else if (node.type === "AssignmentExpression" && node.left.type === "Identifier") {
      add(values, node.left.name, node.right);
      add(fixed, node.left.name, false);
    } else if (/Function/.test(node.type)) {
      for (const one of node.params ?? []) if (one.type === "Identifier") add(fixed, one.name, false);
    }
  }
  const isHarmless = (node) => {
    if (node.type === "Identifier") return (fixed.get(node.name) ?? [false]).every(Boolean);
    if (node.type === "BinaryExpression") return /^[-*/%]$/.test(node.operator);
    if (node.type === "MemberExpression") return nameOf(node) === "length";
    if (node.type !== "CallExpression") return false;
    return NUMBERS.test(nameOf(node.callee) ?? "") || NUMBERS.test(nameOf(node.callee.object) ?? "");
  };
  const valuesOf = (node) => (node?.type === "Identifier" ? (values.get(node.name) ?? []) : node ? [node] : []);
  return {
    /** Returns the values that a variable gets. */
    valuesOf,
    /** Returns `true` if the text, or a value of the variable, is put together from values that may be foreign. */
    isBuilt: (node) => valuesOf(node).some((value) => isBuiltText(value, isHarmless)),
    /** Returns the start of the text, or of the first value of the variable. */
    startOf: (node) => valuesOf(node).map(startOfText)[0] ?? "",
  };
}
