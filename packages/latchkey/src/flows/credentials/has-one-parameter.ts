/** The beginning of a function with no parameter, or with one that has no default and is not a rest parameter. */
const AT_MOST_ONE =
  /^(?:async )?(?:[\w$]+ ?=>|(?:function ?)?[\w$]* ?\( ?(?:[\w$]+|\{[\w$ ,:]*\})? ?\) ?(?:=>|\{))/

/** Ways to get at further arguments, escapes that may spell one, and texts that stand for a body that is not shown. */
const MORE = /\b(?:arguments|eval)\b|\\u|\[(?:native code|bytecode)\]/

/** Longest beginning that is looked at, characters. */
const HEAD = 300

/**
 * Returns whether a function cannot see a second argument, as its text shows. In doubt, returns `false`: a method with a
 * computed name, a bound function, comments and defaults between the parentheses.
 */
export function hasOneParameter(callee: (...given: never[]) => unknown): boolean {
  // A monitor may show the text of the function that it wraps.
  if (callee.length > 1) return false
  const text = Function.prototype.toString.call(callee)
  const head = text.slice(0, HEAD).replace(/\s+/g, ' ')
  return AT_MOST_ONE.test(head) && !MORE.test(text)
}
